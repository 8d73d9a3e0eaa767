/** Port to a language model: one question, one answer. Drivers come from outside or from `drivers/`; the fake is beside it. */

export interface CompletionRequest {
  /** What the job is; never holds words from notes or conversations. */
  readonly system: string
  /** The material and the question; masked, and every quoted word inside a fence. */
  readonly prompt: string
  /** Most tokens of the answer. */
  readonly maxTokens: number
  readonly signal?: AbortSignal
}

export interface Completion {
  readonly text: string
  /** Null where the model does not tell. */
  readonly tokens: { readonly input: number; readonly output: number } | null
}

export interface Completer {
  /** Names the model in status, explain and logs. */
  readonly id: string
  /** Rejects when the model cannot be asked, or when the signal says stop. Nothing here retries. */
  complete(request: CompletionRequest): Promise<Completion>
}
