/** What `status` and `doctor` report. */

import type { DayBudget, KindSpend } from './call-ledger.ts'
import type { DeferredStatus } from './deferred.ts'
import type { JobRunReport } from './jobs.ts'
import type { ProfileUsage } from './profile.ts'

export interface Failure {
  /** UTC ISO 8601. */
  readonly time: string
  /** `hook SessionStart`, `worker capture`, `cli remember`, … */
  readonly where: string
  readonly code: string
  /** Masked, one line. */
  readonly message: string
}

export interface Check {
  readonly name: string
  readonly state: 'ok' | 'warning' | 'broken'
  readonly detail: string
  /** What to do, when it is not ok. */
  readonly hint: string | null
}

/** What the embedding model has seen, of all that it is to see. */
export interface EmbeddingStatus {
  readonly model: string
  readonly notes: { readonly done: number; readonly of: number }
  readonly messages: { readonly done: number; readonly of: number }
}

/** What waits to be read, and what waits for a model. */
export interface QueueStatus {
  readonly journalLines: number
  readonly workerRunning: boolean
  /** Jobs, by state. */
  readonly waiting: number
  readonly running: number
  readonly dead: number
  /** UTC ISO 8601: when the next one is due. */
  readonly nextDue: string | null
  /** Of the newest job that did not succeed. */
  readonly lastError: string | null
  readonly lastRun: JobRunReport | null
}

/** Which language models are set up, and what they were asked today. */
export interface ModelStatus {
  /** Null: none; notes are made by rules alone. */
  readonly small: string | null
  /** Consolidates; the small one where no other is set up. */
  readonly large: string | null
  /** Of this UTC day, by kind of work, all processes together. */
  readonly spent: readonly KindSpend[]
  readonly ceilings: Pick<DayBudget, 'calls' | 'tokens' | 'money'>
}

export interface StatusReport {
  readonly home: string
  readonly version: string
  readonly project: { readonly folder: string | null; readonly name: string | null; readonly notice: string | null }
  readonly notes: Readonly<Record<string, number>>
  /** How full the profile is, store by store. */
  readonly profile: readonly ProfileUsage[]
  readonly sessions: { readonly count: number | null; readonly messages: number | null }
  /** Null while no embedder is named, or where no index can be used. */
  readonly embedding: EmbeddingStatus | null
  readonly models: ModelStatus
  /** The deferred pipeline; null while no database keeps conversations. */
  readonly deferred: DeferredStatus | null
  /** Tentative statements that wait to be said again or carried out; null where none can be kept. */
  readonly candidates: number | null
  readonly proposals: number
  /** When the one that waits longest was made (UTC ISO 8601), or null. */
  readonly oldestProposal: string | null
  readonly conflicts: readonly string[]
  readonly queue: QueueStatus
  /** UTC ISO 8601: when a note was last written, by anyone, and a conversation last read; null when never. */
  readonly lastSuccess: { readonly write: string | null; readonly capture: string | null }
  readonly checks: readonly Check[]
  /** Newest first, at most 10. */
  readonly failures: readonly Failure[]
  /** False when any check is broken. Decides the exit code. */
  readonly healthy: boolean
}
