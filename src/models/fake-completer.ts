/** A completer for tests: answers by a function of the request, and remembers what it was asked. */
import type { Completer, CompletionRequest } from './completer.ts'

export interface FakeCompleter extends Completer {
  readonly requests: readonly CompletionRequest[]
}

/** `answer` may throw: then the model "cannot be asked". */
export function createFakeCompleter(answer: (request: CompletionRequest) => string | Promise<string>): FakeCompleter {
  const requests: CompletionRequest[] = []
  return {
    id: 'fake',
    requests,
    async complete(request) {
      requests.push(request)
      request.signal?.throwIfAborted()
      const text = await answer(request)
      request.signal?.throwIfAborted()
      return { text, tokens: null }
    },
  }
}
