import fc from 'fast-check'
import { estimateTokenCount } from 'tokenx'
import { describe, expect, it } from 'vitest'
import { askModel, LIGHT_CALL, linesWithin } from './ask-model.ts'
import { createFakeCompleter } from './fake-completer.ts'

const question = { system: 'Pick.', prompt: 'One or two?', budget: LIGHT_CALL }
/** A driver that hears nothing. */
const deaf = { id: 'deaf', complete: () => new Promise<never>(() => {}) }

describe('askModel [W16]', () => {
  it('gives the text, and asks with the budget of output and a signal', async () => {
    const fake = createFakeCompleter(() => 'one')
    expect(await askModel(fake, question)).toEqual({ ok: true, text: 'one' })
    expect(fake.requests[0]).toMatchObject({ maxTokens: 1_000, signal: expect.any(AbortSignal) })
  })

  it('a model that fails gives a reason', async () => {
    const fake = createFakeCompleter(() => {
      throw new Error('quota is used up')
    })
    expect(await askModel(fake, question)).toEqual({
      ok: false,
      reason: 'the model could not be asked: quota is used up',
    })
  })

  it('a model that does not answer is left, also when it does not listen', async () => {
    const budget = { ...LIGHT_CALL, timeoutMs: 5 }
    expect(await askModel(deaf, { ...question, budget })).toEqual({
      ok: false,
      reason: 'the model gave no answer within 0.005 s',
    })
  })

  it('what is larger than the budget is not asked', async () => {
    const fake = createFakeCompleter(() => 'one')
    const answer = await askModel(fake, { ...question, prompt: 'word '.repeat(20_000) })
    expect(answer).toMatchObject({ ok: false, reason: expect.stringContaining('more than 10000') })
    expect(fake.requests).toEqual([])
  })

  it('a caller who gave up gets CANCELLED, before and while it is asked', async () => {
    const fake = createFakeCompleter(() => 'one')
    const before = AbortSignal.abort()
    await expect(askModel(fake, { ...question, signal: before })).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(fake.requests).toEqual([])
    const controller = new AbortController()
    const asked = askModel(deaf, { ...question, signal: controller.signal })
    controller.abort(new Error('stop'))
    await expect(asked).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})

it('linesWithin keeps the first lines that fit, for any lines', () => {
  const line = fc
    .array(fc.constantFrom('word', '部署', '🙂', 'x_9', '\t'), { maxLength: 40 })
    .map((all) => all.join(' '))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), fc.integer({ min: 0, max: 400 }), (lines, inputTokens) => {
      const kept = linesWithin(lines, 'fixed words', { ...LIGHT_CALL, inputTokens })
      expect(kept).toEqual(lines.slice(0, kept.length))
      if (kept.length > 0)
        expect(estimateTokenCount(`fixed words\n${kept.join('\n')}`)).toBeLessThanOrEqual(inputTokens)
    }),
  )
})
