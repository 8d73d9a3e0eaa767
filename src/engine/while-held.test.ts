import { describe, expect, it } from 'vitest'
import { MemoryError } from '../errors.ts'
import { sleep } from '../util/index.ts'
import { type Held, whileHeld } from './while-held.ts'

const busy = (): boolean => {
  throw new MemoryError('SQLITE_BUSY', 'The database is busy')
}
const holding = (keep: () => boolean, signal?: AbortSignal) => ({ keep, everyMs: 2, signal })
/** Waits for the end that the heartbeat brings. */
const untilStopped = ({ signal }: Held) => sleep(60_000, signal).then(() => signal.throwIfAborted())

describe('whileHeld', () => {
  it('gives what the work gives', async () => {
    expect(
      await whileHeld(
        holding(() => true),
        async ({ isHeld }) => [isHeld(), 'done'],
      ),
    ).toEqual([true, 'done'])
  })

  it.each<[string, () => boolean]>([
    ['another took it', () => false],
    ['it cannot be known whose it is', busy],
  ])('stops the work that waits when %s, and ends in null', async (_, keep) => {
    expect(await whileHeld(holding(keep), untilStopped)).toBeNull()
  })

  it('what was lost is not ours again', async () => {
    const answers = [false, true, true]
    const seen: boolean[] = []
    await whileHeld({ ...holding(() => answers.shift() ?? true), everyMs: 60_000 }, async ({ isHeld }) => {
      seen.push(isHeld(), isHeld())
    })
    expect(seen).toEqual([false, false])
  })

  it('says CANCELLED when the caller stops it, and a fault when it fails', async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 5)
    await expect(
      whileHeld(
        holding(() => true, stop.signal),
        untilStopped,
      ),
    ).rejects.toMatchObject({ code: 'CANCELLED' })
    const broken = async () => {
      throw new Error('a fault')
    }
    await expect(
      whileHeld(
        holding(() => true),
        broken,
      ),
    ).rejects.toThrow('a fault')
  })
})
