import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codexHooks as hooks } from './hooks.ts'

const fixture = join(import.meta.dirname, '../../../../test/fixtures/transcripts/codex/first-light.jsonl')

const line = (type: string, payload: object) =>
  `${JSON.stringify({ timestamp: '2026-11-18T10:00:00.000Z', type, payload })}\n`
const message = (role: string, ...texts: readonly string[]) => ({
  type: 'message',
  role,
  content: texts.map((text) => ({ type: 'input_text', text })),
})
const block = (kind: string, text: string) => `<keepsake-memory kind="${kind}">\n${text}\n</keepsake-memory>`
const start = line('response_item', message('developer', block('start', 'all')))
const turn = line('response_item', message('developer', block('turn', 'one')))
const compacted = (...kept: readonly object[]) => line('compacted', { message: 'x', replacement_history: kept })

describe('what comes in and goes out', () => {
  it.each([
    ['startup', true],
    ['clear', true],
    ['compact', true],
    ['resume', false],
    ['something-new', false],
  ])('SessionStart %j is fresh: %s', (source, fresh) => {
    const stdin = JSON.stringify({ session_id: 's', transcript_path: '/t.jsonl', cwd: '/w', turn_id: 't', source })
    expect(hooks.parse('SessionStart', stdin)).toMatchObject({ kind: 'session-start', fresh, nativeSessionId: 's' })
  })

  it('hooks of a sub-agent are not those of the conversation', () => {
    expect(hooks.parse('UserPromptSubmit', '{"agent_id":"a","prompt":"Remember: tabs"}').kind).toBe('other')
  })

  it('answers with one key only: another one would make Codex drop the context', () => {
    const event = hooks.parse('UserPromptSubmit', '{"prompt":"p"}')
    expect(JSON.parse(hooks.format(event, 'text'))).toEqual({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'text' },
    })
    for (const name of ['Stop', 'PreCompact', 'SessionEnd', 'PostToolUse'])
      expect(hooks.format(hooks.parse(name, '{}'), 'text')).toBe('')
  })
})

describe('blocks that the conversation shows', () => {
  it.each<[string, string, readonly string[]]>([
    ['start and turn', start + turn, ['start', 'turn']],
    ['only what follows the last compaction', start + turn + compacted() + start, ['start']],
    ['nothing after a compaction without a block', start + turn + compacted(), []],
    [
      'what the compaction kept',
      start + compacted(message('developer', block('turn', 'kept'))) + start,
      ['turn', 'start'],
    ],
    [
      'ours beside another in one message',
      line('response_item', message('developer', 'Other', block('turn', 'x'))),
      ['turn'],
    ],
    ['not those of other hooks', line('response_item', message('developer', 'Other says hello')), []],
    ['not what a user wrote', line('response_item', message('user', block('start', 'x'))), []],
    ['not what a tool gave', line('response_item', { type: 'function_call_output', output: block('start', 'x') }), []],
    [
      'not a mention',
      line('response_item', message('developer', 'The tag <keepsake-memory kind="start"> wraps it')),
      [],
    ],
    ['not another kind', line('response_item', message('developer', block('other', 'x'))), []],
    ['a first line that is cut off', `ad":{"type":"message","role":"developer"}}keepsake-memory\n${turn}`, ['turn']],
    ['a boundary of words alone', start + line('response_item', message('user', '"compacted"')), ['start']],
    ['a boundary that is torn', `${start}{"type":"compacted"`, ['start']],
    ['nothing', '', []],
  ])('%s', (_, tail, kinds) => {
    expect(hooks.shownBlocks(tail).map(({ kind }) => kind)).toEqual(kinds)
  })

  it('finds the one block after the compaction in a real rollout, with its time', () => {
    const found = hooks.shownBlocks(readFileSync(fixture, 'utf8'))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ kind: 'start', time: expect.stringMatching(/^2026-11-19T14:30:/) })
    expect(found[0]?.text).toContain('Deploy window')
  })
})

describe('prompts', () => {
  it.each(['Use pnpm', '用 pnpm', '為什麼有 <div>？', '<div> does not close', '<image src="x"> is broken', 'a /b'])(
    '%j is of the user',
    (prompt) => {
      expect(hooks.isUserPrompt(prompt)).toBe(true)
    },
  )

  it.each([
    '',
    ' \n',
    '/compact',
    '<turn_aborted>\nx',
    '<skill>\nx\n</skill>',
    '<environment_context>x',
    '# AGENTS.md instructions for /w',
  ])('%j is not', (prompt) => {
    expect(hooks.isUserPrompt(prompt)).toBe(false)
  })
})

describe('tools that were used since the last message [R2]', () => {
  const user = (text: string) => line('response_item', message('user', text))
  const call = (call_id: string, name: string, fields: object = {}) =>
    line('response_item', { type: 'function_call', name, call_id, arguments: '{}', ...fields })
  const output = (call_id: string, answer: unknown) =>
    line('response_item', { type: 'function_call_output', call_id, output: answer })
  const event = (item: object) => line('event_msg', { type: 'item_completed', item })
  const one = (name: string, failed: boolean) => [{ name, failed }]

  it.each<[string, string, { name: string; failed: boolean }[]]>([
    ['none', user('do it'), []],
    ['one that worked', user('do it') + call('1', 'shell') + output('1', 'fine'), one('shell', false)],
    [
      'an exit code of 0',
      user('do it') + call('1', 'exec_command') + output('1', 'Chunk ID: 1\nProcess exited with code 0\nOutput:\n'),
      one('exec_command', false),
    ],
    [
      'another exit code',
      user('do it') + call('1', 'exec_command') + output('1', 'Chunk ID: 1\nProcess exited with code 127\nOutput:\n'),
      one('exec_command', true),
    ],
    [
      'an exit code as data',
      user('do it') + call('1', 'shell') + output('1', '{"output":"no","metadata":{"exit_code":1}}'),
      one('shell', true),
    ],
    [
      'an exit code in an event',
      user('do it') +
        call('1', 'shell') +
        event({ type: 'CommandExecution', id: '1', exit_code: 2 }) +
        output('1', 'x'),
      one('shell', true),
    ],
    [
      'a call over MCP that failed',
      user('do it') +
        call('1', 'search', { namespace: 'mcp__github' }) +
        output('1', 'x') +
        event({ type: 'McpToolCall', id: '1', status: 'failed' }),
      one('mcp__github__search', true),
    ],
    [
      'a refusal',
      user('do it') + call('1', 'apply_patch') + output('1', 'patch rejected: no'),
      one('apply_patch', true),
    ],
    [
      'no success',
      user('do it') + call('1', 'shell') + output('1', { success: false, content: 'x' }),
      one('shell', true),
    ],
    ['those of an earlier turn do not count', call('1', 'shell') + output('1', 'fine') + user('and now?'), []],
    [
      'the message that is being answered may stand there already',
      user('do it') + call('1', 'shell') + output('1', 'fine') + user('next'),
      one('shell', false),
    ],
    [
      'what the client says is no message',
      user('do it') + call('1', 'shell') + output('1', 'fine') + user('<environment_context>x</environment_context>'),
      one('shell', false),
    ],
  ])('%s', (_, tail, uses) => {
    expect(hooks.toolUses(tail, 'next')).toEqual(uses)
  })

  it('finds them in a real rollout', () => {
    const rollout = readFileSync(fixture, 'utf8')
    const turn = rollout.slice(0, rollout.indexOf('\n', rollout.lastIndexOf('"function_call_output"')))
    expect(hooks.toolUses(turn, 'next')).toContainEqual({ name: 'exec_command', failed: false })
  })
})
