/** What the steps of one batch of edits share, and what a step gives. */
import type { Edit, EditedEntry, EditInput, EntriesNow, Evidence, Layer, Rejection } from '../../domain/index.ts'
import { hasCode, MemoryError } from '../../errors.ts'
import { toSummary } from '../../store/notes/summary.ts'
import type { WriteContext } from '../dependencies.ts'
import type { PlacedBody } from '../entries-now.ts'
import { readerOf } from '../read-layer.ts'
import { notEditable } from '../rejections.ts'
import { type Revision, revise } from '../revise.ts'
import type { DraftLayers } from './draft-layers.ts'
import type { Located } from './locate.ts'

export interface Stage {
  /** Its files are those of the drafts: every read sees the edits before. */
  readonly context: WriteContext
  readonly drafts: DraftLayers
  readonly input: EditInput
  /** UTC ISO 8601 of the edits. */
  readonly time: string
  /** Layers of here that exist, nearest first. */
  readonly layers: readonly Layer[]
}

/** One edit as drafted. */
export interface Step {
  readonly entry: EditedEntry
  readonly layer: Layer
  readonly file: string
  readonly evidence: readonly Evidence[]
  readonly masked: readonly string[]
  readonly notices: readonly string[]
}

export interface Refused {
  readonly reason: Rejection
  /** Entries in question; null when there are none to show. */
  readonly present: Omit<EntriesNow, 'profile'> | null
}

export type Outcome = Step | Refused

export function refuse(reason: Rejection, present: Refused['present'] = null): Refused {
  return { reason, present }
}

export type EditOf<Action extends Edit['action']> = Extract<Edit, { action: Action }>

/** Drafts a new version of a note that was found; a file that must not be edited is refused. */
export async function draftRevision(stage: Stage, { layer, note, bytes }: Located, revision: Revision) {
  try {
    const id = note.idDerived ? { id: note.id } : {}
    await stage.drafts.put(layer, note.file, revise(bytes, { ...revision, ...id }, note.file))
    return null
  } catch (error) {
    if (!hasCode(error, 'NOTE_FORMAT_INVALID')) throw error
    return refuse(notEditable(error.message))
  }
}

export function later(one: string | null, other: string): string {
  return one !== null && one > other ? one : other
}

/** A note as the drafts have it, under the id it is known by. */
export async function noteAt(
  { context }: Stage,
  { layer, note }: { readonly layer: Layer; readonly note: { readonly file: string; readonly id?: string } },
): Promise<PlacedBody & { readonly hash: string }> {
  const loaded = await readerOf(context.files, layer, context).load(note.file)
  if (!loaded)
    throw new MemoryError('NOTE_NOT_FOUND', `${note.file} is not there any more`, { data: { reference: note.file } })
  return { ...loaded, note: { ...loaded.note, id: note.id ?? loaded.note.id }, layer }
}

export async function summaryOf(stage: Stage, place: Parameters<typeof noteAt>[1]) {
  return toSummary((await noteAt(stage, place)).note, place.layer)
}

/** What was done to a note that was found, where no new words came in. */
export function stepOf({ layer, note }: Located, entry: Step['entry'], notices: readonly string[]): Step {
  return { entry, layer, file: note.file, evidence: [], masked: [], notices }
}
