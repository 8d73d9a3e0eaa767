/**
 * Copies a living home into a folder of ours, so that what comes out is one home as it could have been. The order is the
 * whole point:
 * - Journal and cursors before conversations: what they point past is in sessions.db by then. The other way round a
 *   restored worker would believe that it had read what the copy does not hold.
 * - Notes and history of a layer together, under its lock: no write stands in one and not in the other.
 * - What was forgotten, what was answered and which sessions are off come last: in doubt the restored home knows more of
 *   it, never less.
 */
import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { homeFiles, type Layer } from '../../domain/index.ts'
import { fromFileSystemError, hasCode, messageOf, throwIfCancelled } from '../../errors.ts'
import { safePath } from '../../guard/index.ts'
import { isInside } from '../notes/listing.ts'
import type { NoteFiles } from '../notes/note-files.ts'
import { copyDatabase } from '../sqlite/migrations.ts'
import type { SqliteDriver } from '../sqlite/sqlite-port.ts'
import type { BackupFile, LeftOut, MovedIn } from './backup-format.ts'
import { copyFile } from './copy-file.ts'
import { isKeptPath } from './kept-paths.ts'
import { type FoundFile, walkFolder } from './walk-home.ts'

export interface StageOptions {
  readonly home: string
  readonly layers: readonly Layer[]
  readonly files: Pick<NoteFiles, 'list' | 'withLock'>
  /** False in a home that may not be written: then no lock is taken, and nobody of this version writes there. */
  readonly canLock: boolean
  /** Null when no SQLite works here, and why. */
  readonly sqlite: { readonly driver: SqliteDriver | null; readonly reason: string | null }
  /** Folders into which a linked note may lead. */
  readonly linkRoots: readonly string[]
  /** What the caller knows to be missing already. */
  readonly missing: readonly LeftOut[]
  readonly signal?: AbortSignal
  /** Called for each file with its bytes. */
  readonly onCopied: (bytes: number) => void
}

export interface Staged {
  readonly files: readonly BackupFile[]
  readonly folders: readonly string[]
  readonly leftOut: readonly LeftOut[]
  readonly movedIn: readonly MovedIn[]
  readonly notes: number
}

/** How long a backup waits for the lock of a layer. */
const LOCK_WAIT_MS = 60_000
const FILES_PER_TURN = 64

interface Staging {
  readonly options: StageOptions
  readonly target: string
  readonly files: BackupFile[]
  readonly folders: Set<string>
  readonly leftOut: LeftOut[]
  readonly movedIn: MovedIn[]
  notes: number
  copied: number
}

/** Throws CANCELLED, STORE_BUSY, STORE_FULL and the like. `target` is an empty folder. */
export async function stageHome(target: string, options: StageOptions): Promise<Staged> {
  const staging: Staging = {
    options,
    target,
    files: [],
    folders: new Set(),
    leftOut: [...options.missing],
    movedIn: [],
    notes: 0,
    copied: 0,
  }
  const all = walkFolder(options.home, walkOptions(staging, ''))
  const layerFolders = options.layers.map(({ key }) => key)
  const databases = [homeFiles.stateDb, homeFiles.sessionsDb] as const
  const last = [homeFiles.history, homeFiles.tombstones, homeFiles.answers, homeFiles.sessionModes]
  const late = [...layerFolders, ...databases, ...last]
  // A layer whose folder is a link is walked by itself.
  staging.leftOut.push(...all.leftOut.filter(({ what }) => !layerFolders.some((key) => isOf(key, [what]))))
  for (const folder of all.folders) staging.folders.add(folder)
  await copyAll(
    staging,
    all.files.filter(({ path }) => !isOf(path, late)),
  )
  for (const name of databases) copyDatabaseFile(staging, name)
  for (const layer of options.layers) await copyLayer(staging, layer)
  await copyAll(
    staging,
    all.files.filter(({ path }) => isOf(path, last)),
  )
  const { files, movedIn, notes } = staging
  // A layer is walked twice, with the home and by itself.
  const leftOut = [...new Map(staging.leftOut.map((each) => [each.what, each])).values()]
  return { files, folders: emptyFolders(staging), leftOut, movedIn, notes }
}

function isOf(path: string, tops: readonly string[]): boolean {
  return tops.some((top) => path === top || path.startsWith(`${top}/`))
}

function walkOptions({ options }: Staging, prefix: string) {
  return { prefix, isKept: isKeptPath, linkRoots: [options.home, ...options.linkRoots] }
}

/** One layer with its history, under its lock. */
async function copyLayer(staging: Staging, layer: Layer): Promise<void> {
  const { options, leftOut } = staging
  const { state } = await options.files.list(layer)
  if (state === 'vanished')
    leftOut.push({ what: layer.key, reason: `${layer.directory} is gone or cannot be read; it held notes` })
  if (state !== 'ok') return
  const copy = async () => {
    staging.notes += (await options.files.list(layer)).files.length
    await copyAll(staging, layerFiles(staging, layer))
    const history = join(options.home, homeFiles.history, `${layer.key}.git`)
    if (!existsSync(history)) return
    const found = walkFolder(history, walkOptions(staging, `${homeFiles.history}/${layer.key}.git`))
    for (const folder of found.folders) staging.folders.add(folder)
    await copyAll(staging, found.files)
  }
  await locked(options, layer, copy)
}

async function locked(options: StageOptions, layer: Layer, work: () => Promise<void>): Promise<void> {
  if (!options.canLock) return work()
  let entered = false
  try {
    await options.files.withLock(layer, { waitMs: LOCK_WAIT_MS, signal: options.signal }, () => {
      entered = true
      return work()
    })
  } catch (error) {
    // On a disk that cannot be written nobody else writes either.
    if (entered || !hasCode(error, 'STORE_READ_ONLY')) throw error
    await work()
  }
}

function layerFiles(staging: Staging, layer: Layer): readonly FoundFile[] {
  const { options, leftOut } = staging
  if (!isInside(options.home, layer.directory)) return outsideFiles(staging, layer)
  const walk = walkFolder(layer.directory, walkOptions(staging, layer.key))
  leftOut.push(...walk.leftOut)
  return walk.files
}

/**
 * A layer that lies elsewhere takes its place in the home. Only its Markdown: the rest there is not ours. Notes that the
 * home still holds from before it was moved are kept where no note is read (names that begin with `_`).
 */
function outsideFiles(staging: Staging, layer: Layer): readonly FoundFile[] {
  const { options, movedIn } = staging
  movedIn.push({ path: layer.key, from: layer.directory })
  const there = walkFolder(layer.directory, walkOptions(staging, layer.key)).files
  const here = walkFolder(join(options.home, layer.key), walkOptions(staging, layer.key)).files
  const isMarkdown = ({ path }: FoundFile) => path.endsWith('.md') && !path.includes('/.')
  const old = here.filter(isMarkdown).map((file) => {
    const path = `${layer.key}/_before-it-moved${file.path.slice(layer.key.length)}`
    return { ...file, path }
  })
  return [...there.filter(isMarkdown), ...here.filter((file) => !isMarkdown(file)), ...old]
}

async function copyAll(staging: Staging, found: readonly FoundFile[]): Promise<void> {
  const { options, files, leftOut } = staging
  const known = new Set(files.map(({ path }) => path))
  for (const { path, absolute } of found) {
    throwIfCancelled(options.signal)
    if (known.has(path)) continue
    if (++staging.copied % FILES_PER_TURN === 0) await setImmediate()
    const target = targetOf(staging, path)
    if (target === null) continue
    try {
      const copied = copyFile(absolute, target)
      if (!copied) continue
      files.push({ path, ...copied })
      options.onCopied(copied.size)
    } catch (error) {
      if (hasCode(error, 'STORE_FULL')) throw error
      rmSync(target, { force: true })
      leftOut.push({ what: path, reason: messageOf(error) })
    }
  }
}

/** Where the copy lies; null for a name that could not be restored. */
function targetOf({ target, leftOut }: Staging, path: string): string | null {
  try {
    return safePath(target, path)
  } catch (error) {
    leftOut.push({ what: path, reason: messageOf(error) })
    return null
  }
}

/** A whole copy of a database that others write to; its leases are of this moment and not taken along. */
function copyDatabaseFile(staging: Staging, name: string): void {
  const { options, target, leftOut, files } = staging
  throwIfCancelled(options.signal)
  const source = join(options.home, name)
  if (!statSync(source, { throwIfNoEntry: false })?.isFile()) return
  const { driver, reason } = options.sqlite
  if (!driver) {
    leftOut.push({ what: name, reason: reason ?? 'no SQLite works here' })
    return
  }
  const whole = join(target, `.${name}.copy`)
  try {
    const database = driver.open(source, { readOnly: true })
    try {
      copyDatabase(database, whole)
    } finally {
      database.close()
    }
    if (name === homeFiles.stateDb) dropLeases(driver, whole)
    const copied = copyFile(whole, join(target, name))
    if (copied) files.push({ path: name, ...copied, mode: 0o600 })
    options.onCopied(copied?.size ?? 0)
  } catch (error) {
    if (hasCode(fromFileSystemError(error, whole), 'STORE_FULL')) throw fromFileSystemError(error, whole)
    rmSync(join(target, name), { force: true })
    leftOut.push({ what: name, reason: messageOf(error) })
  } finally {
    rmSync(whole, { force: true })
  }
}

function dropLeases(driver: SqliteDriver, file: string): void {
  const database = driver.open(file, { wal: false })
  try {
    if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'leases'").get()) database.exec('DELETE FROM leases')
  } finally {
    database.close()
  }
}

/** Folders that would be missing after a restore, because no file lies in them. */
function emptyFolders({ folders, files }: Staging): string[] {
  const filled = new Set(files.flatMap(({ path }) => parentsOf(path)))
  return [...folders].filter((folder) => !filled.has(folder)).sort()
}

function parentsOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
