import { expect, it } from 'vitest'
import { createFakeCompleter } from './fake-completer.ts'

const request = { system: 'Pick.', prompt: 'One or two?', maxTokens: 5 }

it('answers by the request, remembers it, and rejects when it is told to stop', async () => {
  const fake = createFakeCompleter(({ prompt }) => `You said: ${prompt}`)
  await expect(fake.complete(request)).resolves.toEqual({ text: 'You said: One or two?', tokens: null })
  await expect(fake.complete({ ...request, signal: AbortSignal.abort() })).rejects.toThrow()
  expect(fake.requests).toHaveLength(2)
})
