/**
 * Starts the worker: detached, so that the hook can end at once, its output in `logs/worker.log` (1 MB, two files).
 * Whether there is work, and whether another worker runs, is for the worker to see.
 */
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { HOME_FORMAT, homeFiles } from '../domain/index.ts'
import { systemCode } from '../errors.ts'
import { makeFolder } from '../util/index.ts'

const MAX_LOG_BYTES = 1024 * 1024

export interface WorkerStart {
  readonly home: string
  /** The worker's bundled file, beside the hook's. */
  readonly script: string
  /** Folder of the session: the worker looks at its project with git, which a hook may not. */
  readonly project: string | null
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** False when there is no home to work in, or no worker to start. Throws when the log cannot be written. */
export function startWorker({ home, script, project, environment }: WorkerStart): boolean {
  if (!existsSync(script) || !isOfThisFormat(join(home, homeFiles.home))) return false
  const log = openLog(home)
  try {
    const child = spawn(process.execPath, [script, ...(project === null ? [] : ['--project', project])], {
      detached: true,
      // Not the project: a folder must stay free to be moved or unmounted.
      cwd: home,
      stdio: ['ignore', log, log],
      // It works for every session: the mode of the one that started it is not its own.
      env: { ...environment, KEEPSAKE_SESSION_MODE: undefined, KEEPSAKE_WORKER: '1', KEEPSAKE_HOME: home },
      windowsHide: true,
    })
    // A spawn that fails says so later; by then there is nobody to tell, and the next hook tries again.
    child.on('error', () => {})
    child.unref()
    return true
  } finally {
    closeSync(log)
  }
}

/** No home yet, one that cannot be read, or one of a newer Keepsake: nothing is left there for our worker. */
function isOfThisFormat(file: string): boolean {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\u{FEFF}/u, ''))
    const format = typeof content === 'object' && content !== null && 'format' in content ? content.format : null
    return typeof format === 'number' && format <= HOME_FORMAT
  } catch {
    // The worker could do nothing there; status says why.
    return false
  }
}

/** The log, put aside first when it is full. */
export function openLog(home: string): number {
  const folder = join(home, homeFiles.logs)
  makeFolder(folder)
  const file = join(folder, 'worker.log')
  try {
    if (statSync(file).size > MAX_LOG_BYTES) renameSync(file, `${file}.1`)
  } catch (error) {
    // Not there yet, or put aside by another hook in this moment.
    if (systemCode(error) !== 'ENOENT') throw error
  }
  return openSync(file, 'a', 0o600)
}
