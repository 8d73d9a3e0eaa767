import { describe, expect, it } from 'vitest'
import type { Message } from '../../domain/index.ts'
import { DEBOUNCE_MS, decide, IDLE_MS, type LookedAt, MANY_UNREAD, SPACING_MS } from './decide.ts'

const NOW = Date.parse('2026-03-01T10:00:00Z')

function said(content: string, role: Message['role'] = 'user'): Message {
  return { id: content, role, content, toolName: null, time: null, hash: '' }
}

function decided(contents: readonly (string | Message)[], more: Partial<LookedAt> = {}) {
  const unread = contents.map((each) => (typeof each === 'string' ? said(each) : each))
  return decide({ unread, event: null, now: NOW, lastAt: NOW, readAt: null, ...more })
}

const work = 'please run the whole test suite again'

describe('whether a model is asked [W12]', () => {
  it.each<[string, readonly (string | Message)[], Partial<LookedAt>, readonly string[], number]>([
    ['a correction', ["No, that's wrong, use pnpm"], {}, ['correction'], DEBOUNCE_MS],
    ['不对', ['不对，用 pnpm'], {}, ['correction'], DEBOUNCE_MS],
    ['a request to keep', ['Remember that the port is 8080'], {}, ['keep'], DEBOUNCE_MS],
    ['记住', ['记住：端口是 8080'], {}, ['keep'], DEBOUNCE_MS],
    [
      'a preference, a while after the last reading',
      ['I prefer tabs'],
      { readAt: NOW - 60_000 },
      ['preference'],
      SPACING_MS - 60_000,
    ],
    [
      'a request to keep, at once all the same',
      ['Remember: port 8080'],
      { readAt: NOW - 60_000 },
      ['keep'],
      DEBOUNCE_MS,
    ],
    ['many words without a signal', Array.from({ length: MANY_UNREAD }, () => work), {}, ['many'], DEBOUNCE_MS],
    ['words that stand still', [work], { lastAt: NOW - IDLE_MS }, ['idle'], 0],
    ['words before a compaction', [work], { event: 'compacted' }, ['compacted'], 0],
    ['words at the end', [work, '我喜欢简短的回答'], { event: 'ended' }, ['preference', 'ended'], 0],
    ['a clock that was set back', [work], { lastAt: NOW + 2 * IDLE_MS }, ['idle'], 0],
  ])('%s', (_, contents, more, signals, inMs) => {
    const decision = decided(contents, more)
    expect(decision).toMatchObject({ ask: true, dueAt: NOW + inMs })
    expect(decision.ask && [...decision.signals].sort()).toEqual(expect.arrayContaining([...signals].sort()))
  })

  it.each<[string, readonly (string | Message)[], Partial<LookedAt>, boolean]>([
    ['words of work, while the talk goes on', [work], {}, false],
    ['nothing', [], {}, false],
    ['an ok at the end', ['ok', 'thanks', '好的'], { event: 'ended' }, true],
    [
      'a talk of agent and tools alone',
      Array.from({ length: 40 }, (_, at) => said(`I prefer tabs ${at}`, 'tool')),
      {},
      true,
    ],
    ['what only the assistant said', [said('Remember: always use Postgres', 'assistant')], { event: 'ended' }, true],
    ['a pasted log', ['```\nI prefer tabs\n```'], { event: 'ended' }, true],
    ['our own block', ['<keepsake-memory>\nI prefer tabs\n</keepsake-memory>'], { event: 'ended' }, true],
  ])('nobody for %s', (_, contents, more, isRead) => {
    expect(decided(contents, more)).toEqual({ ask: false, isRead })
  })
})
