/** Why each note stands in the start block or does not (spec S5, I1), for `context --explain`. Bounded. */
import { estimateTokenCount } from 'tokenx'
import {
  type BlockExplanation,
  type LayerName,
  type LeftOut,
  layerNameOf,
  layerNames,
  type ProfileUsage,
  type Standing,
} from '../domain/index.ts'
import { utf8Bytes } from '../util/index.ts'
import type { Dialect } from './dialects/dialect.ts'
import { sumOf, type Taken } from './start-lines.ts'
import { isEntry, type StartNote } from './start-note.ts'
import { type JudgedRest, sizeOf } from './start-rest.ts'
import type { Content } from './start-sections.ts'

/** Notes that are named as left out; more are counted. */
const MAX_LEFT_OUT = 100
/** Notes that one entry is said to stand before. */
const MAX_SILENCED = 5

/** Notes as precedence judged them. */
export interface Judged {
  readonly standings: ReadonlyMap<StartNote, Standing>
  /** Those that count here, best first. */
  readonly counting: readonly StartNote[]
  readonly others: readonly StartNote[]
  /** How many notes count here, read or not. */
  readonly total: number
  readonly project: string | null
  readonly usage: readonly ProfileUsage[]
  readonly rest: JudgedRest
}

export interface Composed extends Content {
  /** UTF-8 bytes that each part could have. */
  readonly shares: Readonly<Record<Part, number>>
}

type Part = BlockExplanation['sections'][number]['name']

/** One line: what the note is, how it stands there, and what it stands before. */
export function reasonFor({ note, form, isCut }: Taken, { standings, others }: Judged): string {
  const how =
    form === 'body'
      ? 'pinned, shown whole'
      : isEntry(note)
        ? 'pinned, too long for its share'
        : `${note.voice}, ${isCut ? 'one line, cut' : 'one line'}`
  const paths = note.appliesTo.length === 0 ? [] : [`applies to ${note.appliesTo.join(', ')}`]
  return [how, ...paths, ...silencedBy(note, standings, others)].join('; ')
}

function silencedBy(note: StartNote, standings: Judged['standings'], others: readonly StartNote[]): string[] {
  const silenced = others.filter((other) => {
    const standing = standings.get(other)
    const isSilent = standing?.state === 'overridden' || standing?.state === 'muted'
    return isSilent && standing.by.id === note.id && standing.by.layer === layerNameOf(note.layer)
  })
  const more = silenced.length - MAX_SILENCED
  const words = silenced.slice(0, MAX_SILENCED).map((other) => {
    const verb = standings.get(other)?.state === 'muted' ? 'mutes' : 'overrides'
    return `${verb} ${layerNameOf(other.layer)} ${other.id}`
  })
  return more > 0 ? [...words, `and ${more} more`] : words
}

export interface Explained {
  readonly dialect: Dialect
  readonly text: string
  readonly tokens: number
  /** Active notes of all layers, read or not. */
  readonly total: number
}

export function explainBlock(judged: Judged, composed: Composed, explained: Explained): BlockExplanation {
  const { dialect, total } = explained
  const left = leftOut(judged, composed)
  // Notes that the index of a large layer left out were not read, so they have no name here.
  const unread = Math.max(0, total - judged.counting.length - judged.others.length)
  return {
    dialect: { name: dialect.name, version: dialect.version, language: dialect.language },
    sections: sectionsOf(composed, explained),
    layers: layersOf(judged, composed),
    profile: judged.usage,
    rest: restOf(judged.rest, composed),
    left: left.slice(0, MAX_LEFT_OUT),
    leftMore: Math.max(0, left.length - MAX_LEFT_OUT),
    unread,
  }
}

function sectionsOf({ taken, rest, shares }: Composed, { dialect, text, tokens }: Explained) {
  const of = (form: Taken['form']) => taken.filter((each) => each.form === form)
  const textOf = (lines: readonly Taken[]) => lines.map((line) => line.text).join('\n')
  const [profile, index] = [of('body'), of('line')]
  const beside = [rest.session?.line ?? '', ...rest.summary.map(({ line }) => line), ...rest.skills]
  const { guidance } = dialect
  const parts: readonly (readonly [Part, string, number, number])[] = [
    ['guidance', guidance, utf8Bytes(guidance) + 1, 0],
    ['profile', textOf(profile), sumOf(profile), profile.length],
    ['index', textOf(index), sumOf(index), index.length],
    ['rest', beside.join('\n'), sizeOf(rest), (rest.session ? 1 : 0) + rest.summary.length + rest.skills.length],
  ]
  const sections = parts.map(([name, words, bytes, entries]) => {
    return { name, entries, bytes, maxBytes: Math.floor(shares[name]), tokens: estimateTokenCount(words) }
  })
  const frame = {
    name: 'frame' as const,
    entries: 0,
    bytes: utf8Bytes(text) - sections.reduce((sum, { bytes }) => sum + bytes, 0),
    maxBytes: shares.frame,
    tokens: Math.max(0, tokens - sections.reduce((sum, each) => sum + each.tokens, 0)),
  }
  return [...sections, frame]
}

function restOf({ session, summary, more, skills }: JudgedRest, { rest }: Composed): BlockExplanation['rest'] {
  return {
    session: { shown: rest.session === null ? 0 : 1, total: session === null ? 0 : 1 },
    summary: { shown: rest.summary.length, total: summary.length + more },
    skills: { shown: skills.length - rest.left.skills, total: skills.length },
  }
}

function leftOut({ counting, others, standings }: Judged, { taken }: Composed): LeftOut[] {
  const shown = new Set(taken.map(({ note }) => note))
  const silent = others.map((note) => toLeftOut(note, standings.get(note) ?? { state: 'retired' }))
  const cut = counting.filter((note) => !shown.has(note)).map((note) => toLeftOut(note, { state: 'stands' }))
  return [...silent, ...cut]
}

function toLeftOut(note: StartNote, standing: Standing): LeftOut {
  const { id, name } = note
  const share = standing.state === 'stands' ? ('index' as const) : null
  return { id, name, layer: layerNameOf(note.layer), standing, share }
}

function layersOf({ counting, others }: Judged, { taken }: Composed): BlockExplanation['layers'] {
  const of = (notes: readonly StartNote[], layer: LayerName) =>
    notes.filter((note) => layerNameOf(note.layer) === layer).length
  const shown = taken.map(({ note }) => note)
  return layerNames
    .map((layer) => ({ layer, counting: of(counting, layer), shown: of(shown, layer), silenced: of(others, layer) }))
    .filter((each) => each.counting + each.silenced > 0)
}
