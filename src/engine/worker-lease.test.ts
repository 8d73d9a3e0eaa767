import { describe, expect, it } from 'vitest'
import { createMemoryStateStore } from '../store/state/memory-state-store.ts'
import { takeWorkerLease, WORKER_LEASE } from './worker-lease.ts'

const minute = 60_000

function atTime(start: number) {
  const time = { now: start }
  const pass = (milliseconds: number) => {
    time.now += milliseconds
  }
  return { clock: { now: () => time.now }, pass }
}

describe('takeWorkerLease', () => {
  it('is held by one process, and free again when it is released', () => {
    const state = createMemoryStateStore()
    const { clock } = atTime(0)
    const first = takeWorkerLease(state, 'first', clock)
    expect(first?.keep()).toBe(true)
    expect(takeWorkerLease(state, 'second', clock)).toBe(null)
    first?.release()
    expect(takeWorkerLease(state, 'second', clock)?.keep()).toBe(true)
  })

  it('is renewed on the way, however long the work takes', () => {
    const state = createMemoryStateStore()
    const { clock, pass } = atTime(0)
    const lease = takeWorkerLease(state, 'first', clock)
    for (let round = 0; round < 20; round++) {
      pass(minute)
      expect(lease?.keep()).toBe(true)
    }
    expect(takeWorkerLease(state, 'second', clock)).toBe(null)
  })

  it('is lost for good when another process took it over after a long silence', () => {
    const state = createMemoryStateStore()
    const { clock, pass } = atTime(0)
    const lease = takeWorkerLease(state, 'first', clock)
    pass(3 * minute)
    const other = takeWorkerLease(state, 'second', clock)
    expect([other?.keep(), lease?.keep()]).toEqual([true, false])
    other?.release()
    pass(minute)
    expect(lease?.keep()).toBe(false)
    lease?.release()
    expect(state.leaseOwner(WORKER_LEASE, clock.now())).toBe(null)
  })

  it.each([400, -400])('a clock that jumps by %i days blocks nobody', (days) => {
    const state = createMemoryStateStore()
    const { clock, pass } = atTime(1_000 * 86_400_000)
    const lease = takeWorkerLease(state, 'first', clock)
    pass(days * 86_400_000)
    expect(takeWorkerLease(state, 'second', clock)?.keep()).toBe(true)
    expect(lease?.keep()).toBe(false)
  })

  it('needs no database where there is none', () => {
    const { clock } = atTime(0)
    expect(takeWorkerLease(null, 'first', clock)?.keep()).toBe(true)
  })
})
