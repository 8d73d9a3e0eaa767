/**
 * Driver of the port `NoteFiles` over the file system: puts lock, path guard, replacement and look-back together. The
 * protocol is described in README.md beside this file.
 */
import { existsSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Clock, homeFiles, type Layer } from '../../domain/index.ts'
import { fromFileSystemError, MemoryError } from '../../errors.ts'
import { sha256 } from '../../util/index.ts'
import { ensureDirectory, writeWholeFile } from './atomic-write.ts'
import { type CrashPoints, noCrashPoints } from './crash-points.ts'
import { type DiskFile, readDiskFile, readUnlinkedFile, toNoteBytes } from './disk-file.ts'
import { childOf, isInside, listFolder, realPath } from './listing.ts'
import { assertNoteFile, assertNoteSize } from './listing-rules.ts'
import { lockFileName } from './lock.ts'
import { createLockKeeper, type LockKeeper } from './lock-keeper.ts'
import type { ProcessTable } from './lock-owner.ts'
import type { LayerListing, LockedLayer, NoteBytes, NoteFiles } from './note-files.ts'
import { findNotePath, isPlainName, newNotePath } from './note-path.ts'
import { changed, createFile, type ReplaceContext, removeFile, replaceFile } from './replace-file.ts'
import { removeOldTemps, settleLayer } from './settle.ts'

export interface FsNoteFilesOptions {
  /** Absolute path of the home; locks and conflicts lie there. */
  readonly home: string
  readonly clock: Clock
  readonly faults?: CrashPoints
  /** Folders outside the layers in which the target of a linked note may lie. Default none; never for team layers. */
  readonly linkRoots?: readonly string[]
  /** Default: this machine's processes. */
  readonly table?: ProcessTable
}

interface Driver {
  readonly options: FsNoteFilesOptions
  readonly faults: CrashPoints
  readonly keeper: LockKeeper
  /** Layers whose mark "has held notes" is known to stand. */
  readonly marked: Set<string>
}

export function createFsNoteFiles(options: FsNoteFilesOptions): NoteFiles {
  const directory = join(options.home, homeFiles.locks)
  const faults = options.faults ?? noCrashPoints
  const keeper = createLockKeeper({ directory, faults, table: options.table })
  const driver: Driver = { options, faults, keeper, marked: new Set() }
  return {
    list: (layer) => list(driver, layer),
    read: async (layer, file) => read(driver, layer, file),
    readIndex: async (layer) => read(driver, layer, homeFiles.index),
    withLock: (layer, lockOptions, work) =>
      keeper.hold(layer.key, lockOptions, async (lock) => {
        const held = { open: true, assertHeld: () => assertHeld(layer, lock.isHeld()) }
        try {
          return await work(lockedLayer(driver, layer, held))
        } finally {
          held.open = false
        }
      }),
    async settle(layer) {
      if (!existsSync(layer.directory)) return { settled: 0, waiting: 0, conflicts: [] }
      return keeper.hold(layer.key, {}, async (lock) => {
        keeper.sweep(options.clock.now())
        const conflicts = join(options.home, homeFiles.conflicts, layer.key.replace(/\//g, '-'))
        const context = { clock: options.clock, faults, conflicts, assertHeld: () => assertHeld(layer, lock.isHeld()) }
        const ownFolders = [options.home, directory, conflicts, join(options.home, homeFiles.proposals)]
        for (const folder of ownFolders) removeOldTemps(folder, context)
        return settleLayer(layer.directory, linkRootsOf(driver, layer), context)
      })
    },
  }
}

interface Held {
  open: boolean
  assertHeld(): void
}

/** What the work under one lock has read: file to the sizes of the versions that it saw, by hash. */
type SeenVersions = Map<string, Map<string, number>>

interface WriteContext extends ReplaceContext {
  readonly seen: SeenVersions
}

function lockedLayer(driver: Driver, layer: Layer, held: Held): LockedLayer {
  const seen: SeenVersions = new Map()
  const readSeen = (file: string) => {
    const found = read(driver, layer, file)
    if (found) seen.set(file, (seen.get(file) ?? new Map()).set(found.hash, found.size))
    return found
  }
  const context: WriteContext = {
    seen,
    clock: driver.options.clock,
    faults: driver.faults,
    assertHeld() {
      if (!held.open) throw new MemoryError('INTERNAL', 'A layer was used after its lock was released')
      held.assertHeld()
    },
  }
  return {
    layer,
    list: () => list(driver, layer),
    read: async (file) => readSeen(file),
    readIndex: async () => readSeen(homeFiles.index),
    write: (file, bytes, expectedHash) => {
      newNotePath(layer, file)
      assertNoteFile(file)
      return write(driver, layer, file, bytes, expectedHash, context)
    },
    async writeIndex(bytes, expectedHash) {
      await write(driver, layer, homeFiles.index, bytes, expectedHash, context)
      await driver.faults.hit('index-written')
    },
    async remove(file, expectedHash) {
      const place = findNotePath(layer, file, linkRootsOf(driver, layer))
      assertNoteFile(file)
      const current = place && readDiskFile(place.path)
      if (!place || !current || current.hash !== expectedHash) throw changed(file)
      context.assertHeld()
      await removeFile(current, context)
      if (place.link !== null) removeLink(place.link)
    },
  }
}

/** Creates or replaces; bytes that are there already are left alone. */
async function write(
  driver: Driver,
  layer: Layer,
  file: string,
  bytes: Uint8Array,
  expectedHash: string | null,
  context: WriteContext,
): Promise<NoteBytes> {
  context.assertHeld()
  assertNoteSize(file, bytes)
  const place = findNotePath(layer, file, linkRootsOf(driver, layer))
  const found = place && readDiskFile(place.path)
  const current = found && expectedHash !== null ? asExpected(found, expectedHash, context.seen.get(file)) : found
  if ((current?.hash ?? null) !== expectedHash) throw changed(file)
  if (found && current && Buffer.compare(current.bytes, bytes) === 0) return toNoteBytes(found)
  const path = current?.path ?? (await prepareFolder(driver, layer, file))
  if (current) await replaceFile(current, bytes, context)
  else await createFile(path, bytes, context)
  await markHeld(driver, layer)
  const written = readDiskFile(path)
  // Somebody removed it again at once: the write did happen, and the next look will tell.
  return written ? toNoteBytes(written) : { bytes, hash: sha256(bytes), mtimeMs: 0, size: bytes.length, inode: 0 }
}

/** The file as the caller saw it, when it only grew since: the rest is then carried over like any later growth. */
function asExpected(
  found: DiskFile,
  expectedHash: string,
  versions: ReadonlyMap<string, number> | undefined,
): DiskFile {
  const size = versions?.get(expectedHash)
  if (found.hash === expectedHash || size === undefined || size > found.size) return found
  const bytes = found.bytes.subarray(0, size)
  return sha256(bytes) === expectedHash ? { ...found, bytes, size, hash: expectedHash } : found
}

/** Makes the folder of a new note. A layer that is set elsewhere and has vanished is not made anew in its place. */
async function prepareFolder(driver: Driver, layer: Layer, file: string): Promise<string> {
  if (
    !isInside(driver.options.home, layer.directory) &&
    !existsSync(layer.directory) &&
    existsSync(heldMark(driver, layer))
  )
    throw new MemoryError('STORE_UNREADABLE', `The folder of notes ${layer.directory} is gone`, {
      hint: 'Bring the drive or folder back; to begin anew, make the folder yourself.',
      data: { path: layer.directory },
    })
  if (!existsSync(layer.directory)) await ensureDirectory(layer.directory)
  const path = newNotePath(layer, file)
  await ensureDirectory(dirname(path))
  return path
}

function read(driver: Driver, layer: Layer, file: string): NoteBytes | null {
  const plain = isPlainName(file) ? readUnlinkedFile(childOf(layer.directory, file)) : null
  if (plain) return toNoteBytes(plain)
  const place = findNotePath(layer, file, linkRootsOf(driver, layer))
  const found = place && readDiskFile(place.path)
  return found ? toNoteBytes(found) : null
}

async function list(driver: Driver, layer: Layer): Promise<LayerListing> {
  try {
    const listing = await listFolder(layer.directory, linkRootsOf(driver, layer))
    if (listing) return { state: 'ok', ...listing }
    const wasThere = existsSync(heldMark(driver, layer))
    return { state: wasThere ? 'vanished' : 'empty', files: [], ignored: [] }
  } catch {
    // It exists and cannot be read (permissions, a drive that went): never "all deleted".
    return { state: 'vanished', files: [], ignored: [] }
  }
}

function linkRootsOf(driver: Driver, layer: Layer): readonly string[] {
  if (layer.name === 'team') return []
  return (driver.options.linkRoots ?? []).flatMap((root) => realPath(root) ?? [])
}

/** A mark in the home, beside the locks, that the layer has held notes: so that "gone" and "never there" differ. */
function heldMark(driver: Driver, layer: Layer): string {
  return join(driver.keeper.directory, lockFileName(layer.key).replace(/\.lock$/, '.held'))
}

async function markHeld(driver: Driver, layer: Layer): Promise<void> {
  if (driver.marked.has(layer.key)) return
  const mark = heldMark(driver, layer)
  try {
    if (!existsSync(mark)) await writeWholeFile(mark, new Uint8Array())
    driver.marked.add(layer.key)
  } catch (error) {
    // The note itself is written and durable; the mark is tried again with the next one.
    if (!MemoryError.isInstance(error)) throw error
  }
}

function assertHeld(layer: Layer, isHeld: boolean): void {
  if (isHeld) return
  throw new MemoryError('STORE_BUSY', `The lock of ${layer.key} was lost`, {
    hint: 'Try again; nothing was changed.',
    data: { layer: layer.key, waitedMs: 0 },
  })
}

function removeLink(link: string): void {
  try {
    unlinkSync(link)
  } catch (error) {
    throw fromFileSystemError(error, link)
  }
}
