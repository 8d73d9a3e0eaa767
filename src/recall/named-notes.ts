/**
 * What goes by a name, and which notes name it (spec R10). All is derived from the notes of the layers that are asked:
 * `aliases` in front matter, tags such as `person:ana`, the words themselves; so no project knows the names of another.
 */
import type { Layer, NamedEntity, NoteNarrowing } from '../domain/index.ts'
import { shippedAliases } from '../store/search-index/alias-pairs.ts'
import { analyseText, isSingle } from '../store/search-index/analyse.ts'
import type { IndexedNoteRow, IndexQuery, NoteFilter, SearchIndex } from '../store/search-index/search-index.ts'
import { comparableName, cutGraphemes, oneLine } from '../util/index.ts'
import { createNameFinder, isUsableName, type NameFinder } from './names-in-text.ts'
import { type NamedThing, namedThings } from './own-aliases.ts'
import type { RecallNote } from './recall.ts'

/** Rows of one name that are looked at. */
const MAX_ROWS = 2_000
const MAX_NAMES = 12
const MAX_ASKED_GRAPHEMES = 80
/** Below one by rounding: the row holds all of the name. */
const WHOLE = 0.999

export interface Entity {
  readonly asked: string
  readonly names: readonly string[]
  readonly find: NameFinder
  /** Where the notes lie that are called so. */
  readonly own: ReadonlySet<string>
}

/** One step only: of two people who are both called Ana, each keeps the own other names. */
export function entityOf(given: string, things: readonly NamedThing[]): Entity {
  const asked = cutGraphemes(oneLine(given).trim().replace(/^@/, ''), MAX_ASKED_GRAPHEMES)
  const wanted = comparableName(asked)
  const isOne = (words: readonly string[]) => words.some((word) => comparableName(word) === wanted)
  const own = things.filter(({ words }) => isOne(words))
  const same = [...own.map(({ words }) => words), ...shippedAliases.filter(isOne)].flat()
  const byName = new Map([asked, ...same].filter(isUsableName).map((name) => [comparableName(name), name]))
  // As asked, not as another note spells it.
  if (isUsableName(asked)) byName.set(wanted, asked)
  const names = [...byName.values()].slice(0, MAX_NAMES)
  const others = things.filter((thing) => !own.includes(thing)).flatMap(({ words }) => words)
  return { asked, names, find: createNameFinder(names, others), own: new Set(own.map(({ row }) => placeOf(row))) }
}

/** Known by the layers that may be seen, whatever a search is narrowed to. */
export function entitiesOf(
  index: SearchIndex,
  layers: readonly Layer[],
  { about, together }: Pick<NoteNarrowing, 'about' | 'together'>,
): Entity[] {
  const asked = [about, together].filter((each) => each !== undefined)
  if (asked.length === 0) return []
  const things = namedThings(
    index,
    layers.map(({ key }) => key),
  )
  return asked.map((each) => entityOf(each, things))
}

/** Rows that hold all words of one of the names; whether they name it is for `isNamedIn`, which reads the text. */
export function rowsNaming(
  index: SearchIndex,
  scopes: readonly string[],
  names: readonly string[],
  filter: NoteFilter,
): IndexedNoteRow[] {
  const rows = new Map<string, IndexedNoteRow>()
  for (const name of names)
    for (const { reference, coverage } of index.searchNotes(queryOf(name), scopes, MAX_ROWS, filter))
      if (coverage >= WHOLE) rows.set(placeOf(reference), reference)
  return [...rows.values()]
}

/** For all words of a name, or of several. */
export function queryOf(name: string): IndexQuery {
  const { words, grams } = analyseText(name)
  const pairs = grams.filter((gram) => !isSingle(gram))
  const term = (text: string, group: number) => ({ text, weight: 1, group })
  return {
    words: words.map(term),
    grams: (pairs.length > 0 ? pairs : grams).map((text, at) => term(text, words.length + at)),
    phrases: [],
    prefixes: [],
  }
}

export function placeOf({ layer, file }: Pick<IndexedNoteRow, 'layer' | 'file'>): string {
  return `${layer}\n${file}`
}

type Words = Pick<RecallNote, 'layer' | 'file' | 'name' | 'description' | 'body' | 'tags'>

/** An alias of another note is no mention: somebody else may be called Ana too. */
export function isNamedIn({ find, own }: Entity, { name, description, body, tags, ...place }: Words): boolean {
  return own.has(placeOf(place)) || find([name, description, ...tags, body].join('\n')).length > 0
}

const kinds = {
  person: /^(?:person|people|人|人物)[:：](.+)$/iu,
  project: /^(?:project|项目)[:：](.+)$/iu,
  tool: /^(?:tool|工具)[:：](.+)$/iu,
} as const

/** What it is, as far as a tag of one of its notes says. `notes`: all that may name it. */
export function describeEntity({ asked, names }: Entity, notes: readonly Pick<RecallNote, 'tags'>[]): NamedEntity {
  const wanted = new Set(names.map(comparableName))
  const isSaid = (pattern: RegExp) =>
    notes.some(({ tags }) => tags.some((tag) => wanted.has(comparableName(pattern.exec(tag.trim())?.[1] ?? ''))))
  const kind = (['person', 'project', 'tool'] as const).find((each) => isSaid(kinds[each])) ?? null
  return { asked, names, kind }
}
