/** The facts view of a place: all active notes from their heads, and the bodies of those that may be corrections. */
import type { Config, NoteType, StartBlock } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import { readInBatches } from '../../store/notes/layer-reader.ts'
import { parseNoteFile, readablePiece } from '../../store/notes/note-document.ts'
import type { Here } from '../../store/notes/precedence.ts'
import { mostValuableFirst } from '../../store/notes/value-order.ts'
import { languageOf } from '../start.ts'
import { type LoadedNote, loadStartNotes, type StartNotesOptions } from '../start-notes.ts'
import type { FactNote } from './fact-note.ts'
import { createFactsView } from './facts-view.ts'
import { wrongFormOf } from './wrong-form.ts'

/** Feedback whose body is read for a wrong form; a block shows fewer. Of the others the description alone is looked at. */
const MAX_READ_BODIES = 400

export interface FactsOptions extends Omit<StartNotesOptions, 'maxLines'> {
  readonly config: Pick<Config, 'inject'>
  readonly here: Here
  /** By note id, 0..1; null where no question was asked. */
  readonly similarity: ReadonlyMap<string, number> | null
  readonly explain?: boolean
}

/** Never throws for what lies in the files. */
export async function readFacts(options: FactsOptions): Promise<StartBlock> {
  const { config, here, similarity, explain } = options
  const { notes, total, problems } = await loadStartNotes({ ...options, maxLines: Number.POSITIVE_INFINITY })
  const feedback = notes.filter(({ type }) => type === MAY_CORRECT).sort(mostValuableFirst)
  const bodies = new Map(
    await readInBatches(
      feedback.slice(0, MAX_READ_BODIES),
      async (note) => [note, await bodyOf(note, options)] as const,
    ),
  )
  const { startBytes: maxBytes, startTokens: maxTokens } = config.inject
  return createFactsView({
    notes: notes.map((note) => toFact(note, bodies.get(note) ?? '')),
    total,
    here,
    similarity,
    maxBytes,
    maxTokens,
    problems,
    explain,
    language: languageOf(options),
  })
}

const MAY_CORRECT: NoteType = 'feedback'

function toFact(note: LoadedNote, body: string): FactNote {
  const wrong = note.type === MAY_CORRECT ? wrongFormOf([note.description, body].join('\n')) : null
  return { ...note, wrong }
}

async function bodyOf(note: LoadedNote, { files, layers }: FactsOptions): Promise<string> {
  const layer = layers.find(({ key }) => key === note.layer)
  if (note.body !== null || !layer) return note.body ?? ''
  try {
    const read = await files.read(layer, note.file)
    return read ? readablePiece(parseNoteFile(read.bytes), 'body') : ''
  } catch (error) {
    // Its head was read a moment ago; without its body it is a fact like any other.
    if (MemoryError.isInstance(error)) return ''
    throw error
  }
}
