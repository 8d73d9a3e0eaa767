/** Notes for a question about a time alone, newest first, each read back from its file. */
import { type Layer, STANDS, scoreFrom } from '../domain/index.ts'
import { explainWords } from './explain-words.ts'
import { soughtIn } from './match-places.ts'
import { newestNotes, newestStep } from './newest.ts'
import { type AskedSearch, type Hits, hitOf } from './note-hits.ts'
import { isWanted } from './note-wanted.ts'
import { readFirst, trustedRows } from './read-rows.ts'
import { findStandings } from './standing-notes.ts'

export async function newestNoteHits(search: AskedSearch, all: readonly Layer[]): Promise<Hits> {
  const { dependencies, index, text, query, question, input, wanted, limit } = search
  const layers = input.layer === undefined ? all : all.filter((layer) => layer.name === input.layer)
  const rows = newestNotes(index, layers, question).filter((row) => isWanted(row, wanted))
  const trusted = trustedRows(rows, search)
  const { notes, unread } = await readFirst(trusted, limit, { ...search, signal: input.signal })
  const standings = await findStandings(index, dependencies, notes)
  const nowMs = dependencies.clock.now()
  const hits = notes.flatMap((note) => {
    const layer = layers.find(({ key }) => key === note.layer)
    if (!layer) return []
    const steps = [newestStep(note.updated, notes[0]?.updated ?? null)]
    const hit = {
      ...hitOf(note, layer, { standing: standings.get(note) ?? STANDS, sought: soughtIn(query, text), nowMs }),
      score: scoreFrom(steps),
      weak: false,
      ...(input.explain ? { explain: { ...explainWords(text, []), steps } } : {}),
    }
    return [hit]
  })
  return { hits, omitted: unread }
}
