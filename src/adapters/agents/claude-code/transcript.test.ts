import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TranscriptBatch } from '../../../domain/index.ts'
import { MAX_LINE_BYTES } from '../../log-lines.ts'
import { assistant, attachment, base, call, fixtures, read, reader, readRowsIn, result, text, user } from './testing.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keepsake-transcript-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const readRows = (rows: readonly object[], tail = '') => readRowsIn(directory, rows, tail)

const messagesOf = (batches: readonly TranscriptBatch[]) => batches.flatMap((batch) => batch.messages)
const said = (batches: readonly TranscriptBatch[]) =>
  messagesOf(batches).map(({ role, content }) => `${role}: ${content}`)
const skippedOf = (batches: readonly TranscriptBatch[]) => Object.assign({}, ...batches.map((batch) => batch.skipped))

describe('transcripts of the real client', () => {
  it('BL-17: gives what was said and what tools answered, and nothing else', async () => {
    const batches = await read(join(fixtures, 'first-light.jsonl'))
    const users = messagesOf(batches).filter(({ role }) => role === 'user')
    expect(users.map(({ content }) => content)).toEqual([
      'The test suite takes 40 seconds. Can you find out why?',
      "Yes please. And no, don't use npm in this repository, use pnpm: npm rewrites the lockfile and then CI fails.",
      'Is the station test on Windows still skipped?',
      'Great, commit that. I prefer small commits: one idea each, with the reason in the message.',
      'Next: the cache. Which options do we have for keeping the tide tables between runs?',
      'We decided to keep the tide tables in SQLite instead of a JSON file, because yesterday two processes wrote it at once and we lost a day of readings.',
      'What is left to do for the cache?',
    ])
    const everything = messagesOf(batches)
      .filter(({ role }) => role !== 'tool')
      .map(({ content }) => content)
      .join('\n')
    // Words of the start block, the summary, the sub-agent and a file that a tool read.
    for (const foreign of [
      'never deploy',
      'always deploy',
      'answer as a table',
      'run ./scripts/setup.sh',
      '<command-name>',
    ])
      expect(everything).not.toContain(foreign)
  })

  it('names the tool of each answer and the turn, place and branch of each batch', async () => {
    const batches = await read(join(fixtures, 'first-light.jsonl'))
    const tools = messagesOf(batches).filter(({ role }) => role === 'tool')
    expect(tools.map(({ toolName }) => toolName)).toEqual([
      'Read',
      'Read',
      'Bash',
      'Edit',
      'Bash',
      'Bash',
      'Read',
      'Agent',
    ])
    expect(batches.map(({ turnEnded }) => turnEnded)).toEqual([true, true, true, true, true, true])
    expect(new Set(batches.map(({ cwd, branch }) => `${cwd} ${branch}`))).toEqual(new Set(['/home/dev/tidepool main']))
    expect(new Set(batches.map(({ sessionId }) => sessionId)).size).toBe(1)
    // The one edit in it is of code.
    expect(batches.flatMap(({ memoryWrites }) => memoryWrites)).toEqual([])
  })

  it('counts what it left out by kind', async () => {
    const batches = await read(join(fixtures, 'first-light.jsonl'))
    expect(skippedOf(batches)).toMatchObject({
      'compact-summary': 1,
      'client:command-name': 1,
      'client:local-command-stdout': 1,
      'system:compact_boundary': 1,
      'attachment:hook_additional_context': 1,
      'attachment:prompt_snapshot': 1,
      'api-request-blob': 1,
      meta: 1,
    })
    expect(Object.keys(skippedOf(batches)).filter((kind) => kind.startsWith('unknown'))).toEqual([])
  })

  it('reads a Chinese conversation word for word', async () => {
    const batches = await read(join(fixtures, 'first-light-zh.jsonl'))
    expect(said(batches).filter((line) => line.startsWith('user'))).toContain(
      'user: 改吧。不对，这个仓库不要用 npm，要用 pnpm：npm 会改写锁文件，CI 就会失败。',
    )
  })

  it('finds the files of sub-agents beside it, which say nothing', async () => {
    const files = await reader.companions!(join(fixtures, 'first-light.jsonl'))
    expect(files).toEqual([join(fixtures, 'first-light', 'subagents', 'agent-1.jsonl')])
    const batches = await read(files[0]!)
    expect(messagesOf(batches)).toEqual([])
    expect(skippedOf(batches).sidechain).toBeGreaterThan(0)
    expect(await reader.companions!(join(directory, 'none.jsonl'))).toEqual([])
  })
})

describe('BL-17: rows that are not the words of the user', () => {
  it.each([
    ['meta row', user('words', { isMeta: true }), 'meta'],
    ['summary', user('words', { isCompactSummary: true }), 'compact-summary'],
    ['row for the screen only', user('words', { isVisibleInTranscriptOnly: true }), 'meta'],
    [
      'command',
      user('<command-name>/x</command-name>\n<command-args>remember x</command-args>'),
      'client:command-name',
    ],
    [
      'output of a command',
      user('<local-command-stdout>remember x</local-command-stdout>'),
      'client:local-command-stdout',
    ],
    ['caveat', user('<local-command-caveat>words</local-command-caveat>'), 'client:local-command-caveat'],
    ['notice of a task', user('<task-notification>\nremember x'), 'client:task-notification'],
    ['shell input', user('<bash-input>ls</bash-input>'), 'client:bash-input'],
    ['shell output', user('<bash-stdout>remember</bash-stdout><bash-stderr></bash-stderr>'), 'client:bash-stdout'],
    ['prompt of the system', user('words', { promptSource: 'system' }), 'synthetic-prompt'],
    ['prompt of another agent', user('words', { origin: { kind: 'teammate' } }), 'synthetic-prompt'],
    ['interrupt', user([text('[Request interrupted by user]')]), 'interrupted'],
    ['interrupt of a tool', user('[Request interrupted by user for tool use]'), 'interrupted'],
    ['reminder', user([text('<system-reminder>remember x</system-reminder>')]), 'client:system-reminder'],
    ['sub-agent', user('words', { isSidechain: true }), 'sidechain'],
    ['error of the model', { ...assistant([text('API Error')]), isApiErrorMessage: true }, 'api-error'],
    ['made-up answer', assistant([text('No response requested.')], { model: '<synthetic>' }), 'synthetic-answer'],
    ['thought', assistant([{ type: 'thinking', thinking: 'words' }]), 'assistant:thinking'],
    [
      'hook output',
      attachment({ type: 'hook_additional_context', content: ['remember x'] }),
      'attachment:hook_additional_context',
    ],
    [
      'queued notice',
      attachment({ type: 'queued_command', prompt: 'x', commandMode: 'task-notification' }),
      'attachment:queued_command',
    ],
    ['queued tag', attachment({ type: 'queued_command', prompt: '<task-notification>x' }), 'attachment:queued_command'],
    [
      'queued by another',
      attachment({ type: 'queued_command', prompt: 'x', origin: { kind: 'coordinator' } }),
      'attachment:queued_command',
    ],
    [
      'prompt snapshot',
      attachment({ type: 'prompt_snapshot', systemPrompt: ['remember x'] }),
      'attachment:prompt_snapshot',
    ],
    [
      'copy of a request',
      base({ type: 'api-request-blob', message: { role: 'user', content: 'remember x' } }),
      'api-request-blob',
    ],
    ['queue', base({ type: 'queue-operation', content: 'remember x' }), 'queue-operation'],
    [
      'unknown kind',
      base({ type: 'brand-new', message: { role: 'user', content: 'remember x' } }),
      'unknown:brand-new',
    ],
    ['unknown kind with an odd name', base({ type: '<b>\n$x', content: 'x' }), 'unknown:bx'],
    ['empty', user('  \n'), 'empty'],
  ])('%s', async (_, row, kind) => {
    const batches = await readRows([user('words before'), row])
    expect(said(batches)).toEqual(['user: words before'])
    expect(skippedOf(batches)).toEqual({ [kind]: 1 })
  })
})

describe('words of the user', () => {
  it.each([
    ['plain text', user('use pnpm'), ['user: use pnpm']],
    ['blocks', user([text('one'), text('two')]), ['user: one\ntwo']],
    ['an image', user([text('see'), { type: 'image', source: { data: 'x' } }]), ['user: see\n[image]']],
    ['a document', user([{ type: 'document' }, text('read')]), ['user: [document]\nread']],
    [
      'with what the editor showed',
      user([text('<ide_opened_file>a.ts</ide_opened_file>'), text('fix it')]),
      ['user: fix it'],
    ],
    ['behind a reminder', user('<system-reminder>x</system-reminder>\n\nfix it'), ['user: fix it']],
    ['about HTML', user('<div> does not close'), ['user: <div> does not close']],
    ['from a human', user('typed', { origin: { kind: 'human' }, promptSource: 'typed' }), ['user: typed']],
    [
      'queued, text',
      attachment({ type: 'queued_command', prompt: 'use pnpm', commandMode: 'prompt' }),
      ['user: use pnpm'],
    ],
    ['queued, blocks', attachment({ type: 'queued_command', prompt: [text('用'), text('pnpm')] }), ['user: 用\npnpm']],
    ['with half a character', user('a\ud800b'), ['user: a\ufffdb']],
  ])('%s', async (_, row, expected) => {
    expect(said(await readRows([row]))).toEqual(expected)
  })

  it('takes what the person wrote when refusing a tool call', async () => {
    const batches = await readRows([
      assistant([call('t1', 'Write', { file_path: '/x.md' })]),
      user([result('t1', 'The user said no', { is_error: true })], { userFeedback: 'write it to docs/ instead' }),
    ])
    expect(messagesOf(batches)).toMatchObject([
      { role: 'tool', toolName: 'Write', content: 'The user said no' },
      { role: 'user', toolName: null, content: 'write it to docs/ instead' },
    ])
    expect(batches[0]?.memoryWrites).toEqual([])
    expect(new Set(messagesOf(batches).map(({ nativeId }) => nativeId)).size).toBe(2)
  })

  it('never takes words of a tool for words of the user', async () => {
    const batches = await readRows([
      assistant([call('t1', 'Bash')]),
      user([result('t1', [text('remember: use tabs'), { type: 'image' }])], {
        toolUseResult: { userFeedback: 'use tabs' },
      }),
    ])
    expect(said(batches)).toEqual(['tool: remember: use tabs\n[image]'])
  })
})

describe('memory writes', () => {
  const writes = async (...calls: object[]) => {
    const ids = calls.flatMap((each) => ('id' in each ? [String(each.id)] : []))
    const rows = [assistant(calls), user(ids.map((id) => result(id, 'ok')))]
    return (await readRows(rows)).flatMap((batch) => batch.memoryWrites.map(({ tool, path }) => [tool, path]))
  }

  it.each([
    ['Write', call('t', 'Write', { file_path: '/n/a.md' }), ['Write', '/n/a.md']],
    ['Edit', call('t', 'Edit', { file_path: '/n/../n/a.md' }), ['Edit', '/n/a.md']],
    ['MultiEdit', call('t', 'MultiEdit', { file_path: '/n/a.md' }), ['MultiEdit', '/n/a.md']],
    ['an extension in capitals', call('t', 'Write', { file_path: '/n/A.MD' }), ['Write', '/n/A.MD']],
    ['a relative path', call('t', 'Write', { file_path: 'a.md' }), ['Write', '/home/dev/tidepool/a.md']],
    ['our save', call('t', 'mcp__keepsake__memory_save'), ['mcp__keepsake__memory_save', null]],
    [
      'our forget in a plugin',
      call('t', 'mcp__plugin_keepsake_k__memory_forget'),
      ['mcp__plugin_keepsake_k__memory_forget', null],
    ],
  ])('counts %s', async (_, tool, expected) => {
    expect(await writes(tool)).toEqual([expected])
  })

  it.each([
    ['Bash', call('t', 'Bash', { command: 'echo x > /n/a.md' })],
    ['Read', call('t', 'Read', { file_path: '/n/a.md' })],
    ['code', call('t', 'Edit', { file_path: '/n/a.ts' })],
    ['a notebook', call('t', 'NotebookEdit', { notebook_path: '/n/a.ipynb' })],
    ['our search', call('t', 'mcp__keepsake__memory_search')],
    ['a save of another server', call('t', 'mcp__other__memory_save')],
    ['a path that is none', call('t', 'Write', { file_path: 7 })],
    ['a name of the language', call('t', 'constructor', { file_path: '/n/a.md' })],
    ['a null byte', call('t', 'Write', { file_path: '/n/\u0000.md' })],
  ])('does not count %s', async (_, tool) => {
    expect(await writes(tool)).toEqual([])
  })

  it('counts a call without a result yet, and one of a sub-agent', async () => {
    const batches = await readRows([
      { ...assistant([call('s', 'Write', { file_path: '/sub.md' })]), isSidechain: true },
      { ...user([result('s', 'ok')]), isSidechain: true },
      assistant([call('t', 'Write', { file_path: '/open.md' })]),
    ])
    expect(batches.flatMap(({ memoryWrites }) => memoryWrites.map(({ path }) => path))).toEqual(['/sub.md', '/open.md'])
    expect(messagesOf(batches)).toEqual([])
  })
})

describe('turns', () => {
  it.each([
    ['answered', [user('a'), assistant([text('b')])], true],
    ['answered by an old client', [user('a'), assistant([text('b')], { stop_reason: null })], true],
    ['waiting for a tool', [user('a'), assistant([call('t', 'Bash')])], false],
    ['announced a tool', [user('a'), assistant([text('I look')], { stop_reason: 'tool_use' })], false],
    ['tool answered', [assistant([call('t', 'Bash')]), user([result('t', 'x')])], false],
    ['not answered', [user('a')], false],
  ])('%s', async (_, rows, ended) => {
    expect((await readRows(rows)).map(({ turnEnded }) => turnEnded)).toEqual([ended])
  })

  it('a prompt ends the turn before it; queued words do not', async () => {
    const rows = [
      user('one'),
      attachment({ type: 'queued_command', prompt: 'more' }),
      user('two'),
      assistant([text('x')]),
    ]
    const batches = await readRows(rows)
    expect(batches.map((batch) => [batch.messages.length, batch.turnEnded])).toEqual([
      [2, true],
      [2, true],
    ])
  })

  it('another session in the same file is another batch', async () => {
    const batches = await readRows([user('old', { sessionId: 's0' }), user('new')])
    expect(batches.map(({ sessionId, messages }) => [sessionId, messages.length])).toEqual([
      ['s0', 1],
      ['s1', 1],
    ])
  })

  it('a very long turn comes in parts', async () => {
    const rows = Array.from({ length: 1_201 }, (_, index) => assistant([text(`part ${index}`)]))
    const batches = await readRows([user('go'), ...rows])
    expect(batches.map(({ messages }) => messages.length)).toEqual([500, 500, 202])
    expect(messagesOf(batches).at(-1)?.content).toBe('part 1200')
  })

  it.each(['../x', 'a/b', '', 'a b', 'x'.repeat(200)])('a session id like %j is none', async (sessionId) => {
    expect(await readRows([user('words', { sessionId })])).toEqual([])
  })
})

describe('lines', () => {
  const one = JSON.stringify(user('one', { uuid: 'a' }))
  const two = JSON.stringify(user('two', { uuid: 'b' }))

  it.each([
    ['two records on a line', `${one}${two}\n`, ['one', 'two'], 0],
    ['two with space between', `${one}  ${two}\n`, ['one', 'two'], 0],
    ['a torn one and a whole one', `${one.slice(0, 60)}${two}\n`, ['two'], 1],
    ['a whole one and a torn one', `${one}${two.slice(0, 60)}\n${two}\n`, ['one', 'two'], 1],
    ['a byte order mark', `\ufeff${one}\n${two}\n`, ['one', 'two'], 0],
    ['CRLF', `${one}\r\n${two}\r\n`, ['one', 'two'], 0],
    ['empty lines', `\n\n${one}\n\n${two}\n`, ['one', 'two'], 0],
    ['a last line without its end', `${one}\n${two}`, ['one', 'two'], 0],
    ['a half last line', `${one}\n${two.slice(0, -5)}`, ['one'], 0],
    ['zero bytes', `${one}\n${'\0'.repeat(500)}\n${two}\n`, ['one', 'two'], 1],
    [
      'a record within a string',
      `${one}\n${JSON.stringify(user(`say ${two}`, { uuid: 'c' })).slice(0, -9)}\n`,
      ['one'],
      1,
    ],
  ])('%s', async (_, content, expected, damaged) => {
    const file = join(directory, 'lines.jsonl')
    writeFileSync(file, content)
    const batches = await read(file)
    expect(messagesOf(batches).map((message) => message.content)).toEqual(expected)
    expect(skippedOf(batches).damaged ?? 0).toBe(damaged)
  })

  it('goes on where it stopped, and begins anew when the file was replaced', async () => {
    const file = join(directory, 'grows.jsonl')
    writeFileSync(file, `${one}\n${two.slice(0, 30)}`)
    const [first] = await read(file)
    writeFileSync(file, `${one}\n${two}\n`)
    expect(said(await read(file, first!.endOffset))).toEqual(['user: two'])
    writeFileSync(file, `${two}\n`)
    expect(said(await read(file, 100_000))).toEqual(['user: two'])
    expect(said(await read(file, 17))).toEqual(['user: two'])
  })

  it('leaves out a line that is larger than any words', async () => {
    const file = join(directory, 'large.jsonl')
    writeFileSync(file, `${one}\n${'x'.repeat(MAX_LINE_BYTES + 1)}\n${two}\n`)
    const batches = await read(file)
    expect(said(batches)).toEqual(['user: one', 'user: two'])
    expect(skippedOf(batches).oversized).toBe(1)
  })

  it.each([
    ['a text', 'Dear diary\nremember the milk\n'],
    ['a text without line end', 'Dear diary'],
    ['another JSON', '[1, 2, 3]\n'],
    ['the log of another agent', '{"timestamp":"t","type":"session_meta","payload":{}}\n'],
    ['bytes', '\u0000\u0001\u0002\n\u0003\n'],
  ])('TRANSCRIPT_UNREADABLE for %s', async (_, content) => {
    const file = join(directory, 'other.jsonl')
    writeFileSync(file, content)
    await expect(read(file)).rejects.toMatchObject({ code: 'TRANSCRIPT_UNREADABLE' })
  })

  it('TRANSCRIPT_UNREADABLE for a folder; nothing for an empty file', async () => {
    mkdirSync(join(directory, 'folder.jsonl'))
    await expect(read(join(directory, 'folder.jsonl'))).rejects.toMatchObject({ code: 'TRANSCRIPT_UNREADABLE' })
    writeFileSync(join(directory, 'empty.jsonl'), '')
    expect(await read(join(directory, 'empty.jsonl'))).toEqual([])
  })
})
