/**
 * The user's own aliases (spec R3, R10): the name of a note and the `aliases` in its front matter mean the same. They are
 * read from the rows of the layers that are searched, so no project lends its names to another one.
 */
import type { IndexedNoteRow, SearchIndex } from '../store/search-index/search-index.ts'
import { oneLine } from '../util/index.ts'
import type { AliasTable } from './aliases.ts'
import { createQueryParser, type QueryParser } from './parse-query.ts'

/** Notes with aliases that are looked at, newest first, and words of one of them. */
const MAX_NOTES = 500
const MAX_WORDS = 12
/** A longer title is a sentence about something, not its name. UTF-16 units. */
const MAX_NAME_LENGTH = 40
const MAX_NAME_WORDS = 4

/** What goes by several names. */
export interface NamedThing {
  /** What the note is called. */
  readonly name: string
  /** All its words, without doubles; the name is among them unless it is a sentence. */
  readonly words: readonly string[]
  readonly row: Pick<IndexedNoteRow, 'id' | 'layer' | 'file' | 'tags'>
}

export function namedThings(index: SearchIndex, scopes: readonly string[]): NamedThing[] {
  return index.aliased(scopes, MAX_NOTES).map(thingOf)
}

export function thingOf(row: Pick<IndexedNoteRow, 'id' | 'layer' | 'file' | 'tags' | 'name' | 'aliases'>): NamedThing {
  const name = oneLine(row.name).trim()
  const isName = name.length <= MAX_NAME_LENGTH && name.split(/\s+/).length <= MAX_NAME_WORDS
  const words = [...(isName ? [name] : []), ...row.aliases.map((alias) => oneLine(alias).trim())]
  const usable = words.filter((word) => word !== '' && word.length <= MAX_NAME_LENGTH)
  return { name, words: [...new Set(usable)].slice(0, MAX_WORDS), row }
}

/** Parsers that know the aliases of these layers; the last one is kept, because most questions come in a row. */
export function createParsers(given: AliasTable = []): (index: SearchIndex, scopes: readonly string[]) => QueryParser {
  let last: { readonly key: string; readonly parser: QueryParser } | null = null
  return (index, scopes) => {
    const own = namedThings(index, scopes).map(({ words }) => words)
    const key = JSON.stringify(own)
    if (last?.key !== key) last = { key, parser: createQueryParser([...given, ...own]) }
    return last.parser
  }
}
