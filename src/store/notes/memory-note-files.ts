/**
 * Driver of the port `NoteFiles` in memory, for tests and for trying things without a disk. It keeps the contract:
 * same names, same guard, one writer per layer in order. Nothing is displaced here, so `settle` has nothing to do.
 */
import { homeFiles, type Layer } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import { safePath } from '../../guard/index.ts'
import { sha256 } from '../../util/index.ts'
import { assertNoteFile, assertNoteSize, judgeFileName, judgeFolderName, MAX_NOTE_BYTES } from './listing-rules.ts'
import { DEFAULT_LOCK_WAIT_MS } from './lock.ts'
import { createLockQueue } from './lock-queue.ts'
import type { IgnoredFile, LayerListing, LockedLayer, NoteBytes, NoteFileStat, NoteFiles } from './note-files.ts'
import { changed, joinLines } from './replace-file.ts'

/** The port, and the hands of a person who does not know of it. */
export interface MemoryNoteFiles extends NoteFiles {
  readonly person: {
    put(layer: Layer, file: string, bytes: Uint8Array): void
    append(layer: Layer, file: string, bytes: Uint8Array): void
    remove(layer: Layer, file: string): void
    /** The whole folder goes, as when a drive is unmounted. */
    vanish(layer: Layer): void
  }
}

interface MemoryLayer {
  readonly files: Map<string, NoteBytes>
  present: boolean
  hasHeldNotes: boolean
}

interface MemoryDisk {
  readonly layers: Map<string, MemoryLayer>
  counter: number
}

export function createMemoryNoteFiles(): MemoryNoteFiles {
  const disk: MemoryDisk = { layers: new Map(), counter: 0 }
  const queue = createLockQueue()
  return {
    list: async (layer) => list(layerOf(disk, layer)),
    read: async (layer, file) => read(disk, layer, file),
    readIndex: async (layer) => read(disk, layer, homeFiles.index),
    settle: async () => ({ settled: 0, waiting: 0, conflicts: [] }),
    withLock: (layer, { waitMs = DEFAULT_LOCK_WAIT_MS, signal }, work) =>
      queue.hold(layer.key, { waitMs, signal }, async () => {
        const held = { open: true }
        try {
          return await work(lockedLayer(disk, layer, held))
        } finally {
          held.open = false
        }
      }),
    person: {
      put: (layer, file, bytes) => put(disk, layer, file.normalize('NFC'), bytes),
      append: (layer, file, bytes) => {
        const before = layerOf(disk, layer).files.get(file.normalize('NFC'))?.bytes ?? new Uint8Array()
        put(disk, layer, file.normalize('NFC'), Buffer.concat([before, bytes]))
      },
      remove: (layer, file) => void layerOf(disk, layer).files.delete(file.normalize('NFC')),
      vanish: (layer) => {
        layerOf(disk, layer).files.clear()
        layerOf(disk, layer).present = false
      },
    },
  }
}

function lockedLayer(disk: MemoryDisk, layer: Layer, held: { readonly open: boolean }): LockedLayer {
  const assertOpen = () => {
    if (!held.open) throw new MemoryError('INTERNAL', 'A layer was used after its lock was released')
  }
  const seen = new Map<string, NoteBytes>()
  const readSeen = (file: string): NoteBytes | null => {
    const found = read(disk, layer, file)
    if (found) seen.set(`${file} ${found.hash}`, found)
    return found
  }
  const write = (file: string, bytes: Uint8Array, expectedHash: string | null): NoteBytes => {
    assertOpen()
    assertNoteSize(file, bytes)
    const current = read(disk, layer, file)
    const tail = current && tailSince(current, expectedHash, seen.get(`${file} ${expectedHash}`))
    if (current ? tail === null : expectedHash !== null) throw changed(file)
    if (current && tail && sha256(bytes) === expectedHash) return current
    layerOf(disk, layer).hasHeldNotes = true
    return put(disk, layer, guarded(file), tail?.length ? joinLines(bytes, tail) : Uint8Array.from(bytes))
  }
  return {
    layer,
    list: async () => list(layerOf(disk, layer)),
    read: async (file) => readSeen(file),
    readIndex: async () => readSeen(homeFiles.index),
    async write(file, bytes, expectedHash) {
      assertNoteFile(guarded(file))
      return write(file, bytes, expectedHash)
    },
    async writeIndex(bytes, expectedHash) {
      write(homeFiles.index, bytes, expectedHash)
    },
    async remove(file, expectedHash) {
      assertNoteFile(guarded(file))
      assertOpen()
      if (read(disk, layer, file)?.hash !== expectedHash) throw changed(file)
      layerOf(disk, layer).files.delete(guarded(file))
    },
  }
}

/** What was appended since the version that is expected; null when it changed in another way. */
function tailSince(current: NoteBytes, expectedHash: string | null, version: NoteBytes | undefined): Uint8Array | null {
  if (current.hash === expectedHash) return new Uint8Array()
  if (!version || version.size > current.size) return null
  const isGrown = sha256(current.bytes.subarray(0, version.size)) === expectedHash
  return isGrown ? current.bytes.subarray(version.size) : null
}

function list(layer: MemoryLayer): LayerListing {
  if (!layer.present) return { state: layer.hasHeldNotes ? 'vanished' : 'empty', files: [], ignored: [] }
  const files: NoteFileStat[] = []
  const ignored: IgnoredFile[] = []
  for (const [file, { size, mtimeMs, inode }] of [...layer.files].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const segments = file.split('/')
    const name = segments.pop() ?? ''
    const folder = segments.findIndex((segment) => judgeFolderName(segment) !== null)
    const verdict = judgeFileName(name)
    if (folder >= 0) noteIgnored(ignored, segments.slice(0, folder + 1))
    else if (verdict === 'note' && size > MAX_NOTE_BYTES) ignored.push({ file, reason: 'too-large' })
    else if (verdict === 'note') files.push({ file, size, mtimeMs, inode })
    else if (verdict !== 'expected') ignored.push({ file, reason: verdict.ignored })
  }
  return { state: 'ok', files, ignored }
}

function noteIgnored(ignored: IgnoredFile[], segments: readonly string[]): void {
  const file = `${segments.join('/')}/`
  if (ignored.some((each) => each.file === file)) return
  ignored.push({ file, reason: judgeFolderName(segments.at(-1) ?? '') ?? 'hidden' })
}

function read(disk: MemoryDisk, layer: Layer, file: string): NoteBytes | null {
  return layerOf(disk, layer).files.get(guarded(file)) ?? null
}

function put(disk: MemoryDisk, layer: Layer, file: string, bytes: Uint8Array): NoteBytes {
  const written: NoteBytes = {
    bytes,
    hash: sha256(bytes),
    mtimeMs: ++disk.counter,
    size: bytes.length,
    inode: disk.counter,
  }
  const target = layerOf(disk, layer)
  target.present = true
  target.files.set(file, written)
  return written
}

function layerOf(disk: MemoryDisk, layer: Layer): MemoryLayer {
  const found = disk.layers.get(layer.key)
  if (found) return found
  const made: MemoryLayer = { files: new Map(), present: false, hasHeldNotes: false }
  disk.layers.set(layer.key, made)
  return made
}

/** The path guard over a folder that no disk has; what is left is the name in NFC. */
function guarded(file: string): string {
  safePath('/.keepsake-memory-layer', file)
  return file.normalize('NFC')
}
