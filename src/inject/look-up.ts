/** What notes name, looked up in the working tree in front of us (spec I5). */
import { type AnchorVerdict, layerNameOf, type NoteToVerify, type VerifyNotes } from '../domain/index.ts'

/** Anchors that are looked up for one block or answer. */
const MAX_ANCHORS = 50

export interface LookUpOptions {
  /** For all notes together. */
  readonly maxMs: number
  readonly signal?: AbortSignal
}

/** By id of the note; `layer` is a key. What a global note names lies in no working tree that is known. */
export async function lookUp(
  verify: VerifyNotes | null,
  notes: readonly (NoteToVerify & { readonly layer: string })[],
  { maxMs, signal }: LookUpOptions,
): Promise<ReadonlyMap<string, readonly AnchorVerdict[]>> {
  const placed = notes.filter(({ layer }) => layerNameOf(layer) !== 'global')
  if (verify === null || placed.length === 0) return new Map()
  return verify(placed, { maxMs, maxAnchors: MAX_ANCHORS, signal })
}
