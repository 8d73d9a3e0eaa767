/** Door of the room. */
export type { Completer, Completion, CompletionRequest } from './completer.ts'
export type { Embedder } from './embedder.ts'
export { createFakeCompleter, type FakeCompleter } from './fake-completer.ts'
