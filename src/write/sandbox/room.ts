/**
 * What a background agent can reach (spec W15), and the one way from a path that a model gave to a file. What must stay
 * true: nothing is reached but notes below the roots that were handed in and texts that were handed in; a path is judged
 * by `safePath` and then by what lies there on the disk at the time of the call; files are read only, words of theirs
 * leave masked and fenced.
 */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Layer } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import { safePath } from '../../guard/index.ts'
import { assertNoteFile } from '../../store/notes/listing-rules.ts'
import type { NoteFiles } from '../../store/notes/note-files.ts'
import { cutGraphemes, wellFormed } from '../../util/index.ts'

/** Notes of one layer. Never the team's: others read what is there, and nothing is written there by itself. */
export interface NoteRoot {
  /** First part of every path: `project`, `global`. */
  readonly name: string
  readonly layer: Layer
}

/** Texts that are no files, such as the conversation that an agent works on. */
export interface TextRoot {
  readonly name: string
  /** In order. `text` gives it as it may be shown: masked, and scanned message by message. */
  readonly texts: readonly { readonly file: string; readonly about: string; readonly text: () => string }[]
}

export interface Room {
  readonly files: Pick<NoteFiles, 'list' | 'read'>
  readonly notes: readonly NoteRoot[]
  readonly texts: readonly TextRoot[]
}

export type Place =
  | { readonly kind: 'room' }
  | { readonly kind: 'root'; readonly root: NoteRoot | TextRoot }
  | { readonly kind: 'note'; readonly root: NoteRoot; readonly file: string }
  | { readonly kind: 'text'; readonly root: TextRoot; readonly text: TextRoot['texts'][number] }

export type PlaceOf<Kind extends Place['kind']> = Extract<Place, { kind: Kind }>

const MAX_SHOWN_PATH = 120

export function isNoteRoot(root: NoteRoot | TextRoot): root is NoteRoot {
  return 'layer' in root
}

/** Where a path leads. Throws PATH_OUTSIDE_STORE with a sentence for the model; `.` and an empty path are the room. */
export function findPlace(room: Room, path: string): Place {
  if (path === '' || path === '.' || path === './') return { kind: 'room' }
  const [first = '', ...rest] = path.split('/')
  const root = [...room.notes, ...room.texts].find(({ name }) => name === first)
  if (!root) throw refused(path, `there is only ${namesOf(room)}`)
  const file = rest.join('/')
  if (file === '') return { kind: 'root', root }
  if (isNoteRoot(root)) return { kind: 'note', root, file: noteFile(root, file, path) }
  const text = root.texts.find((each) => each.file === file)
  if (!text) throw refused(path, `${root.name} holds no such text`)
  return { kind: 'text', root, text }
}

/** A note that can be read: a plain file of its own, with a note's name, inside the root however links lie. */
function noteFile({ layer }: NoteRoot, file: string, path: string): string {
  const whole = safePath(layer.directory, file)
  if (file.split('/').some((part) => part === '' || part === '.')) throw refused(path, 'it is no plain path')
  try {
    assertNoteFile(file)
  } catch (error) {
    throw refused(path, 'only notes can be reached: .md files outside hidden and reserved folders', error)
  }
  const problem = problemOnDisk(whole)
  if (problem !== null) throw refused(path, problem)
  return file
}

/** Why what lies there is not read, or null; a file that is not there is no problem of the path. */
function problemOnDisk(whole: string): string | null {
  const stat = lstatSync(whole, { throwIfNoEntry: false })
  if (!stat) return 'there is no such note'
  if (stat.isSymbolicLink()) return 'it is a link'
  if (!stat.isFile()) return 'it is no file'
  // The same bytes may be reached by a name outside.
  return stat.nlink > 1 ? 'the file has another name elsewhere' : null
}

/** Files of a root that may be read, in the order of the listing. */
export async function readableFiles({ files }: Room, { layer }: NoteRoot): Promise<readonly string[]> {
  const listing = await files.list(layer)
  return listing.files
    .map(({ file }) => file)
    .filter((file) => isInside(layer, file) && problemOnDisk(join(layer.directory, file)) === null)
}

function isInside({ directory }: Layer, file: string): boolean {
  try {
    safePath(directory, file)
    return true
  } catch (error) {
    if (MemoryError.isInstance(error) && error.code === 'PATH_OUTSIDE_STORE') return false
    throw error
  }
}

export function refused(path: string, why: string, cause?: unknown): MemoryError {
  const shown = JSON.stringify(wellFormed(cutGraphemes(path, MAX_SHOWN_PATH)))
  return new MemoryError('PATH_OUTSIDE_STORE', `The path ${shown} is refused: ${why}`, {
    hint: 'Give a path as list shows it.',
    data: { path, reason: why },
    cause,
  })
}

function namesOf(room: Room): string {
  return [...room.notes, ...room.texts].map(({ name }) => `${name}/`).join(', ')
}
