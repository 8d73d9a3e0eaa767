/**
 * Entry of the background worker: started by a hook, ends when nothing is left to do. It has no terminal; what goes
 * wrong is in the failure log that `status` shows. Marked by KEEPSAKE_WORKER=1 so that no hook below it starts another.
 */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { homeDirectory, surroundings } from '../config.ts'
import { createMemory } from '../index.ts'
import { systemClock } from '../util/index.ts'
import { compileHook } from './compile-hook.ts'
import { runWorker } from './run-worker.ts'

const around = surroundings()
const flagValue = (flag: string): string | undefined =>
  process.argv.includes(flag) ? process.argv[process.argv.indexOf(flag) + 1] : undefined
const home = homeDirectory(flagValue('--home'), around)
process.env.KEEPSAKE_WORKER = '1'
const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
const log = (line: string) => process.stdout.write(`${new Date().toISOString()} ${line}\n`)
const memory = await createMemory({ home, cwd: flagValue('--project') ?? process.cwd() })
try {
  await runWorker({
    memory,
    signal: stop.signal,
    clock: systemClock,
    log,
    prepareHook: () => compileHook(dirname(fileURLToPath(import.meta.url)), around),
  })
} finally {
  await memory.close()
}
