/** Backup and restore of a whole home: machine acts, so functions beside `Memory` and not verbs of it. */
import { homeDirectory, type LoadedConfig, loadConfig, type Surroundings } from '../config.ts'
import type { Clock } from '../domain/index.ts'
import { type RestoreResult, restoreBackup } from '../store/backup/restore-backup.ts'
import { type BackupResult, writeBackup } from '../store/backup/write-backup.ts'
import { openHome } from '../store/home.ts'
import { createFsNoteFiles } from '../store/notes/fs-note-files.ts'
import { probeSqlite, type SqliteProbe } from '../store/sqlite/find-driver.ts'
import { everyLayer } from './place.ts'

export type { BackupResult, RestoreResult }

interface CopyOptions {
  /** Absolute path. Default: `KEEPSAKE_HOME`, else `~/.keepsake`. */
  readonly home?: string
  readonly surroundings: Surroundings
  readonly clock: Clock
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: { readonly bytes: number; readonly totalBytes: number }) => void
}

export interface BackupOptions extends CopyOptions {
  /** A file that does not exist yet, or a folder. */
  readonly target: string
  /** For tests: a machine without SQLite. */
  readonly probe?: () => SqliteProbe
}

export interface RestoreOptions extends CopyOptions {
  readonly file: string
  /** Move a home that is there aside; it is never deleted. */
  readonly replace?: boolean
}

/**
 * Writes one file that holds the whole memory, while others may write to it: notes of every layer, history,
 * conversations, what was forgotten, settings. Not in it: what is derived (index.db), locks and logs. Throws HOME_INVALID,
 * INPUT_INVALID, STORE_FULL, STORE_READ_ONLY, STORE_BUSY, CANCELLED.
 */
export async function backupHome(options: BackupOptions): Promise<BackupResult> {
  const { surroundings, clock, target, signal, onProgress } = options
  const home = await openHome(homeDirectory(options.home, surroundings))
  const loaded = loadConfig(home.directory, surroundings.environment)
  const { userHome, temporaryDirectory } = surroundings
  const linkRoots = [userHome]
  const { driver, tried } = (options.probe ?? probeSqlite)()
  return writeBackup({
    home,
    target,
    clock,
    signal,
    onProgress,
    linkRoots,
    missing: missingBy(loaded),
    layers: everyLayer({ home, config: loaded.config, userHome, temporaryDirectory }),
    files: createFsNoteFiles({ home: home.directory, clock, linkRoots }),
    sqlite: { driver, reason: `no SQLite works here (${tried.join('; ')})` },
  })
}

/** A configuration that cannot be read may name folders of notes elsewhere; nobody can tell. */
function missingBy({ usable, problems }: LoadedConfig) {
  if (usable) return []
  return [{ what: 'notes in folders that config.json names', reason: problems.join('; ') }]
}

/**
 * Makes a home from a backup. Everything is unpacked and checked beside the home before it takes its place. Throws
 * BACKUP_NOT_FOUND, BACKUP_INVALID, HOME_FORMAT_NEWER, HOME_NOT_EMPTY, STORE_FULL, CANCELLED; then nothing was changed.
 */
export function restoreHome(options: RestoreOptions): Promise<RestoreResult> {
  const { surroundings, file, replace, clock, signal, onProgress } = options
  return restoreBackup({ file, home: homeDirectory(options.home, surroundings), replace, clock, signal, onProgress })
}
