/** Notes for a question about a time alone, newest first, each read back from its file. */
import { type Layer, STANDS, scoreFrom } from '../domain/index.ts'
import { throwIfCancelled } from '../errors.ts'
import { explainWords } from './explain-words.ts'
import { NEUTRAL_TRUST } from './factors.ts'
import { soughtIn } from './match-places.ts'
import { newestNotes, newestStep } from './newest.ts'
import { type AskedSearch, type Hits, hitOf } from './note-hits.ts'
import { isWanted } from './note-wanted.ts'
import type { RecallNote } from './recall.ts'
import { isStillWanted, readNote } from './recall-notes.ts'
import { findStandings } from './standing-notes.ts'

export async function newestNoteHits(search: AskedSearch, all: readonly Layer[]): Promise<Hits> {
  const { dependencies, index, text, query, question, input, wanted, limit } = search
  const layers = input.layer === undefined ? all : all.filter((layer) => layer.name === input.layer)
  const rows = newestNotes(index, layers, question).filter((row) => isWanted(row, wanted))
  const trust = wanted.minTrust > 0 ? dependencies.trustOf?.(rows.map(({ id }) => id)) : undefined
  const trusted = rows.filter(({ id }) => (trust?.get(id) ?? NEUTRAL_TRUST) >= wanted.minTrust)
  const found: { readonly note: RecallNote; readonly layer: Layer }[] = []
  let read = 0
  for (const row of trusted) {
    if (found.length >= limit) break
    read++
    throwIfCancelled(input.signal)
    const layer = layers.find(({ key }) => key === row.layer)
    const note = await readNote(dependencies, row)
    if (layer && note && isStillWanted(note, search)) found.push({ note, layer })
  }
  const notes = found.map(({ note }) => note)
  const standings = await findStandings(index, dependencies, notes)
  const nowMs = dependencies.clock.now()
  const hits = found.map(({ note, layer }) => {
    const steps = [newestStep(note.updated, notes[0]?.updated ?? null)]
    return {
      ...hitOf(note, layer, { standing: standings.get(note) ?? STANDS, sought: soughtIn(query, text), nowMs }),
      score: scoreFrom(steps),
      weak: false,
      ...(input.explain ? { explain: { ...explainWords(text, []), steps } } : {}),
    }
  })
  return { hits, omitted: trusted.length - read }
}
