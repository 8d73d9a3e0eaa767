/**
 * Puts the home of a backup in place. It is unpacked and checked beside the home first; then two renames, the old home
 * is moved aside and never deleted. Stopped before the renames, everything is as it was.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type Clock, homeFiles } from '../../domain/index.ts'
import { fromFileSystemError, MemoryError, systemCode, throwIfCancelled } from '../../errors.ts'
import { openHome } from '../home.ts'
import { ensureDirectory, syncDirectory } from '../notes/atomic-write.ts'
import { removeAbandoned } from '../running.ts'
import type { BackupManifest, MovedIn } from './backup-format.ts'
import { noBackupAt, readArchive } from './read-archive.ts'

/** Named points at which a test may stop the process. */
export type RestorePoint = 'unpacked' | 'moved-aside' | 'placed'

export interface RestoreBackupOptions {
  readonly file: string
  /** Absolute path of the home to make. */
  readonly home: string
  /** Move a home that is there aside. */
  readonly replace?: boolean
  readonly clock: Clock
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: { readonly bytes: number; readonly totalBytes: number }) => void
  /** For tests. */
  readonly hit?: (point: RestorePoint) => void
}

export interface RestoreResult {
  readonly home: string
  readonly files: number
  readonly notes: number
  /** When the backup was made, UTC ISO 8601. */
  readonly created: string
  /** Where the home that was there lies now. */
  readonly movedAside: string | null
  /** Layers that lay outside the home of the backup; they stand in the home now. */
  readonly movedIn: readonly MovedIn[]
  /** What the backup did not hold, as it says itself. */
  readonly leftOut: BackupManifest['leftOut']
}

/** Throws HOME_NOT_EMPTY, and what `readArchive` throws; then nothing was changed. */
export async function restoreBackup(options: RestoreBackupOptions): Promise<RestoreResult> {
  const { file, signal, onProgress } = options
  const home = resolve(options.home)
  const isTaken = holdsSomething(home)
  // Nobody is told of --replace for the sake of a file that is not there.
  if (isTaken && !options.replace) throw existsSync(file) ? notEmpty(home) : noBackupAt(file)
  await ensureDirectory(dirname(home))
  // What a restore that was killed had unpacked is all in its backup.
  removeAbandoned(dirname(home), besidePrefix(home))
  const beside = join(dirname(home), `${besidePrefix(home)}${process.pid}`)
  try {
    rmSync(beside, { recursive: true, force: true })
    makeFolder(beside)
    let bytes = 0
    const manifest = await readArchive(file, beside, {
      signal,
      onUnpacked(more, totalBytes) {
        bytes += more
        onProgress?.({ bytes, totalBytes })
      },
    })
    keepInside(beside)
    await openHome(beside)
    await syncDirectory(beside)
    throwIfCancelled(signal)
    options.hit?.('unpacked')
    const movedAside = swap(beside, home, isTaken, options)
    await syncDirectory(dirname(home))
    const { created, movedIn, leftOut, files, notes } = manifest
    return { home, files: files.length, notes, created, movedAside, movedIn, leftOut }
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}

function holdsSomething(home: string): boolean {
  try {
    return readdirSync(home).length > 0
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    if (systemCode(error) === 'ENOTDIR')
      throw new MemoryError('HOME_INVALID', `${home} is not a folder`, {
        hint: 'Move the file away or name another home.',
        data: { home },
        cause: error,
      })
    throw fromFileSystemError(error, home)
  }
}

function notEmpty(home: string): MemoryError {
  return new MemoryError('HOME_NOT_EMPTY', `There is a memory at ${home} already`, {
    hint: 'Name an empty home (--home), or replace this one (--replace): it is moved aside, not deleted.',
    data: { home },
  })
}

function besidePrefix(home: string): string {
  return `.${basename(home).replace(/^\./, '')}.restoring-`
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    throw fromFileSystemError(error, path)
  }
}

/** A restored home keeps its notes in itself: folders elsewhere are of another machine, or hold newer notes. */
function keepInside(beside: string): void {
  const file = join(beside, homeFiles.config)
  if (!statSync(file, { throwIfNoEntry: false })) return
  let config: unknown
  try {
    config = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // Broken when it was backed up: it says nothing that we would follow, and `status` names it.
    return
  }
  const projects = typeof config === 'object' && config !== null && 'projects' in config ? config.projects : null
  if (typeof projects !== 'object' || projects === null) return
  for (const project of Object.values(projects))
    if (typeof project === 'object' && project !== null && 'dir' in project) delete project.dir
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600, flush: true })
}

/** Gives where the old home lies now. When the second rename fails, the first one is taken back. */
function swap(beside: string, home: string, isTaken: boolean, { clock, hit }: RestoreBackupOptions): string | null {
  const aside = isTaken ? freeName(home, clock) : null
  try {
    if (aside !== null) renameSync(home, aside)
    hit?.('moved-aside')
    renameSync(beside, home)
    hit?.('placed')
    return aside
  } catch (error) {
    if (aside !== null && !statSync(home, { throwIfNoEntry: false })) renameSync(aside, home)
    throw fromFileSystemError(error, home)
  }
}

function freeName(home: string, clock: Clock): string {
  const base = `${home}.before-restore-${new Date(clock.now()).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
  let name = base
  for (let count = 2; statSync(name, { throwIfNoEntry: false }); count++) name = `${base}-${count}`
  return name
}
