/**
 * Which notes come first where not all fit (spec S4, I1): one total order for MEMORY.md and the start block, so that the
 * same store gives the same bytes. Use and trust are known where an index is written; a reader without the state database
 * takes them from the order of that index, so that a start block changes with a write or a refresh, never with a use.
 */
import { layerNameOf, UNTRIED, type Voice } from '../../domain/index.ts'
import { compareUnits } from '../../util/index.ts'

export interface ValuedNote {
  readonly id: string
  /** Layer key. */
  readonly layer: string
  readonly file: string
  readonly pinned: boolean
  readonly voice: Voice
  readonly mutes: readonly string[]
  readonly updated: string | null
  /** Absent: nobody tried it, or it is not known here. */
  readonly earned?: Earned
  /** Given by `placedByIndex`. */
  readonly listed?: { readonly date: string; readonly place: number }
}

export interface Earned {
  readonly trust: number
  readonly lastUsed: string | null
}

const VOICE_ORDER: Readonly<Record<Voice, number>> = { rule: 0, fact: 1, quoted: 2 }

/**
 * The user's pins, rules before facts before quotes, the pins of others, notes that mute another one (whoever reads the
 * first ones only must know of them); then those that misled more than they helped come last, and the one that was changed
 * or used last comes first, uses by their day; id, place.
 */
export function mostValuableFirst(one: ValuedNote, other: ValuedNote): number {
  return (
    Number(isOwnPin(other)) - Number(isOwnPin(one)) ||
    VOICE_ORDER[one.voice] - VOICE_ORDER[other.voice] ||
    Number(other.pinned) - Number(one.pinned) ||
    Number(other.mutes.length > 0) - Number(one.mutes.length > 0) ||
    Number(hasMisled(one)) - Number(hasMisled(other)) ||
    compareUnits(dateOf(other), dateOf(one)) ||
    (one.listed?.place ?? -1) - (other.listed?.place ?? -1) ||
    compareUnits(one.id, other.id) ||
    compareUnits(one.layer, other.layer) ||
    compareUnits(one.file, other.file)
  )
}

function hasMisled({ earned }: ValuedNote): boolean {
  return earned !== undefined && earned.trust < UNTRIED.value
}

/** A day is less than any time on it: two uses on one day do not move lines about. */
function dateOf({ updated, earned, listed }: ValuedNote): string {
  if (listed) return listed.date
  const used = earned?.lastUsed?.slice(0, 10) ?? ''
  return updated !== null && updated > used ? updated : used
}

/** A line of an index that Keepsake wrote. */
interface PlacingLine {
  readonly target: string
  readonly date: string | null
}

/**
 * The notes with the places that the index of their layer gives them, for who does not know what they earned. A note that
 * changed since its line was written keeps its own date. One that stands before others counts as no older than they.
 */
export function placedByIndex<Note extends ValuedNote>(notes: readonly Note[], lines: readonly PlacingLine[]): Note[] {
  const lineOf = new Map(lines.map(({ target, date }, place) => [target, { place, date }]))
  const listed = notes.flatMap((note) => {
    const line = lineOf.get(note.file.normalize('NFC'))
    return line && line.date === (note.updated?.slice(0, 10) ?? null) ? [{ note, place: line.place }] : []
  })
  const newest = new Map<string, string>()
  const places = new Map<ValuedNote, { readonly date: string; readonly place: number }>()
  for (const { note, place } of listed.sort((one, other) => other.place - one.place)) {
    const kind = [isOwnPin(note), note.voice, note.pinned, note.mutes.length > 0].join()
    const below = newest.get(kind) ?? ''
    const date = note.updated !== null && note.updated > below ? note.updated : below
    newest.set(kind, date)
    places.set(note, { date, place })
  }
  return notes.map((note) => ({ ...note, listed: places.get(note) }))
}

/** True when only its age and its kind of facts place a note: behind it come none that are pinned, rules or mute others. */
export function isOrdinary({ pinned, voice, mutes }: Pick<ValuedNote, 'pinned' | 'voice' | 'mutes'>): boolean {
  return !pinned && voice === 'fact' && mutes.length === 0
}

function isOwnPin({ pinned, layer }: ValuedNote): boolean {
  return pinned && layerNameOf(layer) !== 'team'
}
