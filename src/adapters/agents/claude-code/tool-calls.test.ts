/** What a conversation's tools did: which commands ran and how they ended, which files and notes were touched. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TranscriptBatch } from '../../../domain/index.ts'
import { assistant, call, fixtures, read, readRowsIn, result, user } from './testing.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keepsake-calls-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const readRows = (rows: readonly object[], tail = '') => readRowsIn(directory, rows, tail)

describe('calls of tools [F1]', () => {
  const callsOf = (batches: readonly TranscriptBatch[]) => batches.flatMap(({ toolCalls = [] }) => toolCalls)

  it('are told as the real client wrote them, without those of sub-agents', async () => {
    const calls = callsOf(await read(join(fixtures, 'first-light.jsonl')))
    expect(
      calls.map(({ name, command, read: files, written, exit }) => ({ name, command, files, written, exit })),
    ).toEqual([
      { name: 'Read', command: null, files: ['/home/dev/tidepool/vitest.setup.ts'], written: [], exit: null },
      { name: 'Read', command: null, files: ['/home/dev/tidepool/CONTRIBUTING.md'], written: [], exit: null },
      { name: 'Bash', command: 'npm test', files: [], written: [], exit: 0 },
      { name: 'Edit', command: null, files: [], written: ['/home/dev/tidepool/vitest.setup.ts'], exit: null },
      { name: 'Bash', command: 'sleep 2; pnpm test', files: [], written: [], exit: 0 },
      {
        name: 'Bash',
        command:
          'git add vitest.setup.ts && git commit -qm "Start the station once per file: 212 starts cost 38 s" && git log --oneline -1',
        files: [],
        written: [],
        exit: 0,
      },
      { name: 'Read', command: null, files: ['/home/dev/tidepool/src/cache.ts'], written: [], exit: null },
      { name: 'Agent', command: null, files: [], written: [], exit: null },
    ])
    expect(calls.every(({ failed, error, time }) => failed === false && error === null && time !== null)).toBe(true)
  })

  it.each([
    ['a failed command', 'Bash', 'Exit code 127\nbash: pnpm: not found', true, 127, true],
    ['one without a code', 'Bash', 'The user refused this call', true, null, true],
    ['one in the background', 'Bash', 'Command running in background with ID: 1', false, null, false],
    ['a failed read', 'Read', 'File does not exist.', true, null, true],
    ['a good one', 'Bash', '', false, 0, false],
  ])('%s', async (_, name, answer, isError, exit, failed) => {
    const input = name === 'Bash' ? { command: 'pnpm test' } : { file_path: '/x' }
    const rows = [user('go'), assistant([call('t', name, input)]), user([result('t', answer, { is_error: isError })])]
    const [told] = callsOf(await readRows(rows))
    expect(told).toMatchObject({ name, exit, failed, error: failed ? answer : null })
  })

  it('are bounded, and one without an answer says so', async () => {
    const long = 'x'.repeat(9_000)
    const rows = [
      user('go'),
      assistant([call('a', 'Bash', { command: `echo ${long}` })]),
      user([result('a', `first\n${long}\nlast`, { is_error: true })]),
      assistant([call('b', 'Bash', { command: 'sleep 9' })]),
    ]
    const [first, second] = callsOf(await readRows(rows))
    expect([first?.command?.length, (first?.error?.length ?? 0) <= 2_000]).toEqual([2_000, true])
    expect([first?.error?.slice(0, 5), first?.error?.slice(-4)]).toEqual(['first', 'last'])
    expect(second).toMatchObject({ command: 'sleep 9', failed: null, exit: null })
  })

  it.each([5, 20, 35])(
    'BL-15: no half of a secret stands where a long error is cut, %i signs into it',
    async (signs) => {
      const token = 'ghp_1234567890abcdefghijABCDEFGHIJ123456'
      const words = 'word '.repeat(2_000)
      const text = `${words.slice(0, 998 - signs)} ${token} ${words}${token} ${words.slice(0, 999 - signs - 1)}`
      const [told] = callsOf(
        await readRows([
          user('go'),
          assistant([call('a', 'Bash', { command: 'x' })]),
          user([result('a', text, { is_error: true })]),
        ]),
      )
      expect(told?.error).toContain('word')
      expect(told?.error).not.toMatch(/ghp_|3456/)
    },
  )
})

describe('notes that were opened [I7]', () => {
  const readsOf = (batches: readonly TranscriptBatch[]) =>
    batches.flatMap(({ noteReads = [] }) => noteReads.map(({ by, reference }) => `${by} ${reference}`))
  const opened = async (name: string, input: object, answer: object = {}) =>
    readsOf(await readRows([user('go'), assistant([call('t', name, input)]), user([result('t', 'text', answer)])]))

  it.each<[string, object, readonly string[]]>([
    ['mcp__keepsake__memory_get', { note: '发布窗口' }, ['note 发布窗口']],
    ['mcp__plugin_keepsake_keepsake__memory_get', { note: '01K6ZD5VJ8' }, ['note 01K6ZD5VJ8']],
    ['Read', { file_path: '/m/global/a.md', offset: 1, limit: 40 }, ['path /m/global/a.md']],
    ['Bash', { command: 'cat /m/a.md && cat ~/m/b.md' }, ['path /m/a.md', 'path ~/m/b.md']],
    ['Bash', { command: 'keepsake read "Deploy window"' }, ['note Deploy window']],
    ['Read', { file_path: '/src/main.ts' }, []],
    ['Edit', { file_path: '/m/a.md' }, []],
    ['Grep', { pattern: 'x', path: '/m' }, []],
    ['mcp__other__memory_get', { note: 'x' }, []],
    ['mcp__keepsake__memory_search', { query: 'x' }, []],
    ['mcp__keepsake__memory_get', { note: 7 }, []],
  ])('%s %j', async (name, input, expected) => {
    expect(await opened(name, input)).toEqual(expected)
  })

  it('a call that failed, or has no answer yet, opened nothing', async () => {
    const failed = ['Read', { file_path: '/m/a.md' }, { is_error: true }] as const
    expect(await opened(...failed)).toEqual([])
    expect(readsOf(await readRows([user('go'), assistant([call('t', 'Read', { file_path: '/m/a.md' })])]))).toEqual([])
  })

  it('tells the call and its time, also of a sub-agent', async () => {
    const aside = (row: object) => ({ ...row, isSidechain: true })
    const rows = [
      user('go'),
      aside(assistant([call('t9', 'Read', { file_path: '/m/a.md' })])),
      aside(user([result('t9', 'text', {})])),
      assistant('Done.'),
    ]
    const [first] = (await readRows(rows)).flatMap(({ noteReads = [] }) => noteReads)
    expect(first).toMatchObject({ tool: 'Read', call: 't9', time: expect.stringMatching(/^20/) })
  })
})
