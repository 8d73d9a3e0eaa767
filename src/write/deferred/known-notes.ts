/** The notes that a pass can reach, and finding the one that a model means. */
import { join } from 'node:path'
import type { Evidence, Note } from '../../domain/index.ts'
import { type ScannedNote, scanLayer } from '../../store/notes/layer-scan.ts'
import { findNotes } from '../../store/notes/lookup.ts'
import { readNote } from '../../store/notes/note-format.ts'
import { findPlace, type KnownNote, type NoteRoot, type Room, readableFiles } from '../sandbox/index.ts'
import type { PassPlace } from './types.ts'

export interface PlacedScan {
  readonly scanned: ScannedNote
  readonly root: NoteRoot
}

export interface FoundNote extends KnownNote {
  readonly source: readonly Evidence[]
}

/** Active notes, nearest layer first, newest first. */
export async function activeNotes(place: PassPlace, room: Room): Promise<PlacedScan[]> {
  const found: PlacedScan[] = []
  for (const root of place.roots) {
    const only = await readableFiles(room, root)
    const { notes } = await scanLayer(place.files, root.layer, {
      parse: readNote,
      only,
      isToolWritten: place.isToolWritten,
    })
    found.push(...notes.filter(({ status }) => status === 'active').map((scanned) => ({ scanned, root })))
  }
  return found
}

/** By a path of the room, an id, a file name or a name. Throws PATH_OUTSIDE_STORE for a path that leads elsewhere. */
export async function findNote(
  place: PassPlace,
  room: Room,
  reference: string,
): Promise<FoundNote | { readonly problem: string }> {
  const notes = await activeNotes(place, room)
  const at = reference.includes('/') ? findPlace(room, reference) : null
  const found =
    at?.kind === 'note'
      ? notes.find(({ root, scanned }) => root === at.root && scanned.file === at.file)
      : byName(reference, notes)
  if (found === 'several') return { problem: 'several notes are called so: name the path' }
  const note = found && (await load(place, found))
  return note ? knownFrom(place, found, note) : { problem: 'no note is called so' }
}

function byName(reference: string, notes: readonly PlacedScan[]): PlacedScan | 'several' | undefined {
  const found = findNotes(
    reference,
    notes.map((placed) => ({ ...placed.scanned, placed })),
  )
  if (found === null) return undefined
  return 'match' in found ? found.match.placed : 'several'
}

async function load({ files }: PassPlace, { scanned, root }: PlacedScan): Promise<Note | null> {
  const read = await files.read(root.layer, scanned.file)
  return read && readNote(read.bytes, { layer: root.layer.key, file: scanned.file, hash: read.hash })
}

function knownFrom({ isToolWritten }: PassPlace, { scanned, root }: PlacedScan, note: Note): FoundNote {
  const { type, name, description, body, updated, source } = note
  const isByHand =
    source.length === 0
      ? !isToolWritten(join(root.layer.directory, scanned.file))
      : source.some(({ role }) => role === 'person')
  return { id: scanned.id, type, name, description, body, updated, source, isPersons: isByHand || note.pinned }
}
