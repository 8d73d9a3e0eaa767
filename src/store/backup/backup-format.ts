/**
 * What a backup is: one gzipped tar. First `manifest.json`, which names every file with size, mode and SHA-256, then the
 * files under `home/` as they lie in a home. A person can unpack it with `tar xzf`. The manifest is read as a stranger's.
 */
import { MemoryError } from '../../errors.ts'
import { isKeptPath } from './kept-paths.ts'

/** The format this version writes; a backup with a higher number is refused. */
export const BACKUP_FORMAT = 1
export const MANIFEST_NAME = 'manifest.json'
export const HOME_PREFIX = 'home/'
/** About 400,000 files. */
export const MAX_MANIFEST_BYTES = 67_108_864
const MAX_FILES = 1_000_000
const KIND = 'keepsake-backup'

export interface BackupFile {
  /** Below the home, `/` separated. */
  readonly path: string
  readonly size: number
  /** Permission bits. */
  readonly mode: number
  readonly sha256: string
}

/** Something of the home that is not in the backup, and why. */
export interface LeftOut {
  readonly what: string
  readonly reason: string
}

/** Notes that lay outside the home, where `projects.<key>.dir` says; in the backup they stand in the home. */
export interface MovedIn {
  readonly path: string
  readonly from: string
}

export interface BackupManifest {
  readonly keepsake: string
  /** UTC ISO 8601. */
  readonly created: string
  readonly homeFormat: number
  readonly homeId: string | null
  readonly notes: number
  readonly leftOut: readonly LeftOut[]
  readonly movedIn: readonly MovedIn[]
  /** Folders that hold nothing but must be there. */
  readonly folders: readonly string[]
  readonly files: readonly BackupFile[]
}

export function printManifest(manifest: BackupManifest): Buffer {
  return Buffer.from(`${JSON.stringify({ kind: KIND, format: BACKUP_FORMAT, ...manifest }, null, 1)}\n`)
}

/** Throws BACKUP_INVALID, or HOME_FORMAT_NEWER for a backup that a newer Keepsake made. */
export function parseManifest(text: string, archive: string): BackupManifest {
  const content = parsed(text, archive)
  if (content.kind !== KIND) throw invalidBackup(archive, 'its first file is no manifest of Keepsake')
  const { format } = content
  if (typeof format !== 'number' || !Number.isInteger(format) || format < 1)
    throw invalidBackup(archive, 'its manifest has no format')
  if (format > BACKUP_FORMAT) throw newerBackup(archive, format)
  const { keepsake, created, homeFormat, homeId, notes } = content
  const files = listOf(content.files, isFile)
  const folders = listOf(content.folders, isKeptPath)
  const leftOut = listOf(content.leftOut, isLeftOut)
  const movedIn = listOf(content.movedIn, isMovedIn)
  if (!files || !folders || !leftOut || !movedIn || !isCount(homeFormat) || !isCount(notes))
    throw invalidBackup(archive, 'its manifest is damaged')
  if (typeof keepsake !== 'string' || typeof created !== 'string' || !(homeId === null || typeof homeId === 'string'))
    throw invalidBackup(archive, 'its manifest is damaged')
  if (new Set(files.map(({ path }) => path)).size !== files.length)
    throw invalidBackup(archive, 'its manifest names a file twice')
  return { keepsake, created, homeFormat, homeId, notes, leftOut, movedIn, folders, files }
}

export function invalidBackup(archive: string, reason: string, cause?: unknown): MemoryError {
  return new MemoryError('BACKUP_INVALID', `${archive} cannot be restored: ${reason}`, {
    hint: 'Take another backup; nothing was changed.',
    data: { file: archive, reason },
    cause,
  })
}

export function newerBackup(archive: string, format: number): MemoryError {
  return new MemoryError('HOME_FORMAT_NEWER', `A newer Keepsake made the backup ${archive} (format ${format})`, {
    hint: 'Update Keepsake on this machine; nothing was changed.',
    data: { home: archive, format },
  })
}

function parsed(text: string, archive: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch (error) {
    throw invalidBackup(archive, 'its manifest is damaged', error)
  }
  throw invalidBackup(archive, 'its manifest is damaged')
}

function listOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): Item[] | null {
  return Array.isArray(value) && value.length <= MAX_FILES && value.every(isItem) ? value : null
}

function isFile(value: unknown): value is BackupFile {
  if (!isObject(value)) return false
  const { path, size, mode, sha256 } = value
  return (
    isKeptPath(path) && isCount(size) && isCount(mode) && typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256)
  )
}

function isLeftOut(value: unknown): value is LeftOut {
  return isObject(value) && typeof value.what === 'string' && typeof value.reason === 'string'
}

function isMovedIn(value: unknown): value is MovedIn {
  return isObject(value) && isKeptPath(value.path) && typeof value.from === 'string'
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
