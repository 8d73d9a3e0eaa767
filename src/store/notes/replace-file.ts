/**
 * Replacing, carrying and removing one file, under the layer's lock (README, steps 2 and 3). Paths are real paths.
 * Must stay true: whatever was at the path when the rename happened still has a name until its growth is accounted
 * for; what fails before the rename changes nothing; nothing is carried twice.
 */
import { linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Clock } from '../../domain/index.ts'
import { fromFileSystemError, hasCode, MemoryError, systemCode } from '../../errors.ts'
import { placeNew, removeQuietly, syncDirectory, writeTemp } from './atomic-write.ts'
import type { CrashPoints } from './crash-points.ts'
import { type DiskFile, readDiskFile } from './disk-file.ts'
import {
  type Accounted,
  accountedOf,
  belongsTo,
  clearPending,
  type Displaced,
  displacedIn,
  isStillInPlace,
  keepDisplaced,
  setPending,
  settlePending,
} from './displaced.ts'

export interface ReplaceContext {
  readonly clock: Clock
  readonly faults: CrashPoints
  /** Throws when the lock was lost. */
  assertHeld(): void
}

/** `same`: nothing new; `carried`; `waiting`: half a line so far; `changed`: no longer an append; `orphan`: grew, and its file is gone. */
export type CarryState = 'same' | 'carried' | 'waiting' | 'changed' | 'orphan'

/** Tries of one carry against a person who changes the file each time; then it is left to `settle`. */
const MAX_CARRY_ROUNDS = 8
/** Carries at once after a write. Each displaces the file again, so who appends without pause is left to `settle`. */
const MAX_CARRIES_AT_ONCE = 2

/**
 * Replaces the file and carries what was appended meanwhile. NOTE_CHANGED_ON_DISK when it is not `current` any more, nor
 * `current` with something appended.
 */
export async function replaceFile(current: DiskFile, bytes: Uint8Array, context: ReplaceContext): Promise<void> {
  let displaced = await swap(current, bytes, context)
  for (let carries = 0; displaced && carries < MAX_CARRIES_AT_ONCE; carries++)
    displaced = await carryAtOnce(displaced, current.path, context)
}

/** Creates a file that must not exist. NOTE_CHANGED_ON_DISK when it does. */
export async function createFile(path: string, bytes: Uint8Array, context: ReplaceContext): Promise<void> {
  const temp = await writeTemp(dirname(path), bytes, { faults: context.faults })
  try {
    context.assertHeld()
  } catch (error) {
    removeQuietly(temp)
    throw error
  }
  if (!placeNew(temp, path)) throw changed(path)
  await context.faults.hit('renamed')
  await syncDirectory(dirname(path))
  await context.faults.hit('directory-synced')
}

/**
 * Removes the file and every displaced version of it. When somebody wrote to it in the last moment it stays (or comes
 * back) and this throws NOTE_CHANGED_ON_DISK.
 */
export async function removeFile(current: DiskFile, context: ReplaceContext): Promise<void> {
  const { path } = current
  const older = displacedIn(dirname(path)).filter((each) => belongsTo(each, path) && !isStillInPlace(each, path))
  for (const each of older)
    if ((await carryTail(each, path, context, { final: true })).state === 'carried') throw changed(path)
  const displaced = keepDisplaced(current, context.clock.now())
  try {
    await context.faults.hit('displaced-linked')
    context.assertHeld()
    if (!isUntouched(current)) throw changed(path)
    unlinkSync(path)
  } catch (error) {
    if (displaced) removeQuietly(displaced.path)
    throw fromFileSystemError(error, path)
  }
  await context.faults.hit('file-removed')
  if (displaced && growthOf(displaced) !== 'same') restore(displaced, path)
  for (const each of displaced ? [...older, displaced] : older) removeQuietly(each.path)
  await syncDirectory(dirname(path))
}

export interface Carry {
  readonly state: CarryState
  /** The displaced file under the name it has now. */
  readonly displaced: Displaced
  /** What the carry itself displaced. */
  readonly next: Displaced | null
}

/**
 * Carries what was appended to a displaced file over to the end of its successor: whole lines, with `final` also the
 * last half line. Throws what writing throws; then nothing was carried.
 */
export async function carryTail(
  displaced: Displaced,
  path: string,
  context: ReplaceContext,
  options: { readonly final: boolean },
): Promise<Carry> {
  const old = readDiskFile(displaced.path)
  const growth = old ? growthIn(old.bytes, displaced.accounted) : 'same'
  if (!old || growth !== 'grown') return { state: growth === 'changed' ? 'changed' : 'same', displaced, next: null }
  const from = displaced.accounted.size
  const end = options.final ? old.bytes.length : old.bytes.lastIndexOf(0x0a) + 1
  if (end <= from) return { state: 'waiting', displaced, next: null }
  const tail = old.bytes.subarray(from, end)
  for (let round = 0; round < MAX_CARRY_ROUNDS; round++) {
    const current = readDiskFile(path)
    if (!current) return { state: 'orphan', displaced, next: null }
    const carry = await tryCarry(displaced, accountedOf(old.bytes.subarray(0, end)), current, tail, context)
    if (carry) return carry
  }
  return { state: 'waiting', displaced, next: null }
}

/** Null when the successor changed before the rename. */
async function tryCarry(
  displaced: Displaced,
  accounted: Accounted,
  current: DiskFile,
  tail: Uint8Array,
  context: ReplaceContext,
): Promise<Carry | null> {
  let mark = displaced
  try {
    const next = await swap(current, joinLines(current.bytes, tail), context, {
      async beforeRename(temp) {
        mark = setPending(displaced, accounted, temp)
        await syncDirectory(dirname(mark.path))
        await context.faults.hit('tail-pending')
      },
      onFailure() {
        if (mark.pending) mark = clearPending(mark)
      },
    })
    await context.faults.hit('tail-carried')
    mark = settlePending(mark)
    await context.faults.hit('tail-recorded')
    return { state: 'carried', displaced: mark, next }
  } catch (error) {
    if (hasCode(error, 'NOTE_CHANGED_ON_DISK')) return null
    throw error
  }
}

async function carryAtOnce(displaced: Displaced, path: string, context: ReplaceContext): Promise<Displaced | null> {
  try {
    return (await carryTail(displaced, path, context, { final: false })).next
  } catch (error) {
    // The write itself is done and durable; what could not be carried now is kept and carried by `settle`.
    if (MemoryError.isInstance(error)) return null
    throw error
  }
}

interface SwapSteps {
  beforeRename(temp: string): Promise<void>
  onFailure(): void
}

/** One replacement; gives what it displaced. On failure before the rename everything is as it was. */
async function swap(
  current: DiskFile,
  bytes: Uint8Array,
  context: ReplaceContext,
  steps?: SwapSteps,
): Promise<Displaced | null> {
  const { path } = current
  const displaced = keepDisplaced(current, context.clock.now())
  let temp: string | null = null
  try {
    await context.faults.hit('displaced-linked')
    temp = await writeTemp(dirname(path), bytes, { mode: current.mode, owner: current, faults: context.faults })
    await steps?.beforeRename(temp)
    context.assertHeld()
    // No turn of the event loop between the look and the rename: what other programs can do in between is microseconds.
    if (!isUntouched(current) && !(displaced && isOnlyGrown(current))) throw changed(path)
    renameSync(temp, path)
  } catch (error) {
    steps?.onFailure()
    if (temp) removeQuietly(temp)
    if (displaced) removeQuietly(displaced.path)
    throw fromFileSystemError(error, path)
  }
  await context.faults.hit('renamed')
  await syncDirectory(dirname(path))
  await context.faults.hit('directory-synced')
  return displaced
}

/** The file came back to life: somebody wrote to it while it was being removed. */
function restore(displaced: Displaced, path: string): never {
  try {
    linkSync(displaced.path, path)
    removeQuietly(displaced.path)
  } catch (error) {
    // A new file is there already: `settle` finds the old one grown and keeps it as a conflict.
    if (systemCode(error) !== 'EEXIST') throw fromFileSystemError(error, path)
  }
  throw changed(path)
}

function growthOf(displaced: Displaced): 'same' | 'grown' | 'changed' {
  const bytes = readDiskFile(displaced.path)?.bytes
  return bytes ? growthIn(bytes, displaced.accounted) : 'same'
}

function growthIn(bytes: Uint8Array, accounted: Accounted): 'same' | 'grown' | 'changed' {
  if (bytes.length < accounted.size) return 'changed'
  if (accountedOf(bytes.subarray(0, accounted.size)).digest !== accounted.digest) return 'changed'
  return bytes.length === accounted.size ? 'same' : 'grown'
}

/** Appends a tail so that its first line stands alone. */
export function joinLines(bytes: Uint8Array, tail: Uint8Array): Uint8Array {
  const current = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const startsFresh = current.length === 0 || current.at(-1) === 0x0a || tail[0] === 0x0a || tail[0] === 0x0d
  return Buffer.concat([current, Buffer.from(startsFresh ? '' : current.includes('\r\n') ? '\r\n' : '\n'), tail])
}

function isUntouched(current: DiskFile): boolean {
  const now = lstatSync(current.path, { throwIfNoEntry: false })
  return now?.ino === current.inode && now.size === current.size && now.mtimeMs === current.mtimeMs
}

/** An append that came meanwhile is no reason to stop: the displaced name holds it, and it is carried over. */
function isOnlyGrown(current: DiskFile): boolean {
  const now = readDiskFile(current.path)
  return now?.inode === current.inode && growthIn(now.bytes, accountedOf(current.bytes)) === 'grown'
}

export function changed(path: string): MemoryError {
  return new MemoryError('NOTE_CHANGED_ON_DISK', `${basename(path)} was changed by someone else meanwhile`, {
    hint: 'Read it again and repeat the change.',
    data: { file: path },
  })
}
