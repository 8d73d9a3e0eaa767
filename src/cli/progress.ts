import type { CliContext } from './context.ts'

/** Progress appears only for work that takes longer than this. */
const QUIET_MS = 3_000

/** Tells every tenth of some work, and only when the work takes long. `done`: `read`, `written`, … */
export function tellProgress(cli: Pick<CliContext, 'remark'>, done: string) {
  const started = performance.now()
  let told = 0
  return ({ bytes, totalBytes }: { readonly bytes: number; readonly totalBytes: number }) => {
    const tenth = Math.floor((10 * bytes) / Math.max(1, totalBytes))
    if (tenth <= told || performance.now() - started < QUIET_MS) return
    told = tenth
    cli.remark(`${tenth * 10} % ${done}`)
  }
}
