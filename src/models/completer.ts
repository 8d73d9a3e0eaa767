/** Port to a language model: one question, one answer. Drivers come from outside or from `drivers/`; the fake is beside it. */

/** A JSON Schema object. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** What the model may ask us to do. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** Of its input, an object. */
  readonly parameters: JsonSchema
}

export interface ToolCall {
  /** Ties the result to it. */
  readonly id: string
  readonly name: string
  /** As the model gave it; nobody has checked it. */
  readonly input: unknown
  /** What a driver wants back with the call in the next question; nobody else reads it. */
  readonly opaque?: unknown
}

/** An earlier call of the same job: what the model said and asked for, and what it was answered. */
export interface CompletionStep {
  readonly text: string
  readonly calls: readonly ToolCall[]
  /** In the order of the calls. */
  readonly results: readonly { readonly id: string; readonly name: string; readonly text: string }[]
}

export interface CompletionRequest {
  /** What the job is; never holds words from notes or conversations. */
  readonly system: string
  /** The material and the question; masked, and every quoted word inside a fence. */
  readonly prompt: string
  /** What came after the prompt, oldest first. Default: nothing. */
  readonly steps?: readonly CompletionStep[]
  /** Default: none. */
  readonly tools?: readonly ToolDefinition[]
  /** The answer is JSON of this shape. Models that can be held to it are; who asks checks the answer all the same. */
  readonly schema?: JsonSchema
  /** Most tokens of the answer. */
  readonly maxTokens: number
  readonly signal?: AbortSignal
}

export interface Completion {
  readonly text: string
  /** What it wants done before it goes on. Absent or empty: this is its answer. */
  readonly calls?: readonly ToolCall[]
  /** Null where the model does not tell. */
  readonly tokens: { readonly input: number; readonly output: number } | null
}

export interface Completer {
  /** Names the model in status, explain and logs. */
  readonly id: string
  /** Rejects when the model cannot be asked, or when the signal says stop. Nothing here retries. */
  complete(request: CompletionRequest): Promise<Completion>
}
