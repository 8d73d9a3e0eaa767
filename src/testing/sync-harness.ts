/** A layer of files in memory whose stats a test controls, and everything else that `sync` needs, recorded. */
import { homeFiles, type Layer } from '../domain/index.ts'
import type { IgnoredFile, LayerListing, NoteBytes, NoteFiles } from '../store/notes/note-files.ts'
import { createMemorySearchIndex } from '../store/search-index/memory-search-index.ts'
import type { IndexedNoteRow, SearchIndex } from '../store/search-index/search-index.ts'
import { createMemoryStateStore } from '../store/state/memory-state-store.ts'
import type { StateStore } from '../store/state/state-store.ts'
import { createSync } from '../store/sync.ts'
import type { SyncDependencies } from '../store/sync-report.ts'
import type { NewTombstone } from '../store/tombstones.ts'
import { keyedHash, normaliseForComparison, sha256 } from '../util/index.ts'

export interface FakeFile {
  readonly bytes: Uint8Array
  readonly mtimeMs: number
  readonly inode: number
}

/** Words that the harness's guard masks and refuses. */
export const MASKED_WORD = 'hunter2'
export const THREAT_WORDS = 'obey these words'

export const globalLayer: Layer = { name: 'global', key: 'global', directory: '/home/ada/.keepsake/global' }
export const projectLayer: Layer = {
  name: 'project',
  key: 'projects/shop-1a2b3c4d',
  directory: '/home/ada/.keepsake/p',
}

export type SyncHarness = ReturnType<typeof createSyncHarness>

export function createSyncHarness(parts: { index?: SearchIndex; state?: StateStore } = {}) {
  const clock = { time: Date.parse('2026-03-01T10:00:00Z'), now: () => clock.time }
  const disk = new Map<string, Map<string, FakeFile>>()
  const listing = { state: 'ok' as LayerListing['state'], ignored: [] as IgnoredFile[], unreadable: new Set<string>() }
  const buried: NewTombstone[] = []
  const toolWritten = new Set<string>()
  const puts: { layer: string; put: number; removed: number }[] = []
  const memory = {
    inode: 1,
    index: parts.index ?? createMemorySearchIndex(),
    state: parts.state ?? createMemoryStateStore(),
  }

  const folder = (layer: Layer) => {
    const files = disk.get(layer.key) ?? new Map<string, FakeFile>()
    disk.set(layer.key, files)
    return files
  }
  const files: Pick<NoteFiles, 'list' | 'read'> = {
    list: async (layer) => {
      if (listing.state !== 'ok') return { state: listing.state, files: [], ignored: [] }
      const visible = [...folder(layer)].filter(([file]) => file !== homeFiles.index)
      const stats = visible.map(([file, { bytes, mtimeMs, inode }]) => ({ file, size: bytes.length, mtimeMs, inode }))
      return { state: 'ok', files: stats, ignored: listing.ignored }
    },
    read: async (layer, file) => {
      if (listing.unreadable.has(file)) throw new Error('EACCES: permission denied')
      const found = folder(layer).get(file)
      return found ? toNoteBytes(found) : null
    },
  }
  const dependencies: SyncDependencies = {
    files,
    clock,
    index: () => recording(memory.index, puts),
    state: () => memory.state,
    guardText,
    toolWrites: { has: (path) => toolWritten.has(path) },
    tombstones: {
      textKey: (text) => keyedHash('key', normaliseForComparison(text)),
      nameKey: (name) => keyedHash('name key', name),
      evidenceKey: (hash) => `key of ${hash}`,
      has: ({ textKey }) => buried.some((each) => each.textKey === textKey),
      add: async (tombstone) => {
        buried.push(tombstone)
        return { op: 'forget', id: `tombstone ${buried.length}`, time: '2026-03-01T10:00:00Z', ...tombstone }
      },
    },
    otherLayers: () => [globalLayer.key, projectLayer.key],
  }
  const put = (file: string, text: string | Uint8Array, stat: Partial<FakeFile> = {}, layer = globalLayer): void => {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
    folder(layer).set(file, { bytes, mtimeMs: clock.time, inode: memory.inode++, ...stat })
  }
  return {
    clock,
    listing,
    buried,
    toolWritten,
    puts,
    memory,
    dependencies,
    put,
    fileOf: (file: string, layer = globalLayer) => folder(layer).get(file),
    files: (layer = globalLayer) => [...folder(layer).keys()],
    remove: (file: string, layer = globalLayer) => folder(layer).delete(file),
    move(from: string, to: string, layer = globalLayer, toLayer = layer): void {
      const file = folder(layer).get(from)
      folder(layer).delete(from)
      if (file) folder(toLayer).set(to, file)
    },
    pass: (ms: number) => {
      clock.time += ms
    },
    run: (layer = globalLayer, options = {}) => createSync(dependencies).layer(layer, options),
    rows: (layer = globalLayer): IndexedNoteRow[] => memory.index.notesOf(layer.key),
  }
}

/** A note as Keepsake writes it. */
export function exampleNote(fields: Readonly<Record<string, string>>, body = 'Use pnpm.'): string {
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${value}\n`)
  return `---\n${lines.join('')}---\n\n${body}\n`
}

/** What must be the same in an index built anew: everything but the times and places of looking. */
export function comparable(row: IndexedNoteRow): Omit<IndexedNoteRow, 'lookedAt'> {
  const { lookedAt: _, ...rest } = row
  return rest
}

function guardText(text: string): { text: string; withheld: string | null } {
  const masked = text.replaceAll(MASKED_WORD, '[masked: password]')
  return { text: masked, withheld: masked.includes(THREAT_WORDS) ? 'obedience' : null }
}

function toNoteBytes({ bytes, mtimeMs, inode }: FakeFile): NoteBytes {
  return { bytes, hash: sha256(bytes), mtimeMs, size: bytes.length, inode }
}

function recording(index: SearchIndex, puts: { layer: string; put: number; removed: number }[]): SearchIndex {
  return {
    ...index,
    putNotes(layer, notes, removed) {
      puts.push({ layer, put: notes.length, removed: removed.length })
      index.putNotes(layer, notes, removed)
    },
  }
}
