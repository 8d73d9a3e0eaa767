/** How a job of the queue is done: what its worker holds meanwhile, and how it may end. */
import { backoffMs, type JobRun, type QueuedJob } from './job-queue.ts'

/** The job while it is one's own. */
export interface JobHold {
  /** Says stop when the process is to end, or when the job was lost. */
  readonly signal: AbortSignal
  /** Renews it. False: it is another's now, write nothing more. */
  isMine(): boolean
  keepAnswer(answer: string): boolean
}

export type JobEnd =
  | { readonly state: 'done'; readonly figures: JobFigures | null; readonly hasMore: boolean }
  /** The model cannot be asked now: no other job needs to try. `isFault`: it counts as an attempt. */
  | { readonly state: 'later'; readonly dueAt: number; readonly error: string; readonly isFault: boolean }
  | { readonly state: 'dead'; readonly error: string; readonly raw: string | null }
  /** Lost to another process, which does it. */
  | { readonly state: 'lost' }

export type JobFigures = Omit<JobRun, 'kind' | 'key' | 'endedAt' | 'durationMs'>

const HOUR_MS = 60 * 60_000

/** When it is worth another try. `message`: masked. */
export function laterEnd(
  { reason, message }: { readonly reason: 'budget' | 'unavailable' | 'late' | 'no-model'; readonly message: string },
  { attempts }: Pick<QueuedJob, 'attempts'>,
  now: number,
): JobEnd {
  const isFault = reason === 'unavailable' || reason === 'late'
  const dueAt = reason === 'budget' ? nextDay(now) : now + (isFault ? backoffMs(attempts) : HOUR_MS)
  return { state: 'later', dueAt, error: message, isFault }
}

/** A budget is of one UTC day. */
function nextDay(now: number): number {
  return new Date(now).setUTCHours(24, 0, 0, 0)
}

/** What a job cost, beside what it wrote. */
export function figuresOf(spend: {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly estimated: boolean
}): Pick<JobFigures, 'calls' | 'inputTokens' | 'outputTokens' | 'isEstimated'> {
  const { calls, inputTokens, outputTokens, estimated } = spend
  return { calls, inputTokens, outputTokens, isEstimated: estimated }
}
