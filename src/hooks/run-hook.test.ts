import { describe, expect, it } from 'vitest'
import { agentHooks } from '../adapters/hot.ts'
import { type Block, EMPTY_BLOCK, type Failure } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import type { JournalEntry } from '../store/journal.ts'
import { type HookEffects, type HookMemory, MAX_OUTPUT_BYTES, runHook } from './run-hook.ts'

const agent = agentHooks['claude-code']!
const block = (text: string): Block => ({ ...EMPTY_BLOCK, text })

interface Seen {
  readonly journal: JournalEntry[]
  readonly modes: string[]
  readonly failures: Failure[]
  readonly turns: Parameters<HookMemory['turnBlock']>[0][]
  workers: number
  opened: (string | null)[]
}

function effectsWith(given: Partial<HookEffects> & { readonly text?: string }): { effects: HookEffects; seen: Seen } {
  const seen: Seen = { journal: [], modes: [], failures: [], turns: [], workers: 0, opened: [] }
  const effects: HookEffects = {
    clock: { now: () => Date.parse('2026-11-18T09:00:00Z') },
    signal: new AbortController().signal,
    async openMemory(cwd) {
      seen.opened.push(cwd)
      return {
        startBlock: async () => block(given.text ?? 'start'),
        async turnBlock(input) {
          seen.turns.push(input)
          return block(given.text ?? 'turn')
        },
      }
    },
    readTranscriptTail: async () => '',
    lookAtTranscript: async () => ({ size: 12, began: '2026-11-18T08:00:00.000Z' }),
    appendJournal: async (entry) => void seen.journal.push(entry),
    mode: 'auto',
    keepMode: async (session) => void seen.modes.push(session),
    startWorker: () => void seen.workers++,
    recordFailure: async (failure) => void seen.failures.push(failure),
    ...given,
  }
  return { effects, seen }
}

const input = (fields: object) => JSON.stringify({ session_id: 's', transcript_path: '/t.jsonl', cwd: '/w', ...fields })
const row = (content: string) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`
const contextOf = (text: string) => JSON.parse(text).hookSpecificOutput.additionalContext

describe('SessionStart', () => {
  it.each(['startup', 'clear', 'compact'])('%s: the start block, and the worker', async (source) => {
    const { effects, seen } = effectsWith({})
    expect(contextOf(await runHook({ agent, eventName: 'SessionStart', stdin: input({ source }) }, effects))).toBe(
      'start',
    )
    expect(seen).toMatchObject({ workers: 1, opened: ['/w'], journal: [], failures: [] })
  })

  it.each(['resume', 'fork', 'unheard-of', ''])('%j: nothing, and the worker', async (source) => {
    const { effects, seen } = effectsWith({})
    expect(await runHook({ agent, eventName: 'SessionStart', stdin: input({ source }) }, effects)).toBe('')
    expect(seen).toMatchObject({ workers: 1, opened: [], journal: [] })
  })

  it('no text: no output', async () => {
    const { effects } = effectsWith({ text: '' })
    expect(await runHook({ agent, eventName: 'SessionStart', stdin: input({ source: 'startup' }) }, effects)).toBe('')
  })
})

describe('UserPromptSubmit', () => {
  const submit = (prompt: unknown, given: Parameters<typeof effectsWith>[0] = {}) => {
    const { effects, seen } = effectsWith(given)
    const call = { agent, eventName: 'UserPromptSubmit', stdin: input({ prompt }) }
    return runHook(call, effects).then((text) => ({ text, seen }))
  }

  it('gives the turn block and starts nothing', async () => {
    const { text, seen } = await submit('which package manager?')
    expect(contextOf(text)).toBe('turn')
    expect(seen).toMatchObject({ workers: 0, journal: [] })
    expect(seen.turns[0]).toMatchObject({
      prompt: 'which package manager?',
      shown: [],
      sessionStart: '2026-11-18T08:00:00.000Z',
      maxBytes: MAX_OUTPUT_BYTES,
    })
  })

  it.each<[string, string, string | null]>([
    ['the first message', '', 'claude-code:s'],
    ['one after a command of the client', row('<command-name>/help</command-name>'), 'claude-code:s'],
    ['one whose own row is there already', row('which package manager?'), 'claude-code:s'],
    ['a later message', row('Look at the lamp'), null],
  ])('says of %s whether the session begins with it [W22]', async (_, tail, begins) => {
    const { seen } = await submit('which package manager?', { readTranscriptTail: async () => tail })
    expect(seen.turns[0]?.begins).toBe(begins)
  })

  it('knows which tools just worked, and looks only when it is asked [R2]', async () => {
    const use = (id: string, name: string, is_error: boolean) =>
      [
        { type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input: {} }] } },
        { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'x', is_error }] } },
      ]
        .map((each) => `${JSON.stringify(each)}\n`)
        .join('')
    const tail = row('do it') + use('1', 'Bash', true) + use('2', 'Read', false)
    const { effects, seen } = effectsWith({ readTranscriptTail: async () => tail })
    await runHook({ agent, eventName: 'UserPromptSubmit', stdin: input({ prompt: 'next' }) }, effects)
    expect(seen.turns[0]?.worked()).toEqual(['Read'])
  })

  it('says of no message that the session begins with it when the agent names no transcript [W22]', async () => {
    const { effects, seen } = effectsWith({})
    const stdin = input({ prompt: 'which package manager?', transcript_path: undefined })
    await runHook({ agent, eventName: 'UserPromptSubmit', stdin }, effects)
    expect(seen.turns[0]?.begins).toBe(null)
  })

  it.each(['/compact', '<task-notification>\n<task-id>1', '<command-name>/x</command-name>', '', '  ', null, 7])(
    'nothing for %j, and nothing is opened',
    async (prompt) => {
      const { text, seen } = await submit(prompt)
      expect(text).toBe('')
      expect(seen.opened).toEqual([])
    },
  )

  it('hands on what the conversation shows, and since when', async () => {
    const row = (hookEvent: string, words: string, timestamp: string) =>
      JSON.stringify({
        type: 'attachment',
        timestamp,
        attachment: {
          type: 'hook_additional_context',
          hookEvent,
          content: [`<keepsake-memory kind="x">\n${words}\n</keepsake-memory>`],
        },
      })
    const tail = [
      row('SessionStart', 'a', '2026-11-18T08:30:00.000Z'),
      row('UserPromptSubmit', 'b', '2026-11-18T08:31:00.000Z'),
    ].join('\n')
    const { seen } = await submit('go on', { readTranscriptTail: async () => tail })
    expect(seen.turns[0]?.shown.map(({ kind }) => kind)).toEqual(['start', 'turn'])
    expect(seen.turns[0]?.sessionStart).toBe('2026-11-18T08:30:00.000Z')
  })
})

describe('events without an answer', () => {
  it.each([
    ['Stop', 'turn-end'],
    ['PreCompact', 'before-compaction'],
    ['SessionEnd', 'session-end'],
  ])('%s: one journal line of pointers, then the worker', async (eventName, kind) => {
    const order: string[] = []
    const { effects, seen } = effectsWith({})
    const stdin = input({ last_assistant_message: 'secret words', prompt: 'words' })
    const spied: HookEffects = {
      ...effects,
      appendJournal: (entry) => effects.appendJournal(entry).then(() => void order.push('journal')),
      startWorker: () => void order.push('worker'),
    }
    expect(await runHook({ agent, eventName, stdin }, spied)).toBe('')
    expect(order).toEqual(['journal', 'worker'])
    expect(seen.journal).toEqual([
      {
        time: '2026-11-18T09:00:00Z',
        event: eventName,
        kind,
        agent: 'claude-code',
        session: 's',
        transcript: '/t.jsonl',
        cwd: '/w',
        size: 12,
      },
    ])
    expect(seen.opened).toEqual([])
  })

  it.each(['SubagentStop', 'PostToolUse', 'Notification', '', 'toString'])('%j: nothing at all', async (eventName) => {
    const { effects, seen } = effectsWith({})
    expect(await runHook({ agent, eventName, stdin: input({}) }, effects)).toBe('')
    expect(seen).toMatchObject({ workers: 0, journal: [], opened: [], failures: [] })
  })

  it('a transcript that is not named is a failure, not a line', async () => {
    const { effects, seen } = effectsWith({})
    expect(await runHook({ agent, eventName: 'Stop', stdin: '{}' }, effects)).toBe('')
    expect(seen.journal).toEqual([])
    expect(seen.failures).toMatchObject([{ where: 'hook Stop', code: 'INPUT_INVALID' }])
  })
})

describe('BL-64: whatever breaks, the answer is empty and the failure is recorded', () => {
  const broken = (error: unknown) => async () => {
    throw error
  }
  const memoryWith =
    (fields: Partial<HookMemory>): (() => Promise<HookMemory>) =>
    async () => ({
      startBlock: async () => block('start'),
      turnBlock: async () => block('turn'),
      ...fields,
    })
  const busy = new MemoryError('SQLITE_BUSY', 'locked')

  it.each<[string, string, object, Partial<HookEffects>, string]>([
    [
      'the home cannot be opened',
      'SessionStart',
      { source: 'startup' },
      { openMemory: broken(new MemoryError('HOME_INVALID', 'x')) },
      'HOME_INVALID',
    ],
    [
      'the start block fails',
      'SessionStart',
      { source: 'startup' },
      { openMemory: memoryWith({ startBlock: broken(new Error('x')) }) },
      'INTERNAL',
    ],
    [
      'the database is locked',
      'UserPromptSubmit',
      { prompt: 'which one?' },
      { openMemory: memoryWith({ turnBlock: broken(busy) }) },
      'SQLITE_BUSY',
    ],
    [
      'the transcript cannot be read',
      'UserPromptSubmit',
      { prompt: 'which one?' },
      { readTranscriptTail: broken(new Error('EIO')) },
      'INTERNAL',
    ],
    ['the disk is full', 'Stop', {}, { appendJournal: broken(new MemoryError('STORE_FULL', 'x')) }, 'STORE_FULL'],
    [
      'the config cannot be read',
      'SessionEnd',
      {},
      { appendJournal: broken(new MemoryError('CONFIG_INVALID', 'x')) },
      'CONFIG_INVALID',
    ],
    [
      'a block is larger than the host takes',
      'SessionStart',
      { source: 'clear' },
      { openMemory: memoryWith({ startBlock: async () => block('字'.repeat(MAX_OUTPUT_BYTES / 3 + 1)) }) },
      'INTERNAL',
    ],
    ['something that is no error is thrown', 'PreCompact', {}, { appendJournal: broken('text') }, 'INTERNAL'],
  ])('%s', async (_, eventName, fields, given, code) => {
    const { effects, seen } = effectsWith(given)
    expect(await runHook({ agent, eventName, stdin: input(fields) }, effects)).toBe('')
    expect(seen.failures).toMatchObject([{ time: '2026-11-18T09:00:00Z', where: `hook ${eventName}`, code }])
  })

  it('the worker starts also when the block fails', async () => {
    const openMemory = memoryWith({ startBlock: broken(new Error('x')) })
    const { effects, seen } = effectsWith({ openMemory })
    await runHook({ agent, eventName: 'SessionStart', stdin: input({ source: 'startup' }) }, effects)
    expect(seen.workers).toBe(1)
  })
})
