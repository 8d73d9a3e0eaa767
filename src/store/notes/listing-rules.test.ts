import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { doubtfulNames, judgeFileName } from './listing-rules.ts'

describe('judgeFileName', () => {
  it.each([
    'feedback_package-manager.md',
    'Notes.md',
    '2026-plan.md',
    '发布流程.md',
    'feedback_用-pnpm.md',
    'note with spaces.md',
    'été.md',
    'v1.2.md',
    'local-first.md',
    'database-choice.md',
    'remote_work.md',
    'README.MD',
  ])('%s is a note', (name) => expect(judgeFileName(name)).toBe('note'))

  it.each([
    ['MEMORY.md', 'expected'],
    ['memory.md', 'expected'],
    ['.keepsake-tmp.md', 'expected'],
    ['.hidden.md', { ignored: 'hidden' }],
    ['_draft.md', { ignored: 'underscore' }],
    ['note_BASE_4711.md', { ignored: 'conflict-copy' }],
    ['note_remote_4711.md', { ignored: 'conflict-copy' }],
    ['计划_LOCAL_12.md', { ignored: 'conflict-copy' }],
    ['note.sync-conflict-20260401-101500-ABCDEF1.md', { ignored: 'conflict-copy' }],
    ['note (冲突副本).md', { ignored: 'conflict-copy' }],
    ['note.bak.md', { ignored: 'backup' }],
    ['note.md.swp', { ignored: 'backup' }],
    ['note.md~', { ignored: 'backup' }],
    ['note.txt', { ignored: 'not-markdown' }],
    ['md', { ignored: 'not-markdown' }],
  ])('%s is none', (name, verdict) => expect(judgeFileName(name)).toEqual(verdict))
})

describe('doubtfulNames', () => {
  it('leaves out ordinary names, and finds each of the others among them', () => {
    const plain = ['feedback_pnpm.md', '发布流程.md', 'project_a-2.md']
    const doubtful = ['MEMORY.md', 'note_BASE_4711.md', 'a.b.md', 'photo.png', 'x\n.md', '.git', 'memory_summary.md']
    expect([...doubtfulNames([...plain, ...doubtful, ...plain])].sort()).toEqual([...doubtful].sort())
    expect(doubtfulNames([]).size).toBe(0)
  })

  it('whatever is left out is a note', () => {
    const piece = fc.constantFrom(
      'a',
      '-',
      '_',
      '.',
      '.md',
      '.MD',
      'base',
      'Local_1',
      'memory',
      '计',
      'é',
      '\n',
      ' ',
      '~',
      '7',
    )
    const name = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(fc.array(name, { maxLength: 12 }), (names) => {
        const doubtful = doubtfulNames(names)
        for (const each of names) if (!doubtful.has(each)) expect(judgeFileName(each)).toBe('note')
      }),
    )
  })
})
