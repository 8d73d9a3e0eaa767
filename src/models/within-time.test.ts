import { expect, it } from 'vitest'
import { TooLate, withinTime } from './within-time.ts'

const never = () => new Promise<never>(() => undefined)

it('gives the answer, or the fault of the model', async () => {
  await expect(withinTime(async () => 'yes', { timeoutMs: 5_000 })).resolves.toBe('yes')
  const fails = async () => Promise.reject(new Error('no quota'))
  await expect(withinTime(fails, { timeoutMs: 5_000 })).rejects.toThrow('no quota')
})

it.each([
  ['hears nothing', never],
  [
    'hears its signal',
    (signal: AbortSignal) =>
      new Promise<never>((_, no) => signal.addEventListener('abort', () => no(new Error('aborted')))),
  ],
])('leaves a model that %s, when it is late and when the caller gives up', async (_, ask) => {
  await expect(withinTime(ask, { timeoutMs: 10 })).rejects.toBeInstanceOf(TooLate)
  const caller = new AbortController()
  const asked = withinTime(ask, { timeoutMs: 60_000, signal: caller.signal })
  caller.abort()
  await expect(asked).rejects.toMatchObject({ code: 'CANCELLED' })
  await expect(withinTime(ask, { timeoutMs: 60_000, signal: caller.signal })).rejects.toMatchObject({
    code: 'CANCELLED',
  })
})
