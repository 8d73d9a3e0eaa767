/** Door of the room. */
export { type AgentResult, type AgentTask, type AgentTool, runAgent } from './agent-loop.ts'
export type {
  Completer,
  Completion,
  CompletionRequest,
  CompletionStep,
  JsonSchema,
  ToolCall,
  ToolDefinition,
} from './completer.ts'
export { createModelJobs, type ModelBudget, type ModelJobsOptions } from './create-model-jobs.ts'
export { type CompleterSurroundings, createCompleter } from './drivers/create-completer.ts'
export { createEmbedder, type EmbedderSurroundings } from './drivers/create-embedder.ts'
export type { Embedder, EmbedOptions } from './embedder.ts'
export { estimateInput, linesWithin } from './estimate-input.ts'
export { createFakeCompleter, type FakeCompleter } from './fake-completer.ts'
export { createFakeEmbedder, type FakeEmbedder, type FakeEmbedderOptions } from './fake-embedder.ts'
export { createFakeModelJobs, type FakeAnswer, type FakeModelJobs } from './fake-model-jobs.ts'
export { type Likeness, measureLikeness } from './likeness.ts'
export type {
  BeginOptions,
  BegunJob,
  JobAnswer,
  JobQuestion,
  ModelJob,
  ModelJobs,
  ModelSize,
  NoAnswerReason,
  Spend,
} from './model-jobs.ts'
export { TooLate, withinTime } from './within-time.ts'
