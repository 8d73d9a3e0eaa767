/**
 * Room in the profile (spec W3), judged on what a layer would hold after a write. A store that is over its cap already
 * (files pinned by hand) may shrink or stay; it never grows. What the person pinned is never offered to make room.
 */
import { join } from 'node:path'
import {
  type Config,
  type EntriesNow,
  type Layer,
  type ProfileNote,
  type ProfileUsage,
  profileHeader,
  profileStoreOf,
  profileUsage,
  type Rejection,
  type WritableLayer,
} from '../../domain/index.ts'
import { readNote } from '../../store/notes/note-format.ts'
import { wholeEntry } from '../edit/entries.ts'
import { boundEntries, entryOf, type PlacedBody } from '../entries-now.ts'
import { isUsersWord } from '../evidence.ts'
import type { NoteReader } from '../read-layer.ts'

/** The notes of one layer that stand in the profile, oldest first: one order whatever changed last. */
export async function pinnedNotes(reader: NoteReader, layer: Layer): Promise<readonly PlacedBody[]> {
  const pinned: PlacedBody[] = []
  for (const { file, id, pinned: isPinned, status, type } of await reader.scan()) {
    if (!profileStoreOf({ pinned: isPinned, status, type }, layer.name)) continue
    const loaded = await reader.load(file)
    if (loaded) pinned.push({ note: { ...loaded.note, id }, bytes: loaded.bytes, layer })
  }
  return pinned.sort((one, other) => (one.note.id < other.note.id ? -1 : 1))
}

export function usageOf(pinned: readonly PlacedBody[], layers: readonly Layer[], config: Config) {
  return profileUsage(pinned.map(asProfileNote), layers.flatMap(nameOf), config.profile)
}

export function asProfileNote({ note, layer }: Pick<PlacedBody, 'note' | 'layer'>): ProfileNote {
  return { type: note.type, pinned: note.pinned, status: note.status, body: note.body, layer: layer.name }
}

function nameOf({ name }: Layer): WritableLayer[] {
  return name === 'global' || name === 'project' ? [name] : []
}

/** Stores that would be over their cap and larger than before. */
export function overfull(before: readonly ProfileUsage[], after: readonly ProfileUsage[]): readonly ProfileUsage[] {
  return after.filter(({ store, layer, chars, maxChars }) => {
    const was = before.find((each) => each.store === store && each.layer === layer)
    return chars > maxChars && chars > (was?.chars ?? 0)
  })
}

/** What one new version of a file would make of the profile of its layer; null when there is room. */
export async function overflowOf(
  reader: NoteReader,
  layer: Layer,
  next: { readonly file: string; readonly bytes: Uint8Array; readonly gone?: ReadonlySet<string> },
  config: Config,
) {
  const { file, bytes, gone = new Set<string>() } = next
  const note = readNote(bytes, { layer: layer.key, file })
  if (!note.pinned) return null
  const pinned = await pinnedNotes(reader, layer)
  const rest = pinned.filter((each) => each.note.file !== file && !gone.has(each.note.file))
  const usage = usageOf(pinned, [layer], config)
  const full = overfull(usage, usageOf([...rest, { note, bytes, layer }], [layer], config))
  return full.length > 0 ? { full, pinned, usage } : null
}

/** What is said when a note that nobody is there to make room for is kept without its pin. */
export function ordinaryNotice(full: readonly ProfileUsage[]): string {
  return `No room in the profile (${full.map(profileHeader).join(', ')}), so it is an ordinary note.`
}

/** Why a write that fills a store too much is refused, with the entries that could make room. */
export function profileFull(
  full: readonly ProfileUsage[],
  now: { readonly pinned: readonly PlacedBody[]; readonly usage: readonly ProfileUsage[] },
  isToolWritten: (path: string) => boolean,
): { readonly reason: Rejection; readonly present: EntriesNow } {
  const inside = now.pinned.filter(({ note, layer }) => {
    const place = profileStoreOf(note, layer.name)
    return full.some(({ store, layer: name }) => place?.store === store && place.layer === name)
  })
  const offered = inside.filter((each) => !isPersons(each, isToolWritten))
  const kept = inside.length - offered.length
  return {
    reason: {
      code: 'profile-full',
      message: `There is no room: this would make ${full.map(profileHeader).join(' and ')}.${personsSentence(kept)}`,
      rule: null,
      hint:
        offered.length > 0
          ? 'Make room in the same call: replace entries with shorter words, or move some out of the profile (move to note; they stay as ordinary notes). Or keep this one without pinning it.'
          : 'Keep it as an ordinary note, without pinning it, or ask the person what may leave the profile.',
    },
    present: { ...boundEntries(offered.map((each) => entryOf(each, wholeEntry(each.note.body)))), profile: now.usage },
  }
}

function personsSentence(count: number): string {
  if (count === 0) return ''
  return ` ${count === 1 ? 'One entry' : `${count} entries`} that the person pinned ${count === 1 ? 'is' : 'are'} not offered.`
}

/** What the person said or pinned, or wrote into a file by hand. */
export function isPersons(
  { note, layer }: Pick<PlacedBody, 'note' | 'layer'>,
  isToolWritten: (path: string) => boolean,
): boolean {
  if (note.source.length > 0) return isUsersWord(note.source)
  return !isToolWritten(join(layer.directory, note.file))
}
