/**
 * The hook's own time limit, well below the one that is installed with the agent. Leaving the process waits for file
 * calls that are under way; on a disk that does not answer that would be for ever, so then it is ended from outside.
 */
import { spawn } from 'node:child_process'

/** All of a hook's work; the agent waits for it. */
export const HOOK_BUDGET_MS = 1_000

/** From giving up to being ended from outside. */
const GRACE_SECONDS = 0.5

/** Ends process `pid` after the grace, if it is still there. POSIX only; elsewhere the agent's own time-out holds. */
export function endFromOutside(pid: number): void {
  if (process.platform === 'win32') return
  const child = spawn('/bin/sh', ['-c', `sleep ${GRACE_SECONDS}; kill -9 ${pid}`], { detached: true, stdio: 'ignore' })
  child.on('error', () => {}) // No shell: the agent's own time-out is left.
  child.unref()
}
