/**
 * Brings a canonical or state database to the newest schema. `user_version` counts the steps that ran; steps are only
 * ever appended. Before the first step on a file that already holds data, a copy `<file>.before-<version>` is made.
 */
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { MemoryError } from '../../errors.ts'
import { MEMORY_FILE } from './connection.ts'
import type { SqliteDatabase } from './sqlite-port.ts'

/** SQL of one step; several statements are allowed. */
export type MigrationStep = string

/** Throws HOME_FORMAT_NEWER when a newer Keepsake wrote the file. Safe when two processes migrate at once. */
export function migrate(database: SqliteDatabase, steps: readonly MigrationStep[]): void {
  const version = schemaVersion(database)
  if (version > steps.length) throw newerFormat(database.file, version)
  if (version === steps.length) return
  if (version > 0 && database.file !== MEMORY_FILE) keepCopy(database, `${database.file}.before-${version}`)
  database.transaction(() => {
    // Another process may have migrated while this one waited for the lock.
    for (const step of steps.slice(schemaVersion(database))) database.exec(step)
    database.exec(`PRAGMA user_version = ${Math.max(steps.length, schemaVersion(database))}`)
  })
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
function keepCopy(database: SqliteDatabase, target: string): void {
  if (existsSync(target)) return
  const partial = `${target}.partial-${process.pid}`
  rmSync(partial, { force: true })
  copyDatabase(database, partial)
  renameSync(partial, target)
}

function newerFormat(file: string, version: number): MemoryError {
  return new MemoryError('HOME_FORMAT_NEWER', `A newer Keepsake wrote ${file} (format ${version})`, {
    hint: 'Update Keepsake on this machine; nothing was changed.',
    data: { home: file, format: version },
  })
}
