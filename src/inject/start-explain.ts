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
import type { Taken } from './start-lines.ts'
import { sumOf } from './start-lines.ts'
import type { StartNote } from './start-note.ts'

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
}

export interface Composed {
  readonly text: string
  readonly tokens: number
  readonly guidance: string
  readonly profile: readonly Taken[]
  readonly index: readonly Taken[]
  /** UTF-8 bytes that each part could have. */
  readonly shares: Readonly<Record<'guidance' | 'profile' | 'index' | 'frame', number>>
}

/** One line: what the note is, how it stands there, and what it stands before. */
export function reasonFor({ note, form, isCut }: Taken, { standings, others }: Judged): string {
  const how =
    form === 'body'
      ? 'pinned, shown whole'
      : note.pinned && note.body !== null
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

export function explainBlock(
  judged: Judged,
  composed: Composed,
  { total }: { readonly total: number },
): BlockExplanation {
  const { guidance, profile, index, shares } = composed
  const texts = (taken: readonly Taken[]) => taken.map(({ text }) => text).join('\n')
  const sections = [
    { name: 'guidance' as const, text: guidance, bytes: utf8Bytes(guidance) + 1, entries: 0 },
    { name: 'profile' as const, text: texts(profile), bytes: sumOf(profile), entries: profile.length },
    { name: 'index' as const, text: texts(index), bytes: sumOf(index), entries: index.length },
  ].map(({ text, ...rest }) => ({ ...rest, tokens: estimateTokenCount(text), maxBytes: shares[rest.name] }))
  const used = sections.reduce(
    (sum, { bytes, tokens }) => ({ bytes: sum.bytes + bytes, tokens: sum.tokens + tokens }),
    {
      bytes: 0,
      tokens: 0,
    },
  )
  const frame = {
    name: 'frame' as const,
    bytes: utf8Bytes(composed.text) - used.bytes,
    tokens: Math.max(0, composed.tokens - used.tokens),
    maxBytes: shares.frame,
    entries: 0,
  }
  const left = leftOut(judged, composed)
  // Notes that the index of a large layer left out were not read, so they have no name here.
  const unread = Math.max(0, total - judged.counting.length - judged.others.length)
  return {
    sections: [...sections, frame],
    layers: layersOf(judged, composed),
    profile: judged.usage,
    left: left.slice(0, MAX_LEFT_OUT),
    leftMore: Math.max(0, left.length - MAX_LEFT_OUT),
    unread,
  }
}

function leftOut({ counting, others, standings }: Judged, { profile, index }: Composed): LeftOut[] {
  const shown = new Set([...profile, ...index].map(({ note }) => note))
  const silent = others.map((note) => toLeftOut(note, standings.get(note) ?? { state: 'retired' }))
  const cut = counting.filter((note) => !shown.has(note)).map((note) => toLeftOut(note, { state: 'stands' }))
  return [...silent, ...cut]
}

function toLeftOut(note: StartNote, standing: Standing): LeftOut {
  const { id, name } = note
  const share = standing.state === 'stands' ? ('index' as const) : null
  return { id, name, layer: layerNameOf(note.layer), standing, share }
}

function layersOf({ counting, others }: Judged, { profile, index }: Composed): BlockExplanation['layers'] {
  const of = (notes: readonly StartNote[], layer: LayerName) =>
    notes.filter((note) => layerNameOf(note.layer) === layer).length
  const shown = [...profile, ...index].map(({ note }) => note)
  return layerNames
    .map((layer) => ({ layer, counting: of(counting, layer), shown: of(shown, layer), silenced: of(others, layer) }))
    .filter((each) => each.counting + each.silenced > 0)
}
