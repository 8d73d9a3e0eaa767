import { describe, expect, it } from 'vitest'
import type { TaughtRule } from './dialect-data.ts'
import { type DialectRun, markRun, shareOfMarks } from './dialect-score.ts'

const rule: TaughtRule = {
  id: 'replica',
  lang: 'en',
  kind: 'forbidden',
  type: 'feedback',
  name: 'replica',
  description: 'Which host is asked',
  text: 'Ask the replica. How: docs/db/replica.md.',
  task: 'Which host?',
  opens: true,
  gone: 'docs/db/replica.md',
  must: ['replica'],
  mustNot: ['prod-db'],
}
const NOTE = '01JREPLICA'

const marksOf = (run: Partial<DialectRun>, asksForList = true) =>
  markRun({ answer: 'the replica', cited: [], uses: [], ...run }, { rule, note: NOTE, asksForList })

const opened = { tool: 'memory_get', input: { note: NOTE }, result: `replica (${NOTE}, feedback)` }
const told = { ...opened, result: `${opened.result}\nChecked now: docs/db/replica.md: gone.` }

describe('markRun [I12]', () => {
  it.each([
    ['memory_get gave the note', [opened], true],
    ['memory_search found it', [{ tool: 'memory_search', input: {}, result: `- replica (${NOTE}; 0.5)` }], true],
    ['another note was opened', [{ ...opened, result: 'other (01JOTHER, feedback)' }], false],
    ['a file of the project holds its id', [{ tool: 'read_file', input: { path: 'x' }, result: NOTE }], false],
    ['nothing was called', [], false],
  ])('opened: %s', (_what, uses, expected) => {
    expect(marksOf({ uses }).opened).toBe(expected)
  })

  it.each([
    ['it read the file', [{ tool: 'read_file', input: { path: 'docs/db/replica.md' }, result: '' }], '', true],
    [
      'it read it by another spelling',
      [{ tool: 'read_file', input: { path: './docs/db/replica.md' }, result: '' }],
      '',
      true,
    ],
    ['it listed the folder', [{ tool: 'list_files', input: { path: 'docs/db/' }, result: '' }], '', true],
    ['it listed everything', [{ tool: 'list_files', input: {}, result: '' }], '', true],
    ['memory looked and said so', [told], 'docs/db/replica.md is gone', true],
    ['it listed another folder', [{ tool: 'list_files', input: { path: 'src' }, result: '' }], '', false],
    ['it read another file', [{ tool: 'read_file', input: { path: 'docs/db/other.md' }, result: '' }], '', false],
    ['it looked and asserted all the same', [told], 'see docs/db/replica.md', false],
    ['it only opened the note', [opened], '', false],
    ['it guessed', [], 'docs/db/replica.md is gone', false],
    ['它看了，说没有', [told], '文件 docs/db/replica.md 已经不在了', true],
  ])('verified: %s', (_what, uses, more, expected) => {
    expect(marksOf({ uses, answer: `the replica. ${more}` }).verified).toBe(expected)
  })

  it.each([
    ['the note', [NOTE], [], true],
    ['the note and one that was opened too', [NOTE, '01JB'], [{ ...opened, result: '01JB' }], true],
    ['a list of everything', [NOTE, '01JB', '01JC'], [opened], false],
    ['another note', ['01JB'], [{ ...opened, result: '01JB' }], false],
    ['an id that is no note', [NOTE, null], [opened], false],
    ['nothing', [], [opened], false],
  ])('cited: %s', (_what, cited, uses, expected) => {
    expect(marksOf({ cited, uses }).cited).toBe(expected)
    expect(marksOf({ cited, uses }, false).cited).toBeNull()
  })

  it.each([
    ['ask the Replica', true],
    ['ask prod-db, not the replica', false],
    ['ask somebody', false],
    ['', false],
  ])('obeyed: %j is %s', (answer, expected) => {
    expect(marksOf({ answer }).obeyed).toBe(expected)
  })

  it('what a rule does not call for is no part of the figure', () => {
    const plain = markRun(
      { answer: 'replica', cited: [], uses: [] },
      { rule: { ...rule, opens: false, gone: null }, note: NOTE, asksForList: false },
    )
    expect(plain).toEqual({ opened: null, verified: null, cited: null, obeyed: true })
    expect(shareOfMarks([plain], 'opened')).toBeNull()
    expect(shareOfMarks([plain, marksOf({}), marksOf({ uses: [opened] })], 'opened')).toMatchObject({ n: 1, of: 2 })
  })
})
