import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeCodeHooks as hooks } from './hooks.ts'

const fixture = join(import.meta.dirname, '../../../../test/fixtures/transcripts/claude-code/first-light.jsonl')

describe('what comes in', () => {
  it.each([
    ['startup', true],
    ['clear', true],
    ['compact', true],
    ['resume', false],
    ['fork', false],
    ['something-new', false],
    [undefined, false],
    [7, false],
  ])('SessionStart %j is fresh: %s', (source, fresh) => {
    const stdin = JSON.stringify({ session_id: 's', transcript_path: '/t.jsonl', cwd: '/w', source })
    expect(hooks.parse('SessionStart', stdin)).toEqual({
      kind: 'session-start',
      fresh,
      ...(source === 'compact' ? { compacted: true } : {}),
      nativeSessionId: 's',
      transcript: '/t.jsonl',
      cwd: '/w',
      prompt: null,
    })
  })

  it.each([
    ['Stop', 'turn-end'],
    ['PreCompact', 'before-compaction'],
    ['SessionEnd', 'session-end'],
    ['UserPromptSubmit', 'user-prompt'],
    ['SubagentStop', 'other'],
    ['PreToolUse', 'other'],
    ['', 'other'],
  ])('%s is %s', (event, kind) => {
    expect(hooks.parse(event, '{"prompt":"p"}').kind).toBe(kind)
  })

  it('hooks of a sub-agent are not those of the conversation', () => {
    expect(hooks.parse('Stop', '{"agent_id":"a1","transcript_path":"/t"}').kind).toBe('other')
  })

  it.each(['', 'null', '[]', '{', '"x"', '{"cwd":7,"prompt":[],"session_id":{}}', '\ufeff{}'])(
    '%j gives empty fields',
    (stdin) => {
      const event = hooks.parse('UserPromptSubmit', stdin)
      expect(event).toEqual({
        kind: 'user-prompt',
        fresh: false,
        nativeSessionId: null,
        transcript: null,
        cwd: null,
        prompt: null,
      })
    },
  )
})

describe('what goes out', () => {
  it.each(['SessionStart', 'UserPromptSubmit'])('%s: the one object and no other key', (name) => {
    const event = hooks.parse(name, '{"source":"startup"}')
    expect(JSON.parse(hooks.format(event, 'with "quotes",\n newlines and 中文'))).toEqual({
      hookSpecificOutput: { hookEventName: name, additionalContext: 'with "quotes",\n newlines and 中文' },
    })
  })

  it.each(['Stop', 'PreCompact', 'SessionEnd', 'Other'])('%s: nothing', (name) => {
    expect(hooks.format(hooks.parse(name, '{}'), 'text')).toBe('')
  })
})

const row = (fields: object) =>
  `${JSON.stringify({ isSidechain: false, timestamp: '2026-11-18T09:00:00.000Z', ...fields })}\n`
const block = (kind: string, words: string) => `<keepsake-memory kind="${kind}">\n${words}\n</keepsake-memory>`
const context = (hookEvent: string, content: unknown, fields: object = {}) =>
  row({ type: 'attachment', attachment: { type: 'hook_additional_context', hookEvent, content }, ...fields })
const boundary = row({ type: 'system', subtype: 'compact_boundary' })

describe('blocks that the conversation shows', () => {
  const start = context('SessionStart', [block('start', 'old')])
  const turn = context('UserPromptSubmit', [block('turn', 'note')])

  it.each([
    ['start and turn', start + turn, ['start', 'turn']],
    ['only what follows the last compaction', start + turn + boundary + start, ['start']],
    ['nothing after a compaction without a block', start + turn + boundary, []],
    ['not those of other hooks', context('SessionStart', ['Other tool says hello']), []],
    ['ours beside another', context('SessionStart', ['Other', block('start', 'x')]), ['start']],
    ['as plain text', context('UserPromptSubmit', block('turn', 'x')), ['turn']],
    ['not those of a sub-agent', context('SessionStart', [block('start', 'x')], { isSidechain: true }), []],
    [
      'not what a user or tool wrote',
      row({ type: 'user', message: { content: block('start', 'hook_additional_context') } }),
      [],
    ],
    ['not after another event', context('PostToolUse', [block('turn', 'x')]), []],
    ['a first line that is cut off', `ttachment":{"type":"hook_additional_context"}}\n${turn}`, ['turn']],
    ['a boundary of words alone', start + row({ type: 'user', message: { content: '"compact_boundary"' } }), ['start']],
    ['nothing', '', []],
  ])('%s', (_, tail, kinds) => {
    expect(hooks.shownBlocks(tail).map(({ kind }) => kind)).toEqual(kinds)
  })

  it('finds the one block after the compaction in a real transcript, with its time', () => {
    const found = hooks.shownBlocks(readFileSync(fixture, 'utf8'))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ kind: 'start', time: expect.stringMatching(/^2026-11-18T09:30:/) })
    expect(found[0]?.text).toContain('Deploy window')
  })
})

describe('tools that were used since the last message [R2]', () => {
  const user = (content: unknown, fields: object = {}) =>
    `${JSON.stringify({ type: 'user', message: { role: 'user', content }, ...fields })}\n`
  const call = (id: string, name: string, fields: object = {}) =>
    `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input: {} }] }, ...fields })}\n`
  const answer = (id: string, is_error?: boolean, fields: object = {}) =>
    user([{ type: 'tool_result', tool_use_id: id, content: 'x', is_error }], fields)

  it.each<[string, string, { name: string; failed: boolean }[]]>([
    ['none', user('do it'), []],
    ['one that worked', user('do it') + call('1', 'Bash') + answer('1'), [{ name: 'Bash', failed: false }]],
    ['one that failed', user('do it') + call('1', 'Bash') + answer('1', true), [{ name: 'Bash', failed: true }]],
    ['one that was not answered', user('do it') + call('1', 'Bash'), []],
    [
      'two in order',
      user('do it') + call('1', 'Bash') + answer('1', true) + call('2', 'mcp__github__search') + answer('2', false),
      [
        { name: 'Bash', failed: true },
        { name: 'mcp__github__search', failed: false },
      ],
    ],
    ['those of an earlier turn do not count', call('1', 'Bash') + answer('1') + user('and now?'), []],
    [
      'the message that is being answered may stand there already',
      user('do it') + call('1', 'Bash') + answer('1') + user('next'),
      [{ name: 'Bash', failed: false }],
    ],
    [
      'those of sub-agents do not count',
      user('do it') + call('1', 'Bash', { isSidechain: true }) + answer('1', false, { isSidechain: true }),
      [],
    ],
    [
      'what the client says is no message',
      user('do it') + call('1', 'Bash') + answer('1') + user('<command-name>/model</command-name>'),
      [{ name: 'Bash', failed: false }],
    ],
    ['broken rows', `${user('do it')}{"type":"assistant","message":{"content":[{"type":"tool_use"\n${answer('1')}`, []],
  ])('%s', (_, tail, uses) => {
    expect(hooks.toolUses(tail, 'next')).toEqual(uses)
    expect(hooks.toolUses(tail.trimEnd(), 'next')).toEqual(uses)
  })
})
