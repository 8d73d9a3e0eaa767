/** One backup file of a living home: stage, pack, put in place. Whatever happens, nothing half made stays behind. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type Clock, type Home, isoSeconds, VERSION } from '../../domain/index.ts'
import { fromFileSystemError, MemoryError } from '../../errors.ts'
import { placeNew, syncDirectory, TEMP_PREFIX } from '../notes/atomic-write.ts'
import { isInside, realPath } from '../notes/listing.ts'
import type { BackupManifest, LeftOut, MovedIn } from './backup-format.ts'
import { isKeptPath } from './kept-paths.ts'
import { type StageOptions, stageHome } from './stage-home.ts'
import { walkFolder } from './walk-home.ts'
import { writeArchive } from './write-archive.ts'

export interface WriteBackupOptions extends Omit<StageOptions, 'home' | 'canLock' | 'onCopied'> {
  readonly home: Home
  /** A file that does not exist yet, or a folder. */
  readonly target: string
  readonly clock: Clock
  readonly onProgress?: (progress: { readonly bytes: number; readonly totalBytes: number }) => void
}

export interface BackupResult {
  /** The one file. */
  readonly file: string
  /** Its size. */
  readonly bytes: number
  readonly files: number
  readonly notes: number
  /** UTC ISO 8601. */
  readonly created: string
  /** What is not in it, and why; empty when it is whole. */
  readonly leftOut: readonly LeftOut[]
  /** Layers whose notes lie outside the home; in the backup they stand in it. */
  readonly movedIn: readonly MovedIn[]
}

/** Throws INPUT_INVALID (nothing to back up, bad target), STORE_FULL, STORE_READ_ONLY, STORE_BUSY, CANCELLED. */
export async function writeBackup(options: WriteBackupOptions): Promise<BackupResult> {
  const { home, clock, signal } = options
  const created = isoSeconds(clock.now())
  const file = targetFile(options, created)
  const staged = makeStaging(dirname(file))
  const temp = join(dirname(file), `${TEMP_PREFIX}${randomBytes(8).toString('hex')}`)
  const advance = progressOf(options)
  try {
    const copied = await stageHome(staged, {
      ...options,
      home: home.directory,
      canLock: home.writable,
      onCopied: advance,
    })
    const manifest: BackupManifest = {
      keepsake: VERSION,
      created,
      homeFormat: home.format,
      homeId: home.id,
      ...copied,
    }
    await writeArchive(temp, staged, manifest, { created: new Date(clock.now()), signal, onPacked: advance })
    const bytes = statSync(temp).size
    if (!placeNew(temp, file)) throw taken(file)
    await syncDirectory(dirname(file))
    const { files, notes, leftOut, movedIn } = copied
    return { file, bytes, files: files.length, notes, created, leftOut, movedIn }
  } finally {
    rmSync(staged, { recursive: true, force: true })
    rmSync(temp, { force: true })
  }
}

function targetFile({ home, target }: WriteBackupOptions, created: string): string {
  if (!existsSync(home.directory))
    throw badTarget(`There is no memory at ${home.directory} yet`, 'The first `remember` makes it.')
  const path = resolve(target)
  const parent = realPath(dirname(path))
  if (parent === null || !statSync(parent).isDirectory())
    throw badTarget(`The folder ${dirname(path)} does not exist`, 'Make it, or name another one.')
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  const folder = isFolder ? (realPath(path) ?? path) : parent
  const file = join(folder, isFolder ? nameAt(created) : basename(path))
  if (isInside(realPath(home.directory) ?? home.directory, folder))
    throw badTarget('A backup inside the home would be lost with it', 'Name a file outside the home.')
  if (existsSync(file)) throw taken(file)
  return file
}

/** `keepsake-20261130-101500.tar.gz` */
function nameAt(created: string): string {
  return `keepsake-${created.replace(/[-:Z]/g, '').replace('T', '-')}.tar.gz`
}

function taken(file: string): MemoryError {
  return badTarget(`${file} exists already`, 'Name another file; nothing is overwritten.')
}

function badTarget(message: string, hint: string): MemoryError {
  return new MemoryError('INPUT_INVALID', message, { hint, data: { field: 'file' } })
}

function makeStaging(folder: string): string {
  try {
    return mkdtempSync(join(folder, '.keepsake-backup-'))
  } catch (error) {
    throw fromFileSystemError(error, folder)
  }
}

/** Every byte is copied once and packed once. */
function progressOf({ home, linkRoots, onProgress }: WriteBackupOptions): (bytes: number) => void {
  if (!onProgress) return () => undefined
  const { files } = walkFolder(home.directory, { prefix: '', isKept: isKeptPath, linkRoots })
  const totalBytes = 2 * files.reduce((sum, { size }) => sum + size, 0)
  let bytes = 0
  return (more) => {
    bytes = Math.min(totalBytes, bytes + more)
    onProgress({ bytes, totalBytes })
  }
}
