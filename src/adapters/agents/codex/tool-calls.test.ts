/** What a conversation's tools did: which commands ran and how they ended, which files and notes were touched. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TranscriptBatch } from '../../../domain/index.ts'
import { call, fixture, meta, output, read, readRowsIn, user } from './testing.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keepsake-calls-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const readRows = (rows: readonly unknown[]) => readRowsIn(directory, rows)

describe('calls of tools [F1]', () => {
  const callsOf = (batches: readonly TranscriptBatch[]) => batches.flatMap(({ toolCalls = [] }) => toolCalls)

  it('are told as the real client wrote them: a patch is a change of files', async () => {
    const calls = callsOf(await read(fixture))
    expect(calls.map(({ name, command, written, exit, failed }) => ({ name, command, written, exit, failed }))).toEqual(
      [
        { name: 'exec_command', command: 'cat src/export.ts src/cache.ts', written: [], exit: 0, failed: false },
        { name: 'exec_command', command: null, written: ['src/export.ts'], exit: null, failed: false },
        { name: 'exec_command', command: null, written: ['docs/export.md'], exit: null, failed: false },
      ],
    )
  })

  it.each([
    ['the words of a shell', 'shell', { command: ['bash', '-lc', 'npm test'] }, 'npm test'],
    ['other words', 'shell', { command: ['git', 'status'] }, 'git status'],
    ['a text', 'shell_command', { command: 'npm test' }, 'npm test'],
    ['no shell', 'view_image', { command: 'npm test' }, null],
    ['no command', 'exec_command', { cmd: 7 }, null],
  ])('%s', async (_, tool, input, command) => {
    const [told] = callsOf(await readRows([meta(), user('go'), call('c', tool, input), output('c', 'x')]))
    expect(told?.command).toBe(command)
  })

  it.each([
    ['an exit code', 'Wall time: 1 seconds\nProcess exited with code 2\nOutput:\nno such file', 2, 'no such file'],
    ['one of an older client', '{"output":"no such file","metadata":{"exit_code":2}}', 2, 'no such file'],
    ['a refusal', 'exec_command failed: sandbox denied', null, 'exec_command failed: sandbox denied'],
  ])('a command that failed: %s', async (_, answer, exit, error) => {
    const [told] = callsOf(
      await readRows([meta(), user('go'), call('c', 'exec_command', { cmd: 'ls' }), output('c', answer)]),
    )
    expect(told).toMatchObject({ exit, failed: true, error })
  })
})

describe('notes that were opened [I7]', () => {
  const opened = async (name: string, input: object, answer = 'text') => {
    const batches = await readRows([meta(), user('go'), call('c', name, input), output('c', answer)])
    return batches.flatMap(({ noteReads = [] }) => noteReads.map(({ by, reference }) => `${by} ${reference}`))
  }

  it.each<[string, object, readonly string[]]>([
    ['mcp__keepsake__memory_get', { note: '发布窗口' }, ['note 发布窗口']],
    ['exec_command', { cmd: "sed -n '1,40p' /m/a.md" }, ['path /m/a.md']],
    ['exec_command', { cmd: 'cat a.md', workdir: '/m/global' }, ['path /m/global/a.md']],
    ['shell', { command: ['bash', '-lc', 'cd /m && rg -n tabs a.md'] }, ['path /m/a.md']],
    ['shell', { command: ['cat', '/m/a.md'] }, ['path /m/a.md']],
    ['shell', { command: ['bash', '-lc', 'cat "$X" > /m/a.md'] }, []],
    ['exec_command', { cmd: 'git diff -- /m/a.md' }, []],
    ['update_plan', { cmd: 'cat /m/a.md' }, []],
  ])('%s %j', async (name, input, expected) => {
    expect(await opened(name, input)).toEqual(expected)
  })

  it.each([
    'Wall time: 1 seconds\nProcess exited with code 1\nOutput:\nno such file',
    'exec_command failed: sandbox denied',
  ])('a command that failed opened nothing: %j', async (answer) => {
    expect(await opened('exec_command', { cmd: 'cat /m/a.md' }, answer)).toEqual([])
  })
})
