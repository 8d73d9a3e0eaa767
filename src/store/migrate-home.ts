/**
 * Brings the plain files of a home to the newest format (home.json `format`). Steps are only ever appended; step n makes
 * format n+1 of format n. Before the first one, what the steps change is copied to `before-format-<n>` in the home. Done
 * means that home.json says so: a step that was killed runs again, so it must be safe to run twice.
 *
 * The databases count their own steps (sqlite/migrations.ts). A hook never migrates; opening a home for anything else does.
 */
import { cpSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { HOME_FORMAT, type Home, homeFiles } from '../domain/index.ts'
import { fromFileSystemError } from '../errors.ts'
import { BEFORE_FORMAT } from './backup/kept-paths.ts'
import { openHome } from './home.ts'
import { ensureDirectory, writeWholeFile } from './notes/atomic-write.ts'
import { createLockKeeper } from './notes/lock-keeper.ts'
import { removeAbandoned } from './running.ts'

export interface HomeStep {
  /** Files and folders below the home that the step changes; they are copied before the first step. */
  readonly changes: readonly string[]
  /** Safe to run again on what a killed run left. */
  run(directory: string): void | Promise<void>
}

/** Step 0 makes format 2 of format 1. Append, never change one, and raise HOME_FORMAT. */
export const homeSteps: readonly HomeStep[] = []

export const migrationPoints = ['begun', 'copied', 'step-run', 'step-recorded'] as const

export interface MigrateHomeOptions {
  /** For tests; default: the steps of this version. */
  readonly steps?: readonly HomeStep[]
  readonly hit?: (point: (typeof migrationPoints)[number], format: number) => void
}

/** Everybody else waits for the one who migrates. */
const LOCK_WAIT_MS = 60_000

/**
 * Opens a home and migrates it when it is of an older format. One of a newer format opens read-only, untouched. Throws
 * HOME_INVALID, STORE_BUSY, STORE_READ_ONLY, STORE_FULL; what was done until then stays and is gone on with next time.
 */
export async function openCurrentHome(directory: string, options: MigrateHomeOptions = {}): Promise<Home> {
  const steps = options.steps ?? homeSteps
  const newest = FIRST_FORMAT + steps.length
  const home = await openHome(directory, newest)
  if (home.id === null || home.format >= newest) return home
  const keeper = createLockKeeper({ directory: join(home.directory, homeFiles.locks) })
  return keeper.hold('home', { waitMs: LOCK_WAIT_MS }, async () => {
    // Another process may have migrated while this one waited.
    const { format } = await openHome(directory, newest)
    if (format < newest) await runSteps(home.directory, format, steps, options.hit ?? (() => undefined))
    return openHome(directory, newest)
  })
}

const FIRST_FORMAT = HOME_FORMAT - homeSteps.length

async function runSteps(
  directory: string,
  from: number,
  steps: readonly HomeStep[],
  hit: NonNullable<MigrateHomeOptions['hit']>,
): Promise<void> {
  hit('begun', from)
  const due = steps.slice(from - FIRST_FORMAT)
  await keepCopy(directory, from, [homeFiles.home, ...due.flatMap(({ changes }) => changes)])
  hit('copied', from)
  for (const [index, step] of due.entries()) {
    await step.run(directory)
    hit('step-run', from + index + 1)
    await recordFormat(directory, from + index + 1)
    hit('step-recorded', from + index + 1)
  }
}

/** The copy gets its name only when it is whole. One of an earlier, interrupted run is older and stays. */
async function keepCopy(directory: string, format: number, paths: readonly string[]): Promise<void> {
  const copy = join(directory, `${BEFORE_FORMAT}${format + 1}`)
  if (existsSync(copy)) return
  const partial = `${copy}.partial-${process.pid}`
  try {
    removeAbandoned(directory, `${basename(copy)}.partial-`)
    rmSync(partial, { recursive: true, force: true })
    await ensureDirectory(partial)
    for (const path of new Set(paths)) {
      const source = join(directory, path)
      if (statSync(source, { throwIfNoEntry: false }))
        cpSync(source, join(partial, path), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
    }
    renameSync(partial, copy)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw fromFileSystemError(error, partial)
  }
}

/** Only the number changes: whatever else home.json holds stays. */
async function recordFormat(directory: string, format: number): Promise<void> {
  const file = join(directory, homeFiles.home)
  const content: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\u{FEFF}/u, ''))
  // openHome saw an object in it.
  const next = { ...(content as object), format }
  await writeWholeFile(file, new TextEncoder().encode(`${JSON.stringify(next, null, 2)}\n`))
}
