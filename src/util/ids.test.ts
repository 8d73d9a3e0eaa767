import { describe, expect, it } from 'vitest'
import { createIdSource, ulidMs } from './ids.ts'

describe('ids', () => {
  it.each([1, Date.parse('2026-12-01T10:00:00.123Z'), 2 ** 48 - 1])('carry their time: %d', (ms) => {
    const id = createIdSource({ now: () => ms }).next()
    expect([ulidMs(id), ulidMs(id.toLowerCase())]).toEqual([ms, ms])
  })

  it.each(['', '01J', 'I'.repeat(26), `${'8'.repeat(26)}`])('%j is none', (text) => {
    expect(ulidMs(text)).toBeNull()
  })
})
