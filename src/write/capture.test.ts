import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TranscriptReader } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { readNote } from '../store/notes/note-format.ts'
import { createCaptureHarness, type FakeTurn } from '../testing/capture-harness.ts'
import { createWriteHarness, globalLayer, type WriteHarnessOptions } from '../testing/write-harness.ts'
import { sha256 } from '../util/index.ts'
import { createCapture } from './capture.ts'
import { turnsOf } from './capture-turns.ts'
import { readTranscriptHead } from './transcript-head.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keepsake-capture-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const start = (options: Partial<WriteHarnessOptions> = {}) => {
  const store = createWriteHarness({ home, ...options })
  return { store, ...createCaptureHarness(store) }
}
const said = (content: string): FakeTurn => ({
  messages: [{ content }, { role: 'assistant', content: 'Understood.' }],
})
const all = { limit: 1_000, offset: 0 }

describe('capture', () => {
  it('keeps messages word for word and one note with the words that prove it', async () => {
    const { store, capture, sessions } = start()
    const result = await capture([said('Remember: answer in French'), said('What is the time?')])
    expect(result).toMatchObject({
      sessions: ['claude-code:s1'],
      messages: 4,
      problems: [],
      outcomes: [{ outcome: 'written', note: { name: 'answer in French', type: 'feedback', layer: 'global' } }],
    })
    expect(sessions.session('claude-code:s1')).toMatchObject({
      agent: 'claude-code',
      project: 'projects/billing-12345678',
      branch: 'main',
      cwd: '/srv/billing',
      started: '2026-11-10T09:00:00.000Z',
      ended: '2026-11-11T09:01:00.000Z',
    })
    expect(sessions.messages('claude-code:s1', all).messages.map(({ id, role }) => [id, role])).toEqual([
      ['claude-code:m0-0', 'user'],
      ['claude-code:m0-1', 'assistant'],
      ['claude-code:m1-0', 'user'],
      ['claude-code:m1-1', 'assistant'],
    ])
    const file = 'feedback_answer-in-french.md'
    const note = readNote(new TextEncoder().encode(await store.text(globalLayer, file)), { layer: 'global', file })
    expect(note.updated).toBe('2026-11-10T09:00:00Z')
    expect(note.source).toEqual([
      {
        session: 'claude-code:s1',
        message: 'm0-0',
        role: 'user',
        time: '2026-11-10T09:00:00Z',
        quote: 'Remember: answer in French',
        hash: sha256('Remember: answer in French'),
      },
    ])
  })

  it('goes on after the cursor: nothing is read, kept or extracted twice', async () => {
    const { capture, state } = start()
    const first = [said('Remember: answer in French')]
    await capture(first)
    expect(state.cursor('/logs/one.jsonl')).toMatchObject({ agent: 'claude-code', offset: 100 })
    expect(await capture(first)).toMatchObject({ messages: 0, outcomes: [], sessions: [] })
    const more = await capture([...first, said('Remember: use tabs')])
    expect(more).toMatchObject({ messages: 2, outcomes: [{ note: { name: 'use tabs' } }] })
  })

  it('another file at the same path starts anew', async () => {
    const { capture } = start()
    await capture([said('Remember: answer in French'), said('a'), said('b')])
    const other: FakeTurn = { sessionId: 's2', messages: [{ nativeId: 'x', content: 'Remember: use tabs' }] }
    expect(await capture([other])).toMatchObject({ sessions: ['claude-code:s2'], messages: 1 })
    const sameLength = await capture([{ ...other, sessionId: 's3', messages: [{ nativeId: 'y', content: 'Hello' }] }])
    expect(sameLength).toMatchObject({ sessions: ['claude-code:s3'], messages: 1 })
  })

  it('a fork stores shared messages once and yields no second note, even for a forgotten one', async () => {
    const { store, capture, sessions } = start()
    const shared = said('Remember: answer in French')
    await capture([shared])
    await store.writer.forget('answer in French')
    const fork = await capture(
      [
        { ...shared, sessionId: 's2' },
        { ...said('Go on.'), sessionId: 's2' },
      ],
      {},
      { file: '/logs/two.jsonl' },
    )
    expect(fork).toMatchObject({ sessions: ['claude-code:s2'], messages: 4, outcomes: [] })
    expect(sessions.counts()).toEqual({ sessions: 2, messages: 4 })
    expect(await store.list(globalLayer)).toEqual([])
  })

  it('an empty transcript, and one of rows that are no message', async () => {
    const { capture, sessions, state } = start()
    expect(await capture([])).toEqual({
      sessions: [],
      messages: 0,
      skipped: {},
      outcomes: [],
      takenBack: 0,
      uses: { counted: 0, unknown: 0 },
      problems: [],
    })
    const rows: FakeTurn[] = [
      { messages: [], skipped: { summary: 2 } },
      { messages: [], skipped: { summary: 1, progress: 4 } },
    ]
    expect(await capture(rows)).toMatchObject({ sessions: [], messages: 0, skipped: { summary: 3, progress: 4 } })
    expect(sessions.counts().sessions).toBe(0)
    expect(state.cursor('/logs/one.jsonl')?.offset).toBe(200)
  })

  it('what Keepsake itself had put in is nobody’s message', async () => {
    const { capture, sessions } = start()
    const block = '<keepsake-memory kind="turn">\nRemember: answer in French\n</keepsake-memory>'
    const result = await capture([{ messages: [{ content: block }, { content: `Hello.\n${block}` }] }])
    expect(result).toMatchObject({ messages: 1, skipped: { 'own-block': 1 }, outcomes: [] })
    expect(sessions.messages('claude-code:s1', all).messages.map(({ content }) => content.trim())).toEqual(['Hello.'])
  })

  it('masks titles, branches, folders, tool names and messages', async () => {
    const secret = ['ghp', '_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('')
    const { capture, sessions } = start()
    await capture([
      {
        title: `Push with ${secret}`,
        branch: `try-${secret}`,
        cwd: `/srv/billing/${secret}`,
        messages: [{ content: `Use ${secret}` }, { role: 'tool', toolName: `run ${secret}`, content: secret }],
      },
    ])
    const stored = JSON.stringify([sessions.session('claude-code:s1'), sessions.messages('claude-code:s1', all)])
    expect(stored).not.toContain(secret)
    expect(stored).toContain('Push with [masked: ')
    expect(stored).toContain('/srv/billing/[masked: ')
    const [message] = sessions.messages('claude-code:s1', all).messages
    expect(message?.hash).toBe(sha256(message?.content ?? ''))
  })
})

describe('capture: a turn in which the agent wrote memory', () => {
  it.each([
    ['by our tool', [{ path: null, tool: 'memory_save', time: null }]],
    ['by a file tool', [{ path: '/home/.keepsake/global/x.md', tool: 'Write', time: '2026-11-10T09:00:00Z' }]],
  ])('%s yields no note; its messages are kept', async (_label, memoryWrites) => {
    const { capture, sessions, toolWrites } = start()
    const result = await capture([{ ...said('Remember: answer in French'), memoryWrites }, said('Remember: use tabs')])
    expect(result.outcomes).toMatchObject([{ outcome: 'written', note: { name: 'use tabs' } }])
    expect(sessions.counts().messages).toBe(4)
    expect(toolWrites).toEqual(memoryWrites.flatMap(({ path }) => path ?? []))
  })

  it('the turn is judged whole, however the reader cut it', async () => {
    const { capture } = start()
    const result = await capture([
      { turnEnded: false, messages: [{ content: 'Remember: answer in French' }] },
      { turnEnded: false, messages: [{ role: 'assistant', content: 'Saving.' }] },
      {
        memoryWrites: [{ path: null, tool: 'memory_save', time: null }],
        messages: [{ role: 'assistant', content: 'Done.' }],
      },
      { turnEnded: false, messages: [{ content: 'Remember: use tabs' }] },
      { turnEnded: false, messages: [{ content: 'And what is the time?' }] },
    ])
    expect(result.outcomes).toMatchObject([{ note: { name: 'use tabs' } }])
    expect(result.messages).toBe(5)
  })

  it('another session ends a turn', async () => {
    const batch = (sessionId: string) => ({
      sessionId,
      cwd: null,
      branch: null,
      title: null,
      messages: [],
      memoryWrites: [],
      skipped: { row: 1 },
      endOffset: 1,
      turnEnded: false,
    })
    async function* batches() {
      yield* [batch('a'), batch('a'), batch('b')]
    }
    const turns: unknown[] = []
    for await (const turn of turnsOf(batches())) turns.push([turn.sessionId, turn.skipped.row])
    expect(turns).toEqual([
      ['a', 2],
      ['b', 1],
    ])
  })
})

describe('capture: what the extractor sees', () => {
  it('at most thirty earlier messages, which yield no note again, from this run or from the store', async () => {
    const seen: number[] = []
    const { capture } = start()
    const turns = Array.from({ length: 20 }, (_, index) =>
      said(index === 0 ? 'Remember: answer in French' : `word ${index}`),
    )
    const extract = ({ messages }: { messages: readonly unknown[] }) => {
      seen.push(messages.length)
      return []
    }
    await capture(turns.slice(0, 18), { extract })
    expect(seen).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 32, 32])
    seen.length = 0
    await capture(turns, { extract })
    expect(seen).toEqual([32, 32])
    const all = await capture([...turns, said('more')])
    expect(all.outcomes).toEqual([])
  })

  it('words without our own blocks, answers of tools as one line, and the notes that are there', async () => {
    const { store, capture } = start()
    await store.writer.remember({ text: 'Use tabs.', name: 'indent', layer: 'global' })
    let input: unknown
    await capture(
      [
        {
          messages: [
            {
              content: 'Hello <keepsake-memory kind="turn">\nRemember: x\n</keepsake-memory>there',
              time: '2026-11-10T09:00:00+08:00',
            },
            { role: 'tool', toolName: 'Read', content: `line one\nline two\n${'x'.repeat(9_000)}` },
          ],
        },
      ],
      {
        extract: (given) => {
          input = given
          return []
        },
      },
    )
    expect(input).toMatchObject({
      date: '2026-11-10T09:00:00+08:00',
      existing: [{ name: 'indent' }],
      messages: [
        { index: 0, role: 'user', content: 'Hello there', time: '2026-11-10T09:00:00+08:00' },
        { index: 1, role: 'tool', content: expect.stringMatching(/^line one line two x+$/) },
      ],
    })
  })

  it('only new words of the user prove a note, whatever the extractor says', async () => {
    const { store, capture } = start()
    const note = (index: number) => ({
      type: 'feedback' as const,
      name: `note ${index}`,
      description: '',
      body: `note ${index}`,
      evidence: [index],
      replaces: null,
      time: null,
      rule: 'test',
    })
    const result = await capture(
      [{ messages: [{ content: 'a' }, { role: 'assistant', content: 'b' }, { role: 'tool', content: 'c' }] }],
      {
        extract: () => [note(0), note(1), note(2), note(3), { ...note(0), name: 'none', evidence: [] }],
      },
    )
    expect(result.outcomes).toHaveLength(1)
    expect(await store.list(globalLayer)).toEqual(['feedback_note-0.md'])
  })

  it('a changed wish becomes a new version of the note it replaces', async () => {
    const { store, capture } = start()
    const result = await capture([said('Remember: indent = tabs'), said('Remember: indent = spaces')])
    expect(result.outcomes.map((each) => each.outcome)).toEqual(['written', 'merged'])
    expect(await store.text(globalLayer, 'feedback_indent.md')).toContain('\nindent = spaces\n')
  })

  it('a note that the write path calls wrong is told and does not hold up the rest', async () => {
    const { capture, sessions } = start()
    const result = await capture([said('Remember: x'), said('hello')], {
      extract: ({ messages }) => [
        {
          type: 'feedback',
          name: 'n'.repeat(900),
          description: '',
          body: 'x',
          evidence: [messages.length - 2],
          replaces: null,
          time: null,
          rule: 't',
        },
      ],
    })
    expect(result.problems.join(' ')).toContain('could not be kept')
    expect(sessions.counts().messages).toBe(4)
  })
})

describe('capture: messages without an id', () => {
  const anonymous = (content: string, time: string | null = null): FakeTurn => ({
    messages: [{ nativeId: null, content, time }],
  })
  it('the same words twice are two messages, and reading again adds none', async () => {
    const { capture, sessions, state } = start()
    const turns = [anonymous('ok'), anonymous('ok'), anonymous('ok')]
    expect((await capture(turns.slice(0, 2))).messages).toBe(2)
    expect((await capture(turns)).messages).toBe(1)
    state.putCursor({ transcript: '/logs/one.jsonl', agent: 'claude-code', offset: 0, head: '', readAt: 0 })
    expect((await capture(turns)).messages).toBe(0)
    expect(sessions.messages('claude-code:s1', all).messages.map((message) => message.content)).toEqual([
      'ok',
      'ok',
      'ok',
    ])
  })

  it.each([
    ['another session', { sessionId: 's2' }],
    ['another role', { messages: [{ nativeId: null, role: 'assistant' as const, content: 'ok', time: null }] }],
    ['another time', { messages: [{ nativeId: null, content: 'ok', time: '2026-01-01T00:00:00Z' }] }],
    ['other words', { messages: [{ nativeId: null, content: 'OK', time: null }] }],
  ])('%s is another message', async (_label, change) => {
    const { capture, sessions } = start()
    await capture([anonymous('ok')])
    await capture([{ ...anonymous('ok'), ...change }], {}, { file: '/logs/two.jsonl' })
    expect(sessions.counts().messages).toBe(2)
  })
})

describe('capture: what is switched off or missing', () => {
  it('capture.sessions false keeps notes and the cursor, no text', async () => {
    const { store, capture, sessions, state } = start({ config: { capture: { sessions: false, keepDays: 90 } } })
    const result = await capture([said('Remember: answer in French')])
    expect(result).toMatchObject({ messages: 0, outcomes: [{ outcome: 'written' }] })
    expect(sessions.counts()).toEqual({ sessions: 0, messages: 0 })
    expect(state.cursor('/logs/one.jsonl')?.offset).toBe(100)
    expect(await store.list(globalLayer)).toHaveLength(1)
  })

  it('without SQLite notes are still made, the problem is told, and reading again doubles nothing', async () => {
    const { store, capture } = start()
    const without = { sessions: null, state: null, unavailable: 'No SQLite works here: messages wait.' }
    const turns = [said('Remember: answer in French')]
    const first = await capture(turns, without)
    expect(first).toMatchObject({ messages: 0, problems: [without.unavailable], outcomes: [{ outcome: 'written' }] })
    expect((await capture(turns, without)).outcomes).toMatchObject([{ outcome: 'unchanged' }])
    expect(await store.list(globalLayer)).toHaveLength(1)
  })

  it('reading again never overwrites what a person made of the note', async () => {
    const { store, capture } = start()
    const without = { sessions: null, state: null }
    await capture([said('Remember: answer in French')], without)
    const file = 'feedback_answer-in-french.md'
    const edited = (await store.text(globalLayer, file)).replace(
      /answer in French\n$/,
      'Answer in French, but code in English.\n',
    )
    store.files.person.put(globalLayer, file, new TextEncoder().encode(edited))
    expect((await capture([said('Remember: answer in French')], without)).outcomes).toMatchObject([
      { outcome: 'unchanged' },
    ])
    expect(await store.text(globalLayer, file)).toBe(edited)
  })

  it('the session goes where its own folder belongs', async () => {
    const { capture, dependencies } = start()
    const asked: (string | null)[] = []
    await capture(
      [
        { ...said('Remember: a'), cwd: '/one' },
        { ...said('Remember: b'), cwd: '/one' },
        { ...said('c'), cwd: null },
      ],
      {
        placeOf: async (cwd, mode) => {
          asked.push(cwd)
          return dependencies.placeOf(cwd, mode)
        },
      },
    )
    expect(asked).toEqual(['/one', null])
  })
})

describe('capture: errors', () => {
  const reader: TranscriptReader = { agent: 'claude-code', async *read() {} }
  it.each(['codex', '', 'constructor', '__proto__'])('an agent that is not known: %j', async (agent) => {
    const { dependencies } = start()
    const capture = createCapture({ ...dependencies, readers: { 'claude-code': reader } })
    await expect(capture({ file: '/x', agent })).rejects.toMatchObject({
      code: 'AGENT_UNKNOWN',
      data: { agent, known: ['claude-code'] },
    })
  })

  it.each(['missing.jsonl', '.'])('a file that cannot be read: %s', async (name) => {
    const { dependencies } = start()
    const capture = createCapture({ ...dependencies, readers: { 'claude-code': reader } })
    await expect(capture({ file: join(home, name), agent: 'claude-code' })).rejects.toMatchObject({
      code: 'TRANSCRIPT_UNREADABLE',
    })
  })

  it.skipIf(process.platform === 'win32')('a pipe, which would wait for its other end', async () => {
    const pipe = join(home, 'pipe.jsonl')
    execFileSync('mkfifo', [pipe])
    await expect(readTranscriptHead(pipe)).rejects.toMatchObject({ code: 'TRANSCRIPT_UNREADABLE' })
  })

  it('reads at most the head of a file, and its size', async () => {
    const file = join(home, 'long.jsonl')
    writeFileSync(file, 'x'.repeat(5_000))
    const { head, size } = await readTranscriptHead(file)
    expect([head.length, size]).toEqual([1_024, 5_000])
  })

  it('a cancelled capture keeps what was done and goes on from there', async () => {
    const { capture, state } = start()
    const controller = new AbortController()
    const turns = [said('Remember: a'), said('Remember: b'), said('Remember: c')]
    const read: number[] = []
    const onProgress = ({ bytes, totalBytes }: { readonly bytes: number; readonly totalBytes: number }) => {
      read.push(bytes)
      expect(totalBytes).toBe(300)
      if (bytes === 200) controller.abort()
    }
    const stopped = capture(turns, {}, { signal: controller.signal, onProgress })
    await expect(stopped).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(read).toEqual([100, 200])
    expect(state.cursor('/logs/one.jsonl')?.offset).toBe(200)
    expect(await capture(turns)).toMatchObject({ messages: 2, outcomes: [{ note: { name: 'c' } }] })
  })

  it('a store that breaks ends the call, and the cursor stays before the turn', async () => {
    const { capture, sessions, state } = start()
    const broken = {
      ...sessions,
      addMessages: () => {
        throw new MemoryError('SQLITE_BUSY', 'busy')
      },
    }
    await expect(capture([said('Remember: a')], { sessions: broken })).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
    expect(state.cursor('/logs/one.jsonl')).toBeNull()
    expect((await capture([said('Remember: a')])).outcomes).toMatchObject([{ outcome: 'unchanged' }])
  })
})
