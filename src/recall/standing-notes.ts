/**
 * Whether found notes count where they are asked for (spec S5). Only the few notes of nearer layers that could stand
 * before them are looked up in the index, and each is read back from its file; then the one rule decides.
 */
import type { Standing } from '../domain/index.ts'
import { ANYWHERE, standingsOf } from '../store/notes/precedence.ts'
import type { SearchIndex } from '../store/search-index/search-index.ts'
import { comparableName } from '../util/index.ts'
import { placeOf } from './named-notes.ts'
import type { RecallDependencies, RecallNote } from './recall.ts'
import { readNote } from './recall-notes.ts'

/** Files that are read back for one answer; a store that has more notes of one name is told the nearest ones. */
const MAX_READ_BACK = 100

type Tools = Pick<RecallDependencies, 'readNote' | 'layers' | 'here'>

/** The standing of every note given. */
export async function findStandings<Note extends RecallNote>(
  index: SearchIndex,
  tools: Tools,
  notes: readonly Note[],
  prompt = '',
): Promise<Map<Note, Standing>> {
  if (notes.length === 0) return new Map()
  const others = await silencersOf(index, tools, notes)
  const all = [...notes, ...others]
  const isNarrowed = all.some(({ appliesTo }) => appliesTo.length > 0)
  const here = tools.here?.() ?? ANYWHERE
  // Looking for paths costs more than the rest; most stores narrow no note.
  const standings = standingsOf<RecallNote>(all, isNarrowed ? { ...here, named: pathsIn(prompt) } : here)
  return new Map(
    notes.flatMap((note) => {
      const standing = standings.get(note)
      return standing ? [[note, standing] as const] : []
    }),
  )
}

/** Longest message and word that are looked at, and how many paths a person writes. */
const MAX_PROMPT_UNITS = 20_000
const MAX_PATH_UNITS = 300
const MAX_PATHS = 50
const BETWEEN_PATHS = /[^\p{L}\p{N}@_./-]+/u
/** Chinese and Japanese put no space around a path, and have names of files too: a word is read both ways. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/u

/** Paths that a message names, part by part: words with a slash or with the ending of a file. */
export function pathsIn(prompt: string): string[][] {
  return prompt
    .slice(0, MAX_PROMPT_UNITS)
    .split(BETWEEN_PATHS)
    .flatMap((word) => [...new Set([word, ...word.split(UNSPACED)])])
    .map((word) => word.replace(/^[.]+\/|[.]+$/g, ''))
    .filter((word) => word.length <= MAX_PATH_UNITS && (word.includes('/') || /[^.]\.[A-Za-z]\w{0,7}$/.test(word)))
    .map((word) => word.split('/').filter((part) => part !== '' && part !== '.'))
    .filter((parts) => parts.length > 0)
    .slice(0, MAX_PATHS)
}

/** Notes of the same names, and what mutes one of all these. */
async function silencersOf(index: SearchIndex, tools: Tools, notes: readonly RecallNote[]): Promise<RecallNote[]> {
  const layers = tools.layers().map(({ key }) => key)
  const rows = index.silencers(
    layers,
    notes.map(({ name }) => name),
  )
  const known = new Set(notes.map(placeOf))
  const names = new Set(notes.map(({ name }) => comparableName(name)))
  const namesakes = rows.filter(({ name }) => names.has(comparableName(name)))
  const ids = new Set([...notes, ...namesakes].map(({ id }) => id))
  const wanted = rows
    .filter((row) => names.has(comparableName(row.name)) || row.mutes.some((id) => ids.has(id)))
    .filter((row) => !known.has(placeOf(row)))
    .sort((one, other) => layers.indexOf(one.layer) - layers.indexOf(other.layer))
  // What cannot be read now stands before nothing.
  const read = await Promise.all(wanted.slice(0, MAX_READ_BACK).map((row) => readNote(tools, row)))
  return read.flatMap((note) => (note !== null && note.withheld === null ? [note] : []))
}
