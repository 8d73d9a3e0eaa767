/**
 * What stands in the start block beside the notes (spec I1): the last session, lines of the project's summary, names of
 * skills. They are recalled facts, whoever wrote them; what is left out is counted.
 */
import { escapeFenced, safeLines } from '../guard/index.ts'
import { comparableName, cutBytes, labelOf, normaliseForComparison, oneLine, utf8Bytes } from '../util/index.ts'
import type { StartNote } from './start-note.ts'

/** A line of any kind, so that none takes the room of all others. */
const MAX_LINE_BYTES = 240
/** Of the line that says where this very conversation stands: it replaces what the compaction took away. */
const MAX_STATE_BYTES = 620
/** Names of skills on one line, where there is no room for what they do. */
const MAX_NAMES_BYTES = 200
/** Lines of the summary that are looked at: more would not fit into any block of the usual size. */
const MAX_SUMMARY_LINES = 40
/** `* ` before a line. */
const MARK_BYTES = 2

/** As it was read. Nothing in it is judged yet. */
export interface StartRest {
  readonly session: RestSession | null
  readonly summary: readonly SummaryLine[]
  readonly skills: readonly RestSkill[]
}

export interface RestSession {
  /** `<agent>:<native id>` */
  readonly id: string
  /** YYYY-MM-DD; null: it is this conversation, behind a compaction. */
  readonly date: string | null
  readonly line: string
}

export interface SummaryLine {
  /** Without its mark and the name of its note. */
  readonly text: string
  /** The name of the note that it tells. */
  readonly note: string
}

export interface RestSkill {
  readonly name: string
  /** Null where its words are nobody's we know, or none of them could be read. */
  readonly description: string | null
}

/** One line of the summary as it may be shown. */
export interface ShownLine {
  readonly line: string
  /** The name of its note. */
  readonly note: string
}

/** May be shown; escaped by its fence. */
export interface RestTaken {
  readonly session: RestSession | null
  readonly summary: readonly ShownLine[]
  readonly skills: readonly string[]
  readonly left: { readonly summary: number; readonly skills: number }
}

export const NO_REST: StartRest = { session: null, summary: [], skills: [] }
export const NO_JUDGED_REST: JudgedRest = { session: null, summary: [], more: 0, skills: [] }
export const NO_REST_TAKEN: RestTaken = { session: null, summary: [], skills: [], left: { summary: 0, skills: 0 } }

export function isEmptyRest({ session, summary, skills, left }: RestTaken): boolean {
  return session === null && summary.length + skills.length + left.summary + left.skills === 0
}

interface Telling extends ShownLine {
  /** The note that says the same words; where it is shown the line is not. */
  readonly sameAs: StartNote | null
}

/** What may be shown of it, best first. */
export interface JudgedRest {
  readonly session: RestSession | null
  readonly summary: readonly Telling[]
  /** Lines that count but were not looked at. */
  readonly more: number
  readonly skills: readonly { readonly name: string; readonly line: string }[]
}

export interface RestNotes {
  /** Notes that count here, best first. */
  readonly counting: readonly StartNote[]
  readonly others: readonly StartNote[]
  /** Every note of the layers was read, so a name that is unknown is of none. */
  readonly isWhole: boolean
}

/** A line of the summary goes with its note: no line of one that is gone, retired or overridden here. */
export function judgeRest({ session, summary, skills }: StartRest, notes: RestNotes): JudgedRest {
  const ranked = rankedLines(summary, notes)
  const looked = ranked.slice(0, MAX_SUMMARY_LINES)
  const texts = [
    session?.line ?? '',
    ...looked.map(({ text, name }) => `${text} [${name}]`),
    ...skills.map(({ name }) => name),
    ...skills.map(({ name, description }) => (description === null ? name : `${name}: ${description}`)),
  ]
  const safe = safeLines(texts.map((text) => judgedLine(text)))
  const maxSession = session?.date === null ? MAX_STATE_BYTES : MAX_LINE_BYTES
  const shown = safe.map((line, place) => cutLine(line, place === 0 ? maxSession : MAX_LINE_BYTES))
  const skillsFrom = 1 + looked.length
  return {
    session: session === null ? null : { ...session, line: shown[0] ?? '' },
    summary: looked.map(({ text, name, note }, place) => ({
      line: shown[1 + place] ?? '',
      note: name,
      sameAs: note !== null && saysTheSame(text, note) ? note : null,
    })),
    more: ranked.length - looked.length,
    skills: skills.map((_, place) => ({
      name: shown[skillsFrom + place] ?? '',
      line: shown[skillsFrom + skills.length + place] ?? '',
    })),
  }
}

function judgedLine(text: string) {
  return { line: oneLine(text), name: '', description: '', label: 'a line' }
}

function cutLine(line: string, maxBytes: number): string {
  return utf8Bytes(line) <= maxBytes ? line : `${cutBytes(line, maxBytes - 3).trimEnd()}…`
}

/** By the value of the notes they tell; lines of notes that were not read last, all in their own order. */
function rankedLines(summary: readonly SummaryLine[], { counting, others, isWhole }: RestNotes) {
  if (summary.length === 0) return []
  const ranks = new Map<string, number>()
  for (const [rank, { name }] of counting.entries()) {
    const key = comparableName(name)
    if (!ranks.has(key)) ranks.set(key, rank)
  }
  const silent = new Set(others.map(({ name }) => comparableName(name)))
  return summary
    .flatMap(({ text, note: name }) => {
      const key = comparableName(name)
      const rank = ranks.get(key)
      if (rank === undefined && (isWhole || silent.has(key))) return []
      return [{ text, name, rank: rank ?? counting.length, note: rank === undefined ? null : (counting[rank] ?? null) }]
    })
    .sort((one, other) => one.rank - other.rank)
}

/** Bytes that all of it would take, when each note that counts is shown: what need not be kept for it, others may have. */
export function wantedBytes(rest: JudgedRest): number {
  return sizeOf(takeRest(rest, Number.POSITIVE_INFINITY, () => true))
}

/** In this order while the share lasts: the last session, the skills, the summary. `isShown`: the note stands in the block. */
export function takeRest(rest: JudgedRest, share: number, isShown: (note: StartNote) => boolean): RestTaken {
  const summary = rest.summary.filter(({ sameAs }) => sameAs === null || !isShown(sameAs))
  const session = rest.session !== null && bytesOf(rest.session.line) - MARK_BYTES <= share ? rest.session : null
  let left = share - (session === null ? 0 : bytesOf(session.line) - MARK_BYTES)
  const skillLines = rest.skills.map(({ line }) => line)
  const names = namesLine(rest.skills.map(({ name }) => name))
  const isRoomy = sumBytes([...skillLines, ...summary.map(({ line }) => line)]) <= left
  const skills = isRoomy ? skillLines : names === null || bytesOf(names.line) > left ? [] : [names.line]
  left -= sumBytes(skills)
  const lines: ShownLine[] = []
  for (const { line, note } of summary) {
    if (bytesOf(line) > left) continue
    left -= bytesOf(line)
    lines.push({ line, note })
  }
  if (session === null && lines.length + skills.length === 0) return NO_REST_TAKEN
  const named = isRoomy ? rest.skills.length : skills.length === 0 ? 0 : (names?.count ?? 0)
  return {
    session,
    summary: lines,
    skills,
    left: { summary: summary.length - lines.length + rest.more, skills: rest.skills.length - named },
  }
}

function saysTheSame(text: string, note: StartNote): boolean {
  return normaliseForComparison(labelOf(note)).includes(normaliseForComparison(text.replace(/[.。]$/u, '')))
}

function namesLine(names: readonly string[]): { readonly line: string; readonly count: number } | null {
  const taken: string[] = []
  for (const name of names) {
    if (utf8Bytes([...taken, name].join(', ')) > MAX_NAMES_BYTES) break
    taken.push(name)
  }
  return taken.length === 0 ? null : { line: taken.join(', '), count: taken.length }
}

/** UTF-8 bytes of its lines as they stand in the block; headings are the frame's. */
export function sizeOf({ session, summary, skills }: RestTaken): number {
  return (
    sumBytes([...summary.map(({ line }) => line), ...skills]) +
    (session === null ? 0 : bytesOf(session.line) - MARK_BYTES)
  )
}

function sumBytes(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + bytesOf(line), 0)
}

/** With its mark and its line break. */
function bytesOf(line: string): number {
  return utf8Bytes(escapeFenced(line)) + MARK_BYTES + 1
}
