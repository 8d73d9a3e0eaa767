import { describe, expect, it } from 'vitest'
import type { Block, NoteSummary, RememberResult, ReviewOutcome, ReviewResult, UndoResult } from '../../domain/index.ts'
import { explainedLines } from './context.ts'
import { undoLines } from './history.ts'
import { noteLine, rememberLines } from './notes.ts'
import { recallLines } from './recall.ts'
import { outcomeLines } from './review.ts'

const note: NoteSummary = {
  id: '01K9V6Q3W8X4N2M7D5R1T0C9BE',
  name: 'Boats',
  description: 'Count the boats',
  type: 'feedback',
  layer: 'global',
  file: '/home/a/global/feedback_boats.md',
  status: 'active',
  pinned: false,
  tags: [],
  created: '2026-11-18T09:09:00Z',
  updated: '2026-11-18T09:09:00Z',
} as unknown as NoteSummary // The lines read nothing else of a note.

describe('a note in a list', () => {
  it.each([
    ['active', /Count the boats$/],
    ['archived', /Count the boats {2}\(archived\)$/],
    ['superseded', /Count the boats {2}\(superseded\)$/],
  ] as const)('%s', (status, words) => {
    expect(noteLine({ ...note, status })).toMatch(words)
  })
})

describe('what became of a memory', () => {
  it.each([
    [true, '(feedback, global, profile)'],
    [false, '(feedback, global)'],
  ])('pinned %s', (pinned, words) => {
    const result = { outcome: 'written', note: { ...note, pinned }, masked: [], notices: [], similar: [] }
    expect(rememberLines(result as unknown as RememberResult)).toContain(words) // All that the lines read.
  })
})

describe('why a memory is not kept', () => {
  it.each([
    ['profile-full', true],
    ['sensitive', false],
  ])('%s: how to make room %s', (code, isTold) => {
    const reason = { code, message: 'No.', hint: 'Else.' }
    const lines = rememberLines({
      outcome: 'rejected',
      reason,
      masked: [],
      notices: [],
      similar: [],
    } as unknown as RememberResult) // All that is read.
    expect(lines.includes('keepsake remember --move NOTE --to note')).toBe(isTold)
  })
})

describe('what became of proposals', () => {
  const lines = (outcomes: Partial<ReviewOutcome>[], total: number) =>
    outcomeLines({ outcomes, total, notices: [], proposals: [] } as unknown as ReviewResult) // All that the lines read.

  it.each([
    ['one done', [{ outcome: 'applied', message: 'Done.' }], 1, '1 done\n1 waits for your yes'],
    [
      'one edited',
      [{ outcome: 'edited', message: 'It waits on.' }],
      2,
      '1 edited\n  It waits on.\n2 wait for your yes',
    ],
    ['nothing waited', [], 0, 'Nothing waits for your yes.'],
    ['nothing matched', [], 3, 'Nothing of what waits matches.\n3 wait for your yes'],
  ] as [string, Partial<ReviewOutcome>[], number, string][])('%s', (_title, outcomes, total, words) => {
    expect(lines(outcomes, total)).toBe(words)
  })
})

describe('what was taken back', () => {
  const change = { id: '850a85f4d2a8', time: '2026-11-18T09:09:00Z', author: 'person', why: 'Remembered a new note' }
  const result = { outcome: 'undone', change, files: [], notices: [] } as unknown as UndoResult // All that is read.

  it.each([
    [false, 'Taken back: 850a85f4d2a8'],
    [true, 'Would take back: 850a85f4d2a8'],
  ])('dry run %s', (dryRun, words) => {
    expect(undoLines(result, dryRun)).toContain(words)
  })
})

describe('the explained start block', () => {
  const block = (omitted: number, silenced: number) =>
    explainedLines({
      text: '',
      bytes: 10,
      tokens: 3,
      omitted,
      entries: [],
      explanation: {
        dialect: { name: 'plain', version: 1, language: 'en' },
        rest: {},
        sections: [],
        profile: [],
        left: [],
        leftMore: 0,
        unread: 0,
        layers: [{ layer: 'global', counting: 8, shown: 8, silenced }],
      },
    } as unknown as Block) // All that the lines read.

  it.each([
    [0, 1, 'every note that counts here is shown', ', 1 more does not count here'],
    [2, 3, '; 2 left out for want of room', ', 3 more do not count here'],
  ])('%i left out, %i that do not count', (omitted, silenced, head, layer) => {
    expect(block(omitted, silenced)).toContain(head)
    expect(block(omitted, silenced)).toContain(layer)
  })
})

describe('how a search was done', () => {
  it.each([
    ['ok', null, 'Nothing matches.'],
    [
      'ok',
      'searched by words alone: use-lite has seen no text yet',
      'Nothing matches.\n(searched by words alone: use-lite has seen no text yet)',
    ],
    ['scan', 'no SQLite', 'Nothing matches.\nThe index could not be used (no SQLite); files were scanned.'],
  ] as const)('%s, %s', (searched, reason, lines) => {
    expect(recallLines({ results: [], omitted: 0, searched, reason })).toBe(lines)
  })
})
