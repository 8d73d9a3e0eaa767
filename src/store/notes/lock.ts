/**
 * One lock per key, across processes: a small file that exists while it is held and names its holder. It is taken by
 * link() of a prepared file (exclusive create where links are refused), so it is never there half-written.
 *
 * Must stay true: at most one holder; a lock is taken over only when its holder is provably gone (another machine or
 * pid namespace: when it was not touched for 60 s), never by age. Taking over is itself locked, by a claim file named
 * after the token of the stale lock, so that two takers cannot both replace it; a claim whose maker died is taken over
 * in the same way.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { cancelled, fromFileSystemError, MemoryError, systemCode, throwIfCancelled } from '../../errors.ts'
import { sleep } from '../../util/index.ts'
import { ensureDirectory, isLinkRefusal, removeQuietly } from './atomic-write.ts'
import { type CrashPoints, noCrashPoints } from './crash-points.ts'
import { type LockOwner, type ProcessTable, selfAsOwner, stateOfOwner } from './lock-owner.ts'

/** Wait of a person or an agent; the worker takes 60,000. */
export const DEFAULT_LOCK_WAIT_MS = 5_000
const HEARTBEAT_MS = 15_000
const SILENT_AFTER_MS = 60_000
const LITTER_AFTER_MS = 600_000
const SHORTEST_POLL_MS = 1
const LONGEST_POLL_MS = 12
const PREPARED = '.prepared-'
const CLAIM = '.claim-'

export interface FileLockOptions {
  /** Path of the lock file; its folder is made when missing. */
  readonly file: string
  /** What the lock guards, for messages. */
  readonly label: string
  readonly table: ProcessTable
  readonly waitMs?: number
  readonly signal?: AbortSignal
  readonly faults?: CrashPoints
  /** Makes a hard link, or throws as a file system without them does. Default: `linkSync`. */
  readonly link?: (from: string, to: string) => void
}

export interface HeldLock {
  /** True when it had to wait for another holder. */
  readonly contended: boolean
  /** False when someone took it over (only possible across machines, after 60 s of silence). */
  isHeld(): boolean
  release(): void
}

interface Holder {
  readonly owner: LockOwner | null
  /** Names this one holding: the token, or the inode of a file that cannot be read. */
  readonly token: string
  readonly touchedMs: number
}

/** A file of ours with content, ready to be linked or renamed to the lock's name. */
interface Prepared {
  readonly path: string
  readonly token: string
  readonly content: string
}

/** Takes the lock. Throws STORE_BUSY after the wait, CANCELLED on abort, STORE_READ_ONLY and the like. */
export async function acquireFileLock(options: FileLockOptions): Promise<HeldLock> {
  const faults = options.faults ?? noCrashPoints
  const started = performance.now()
  const waitMs = options.waitMs ?? DEFAULT_LOCK_WAIT_MS
  throwIfCancelled(options.signal)
  await ensureDirectory(dirname(options.file))
  const prepared = prepare(dirname(options.file), options.table)
  try {
    await faults.hit('lock-prepared')
    for (let round = 0; ; round++) {
      const token = await tryOnce(options, prepared, faults)
      if (token !== null) {
        await faults.hit('lock-taken')
        return holding(options.file, token, round > 0)
      }
      const waitedMs = Math.round(performance.now() - started)
      if (waitedMs >= waitMs) throw busy(options, waitedMs)
      await pause(Math.min(pollMs(), waitMs - waitedMs), options.signal)
    }
  } finally {
    removeQuietly(prepared.path)
  }
}

/** Removes what dead processes left in a folder of locks: prepared files and claims. Held locks are never touched. */
export function sweepLocks(directory: string, table: ProcessTable, nowMs: number): void {
  for (const name of namesIn(directory)) {
    if (!name.startsWith(PREPARED) && !name.startsWith(CLAIM)) continue
    const path = join(directory, name)
    const holder = readHolder(path)
    // A claim may be taken over this moment; only one that guards nothing any more is litter.
    if (holder && isLitter(holder, table, nowMs) && !isClaimInUse(directory, name)) removeQuietly(path)
  }
}

async function tryOnce(options: FileLockOptions, prepared: Prepared, faults: CrashPoints): Promise<string | null> {
  if (take(options.file, prepared, options.link)) return prepared.token
  const holder = readHolder(options.file)
  if (holder === null) return take(options.file, prepared, options.link) ? prepared.token : null
  if (!isStale(holder, options.table, () => nowOfFileSystem(prepared))) return null
  return takeOver(options.file, holder, { ...options, faults })
}

type TakeOverOptions = Pick<FileLockOptions, 'table' | 'link'> & { readonly faults: CrashPoints }

/**
 * Replaces a stale lock by one of ours; gives its token, or null when somebody else was faster. Under the claim the
 * stale token is looked at again: only the claim's holder may remove it, so it cannot change after that look.
 */
async function takeOver(file: string, stale: Holder, options: TakeOverOptions): Promise<string | null> {
  const { table, faults, link } = options
  const directory = dirname(file)
  const prepared = prepare(directory, table)
  const claim = join(directory, `${CLAIM}${stale.token}`)
  try {
    if (!take(claim, prepared, link)) {
      const other = readHolder(claim)
      if (!other || !isStale(other, table, () => nowOfFileSystem(prepared))) return null
      if ((await takeOver(claim, other, options)) === null) return null
    }
    try {
      await faults.hit('takeover-claimed')
      if (readHolder(file)?.token !== stale.token) return null
      renameSync(prepared.path, file)
      await faults.hit('takeover-done')
      return prepared.token
    } finally {
      removeQuietly(claim)
    }
  } finally {
    removeQuietly(prepared.path)
  }
}

function prepare(directory: string, table: ProcessTable): Prepared {
  const token = randomBytes(8).toString('hex')
  const content = `${JSON.stringify({ token, ...selfAsOwner(table) })}\n`
  const path = join(directory, `${PREPARED}${token}`)
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    removeQuietly(path)
    throw fromFileSystemError(error, path)
  }
  return { path, token, content }
}

/** True when the name is ours now. */
function take(file: string, prepared: Prepared, link: FileLockOptions['link'] = linkSync): boolean {
  try {
    link(prepared.path, file)
    return true
  } catch (error) {
    // A network file system may do the link and lose the answer; the token tells.
    if (systemCode(error) === 'EEXIST') return readHolder(file)?.token === prepared.token
    if (!isLinkRefusal(error)) throw fromFileSystemError(error, file)
  }
  try {
    writeFileSync(file, prepared.content, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw fromFileSystemError(error, file)
  }
}

function holding(file: string, token: string, contended: boolean): HeldLock {
  const isHeld = () => readHolder(file)?.token === token
  const beat = () => {
    try {
      if (isHeld()) touch(file, readFileSync(file, 'utf8'))
    } catch {
      // The disk is gone for now; the next write looks whether the lock is still held.
    }
  }
  const heartbeat = setInterval(beat, HEARTBEAT_MS)
  heartbeat.unref()
  return {
    contended,
    isHeld,
    release() {
      clearInterval(heartbeat)
      if (isHeld()) removeQuietly(file)
    },
  }
}

/** Writes the same bytes again, so that the file system itself sets the time. */
function touch(file: string, content: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    writeSync(descriptor, content, 0)
  } finally {
    closeSync(descriptor)
  }
}

function isStale(holder: Holder, table: ProcessTable, nowMs: () => number): boolean {
  const state = holder.owner ? stateOfOwner(holder.owner, table) : 'elsewhere'
  if (state === 'elsewhere') return nowMs() - holder.touchedMs > SILENT_AFTER_MS
  return state === 'gone'
}

/** Waiting files have no heartbeat; those that nobody can be asked about are let be for longer than anyone waits. */
function isLitter(holder: Holder, table: ProcessTable, nowMs: number): boolean {
  const state = holder.owner ? stateOfOwner(holder.owner, table) : 'elsewhere'
  return state === 'gone' || (state === 'elsewhere' && nowMs - holder.touchedMs > LITTER_AFTER_MS)
}

/** Null when there is no such file. */
function readHolder(file: string): Holder | null {
  try {
    const text = readFileSync(file, 'utf8')
    const stat = statSync(file)
    return parseHolder(text, stat.ino, stat.mtimeMs)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw fromFileSystemError(error, file)
  }
}

function parseHolder(text: string, inode: number, touchedMs: number): Holder {
  const unreadable = { owner: null, token: `inode-${inode}`, touchedMs }
  let content: Record<string, unknown>
  try {
    // Every field is checked below.
    content = JSON.parse(text) as Record<string, unknown>
  } catch {
    // Cut off by a power loss, or just being created where links are refused: only a heartbeat can judge it.
    return unreadable
  }
  const { token, pid, start, boot, namespace, host } = content ?? {}
  if (typeof token !== 'string' || !/^[0-9a-f]{16}$/.test(token)) return unreadable
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0 || typeof host !== 'string') return unreadable
  const owner = { pid, host, start: textOrNull(start), boot: textOrNull(boot), namespace: textOrNull(namespace) }
  return { owner, token, touchedMs }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** What the (perhaps remote) file system calls now: the time it gives to a write. */
function nowOfFileSystem(prepared: Prepared): number {
  try {
    touch(prepared.path, prepared.content)
    return statSync(prepared.path).mtimeMs
  } catch {
    // Swept or renamed meanwhile; the own clock is the next best.
    return Date.now()
  }
}

function isClaimInUse(directory: string, claim: string): boolean {
  const token = claim.slice(CLAIM.length)
  return (
    claim.startsWith(CLAIM) && namesIn(directory).some((name) => name !== claim && holds(join(directory, name), token))
  )
}

function holds(path: string, token: string): boolean {
  return !basename(path).startsWith(PREPARED) && readHolder(path)?.token === token
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw fromFileSystemError(error, directory)
  }
}

function pollMs(): number {
  return SHORTEST_POLL_MS + Math.random() * (LONGEST_POLL_MS - SHORTEST_POLL_MS)
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, signal)
  } catch {
    // `sleep` rejects with whatever the signal carries; callers know one code.
    throw cancelled(signal?.reason)
  }
}

function busy(options: FileLockOptions, waitedMs: number): MemoryError {
  const holder = readHolder(options.file)?.owner
  return new MemoryError('STORE_BUSY', `Another process is writing to ${options.label}`, {
    hint: holder ? `Process ${holder.pid} on ${holder.host.split('#')[0]} holds it; try again.` : 'Try again.',
    data: { layer: options.label, waitedMs, holder: holder?.pid ?? null },
  })
}

/** File name of the lock of a key; different keys give different names. */
export function lockFileName(key: string): string {
  return `${key.replace(/%/g, '%25').replace(/\//g, '%2F')}.lock`
}
