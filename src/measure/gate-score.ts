/**
 * Scores of a labelled set for the gate. A saved note matches a keep when its text (name, description, body; NFKC, white
 * space collapsed) holds every `must`, no `mustNot` and no `forbid`, and its evidence names the keep's message among at
 * most three. Notes and keeps pair one to one, as many as possible: a second note for the same keep is wrong. The type
 * does not matter for a match.
 */
import type { NoteType } from '../domain/index.ts'
import { oneLine } from '../util/index.ts'
import type { GateKeep, GateRow } from './gate-data.ts'
import { type Interval, type Share, shareOf, wilson } from './wilson.ts'

const MAX_EVIDENCE = 3

/** A note that would be active after the conversation. */
export interface SavedNote {
  readonly type: NoteType
  readonly name: string
  readonly description: string
  readonly body: string
  /** Indexes of messages. */
  readonly evidence: readonly number[]
  /** The existing note that it took the place of. */
  readonly replaces: string | null
}

/** One conversation: counts, and in words what was wrong or missed. */
export interface ScoredConversation {
  readonly id: string
  readonly lang: string
  readonly kind: string
  readonly keeps: number
  readonly saved: number
  readonly right: number
  readonly rightTypes: number
  readonly forbidden: number
  readonly replaces: { readonly of: number; readonly right: number; readonly wrong: number }
  readonly remarks: readonly string[]
}

export interface GateFigures {
  /** Conversations. */
  readonly n: number
  readonly saved: number
  readonly keeps: number
  readonly precision: Share
  readonly recall: Share
  /** Of the conversations that deserve silence: those in which nothing was saved. */
  readonly noopRate: Share
  /** Of the paired notes. */
  readonly typeAccuracy: Share
  /** Saved notes that hold what they must not. */
  readonly forbidden: number
  /** `of`: keeps that take a note's place; `wrong`: notes that took the place of another one. */
  readonly replaces: { readonly of: number; readonly right: number; readonly wrong: number }
  readonly ci95: Readonly<Record<'precision' | 'recall' | 'noopRate' | 'typeAccuracy', Interval>>
}

export interface GateScore extends GateFigures {
  readonly perKind: Readonly<Record<string, GateFigures>>
  readonly perLanguage: Readonly<Record<string, GateFigures>>
}

export function scoreConversation(row: GateRow, saved: readonly SavedNote[]): ScoredConversation {
  const faults = saved.map((note) => row.keep.map((keep) => faultsOf(note, keep, row.forbid)))
  const paired = pair(
    faults.map((perKeep) => perKeep.map((each) => each.length === 0)),
    row.keep.length,
  )
  const pairs = saved.flatMap((note, at) => {
    const keep = row.keep[paired[at] ?? -1]
    return keep ? [{ note, keep }] : []
  })
  const wrong = saved.filter((_, at) => paired[at] === -1)
  const replacing = row.keep.filter(({ replaces }) => replaces !== null)
  return {
    id: row.id,
    lang: row.lang,
    kind: row.kind,
    keeps: row.keep.length,
    saved: saved.length,
    right: pairs.length,
    rightTypes: pairs.filter(({ note, keep }) => [keep.type, ...keep.typeAlso].includes(note.type)).length,
    forbidden: saved.filter((note, at) => holdsForbidden(note, faults[at] ?? [], row)).length,
    replaces: {
      of: replacing.length,
      right: pairs.filter(({ note, keep }) => keep.replaces !== null && note.replaces === keep.replaces).length,
      wrong: saved.filter(({ replaces }, at) => replaces !== null && replaces !== row.keep[paired[at] ?? -1]?.replaces)
        .length,
    },
    remarks: [
      ...wrong.map((note) => `wrong: ${note.name}${reasonOf(faults[saved.indexOf(note)] ?? [])}`),
      ...row.keep.filter((_, keep) => !paired.includes(keep)).map((keep) => `missed: ${labelOf(keep)}`),
    ],
  }
}

export function scoreGate(results: readonly ScoredConversation[]): GateScore {
  const grouped = (key: 'kind' | 'lang') =>
    Object.fromEntries(
      [...new Set(results.map((each) => each[key]))]
        .toSorted()
        .map((value) => [value, figuresOf(results.filter((each) => each[key] === value))]),
    )
  return { ...figuresOf(results), perKind: grouped('kind'), perLanguage: grouped('lang') }
}

function figuresOf(results: readonly ScoredConversation[]): GateFigures {
  const sum = (count: (result: ScoredConversation) => number) =>
    results.reduce((total, result) => total + count(result), 0)
  const [right, saved, keeps] = [sum((each) => each.right), sum((each) => each.saved), sum((each) => each.keeps)]
  const silent = results.filter((each) => each.keeps === 0)
  const shares = {
    precision: [right, saved],
    recall: [right, keeps],
    noopRate: [silent.filter((each) => each.saved === 0).length, silent.length],
    typeAccuracy: [sum((each) => each.rightTypes), right],
  } as const
  return {
    n: results.length,
    saved,
    keeps,
    precision: shareOf(...shares.precision),
    recall: shareOf(...shares.recall),
    noopRate: shareOf(...shares.noopRate),
    typeAccuracy: shareOf(...shares.typeAccuracy),
    forbidden: sum((each) => each.forbidden),
    replaces: {
      of: sum((each) => each.replaces.of),
      right: sum((each) => each.replaces.right),
      wrong: sum((each) => each.replaces.wrong),
    },
    ci95: {
      precision: wilson(...shares.precision),
      recall: wilson(...shares.recall),
      noopRate: wilson(...shares.noopRate),
      typeAccuracy: wilson(...shares.typeAccuracy),
    },
  }
}

/** Why a note does not match a keep; empty when it does. */
function faultsOf(note: SavedNote, keep: GateKeep, forbid: readonly string[]): string[] {
  const text = textOf(note)
  const { evidence } = note
  const isProven = evidence.includes(keep.evidence) && evidence.length <= MAX_EVIDENCE
  return [
    ...keep.must.filter((pattern) => !finds(pattern, text)).map((pattern) => `misses ${pattern}`),
    ...keep.mustNot.filter((pattern) => finds(pattern, text)).map((pattern) => `must not hold ${pattern}`),
    ...forbid.filter((pattern) => finds(pattern, text)).map((pattern) => `forbidden ${pattern}`),
    ...(isProven ? [] : [`evidence: wants ${keep.evidence}, has ${evidence.join(', ') || 'none'}`]),
  ]
}

/** A forbidden pattern, or all that a keep wants together with what it must not hold. */
function holdsForbidden(note: SavedNote, faults: readonly (readonly string[])[], { forbid }: GateRow): boolean {
  const isOnSubject = (each: readonly string[]) =>
    each.some((fault) => fault.startsWith('must not')) && !each.some((fault) => fault.startsWith('misses'))
  return faults.some(isOnSubject) || forbid.some((pattern) => finds(pattern, textOf(note)))
}

/** Index of the keep that each note is paired with, or -1: augmenting paths, so the pairing is the largest. */
function pair(matches: readonly (readonly boolean[])[], keepCount: number): number[] {
  const noteOf = new Map<number, number>()
  const place = (note: number, tried: Set<number>): boolean => {
    for (let keep = 0; keep < keepCount; keep++) {
      if (!matches[note]?.[keep] || tried.has(keep)) continue
      tried.add(keep)
      const other = noteOf.get(keep)
      if (other !== undefined && !place(other, tried)) continue
      noteOf.set(keep, note)
      return true
    }
    return false
  }
  for (const note of matches.keys()) place(note, new Set())
  const keepOf = new Map([...noteOf].map(([keep, note]) => [note, keep]))
  return matches.map((_, note) => keepOf.get(note) ?? -1)
}

function reasonOf(faults: readonly (readonly string[])[]): string {
  const nearest = [...faults].sort((one, other) => one.length - other.length)[0]
  return nearest && nearest.length > 0 ? ` (${nearest.join('; ')})` : ''
}

function labelOf({ about, must }: GateKeep): string {
  return about ?? must.join(' + ')
}

function textOf({ name, description, body }: SavedNote): string {
  return oneLine([name, description, body].join('\n').normalize('NFKC'))
}

function finds(pattern: string, text: string): boolean {
  return new RegExp(pattern, 'iu').test(text)
}
