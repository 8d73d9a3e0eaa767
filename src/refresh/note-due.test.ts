import { describe, expect, it } from 'vitest'
import { isNoteDue } from './note-due.ts'

const quiet = { hasNote: true, tokens: 0, toolCalls: 0, turnEnded: false, isClosing: false }

describe('when a note is due [F1]', () => {
  it.each([
    ['a conversation that is short', { hasNote: false, tokens: 9_999, toolCalls: 99, turnEnded: true }, false],
    ['one that has become long', { hasNote: false, tokens: 10_000 }, true],
    ['a short one that ends', { hasNote: false, tokens: 9_999, isClosing: true }, false],
    ['little since, at a break', { tokens: 4_999, toolCalls: 2, turnEnded: true }, false],
    ['little since, with many calls', { tokens: 4_999, toolCalls: 50 }, false],
    ['enough, but in the middle of work', { tokens: 5_000, toolCalls: 2 }, false],
    ['enough, with three calls', { tokens: 5_000, toolCalls: 3 }, true],
    ['enough, at a break', { tokens: 5_000, turnEnded: true }, true],
    ['anything new, when it is compacted or ends', { tokens: 1, isClosing: true }, true],
    ['nothing new, when it ends', { tokens: 0, isClosing: true }, false],
    ['nothing at all', {}, false],
  ])('%s: %j -> %s', (_, growth, due) => {
    expect(isNoteDue({ ...quiet, ...growth })).toBe(due)
  })
})
