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

/** A line when a tenth more is done: runs take minutes. */
export function tellProjects(cli: Pick<CliContext, 'remark'>): (done: { groups: number; of: number }) => void {
  let told = 0
  return ({ groups, of }) => {
    const tenths = Math.floor((groups * 10) / of)
    if (tenths > told) cli.remark(`${groups} of ${of} projects`)
    told = tenths
  }
}
