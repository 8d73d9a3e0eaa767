/**
 * "Forget that": notes that rest on nothing but the words that the user took back are forgotten, with their tombstones,
 * and what waits for a yes because of nothing else is dropped.
 */
import type { Evidence, Layer } from '../domain/index.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import { readNote } from '../store/notes/note-format.ts'
import type { Proposals } from '../store/proposals.ts'
import type { Writer } from '../write/index.ts'
import type { Notes } from './notes.ts'

export interface TakeBackTools {
  readonly files: NoteFiles
  readonly notes: Notes
  readonly writer: Writer
  readonly proposals: Pick<Proposals, 'list'>
}

/** Returns how many notes went. A note that other words prove too stays. */
export async function takeBack(
  session: string,
  hashes: ReadonlySet<string> | 'all',
  { files, notes, writer, proposals }: TakeBackTools,
): Promise<number> {
  let forgotten = 0
  for (const { note, layer } of await notes.scan()) {
    if (!(await restsOn(files, layer, note.file, session, hashes))) continue
    const { outcome } = await writer.forget(note.id)
    if (outcome === 'forgotten') forgotten++
  }
  const waiting = (await proposals.list({ limit: Number.POSITIVE_INFINITY })).proposals
  const dropped = waiting.filter(({ evidence }) => restOn(evidence, session, hashes))
  const decided = dropped.length === 0 ? [] : await writer.review.reject(dropped, {})
  return forgotten + decided.filter(({ outcome }) => outcome === 'rejected').length
}

async function restsOn(
  files: NoteFiles,
  layer: Layer,
  file: string,
  session: string,
  hashes: ReadonlySet<string> | 'all',
): Promise<boolean> {
  const bytes = await files.read(layer, file)
  if (!bytes) return false
  const { source } = readNote(bytes.bytes, { layer: layer.key, file, hash: bytes.hash })
  return restOn(source, session, hashes)
}

function restOn(source: readonly Evidence[], session: string, hashes: ReadonlySet<string> | 'all'): boolean {
  const isTakenBack = ({ hash }: Evidence) => hashes === 'all' || (hash !== null && hashes.has(hash))
  return source.length > 0 && source.every((each) => each.session === session && isTakenBack(each))
}
