/** Contract of the port to language models, over a model that a harness scripts. */
import { describe, expect, it } from 'vitest'
import type { Completer, CompletionRequest, ToolCall } from '../models/completer.ts'

export interface CompleterHarness {
  readonly completer: Completer
  /** What the model answers from now on; it may tell its tokens or not. */
  answers(reply: {
    readonly text?: string
    readonly calls?: readonly { readonly name: string; readonly input: unknown }[]
    readonly neverAnswers?: boolean
    readonly refuses?: string
  }): void
  /** All that the last question told the model, as one text. */
  lastQuestion(): string
  readonly questions: () => number
}

const request: CompletionRequest = { system: 'You keep notes.', prompt: 'What is new? 有什么新的？', maxTokens: 321 }
const tool = {
  name: 'read_note',
  description: 'Gives the text of one note.',
  parameters: {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  },
}
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { notes: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 5 } },
  required: ['notes'],
  additionalProperties: false,
}

export function testCompleter(name: string, create: () => Promise<CompleterHarness>): void {
  describe(name, () => {
    it('tells the model system and prompt, and gives what it says', async () => {
      const { completer, answers, lastQuestion } = await create()
      answers({ text: 'Nothing. 没有。' })
      const { text, calls = [], tokens } = await completer.complete(request)
      expect([text, calls]).toEqual(['Nothing. 没有。', []])
      for (const words of [request.system, request.prompt]) expect(lastQuestion()).toContain(words)
      if (tokens !== null) expect([tokens.input > 0, tokens.output > 0]).toEqual([true, true])
    })

    it('asks for tools and is told what they gave', async () => {
      const { completer, answers, lastQuestion, questions } = await create()
      const before = questions()
      answers({ calls: [{ name: 'read_note', input: { name: 'testing' } }] })
      const asked = await completer.complete({ ...request, tools: [tool] })
      const [call] = asked.calls ?? []
      expect(asked.calls).toEqual([expect.objectContaining({ name: 'read_note', input: { name: 'testing' } })])
      for (const words of ['read_note', tool.description]) expect(lastQuestion()).toContain(words)
      answers({ text: 'It says vitest.' })
      const results = [{ id: call!.id, name: 'read_note', text: 'vitest, never jest' }]
      const steps = [{ text: asked.text, calls: asked.calls as ToolCall[], results }]
      const done = await completer.complete({ ...request, tools: [tool], steps })
      expect([done.text, done.calls ?? []]).toEqual(['It says vitest.', []])
      expect(lastQuestion()).toContain('vitest, never jest')
      expect(questions()).toBe(before + 2)
    })

    it.each(['{"notes": ["a"]}', '```json\n{"notes": []}\n```', 'I cannot.', '{"notes": ['])(
      'an answer to a question with a shape comes as it was given: %j',
      async (text) => {
        const { completer, answers, lastQuestion } = await create()
        answers({ text })
        expect((await completer.complete({ ...request, schema })).text).toBe(text)
        expect(lastQuestion()).toContain('"notes"')
      },
    )

    it('says why it cannot be asked, and asks once', async () => {
      const { completer, answers, questions } = await create()
      const before = questions()
      answers({ refuses: 'the quota of this key is used up' })
      await expect(completer.complete(request)).rejects.toThrow('quota of this key')
      expect(questions()).toBe(before + 1)
    })

    it('stops when it is told to, before and while it waits', async () => {
      const { completer, answers, questions } = await create()
      const before = questions()
      await expect(completer.complete({ ...request, signal: AbortSignal.abort() })).rejects.toThrow()
      expect(questions()).toBe(before)
      answers({ neverAnswers: true })
      const controller = new AbortController()
      const asked = completer.complete({ ...request, signal: controller.signal })
      const waiting = expect(asked).rejects.toThrow()
      while (questions() === before) await new Promise((resolve) => setTimeout(resolve, 10))
      controller.abort()
      await waiting
    })
  })
}
