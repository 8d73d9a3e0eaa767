/**
 * "Is this the user's rule?" (spec I11): a note that an agent wrote by itself is a recalled fact until the user confirms
 * it. One question for each note, asked once, and only where a yes would change how the note is spoken.
 */
import { join } from 'node:path'
import type { Layer, Note, Proposal } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { readNote } from '../store/notes/note-format.ts'
import { voiceOf } from '../store/notes/voice.ts'
import { sha256 } from '../util/index.ts'
import type { WriteContext } from './dependencies.ts'
import { maskedText } from './propose.ts'
import { type LoadedNote, readerOf } from './read-layer.ts'

/** Questions of one look at a layer; the next look asks on. */
const MAX_QUESTIONS = 20

/** Null when there is nothing to ask, or something about the note waits already. */
export async function askForRule(
  context: WriteContext,
  layer: Layer,
  { note, bytes, hash }: LoadedNote,
  author: string,
): Promise<Proposal | null> {
  if (!couldBeRule(note, context.isToolWritten(join(layer.directory, note.file)))) return null
  if (context.answers.answerTo({ asks: 'rule', noteId: note.id }) !== null) return null
  const text = maskedText(bytes)
  return context.proposals.ask({
    layer: layer.key,
    asks: 'rule',
    operation: 'patch',
    noteId: note.id,
    baseHash: hash,
    base: text,
    from: null,
    file: note.file,
    proposed: text,
    evidence: note.source,
    author,
    reason: 'An agent wrote it by itself, so it is a fact to verify. Is it your rule?',
  })
}

/**
 * The question after an agent's own save, as sentences for whoever saved. The note is on disk and counts as written: a
 * question that could not be kept is only said.
 */
export async function questionAfter(
  context: WriteContext,
  layer: Layer,
  { file, bytes }: { readonly file: string; readonly bytes: Uint8Array },
  author: string,
): Promise<readonly string[]> {
  const hash = sha256(bytes)
  const note = readNote(bytes, { layer: layer.key, file, hash })
  try {
    const asked = await askForRule(context, layer, { note, bytes, hash }, author)
    return asked === null ? [] : [`A fact to verify. If it is the user's rule: keepsake review approve ${asked.id}`]
  } catch (error) {
    if (!MemoryError.isInstance(error)) throw error
    return ["A fact to verify; whether it is the user's rule could not be asked now."]
  }
}

/** Bare files of one layer that a tool call of an agent wrote. Gives how many questions were asked. */
export async function askAboutFiles(context: WriteContext, layer: Layer): Promise<number> {
  const reader = readerOf(context.files, layer, context)
  let asked = 0
  for (const { file, voice, status } of await reader.scan()) {
    if (asked >= MAX_QUESTIONS) break
    if (voice === 'rule' || status !== 'active' || !context.isToolWritten(join(layer.directory, file))) continue
    const loaded = await reader.load(file)
    if (loaded && loaded.note.source.length === 0 && (await askForRule(context, layer, loaded, 'file'))) asked++
  }
  return asked
}

/** Only `feedback` and `user` notes are ever spoken as rules; a note that cannot be edited cannot become one. */
function couldBeRule(note: Note, isToolWritten: boolean): boolean {
  const isWay = note.type === 'feedback' || note.type === 'user'
  return (
    isWay && note.problems.length === 0 && voiceOf(note, { toolWritten: isToolWritten, layer: note.layer }) === 'fact'
  )
}
