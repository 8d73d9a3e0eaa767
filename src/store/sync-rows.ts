/**
 * From the bytes of a file to its row in the index. Every text field is masked; a note in which a threat was found keeps
 * its row (it is listed) but none of its words. Of several files with one id the first path keeps it.
 */
import { join } from 'node:path'
import { isoSeconds, type Layer, type Note } from '../domain/index.ts'
import { guardWords, maskedWords } from '../guard/index.ts'
import { derivedId } from './notes/names.ts'
import type { NoteBytes, NoteFileStat } from './notes/note-files.ts'
import { voiceOf } from './notes/voice.ts'
import type { IndexedNote, IndexedNoteRow } from './search-index/search-index.ts'
import type { NoteKeys } from './state/state-store.ts'
import type { SyncDependencies } from './sync-report.ts'

export interface RowTools
  extends Pick<SyncDependencies, 'guardText' | 'isConfirmed' | 'tombstones' | 'toolWrites' | 'clock'> {
  /** Milliseconds since which its words are what they are, for files that say no date; null when it cannot be known. */
  readonly firstSeen: (note: Note) => number | null
}

/** Problem kind of a file whose id an earlier path has. */
export const ID_REPEATED = 'id-repeated'

/** The row of a note as if nobody else had its id. */
export function toIndexedNote(layer: Layer, note: Note, read: NoteBytes, tools: RowTools): IndexedNote {
  const { file, hash } = note
  const body = tools.guardText(note.body)
  const guarded = guardWords(note, tools.guardText, body)
  // Confirmed words can be found; they are quoted, whatever their evidence says.
  const isConfirmed = guarded.withheld !== null && tools.isConfirmed?.(hash) === true
  return {
    ...(isConfirmed ? maskedWords(note) : guarded),
    id: note.id,
    layer: layer.key,
    file,
    type: note.type,
    status: note.status,
    mutes: note.mutes,
    appliesTo: note.appliesTo,
    expires: note.expires,
    pinned: note.pinned,
    confidence: note.confidence,
    voice: isConfirmed
      ? 'quoted'
      : voiceOf(note, { toolWritten: tools.toolWrites.has(join(layer.directory, file)), layer: layer.key }),
    created: note.created,
    updated: note.updated ?? isoOrNull(tools.firstSeen(note)),
    hash,
    // The words of a withheld note go nowhere, but a keyed hash of them may.
    textKey: tools.tombstones.textKey(body.withheld === null ? body.text : note.body),
    size: read.size,
    mtimeMs: read.mtimeMs,
    inode: read.inode,
    lookedAt: tools.clock.now(),
    problems: [...new Set(note.problems.map((problem) => problem.kind))],
  }
}

/** What a tombstone of this note will need, under the id that its row has. */
export function toNoteKeys(row: IndexedNote, note: Note, tombstones: SyncDependencies['tombstones']): NoteKeys {
  const hashes = note.source.flatMap((evidence) => evidence.hash ?? [])
  return {
    layer: row.layer,
    file: row.file,
    hash: row.hash,
    id: row.id,
    nameKey: tombstones.nameKey(note.name),
    textKey: row.textKey,
    evidenceKeys: [...new Set(hashes)].map((hash) => tombstones.evidenceKey(hash)),
  }
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : isoSeconds(ms)
}

/** Who has which id, by path order: the first path keeps it, whoever comes later gets the id derived from its path. */
export interface IdOwners {
  /** The row under the id it may have, and the file that has to be read again because it lost that id. */
  claim(row: IndexedNote): { row: IndexedNote; displaced: string | null }
  release(file: string): void
  has(id: string): boolean
}

export function createIdOwners(layer: string, rows: readonly IndexedNoteRow[]): IdOwners {
  const ownerOf = new Map<string, string>()
  const idOf = new Map<string, string>()
  const take = (id: string, file: string): void => {
    ownerOf.set(id, file)
    idOf.set(file, id)
  }
  // Most runs find nothing new and ask for no owner.
  let filled = false
  const fill = (): void => {
    if (filled) return
    filled = true
    for (const row of rows) take(row.id, row.file)
  }

  const release = (file: string): void => {
    fill()
    const id = idOf.get(file)
    idOf.delete(file)
    if (id !== undefined && ownerOf.get(id) === file) ownerOf.delete(id)
  }
  const claim: IdOwners['claim'] = (row) => {
    release(row.file)
    const owner = ownerOf.get(row.id)
    if (owner === undefined || row.file < owner) {
      take(row.id, row.file)
      return { row, displaced: owner ?? null }
    }
    const own = derivedId(layer, row.file)
    take(own, row.file)
    return { row: { ...row, id: own, problems: [...new Set([...row.problems, ID_REPEATED])] }, displaced: null }
  }
  const has = (id: string): boolean => {
    fill()
    return ownerOf.has(id)
  }
  return { claim, release, has }
}

/** A file touched this shortly before a look may have been changed again within one tick of its time stamp. */
const RECENTLY_TOUCHED_MS = 2_000

/** Whether size, time and inode (or what else may change a row) say that a file must be read again. */
export function mustRead(stat: NoteFileStat, row: IndexedNoteRow | undefined, isToolWritten: () => boolean): boolean {
  if (!row) return true
  if (row.size !== stat.size || row.mtimeMs !== stat.mtimeMs || row.inode !== stat.inode) return true
  if (wasRecentlyTouched(row)) return true
  // An id may have become free; a transcript may have claimed a file that counted as the person's hand.
  return row.problems.includes(ID_REPEATED) || (row.voice === 'rule' && isToolWritten())
}

export function wasRecentlyTouched(row: Pick<IndexedNoteRow, 'lookedAt' | 'mtimeMs'>): boolean {
  return row.lookedAt - row.mtimeMs < RECENTLY_TOUCHED_MS
}

/** True when a row says something new to those who list or search. */
export function isChanged(before: IndexedNoteRow | undefined, after: IndexedNoteRow): boolean {
  if (!before || before.hash !== after.hash || before.id !== after.id) return true
  return before.voice !== after.voice || before.withheld !== after.withheld || before.updated !== after.updated
}

/** True when the stored row would differ in anything that a later run looks at. */
export function mustPut(before: IndexedNoteRow | undefined, after: IndexedNoteRow): boolean {
  if (!before || isChanged(before, after)) return true
  if (before.size !== after.size || before.mtimeMs !== after.mtimeMs || before.inode !== after.inode) return true
  if (before.problems.join() !== after.problems.join() || before.textKey !== after.textKey) return true
  return wasRecentlyTouched(before) && !wasRecentlyTouched(after)
}
