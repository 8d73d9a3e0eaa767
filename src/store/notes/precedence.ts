/**
 * Which of the notes of a place count (spec S5): worktree > project > team > global. One pure function that every door
 * asks. A nearer note overrides those of its name and mutes those it names by id; only a note that counts itself, and
 * that holds in all of this place, stands before others, so there are no cycles. Words of others never take the user's
 * own away: what tools and files said silences only its like, and a team overrides no rule, no pinned note, and mutes none.
 */
import {
  isShared,
  layerNameOf,
  layerNames,
  type NoteStatus,
  type Silencer,
  STANDS,
  type Standing,
  type Voice,
} from '../../domain/index.ts'
import { comparableName, compareUnits } from '../../util/index.ts'
import { type Reach, reachOf } from './applies-to.ts'

/** What decides about a note. */
export interface RankedNote {
  readonly id: string
  /** Layer key. */
  readonly layer: string
  readonly file: string
  readonly name: string
  readonly status: NoteStatus
  readonly voice: Voice
  readonly pinned: boolean
  readonly mutes: readonly string[]
  readonly appliesTo: readonly string[]
  readonly expires: string | null
}

/** The place that is read from. */
export interface Here {
  /** Folders from the project's root down to the working directory. */
  readonly within: readonly string[]
  /** Paths below the root that are spoken of: a note that is narrowed to one of them counts too. */
  readonly named?: readonly (readonly string[])[]
  /** `YYYY-MM-DD` of the last refresh, by which dates of expiry are judged; null: none has passed. */
  readonly day: string | null
}

export const ANYWHERE: Here = { within: [], day: null }

/** The standing of every note. The same for any order of `notes`. */
export function standingsOf<Note extends RankedNote>(notes: readonly Note[], here: Here): Map<Note, Standing> {
  const standings = new Map<Note, Standing>()
  const nearer = { named: new Map<string, Note[]>(), muted: new Map<string, Note[]>() }
  for (const layer of byLayer(notes)) {
    const effective: Note[] = []
    for (const note of layer) {
      const reach = reachHere(note, here)
      const standing = judge(note, reach, nearer, here)
      standings.set(note, standing)
      if (standing.state === 'stands' && reach === 'here') effective.push(note)
    }
    for (const note of effective) register(note, nearer)
  }
  return standings
}

interface Nearer<Note> {
  /** By comparable name. */
  readonly named: Map<string, Note[]>
  /** By the id that is muted. */
  readonly muted: Map<string, Note[]>
}

function judge<Note extends RankedNote>(note: Note, reach: Reach, nearer: Nearer<Note>, here: Here): Standing {
  if (note.status !== 'active' || isExpired(note, here.day)) return { state: 'retired' }
  if (reach === 'elsewhere') return { state: 'elsewhere', appliesTo: note.appliesTo }
  const overriding = nearer.named.get(comparableName(note.name))?.find((other) => maySilence(other, note))
  if (overriding) return { state: 'overridden', by: silencer(overriding) }
  const muting = nearer.muted.get(note.id)?.find((other) => maySilence(other, note))
  return muting ? { state: 'muted', by: silencer(muting) } : STANDS
}

function maySilence(other: RankedNote, note: RankedNote): boolean {
  if (other.voice === 'quoted' && note.voice !== 'quoted') return false
  return !(isFromOthers(other) && (note.pinned || note.voice === 'rule'))
}

function register<Note extends RankedNote>(note: Note, { named, muted }: Nearer<Note>): void {
  push(named, comparableName(note.name), note)
  if (!isFromOthers(note)) for (const id of note.mutes) push(muted, id, note)
}

function push<Note>(lists: Map<string, Note[]>, key: string, note: Note): void {
  const list = lists.get(key)
  if (list) list.push(note)
  else lists.set(key, [note])
}

function isFromOthers({ layer }: RankedNote): boolean {
  return isShared({ name: layerNameOf(layer) })
}

/** A note whose paths are spoken of counts, but it holds only there. */
function reachHere({ appliesTo }: RankedNote, { within, named = [] }: Here): Reach {
  const reach = reachOf(appliesTo, within)
  const isNamed = reach === 'elsewhere' && named.some((path) => reachOf(appliesTo, path) !== 'elsewhere')
  return isNamed ? 'partly' : reach
}

/** A date holds through its day; a condition is judged by nobody here. */
export function isExpired({ expires }: Pick<RankedNote, 'expires'>, day: string | null): boolean {
  const date = /^\s*(\d{4}-\d\d-\d\d)(?!\d)/.exec(expires ?? '')?.[1]
  return date !== undefined && day !== null && date < day
}

function silencer({ id, name, layer }: RankedNote): Silencer {
  return { id, name, layer: layerNameOf(layer) }
}

/** Nearest layer first; in a layer by id and file, so that of two notes of one name the same one is named. */
function byLayer<Note extends RankedNote>(notes: readonly Note[]): Note[][] {
  const sorted = [...notes].sort((one, other) => compareUnits(one.id, other.id) || compareUnits(one.file, other.file))
  return layerNames.map((name) => sorted.filter(({ layer }) => layerNameOf(layer) === name))
}
