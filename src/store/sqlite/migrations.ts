/**
 * Brings a canonical or state database to the newest schema. `user_version` counts the steps that ran; steps are only
 * ever appended. Before the first step on a file that already holds data, a copy `<file>.before-<version>` is made. All
 * steps are one transaction: killed at any of them, the file is as it was, and the next opening does them all.
 */
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { MemoryError } from '../../errors.ts'
import { removeAbandoned } from '../running.ts'
import { MEMORY_FILE } from './connection.ts'
import type { SqliteDatabase } from './sqlite-port.ts'

/** SQL of one step; several statements are allowed. */
export type MigrationStep = string

/** Where a test may stop the process. */
export type MigrationPoint = 'begun' | 'copy-made' | 'copied' | `step-${number}` | 'counted' | 'committed'

/** Throws HOME_FORMAT_NEWER when a newer Keepsake wrote the file. Safe when two processes migrate at once. */
export function migrate(
  database: SqliteDatabase,
  steps: readonly MigrationStep[],
  hit: (point: MigrationPoint) => void = () => undefined,
): void {
  const version = refuseNewer(database, steps)
  if (version === steps.length) return
  hit('begun')
  if (version > 0 && database.file !== MEMORY_FILE) keepCopy(database, `${database.file}.before-${version}`, hit)
  hit('copied')
  database.transaction(() => {
    // Another process may have migrated while this one waited for the lock.
    const done = schemaVersion(database)
    for (const [index, step] of steps.slice(done).entries()) {
      database.exec(step)
      hit(`step-${done + index + 1}`)
    }
    database.exec(`PRAGMA user_version = ${Math.max(steps.length, done)}`)
    hit('counted')
  })
  hit('committed')
}

/** Gives the version of the file. Throws HOME_FORMAT_NEWER when a newer Keepsake wrote it. */
export function refuseNewer(database: SqliteDatabase, steps: readonly MigrationStep[]): number {
  const version = schemaVersion(database)
  if (version > steps.length) throw newerFormat(database.file, version)
  return version
}

/** One whole file from a live database, mode 0600. `target` must not exist. */
export function copyDatabase(database: SqliteDatabase, target: string): void {
  closeSync(openSync(target, 'wx', 0o600))
  database.prepare('VACUUM INTO ?').run(target)
}

/** The number of steps that ran on this file. */
export function schemaVersion(database: SqliteDatabase): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0)
}

/** The copy gets its name only when it is whole; one that exists is of the same version and stays. */
function keepCopy(database: SqliteDatabase, target: string, hit: (point: MigrationPoint) => void): void {
  if (existsSync(target)) return
  const partial = `${target}.partial-${process.pid}`
  removeAbandoned(dirname(target), `${basename(target)}.partial-`)
  rmSync(partial, { force: true })
  copyDatabase(database, partial)
  hit('copy-made')
  renameSync(partial, target)
}

function newerFormat(file: string, version: number): MemoryError {
  return new MemoryError('HOME_FORMAT_NEWER', `A newer Keepsake wrote ${file} (format ${version})`, {
    hint: 'Update Keepsake on this machine; nothing was changed.',
    data: { home: file, format: version },
  })
}
