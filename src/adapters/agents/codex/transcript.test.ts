import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TranscriptBatch } from '../../../domain/index.ts'
import {
  assistant,
  call,
  content,
  event,
  fixture,
  item,
  linesOf,
  meta,
  name,
  output,
  read,
  reader,
  readRowsIn,
  row,
  thread,
  timestamp,
  user,
} from './testing.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keepsake-rollout-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const readRows = (rows: readonly unknown[]) => readRowsIn(directory, rows)

function put(rows: readonly unknown[], file = name(thread)): string {
  const path = join(directory, file)
  writeFileSync(path, linesOf(rows))
  return path
}

const messagesOf = (batches: readonly TranscriptBatch[]) => batches.flatMap((batch) => batch.messages)
const said = (batches: readonly TranscriptBatch[]) =>
  messagesOf(batches).map(({ role, content }) => `${role}: ${content}`)
const writesOf = (batches: readonly TranscriptBatch[]) =>
  batches.flatMap((batch) => batch.memoryWrites.map(({ path, tool }) => `${tool} ${path}`))

function skippedOf(batches: readonly TranscriptBatch[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { skipped } of batches)
    for (const [kind, count] of Object.entries(skipped)) counts[kind] = (counts[kind] ?? 0) + count
  return counts
}

describe('rollouts of the real client', () => {
  it('BL-17: gives what was said and what tools answered, and nothing else', async () => {
    const batches = await read(fixture)
    const users = messagesOf(batches).filter(({ role }) => role === 'user')
    expect(users.map(({ content: words }) => words)).toEqual([
      'The export takes 9 seconds. Can you find out why?',
      "Yes. And no, don't use console.log in this repository, use the logger: the output of the command is parsed.",
      'Write down what we found in docs/export.md. I always want such notes to name the measured numbers.',
      'We decided to publish the tables as Parquet instead of CSV, because the harbour office loads them into DuckDB.',
      '还有，回答我的时候先说结论，再说过程。',
      'What is left to do for the export?',
    ])
    const everything = said(batches).filter((line) => !line.startsWith('tool'))
    // Words of the start block, of the summary, and of the instructions of the project.
    for (const foreign of ['never deploy', 'deploy on Fridays', 'setup.sh', '<environment_context>', 'keepsake'])
      expect(everything.join('\n')).not.toContain(foreign)
    expect(messagesOf(batches).filter(({ role }) => role === 'tool')).toHaveLength(3)
    expect(new Set(messagesOf(batches).flatMap(({ toolName }) => toolName ?? []))).toEqual(new Set(['exec_command']))
    expect(messagesOf(batches).every(({ nativeId, time }) => nativeId !== null && time !== null)).toBe(true)
  })

  it('one batch a turn, each ended, with session, folder and branch', async () => {
    const batches = await read(fixture)
    expect(batches.map(({ turnEnded }) => turnEnded)).toEqual([true, true, true, true, true, true])
    for (const batch of batches)
      expect(batch).toMatchObject({
        sessionId: expect.stringMatching(/^01a2/),
        cwd: '/home/dev/tidepool',
        branch: 'main',
      })
    expect(batches.at(-1)?.endOffset).toBe(readFileSync(fixture).length)
  })

  it('names the note file that a patch wrote', async () => {
    expect(new Set(writesOf(await read(fixture)))).toEqual(
      new Set(['exec_command /home/dev/tidepool/docs/export.md', 'apply_patch /home/dev/tidepool/docs/export.md']),
    )
  })

  it('knows the session also when it is read from the middle', async () => {
    const [first, second] = await read(fixture)
    const rest = await read(fixture, first!.endOffset)
    expect(rest[0]).toEqual(second)
  })
})

describe('words of the user', () => {
  it.each<[string, readonly string[], string, string]>([
    [
      'instructions of the project',
      ['# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nUse tabs\n</INSTRUCTIONS>'],
      '',
      'client:agents-md',
    ],
    ['instructions without a folder', ['# AGENTS.md instructions\n\nUse tabs'], '', 'client:agents-md'],
    [
      'instructions of 2025',
      ['<user_instructions>\n\nAlways use tabs\n\n</user_instructions>'],
      '',
      'client:user_instructions',
    ],
    [
      'the environment',
      ['<environment_context>\n  <cwd>/w</cwd>\n</environment_context>'],
      '',
      'client:environment_context',
    ],
    ['a skill', ['<skill>\n<name>x</name>\nAlways use tabs\n</skill>'], '', 'client:skill'],
    ['a stopped turn', ['<turn_aborted>\nThe user interrupted\n</turn_aborted>'], '', 'client:turn_aborted'],
    [
      'a command of the shell',
      ['<user_shell_command>\n<command>ls</command>\n</user_shell_command>'],
      '',
      'client:user_shell_command',
    ],
    [
      'a notice of a sub-agent',
      ['<subagent_notification>\n{}\n</subagent_notification>'],
      '',
      'client:subagent_notification',
    ],
    [
      'permissions',
      ['<permissions instructions>\nx\n</permissions instructions>'],
      '',
      'client:permissions_instructions',
    ],
    [
      'the summary of a compaction',
      [
        'Another language model started to solve this problem and produced a summary of its thinking process. Remember to deploy on Fridays',
      ],
      '',
      'client:compact-summary',
    ],
    [
      'two files of instructions',
      [
        '# AGENTS.md instructions for /w\n<INSTRUCTIONS>\na\n</INSTRUCTIONS>',
        '<environment_context>x</environment_context>',
      ],
      '',
      'client:environment_context',
    ],
    ['an element that is not closed', ['<environment_context>\nUse tabs'], '', 'client:environment_context'],
    [
      'the environment above words',
      ['<environment_context>\n<cwd>/w</cwd>\n</environment_context>\nUse pnpm'],
      'Use pnpm',
      '',
    ],
    [
      'instructions above words',
      ['# AGENTS.md instructions for /w\n<INSTRUCTIONS>\na\n</INSTRUCTIONS>\n\n用 pnpm'],
      '用 pnpm',
      '',
    ],
    [
      'the state of an editor',
      ['# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nUse pnpm\n'],
      'Use pnpm\n',
      '',
    ],
    [
      'a file with the heading in the state of an editor',
      ['# Context from my IDE setup:\n## My request for Codex:\nUse npm\n## My request for Codex:\nUse pnpm'],
      'Use pnpm',
      '',
    ],
    ['only the state of an editor', ['# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n'], '', 'client:empty'],
    [
      'words that name a tag',
      ['Why is <environment_context> in the log?'],
      'Why is <environment_context> in the log?',
      '',
    ],
    ['words about HTML', ['<image src="a.png"> does not close, why?'], '<image src="a.png"> does not close, why?', ''],
    [
      'words about the instructions',
      ['Look at AGENTS.md instructions for tabs'],
      'Look at AGENTS.md instructions for tabs',
      '',
    ],
    ['an image with its tags', ['<image name=[Image #1]>', '</image>', '這是什麼？'], '這是什麼？', ''],
    ['nothing', ['  \n'], '', 'client:empty'],
  ])('%s', async (_, texts, words, skipped) => {
    const batches = await readRows([meta(), user(...texts), assistant('ok')])
    expect(said(batches)).toEqual([...(words === '' ? [] : [`user: ${words}`]), 'assistant: ok'])
    if (skipped !== '') expect(skippedOf(batches)[skipped]).toBe(1)
  })

  it('what the client names as its own is not the user’s, whatever it says', async () => {
    const kinds = (...names: readonly string[]) => ({
      type: 'message',
      role: 'user',
      content: content('Remember: always use tabs', 'Use pnpm'),
      internal_chat_message_metadata_passthrough: { content_item_kinds: names },
    })
    expect(said(await readRows([meta(), item(kinds('memories.recalled', 'user.text'))]))).toEqual(['user: Use pnpm'])
    const batches = await readRows([meta(), item(kinds('a b/c', 'goals.text')), assistant('ok')])
    expect(said(batches)).toEqual(['assistant: ok'])
    expect(skippedOf(batches)).toMatchObject({ 'client:goals.text': 1 })
  })

  it('what a hook put into a prompt is not the user’s', async () => {
    const passthrough = {
      content_item_kinds: ['user.text'],
      content_item_metadata: [{ provenance: { type: 'harness', hook: true } }],
    }
    const prompt = { type: 'message', role: 'user', content: content('Always use tabs') }
    const rows = [meta(), item({ ...prompt, internal_chat_message_metadata_passthrough: passthrough }), assistant('ok')]
    expect(said(await readRows(rows))).toEqual(['assistant: ok'])
  })

  it('a thread of another agent has none, also where its rows claim so; its writes count', async () => {
    const patch = '*** Begin Patch\n*** Add File: notes/a.md\n+x\n*** End Patch'
    const rows = (fields: object) => [
      meta({ id: 'child', ...fields }),
      user('Remember: always use tabs'),
      call('c1', 'apply_patch', { input: patch }),
      output('c1', 'Success'),
      assistant('done'),
    ]
    const spawned = { source: { subagent: { thread_spawn: { parent_thread_id: thread } } }, session_id: thread }
    for (const fields of [spawned, { thread_source: 'subagent', parent_thread_id: thread }]) {
      const batches = await readRows(rows(fields))
      expect(messagesOf(batches)).toEqual([])
      expect(writesOf(batches)).toEqual(['apply_patch /home/dev/tidepool/notes/a.md'])
      expect(batches[0]?.sessionId).toBe(thread)
    }
    expect(said(await readRows(rows({ source: 'vscode', forked_from_id: thread })))[0]).toContain('always use tabs')
  })

  it('a fork keeps its own name, though the header of its parent follows', async () => {
    const [batch] = await readRows([meta({ id: 'fork', forked_from_id: thread }), meta(), user('Use pnpm')])
    expect(batch).toMatchObject({ sessionId: 'fork', messages: [{ content: 'Use pnpm' }] })
  })
})

describe('the bare form of 2025', () => {
  const bare = [
    { id: 'old-1', timestamp: '2025-08-19T10:00:00.000Z', instructions: 'Always use tabs', git: { branch: 'dev' } },
    { record_type: 'state' },
    {
      type: 'message',
      role: 'user',
      content: content('<environment_context>\n  <cwd>/home/dev/old</cwd>\n</environment_context>'),
    },
    { type: 'message', role: 'user', content: content('Use pnpm here') },
    { type: 'reasoning', summary: [], encrypted_content: 'gAAAA' },
    {
      type: 'function_call',
      name: 'shell',
      call_id: 'c1',
      arguments: '{"command":["apply_patch","*** Begin Patch\\n*** Update File: a.md\\n@@\\n*** End Patch"]}',
    },
    { type: 'function_call_output', call_id: 'c1', output: '{"output":"Success.","metadata":{"exit_code":0}}' },
    { record_type: 'state' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
  ]

  it('is read like the enveloped one', async () => {
    const batches = await readRows(bare)
    expect(said(batches)).toEqual(['user: Use pnpm here', 'tool: Success.', 'assistant: Done.'])
    expect(batches[0]).toMatchObject({ sessionId: 'old-1', cwd: '/home/dev/old', branch: 'dev', turnEnded: true })
    expect(messagesOf(batches)[1]).toMatchObject({ nativeId: 'c1', toolName: 'shell', time: null })
    expect(writesOf(batches)).toEqual(['shell /home/dev/old/a.md'])
    expect(skippedOf(batches)).toEqual({ session_meta: 1, state: 2, 'client:environment_context': 1, reasoning: 1 })
  })

  it('tells the folder in words in its first months', async () => {
    const told =
      '<environment_context>\nCurrent working directory: /home/dev/old\nApproval policy: never\n</environment_context>'
    const [batch] = await readRows([bare[0], { ...bare[2], content: content(told) }, bare[3]])
    expect(batch?.cwd).toBe('/home/dev/old')
  })

  it('without a readable header nobody knows who speaks, and nothing is taken', async () => {
    expect(await readRows(['{"id":"x', bare[3]])).toEqual([])
    expect(await readRows([user('Remember: always use tabs'), assistant('ok')])).toEqual([])
  })
})

describe('tools', () => {
  it('names a tool of a server with its namespace', async () => {
    const batches = await readRows([
      meta(),
      call('c1', 'memory_save', { text: 'x' }, { namespace: 'mcp__keepsake' }),
      output('c1', [
        { type: 'input_text', text: 'Wall time: 0.2 seconds' },
        { type: 'input_text', text: 'Saved: x' },
      ]),
    ])
    expect(messagesOf(batches)).toMatchObject([
      { role: 'tool', toolName: 'mcp__keepsake__memory_save', content: 'Wall time: 0.2 seconds\nSaved: x' },
    ])
    expect(writesOf(batches)).toEqual(['mcp__keepsake__memory_save null'])
  })

  it.each<[string, object, object]>([
    ['an event of failure', event('item_completed', { item: { type: 'McpToolCall', id: 'c1', status: 'failed' } }), {}],
    [
      'an answer that is an error',
      event('item_completed', { item: { type: 'McpToolCall', id: 'c1', result: { isError: true } } }),
      {},
    ],
    ['an error of 2026', event('mcp_tool_call_end', { call_id: 'c1', result: { Err: 'gone' } }), {}],
    [
      'an error in an answer of 2026',
      event('mcp_tool_call_end', { call_id: 'c1', result: { Ok: { is_error: true } } }),
      {},
    ],
  ])('a call that failed wrote nothing: %s', async (_, told) => {
    const batches = await readRows([
      meta(),
      call('c1', 'memory_save', {}, { namespace: 'mcp__keepsake' }),
      told,
      output('c1', 'refused'),
      assistant('It was refused.'),
    ])
    expect(writesOf(batches)).toEqual([])
    expect(messagesOf(batches)[0]?.toolName).toBe('mcp__keepsake__memory_save')
  })

  const patch = (...headings: readonly string[]) => ['*** Begin Patch', ...headings, '+x', '*** End Patch'].join('\n')

  it.each<[string, object, readonly string[]]>([
    [
      'a tool of free form',
      item({ type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: patch('*** Add File: a.md') }),
      ['/home/dev/tidepool/a.md'],
    ],
    [
      'a shell command',
      call('c', 'exec_command', { cmd: `apply_patch <<'EOF'\n${patch('*** Update File: docs/b.MD')}\nEOF` }),
      ['/home/dev/tidepool/docs/b.MD'],
    ],
    [
      'words of a command, in another folder',
      call('c', 'shell', { command: ['apply_patch', patch('*** Add File: c.md')], workdir: '/srv' }),
      ['/srv/c.md'],
    ],
    [
      'a local shell',
      item({
        type: 'local_shell_call',
        call_id: 'c',
        action: { command: ['apply_patch', patch('*** Add File: /n/d.md')] },
      }),
      ['/n/d.md'],
    ],
    [
      'several files and a new name',
      call('c', 'apply_patch', {
        input: patch(
          '*** Add File: a.md',
          '*** Update File: b.ts',
          '*** Update File: c.md',
          '*** Move to: d.md',
          '*** Delete File: e.md',
        ),
      }),
      ['/home/dev/tidepool/a.md', '/home/dev/tidepool/c.md', '/home/dev/tidepool/d.md'],
    ],
    ['no patch', call('c', 'exec_command', { cmd: 'cat a.md' }), []],
    ['arguments that are no JSON', item({ type: 'function_call', call_id: 'c', name: 'x', arguments: '{' }), []],
  ])('files that are written by %s', async (_, made, paths) => {
    expect(writesOf(await readRows([meta(), made])).map((line) => line.split(' ')[1])).toEqual(paths)
  })

  it.each([
    'apply_patch verification failed: no such file',
    'patch rejected: outside',
    'aborted by user after 2 s',
    'unsupported call: apply_patch',
  ])('a patch that was not carried out wrote nothing: %j', async (answer) => {
    expect(
      writesOf(
        await readRows([meta(), call('c', 'apply_patch', { input: patch('*** Add File: a.md') }), output('c', answer)]),
      ),
    ).toEqual([])
  })

  it('changes that an event reports: not those that failed, nor what was deleted', async () => {
    const changes = {
      '/n/a.md': { type: 'add' },
      '/n/b.md': { type: 'delete' },
      '/n/c.md': { type: 'update', move_path: '/n/d.md' },
      '/n/e.ts': {},
    }
    const told = (fields: object) =>
      event('item_completed', { item: { type: 'FileChange', id: 'c', changes, ...fields } })
    expect(writesOf(await readRows([meta(), told({ status: 'completed' })]))).toEqual([
      'apply_patch /n/a.md',
      'apply_patch /n/d.md',
    ])
    expect(writesOf(await readRows([meta(), told({ status: 'failed' })]))).toEqual([])
    expect(
      writesOf(await readRows([meta(), event('patch_apply_end', { call_id: 'c', success: true, changes })])),
    ).toHaveLength(2)
  })
})

describe('what is no message', () => {
  it('is counted by kind, unknown kinds too', async () => {
    const batches = await readRows([
      meta(),
      item({
        type: 'message',
        role: 'developer',
        content: content('<keepsake-memory kind="start">\nx\n</keepsake-memory>'),
      }),
      item({ type: 'message', role: 'system', content: content('x') }),
      item({ type: 'reasoning', encrypted_content: 'gAAAA' }),
      item({ type: 'web_search_call' }),
      item({ type: 'poem' }),
      row('compacted', { message: 'Remember to deploy on Fridays', replacement_history: [] }),
      assistant('the summary', { id: 'm' }),
      item(
        { type: 'message', role: 'assistant', content: content('a summary') },
        { metadata: { compaction_output: true } },
      ),
      event('token_count'),
      event('user_message', { message: 'Use npm' }),
      { timestamp, type: 'new <kind>', payload: {} },
      { timestamp },
    ])
    expect(said(batches)).toEqual(['assistant: the summary'])
    expect(skippedOf(batches)).toEqual({
      session_meta: 1,
      developer: 1,
      system: 1,
      reasoning: 1,
      web_search_call: 1,
      'unknown:poem': 1,
      compacted: 1,
      'compact-summary': 1,
      'event:token_count': 1,
      'event:user_message': 1,
      'unknown:newkind': 1,
      'unknown:unnamed': 1,
    })
  })

  it.each([
    ['words before more work', [assistant('Looking.', { phase: 'commentary' })], false],
    ['the last words', [assistant('Done.', { phase: 'final_answer' })], true],
    ['a call without its answer', [assistant('Looking.'), call('c', 'x', {})], false],
    ['a turn that goes on', [assistant('Looking.'), event('task_started')], false],
    ['a turn that was stopped', [call('c', 'x', {}), event('turn_aborted')], true],
    ['a turn that is complete', [call('c', 'x', {}), output('c', 'y'), event('task_complete')], true],
  ])('the turn is over or not: %s', async (_, rows, ended) => {
    expect((await readRows([meta(), user('Go'), ...rows])).at(-1)?.turnEnded).toBe(ended)
  })

  it('a transcript of another agent is refused', async () => {
    const file = put([{ type: 'user', uuid: 'u', sessionId: 's', message: { role: 'user', content: 'hi' } }])
    await expect(read(file)).rejects.toMatchObject({ code: 'TRANSCRIPT_UNREADABLE' })
  })

  it('a row that was torn and the whole one behind it', async () => {
    const torn = JSON.stringify(user('Use npm')).slice(0, 60)
    const batches = await readRows([meta(), torn + JSON.stringify(user('Use pnpm'))])
    expect(said(batches)).toEqual(['user: Use pnpm'])
    expect(skippedOf(batches)).toMatchObject({ damaged: 1 })
  })
})

describe('threads that a conversation started', () => {
  it('are the later files of the same day that name it', async () => {
    const child = { id: 'child', parent_thread_id: thread, source: { subagent: {} } }
    const main = put([meta()], name(thread, '10-00-00'))
    const first = put([meta(child)], name('child-1', '10-05-00'))
    const second = put(
      [meta({ ...child, session_id: thread, parent_thread_id: 'child-1' })],
      name('child-2', '11-00-00'),
    )
    put([meta({ id: 'other' })], name('other', '10-06-00'))
    put([meta(child)], name('earlier', '09-00-00'))
    mkdirSync(join(directory, name('folder', '12-00-00')))
    expect(await reader.companions?.(main)).toEqual([first, second])
  })

  it.each(['session.jsonl', 'nowhere/rollout-2026-11-18T10-00-00-x.jsonl'])('none for %s', async (file) => {
    expect(await reader.companions?.(join(directory, file))).toEqual([])
  })
})
