/** Notes for a question about a time alone, newest first, each read back from its file. */
import { type Layer, scoreFrom } from '../domain/index.ts'
import { explainWords } from './explain-words.ts'
import { soughtIn } from './match-places.ts'
import { newestNotes, newestStep } from './newest.ts'
import { type AskedSearch, type Hits, plainHits } from './note-hits.ts'
import { isWanted } from './note-wanted.ts'
import { readFirst, trustedRows } from './read-rows.ts'

export async function newestNoteHits(search: AskedSearch, all: readonly Layer[]): Promise<Hits> {
  const { index, text, query, question, input, wanted, limit } = search
  const layers = input.layer === undefined ? all : all.filter((layer) => layer.name === input.layer)
  const rows = newestNotes(index, layers, question).filter((row) => isWanted(row, wanted))
  const trusted = trustedRows(rows, search)
  const { notes, unread } = await readFirst(trusted, limit, { ...search, signal: input.signal })
  const found = await plainHits(search, notes, { layers, sought: soughtIn(query, text) })
  const hits = found.map((hit) => {
    const steps = [newestStep(hit.date, found[0]?.date ?? null)]
    const explained = input.explain ? { explain: { ...explainWords(text, []), steps } } : {}
    return { ...hit, score: scoreFrom(steps), weak: false, ...explained }
  })
  return { hits, omitted: unread }
}
