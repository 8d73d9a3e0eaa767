/** Whether a process of this machine runs. For names of leftovers only; locks look closer (notes/lock-owner.ts). */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemCode } from '../errors.ts'

/** Removes `<prefix><pid>` in a folder, of processes that are gone. */
export function removeAbandoned(folder: string, prefix: string): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length) : Number.NaN)
    if (Number.isInteger(pid) && pid > 0 && !isRunning(pid))
      rmSync(join(folder, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Of another user: it runs, and is none of ours to clear up after.
    return systemCode(error) !== 'ESRCH'
  }
}
