/** Background work that waits for a model (spec W13), as people see it. */

/** `dead`: an answer that nobody could read, or a process that ended each time; a person decides. */
export const jobStates = ['waiting', 'running', 'dead'] as const
export type JobState = (typeof jobStates)[number]

export interface Job {
  readonly id: string
  /** The end of it, as short as it is unique. */
  readonly shortId: string
  /** `extraction`, … */
  readonly kind: string
  /** What it is about: for extraction a session id. */
  readonly about: string
  readonly state: JobState
  /** UTC ISO 8601. Not done before `due`. */
  readonly created: string
  readonly due: string
  /** Why a model is to be asked: signals in the user's words (`correction`, `keep`, …), `many`, `idle`, `compacted`, `ended`, `asked`. */
  readonly signals: readonly string[]
  readonly attempts: number
  readonly lastError: string | null
  /** Masked answer of the model that could not be read. */
  readonly raw: string | null
}

export interface JobListInput {
  readonly state?: JobState
  /** 1..500, default 50. */
  readonly limit?: number
  readonly cursor?: string
}

export interface JobListResult {
  /** In the order in which they are due. */
  readonly jobs: readonly Job[]
  readonly total: number
  readonly nextCursor: string | null
  /** Behind this page. */
  readonly omitted: number
}

/** Which jobs are meant: by id, 6 or more characters of its start or end; or all that are not running. */
export type JobChoice = { readonly id: string } | { readonly all: true }

export interface JobChangeResult {
  /** As they were before. */
  readonly jobs: readonly Job[]
}

/** What background work came to, for figures. */
export interface JobTally {
  /** Jobs that were done, and the notes that they wrote or proposed. */
  readonly done: number
  readonly written: number
  readonly waiting: number
  readonly dead: number
  /** UTC ISO 8601: when the next one is due, or null. */
  readonly nextDue: string | null
}

export interface JobRunResult extends JobTally {
  readonly problems: readonly string[]
}

export interface Jobs {
  list(input?: JobListInput): Promise<JobListResult>
  /** Does now what waits, whenever it is due; at most about a minute's worth, the rest stays. */
  run(input?: { readonly signal?: AbortSignal }): Promise<JobRunResult>
  /** Due now, as if for the first time. JOB_NOT_FOUND, JOB_AMBIGUOUS. */
  retry(choice: JobChoice): Promise<JobChangeResult>
  /** Gives them up: what they were about is read by no model. JOB_NOT_FOUND, JOB_AMBIGUOUS. */
  drop(choice: JobChoice): Promise<JobChangeResult>
}

/** One run, as `status` tells it. */
export interface JobRunReport {
  readonly kind: string
  readonly about: string
  /** UTC ISO 8601. */
  readonly time: string
  readonly seconds: number
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** The tokens are our estimate. */
  readonly isEstimated: boolean
  readonly written: number
  readonly refused: number
}
