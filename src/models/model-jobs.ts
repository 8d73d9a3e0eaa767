/** Port to models with a budget: whoever wants a model begins a job and asks through it, and through nothing else (spec W16). */
import type { JobBudget, JobKind, KindSpend } from '../domain/index.ts'
import type { CompletionStep, JsonSchema, ToolCall, ToolDefinition } from './completer.ts'

export interface JobQuestion {
  readonly system: string
  readonly prompt: string
  readonly steps?: readonly CompletionStep[]
  readonly tools?: readonly ToolDefinition[]
  readonly schema?: JsonSchema
}

/**
 * Why there is no answer. `budget`: a ceiling of the job or the day. `unavailable`: the model cannot be asked now (network,
 * login, quota, also when that was said in prose with a success code): the work stays, and is tried later. `late`: no
 * answer in time.
 */
export type NoAnswerReason = 'budget' | 'unavailable' | 'late'

export type JobAnswer =
  | { readonly ok: true; readonly text: string; readonly calls: readonly ToolCall[] }
  /** `message`: one plain sentence part, such as "the model gave no answer within 10 s". */
  | { readonly ok: false; readonly reason: NoAnswerReason; readonly message: string }

export interface Spend {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** True when some of the tokens are our estimate because the model did not tell. */
  readonly estimated: boolean
}

export interface ModelJob {
  readonly kind: JobKind
  /** The model that is asked. */
  readonly model: string
  /** Ceilings of the job, for who fills a prompt (`estimateInput`). */
  readonly budget: JobBudget
  /** One call. Throws CANCELLED when the signal of the job says stop; everything else is a value. */
  ask(question: JobQuestion): Promise<JobAnswer>
  /** Of all its calls, those included that are under way. */
  spent(): Spend
}

export type BegunJob =
  | { readonly ok: true; readonly job: ModelJob }
  | { readonly ok: false; readonly reason: 'no-model' | 'budget'; readonly message: string }

/** Two models at most are set up: the large one consolidates, the small one does everything else. */
export type ModelSize = 'small' | 'large'

export interface BeginOptions {
  readonly signal?: AbortSignal
  /** Default: by the kind of work. */
  readonly size?: ModelSize
}

export interface ModelJobs {
  /** Whether a model is set up for this kind of work. Asks nobody. */
  has(kind: JobKind): boolean
  begin(kind: JobKind, options?: BeginOptions): BegunJob
  /** The model that does the work of this size; null when there is none. */
  nameOf(size: ModelSize): string | null
  /** Of the UTC day, all processes together. */
  spentToday(): KindSpend[]
}
