/** The words around the notes of a start block: headings by voice, labels by layer and store, fences, the count. */
import {
  type BlockPiece,
  type LayerName,
  layerNameOf,
  type ProfileUsage,
  profileStoreOf,
  type Voice,
} from '../domain/index.ts'
import { escapeFenced, FENCE_TAGS, fence } from '../guard/index.ts'
import { wellFormed } from '../util/index.ts'
import type { Dialect } from './dialects/dialect.ts'
import type { Counts, Words } from './dialects/words.ts'
import type { Taken } from './start-lines.ts'
import type { StartNote } from './start-note.ts'
import { isEmptyRest, type RestSession, type RestTaken } from './start-rest.ts'

/** What labels are made of. */
export interface Labels {
  /** May be shown; not escaped yet. Null when no project is known. */
  readonly project: string | null
  /** Stores of the profile that hold something, in their order. */
  readonly usage: readonly ProfileUsage[]
}

/** What stands in a block, the same in each dialect. */
export interface Content {
  readonly taken: readonly Taken[]
  readonly rest: RestTaken
  readonly labels: Labels
  readonly counts: Counts
}

const LAYERS: readonly LayerName[] = ['global', 'project', 'team', 'worktree']

export const OPENING = `<${FENCE_TAGS.block} kind="start">`
export const CLOSING = `</${FENCE_TAGS.block}>`

/** Everything between the guidance and the end of the block. */
export function renderSections(dialect: Dialect, { taken, rest, labels, counts }: Content): string[] {
  const { words, language, restFirst } = dialect
  const notesOf = (voice: Voice) =>
    grouped(
      dialect,
      taken.filter(({ note }) => note.voice === voice),
      labels,
      voice === 'rule' ? escapeFenced : (text) => text,
    )
  const fenced = (kind: 'facts' | 'quoted', heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [heading, fence(kind, lines.join('\n'), {}, language)]
  const rules = notesOf('rule')
  const restLines = linesOf(rest, dialect)
  return [
    ...(restFirst ? fenced('facts', words.glance, restLines) : []),
    ...(rules.length === 0 ? [] : [words.rules, words.authority, ...rules]),
    ...fenced('facts', words.facts, [...notesOf('fact'), ...(restFirst ? [] : restLines)]),
    ...fenced('quoted', words.quoted, notesOf('quoted')),
    words.count(counts),
  ]
}

/** The profile store by store, then one line per note by layer. `mend` is for labels that stand outside a fence. */
function grouped(
  { words, storeHeading, betweenEntries }: Dialect,
  taken: readonly Taken[],
  { project, usage }: Labels,
  mend: (text: string) => string,
): string[] {
  const stores = usage.map((each) => ({
    label: storeHeading(each),
    lines: entriesOf(
      taken.filter(({ note, form }) => form === 'body' && isIn(note, each)),
      betweenEntries,
    ),
  }))
  const layers = LAYERS.map((layer) => ({
    label: words.layer(layer, project === null ? null : mend(project)),
    lines: taken
      .filter(({ note, form }) => form === 'line' && layerNameOf(note.layer) === layer)
      .map(({ text }) => text),
  }))
  return [...stores, ...layers].flatMap(({ label, lines }) => (lines.length > 0 ? [label, ...lines] : []))
}

function entriesOf(taken: readonly Taken[], between: string | null): string[] {
  return taken.flatMap(({ text }, place) => (between === null || place === 0 ? [text] : [between, text]))
}

function isIn(note: StartNote, usage: ProfileUsage): boolean {
  const place = profileStoreOf(note, layerNameOf(note.layer))
  return place?.store === usage.store && place.layer === usage.layer
}

/** What stands beside the notes. */
function linesOf(rest: RestTaken, { words }: Dialect): string[] {
  if (isEmptyRest(rest)) return []
  const { session, summary, skills, left } = rest
  return [
    ...(session === null ? [] : [sessionLine(session, words)]),
    ...(summary.length === 0 ? [] : [words.summary, ...summary.map(({ line }) => marked(line))]),
    ...(skills.length === 0 ? [] : [words.skills, ...skills.map(marked)]),
    ...(left.summary + left.skills === 0 ? [] : [words.left(left)]),
  ]
}

function sessionLine({ date, line }: RestSession, words: Words): string {
  return `${date === null ? words.compacted : words.session(date)}${line}`
}

/** Another mark than that of notes. */
function marked(line: string): string {
  return `* ${line}`
}

/** Lines beside the notes that go when their note or conversation is forgotten. */
export function restPieces({ session, summary }: RestTaken, { words }: Dialect): BlockPiece[] {
  const asItStands = (text: string) => escapeFenced(wellFormed(text))
  return [
    ...(session === null ? [] : [{ text: asItStands(sessionLine(session, words)), note: null, session: session.id }]),
    ...summary.map(({ line, note }) => ({
      text: asItStands(marked(line)),
      note: { name: note, version: null },
      session: null,
    })),
  ]
}
