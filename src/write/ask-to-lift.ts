/** "Does this rule hold everywhere?" (spec W21): a rule of one project that stands in another one too. Asked once. */
import { type Layer, layerNameOf } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { readNote } from '../store/notes/note-format.ts'
import { sha256 } from '../util/index.ts'
import type { WriteContext } from './dependencies.ts'
import { maskedText } from './propose.ts'

/** After a new note was written; gives sentences for whoever wrote it. What could not be asked changes no write. */
export async function askToLift(
  context: WriteContext,
  layer: Layer,
  { file, bytes }: { readonly file: string; readonly bytes: Uint8Array },
  author: string,
): Promise<readonly string[]> {
  const note = readNote(bytes, { layer: layer.key, file })
  if (layer.name !== 'project' || note.type !== 'feedback') return []
  const others = context.layersHolding(note.body).filter((key) => key !== layer.key && layerNameOf(key) === 'project')
  if (others.length === 0 || context.answers.answerTo({ asks: 'lift', noteId: note.id }) !== null) return []
  try {
    const asked = await context.proposals.ask({
      layer: 'global',
      asks: 'lift',
      operation: 'move',
      noteId: note.id,
      baseHash: sha256(bytes),
      base: null,
      from: layer.key,
      file,
      proposed: maskedText(bytes),
      evidence: note.source,
      author,
      reason: 'The same rule stands in another project too. Should it hold everywhere?',
    })
    return asked === null
      ? []
      : [`Another project has this rule too. To make it global: keepsake review approve ${asked.id}`]
  } catch (error) {
    if (!MemoryError.isInstance(error)) throw error
    // The note is kept; a question that could not be is not worth a word.
    return []
  }
}
