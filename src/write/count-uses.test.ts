import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TranscriptNoteRead, TrustStep } from '../domain/index.ts'
import { createMemoryNoteUses } from '../store/state/memory-note-uses.ts'
import { createCaptureHarness, type FakeTurn } from '../testing/capture-harness.ts'
import { createWriteHarness } from '../testing/write-harness.ts'
import { extractNotes } from './extract/index.ts'

const RANDOM = 'toolu_01B3k9QmZ7xVn2Lc'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keepsake-uses-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

async function start() {
  const store = createWriteHarness({ home })
  const harness = createCaptureHarness(store)
  const ids: Record<string, string> = {}
  for (const [name, text] of [
    ['tabs', 'Indent Go files with tabs'],
    ['窗口', '潮水项目每周二发布'],
  ] as const) {
    const result = await store.writer.remember({ name, text })
    if (result.outcome === 'written') ids[name] = result.note.id
  }
  const uses = createMemoryNoteUses()
  const steps: TrustStep[] = []
  const guidance = { shownIn: async () => new Set<string>(), record: (step: TrustStep) => void steps.push(step) }
  return {
    ids,
    uses,
    harness,
    trust: () => steps.map(({ note, session, signal }) => `${nameOf(ids, note)} ${session} ${signal}`),
    counts: () => [...uses.of(Object.values(ids))].map(([id, { count }]) => `${nameOf(ids, id)} ${count}`),
    capture: (turns: readonly FakeTurn[], file?: string) =>
      harness.capture(turns, { uses, guidance, extract: extractNotes }, file === undefined ? {} : { file }),
  }
}

const nameOf = (ids: Readonly<Record<string, string>>, id: string) =>
  Object.entries(ids).find(([, each]) => each === id)?.[0] ?? id
const block = (...lines: readonly string[]) => ['<keepsake-cite>', ...lines, '</keepsake-cite>'].join('\n')
const answered = (answer: string, fields: Partial<FakeTurn> = {}): FakeTurn => ({
  messages: [{ content: 'How are Go files indented?' }, { role: 'assistant', content: answer }],
  ...fields,
})
const read = (reference: string, fields: Partial<TranscriptNoteRead> = {}): TranscriptNoteRead => ({
  ...{ by: 'note', reference, tool: 'mcp__keepsake__memory_get', call: RANDOM, time: '2026-11-10T09:00:30Z' },
  ...fields,
})

describe('uses in a turn [I7]', () => {
  it('counts what an answer cites, once for each session, and what is no note as unknown', async () => {
    const { ids, uses, capture, counts, trust } = await start()
    const result = await capture([
      answered(`With tabs.\n\n${block(ids.tabs ?? '', '窗口', 'no such note')}`),
      answered(`As I said.\n${block('tabs')}`),
    ])
    expect(result.uses).toEqual({ counted: 3, unknown: 1 })
    expect(counts().sort()).toEqual(['tabs 1', '窗口 1'])
    expect(uses.of([ids.窗口 ?? '']).get(ids.窗口 ?? '')?.lastUsed).toBe('2026-11-10T09:01:00Z')
    expect(trust()).toEqual(['tabs claude-code:s1 helped', '窗口 claude-code:s1 helped', 'tabs claude-code:s1 helped'])
  })

  it.each<[string, FakeTurn]>([
    ['in the user’s words', { messages: [{ content: `Explain:\n${block('tabs')}` }] }],
    ['in a tool’s answer', { messages: [{ content: 'go' }, { role: 'tool', content: block('tabs') }] }],
    ['in a block of code', answered(`Like so:\n\`\`\`\n${block('tabs')}\n\`\`\``)],
    ['half of it', answered(`Done.\n<keepsake-cite>\ntabs\n`)],
  ])('a block is no use: %s', async (_, turn) => {
    const { capture, counts, trust } = await start()
    expect((await capture([turn])).uses).toEqual({ counted: 0, unknown: 0 })
    expect([counts(), trust()]).toEqual([[], []])
  })

  it('counts nothing twice: read again, resumed in another file, forked, replayed', async () => {
    const { capture, counts, trust } = await start()
    const turn = answered(`With tabs.\n${block('tabs')}`, { noteReads: [read('窗口')] })
    await capture([turn])
    await capture([turn])
    await capture([{ ...turn, title: 'the same, elsewhere' }], '/logs/copy.jsonl')
    const fork = await capture(
      [{ ...turn, sessionId: 's2' }, answered('Go on.', { sessionId: 's2' })],
      '/logs/fork.jsonl',
    )
    expect(fork.uses).toEqual({ counted: 0, unknown: 0 })
    expect(counts().sort()).toEqual(['tabs 1', '窗口 1'])
    expect(trust()).toEqual(['tabs claude-code:s1 helped'])
  })

  it('knows an answer without an id by its words, and a short id of a call in its session only', async () => {
    const { capture, counts } = await start()
    const turn = (sessionId: string): FakeTurn => ({
      sessionId,
      messages: [
        { nativeId: null, content: 'How?' },
        { nativeId: null, role: 'assistant', content: `With tabs.\n${block('tabs')}` },
      ],
      noteReads: [read('窗口', { call: 'call_1' })],
    })
    await capture([turn('s1')], '/logs/one.jsonl')
    await capture([turn('s2')], '/logs/two.jsonl')
    expect(counts().sort()).toEqual(['tabs 1', '窗口 2'])
  })

  it('a session that is off counts nothing; a file that is no note is nothing', async () => {
    const { capture, counts, harness, uses } = await start()
    const turn = answered(block('tabs'), { noteReads: [read('窗口'), read('/srv/README.md', { by: 'path' })] })
    await harness.capture([turn], { uses, modeOf: () => 'off' })
    expect(counts()).toEqual([])
    expect((await capture([turn], '/logs/two.jsonl')).uses).toEqual({ counted: 2, unknown: 0 })
  })

  it('the block is kept word for word and is nobody’s words', async () => {
    const { capture, harness } = await start()
    const answer = `Shall I always indent with tabs?\n${block('tabs')}`
    const result = await capture([answered(answer), { messages: [{ content: 'Yes, always.' }] }])
    const { messages } = harness.sessions.messages('claude-code:s1', { limit: 9, offset: 0 })
    expect(messages[1]?.content).toBe(answer)
    expect(JSON.stringify(result.outcomes)).not.toContain('keepsake-cite')
  })
})

describe('trust of what was opened [R10]', () => {
  const opening = (call: string, time: string) => [read('tabs', { call: `${RANDOM}${call}`, time })]
  const asked = (content: string): FakeTurn => ({ messages: [{ content }, { role: 'assistant', content: 'Done.' }] })

  it.each<[string, string, readonly string[]]>([
    ['goes on', 'Now the tests, please.', ['tabs claude-code:s1 helped']],
    ['继续', '好的，继续写测试。', ['tabs claude-code:s1 helped']],
    [
      'corrects the note',
      'No, that is wrong: Go files are indented with spaces here, not tabs.',
      ['tabs claude-code:s1 misled'],
    ],
    ['corrects something else', 'No, that is wrong: I asked for the deploy script.', []],
  ])('the user %s', async (_, words, expected) => {
    const { capture, trust } = await start()
    const first = { ...asked('Indent the Go files.'), noteReads: opening('1', '2026-11-10T09:00:30Z') }
    await capture([first])
    expect(trust()).toEqual([])
    await capture([first, asked(words)])
    expect(trust()).toEqual(expected)
  })

  it('only the next words count for a turn', async () => {
    const { capture, trust } = await start()
    const turns = [
      { ...asked('Indent the Go files.'), noteReads: opening('1', '2026-11-10T09:00:30Z') },
      asked('No, that is wrong: I asked for the deploy script.'),
      asked('Thanks, now the tests.'),
      asked('And the docs.'),
    ]
    for (let known = 1; known <= turns.length; known++) await capture(turns.slice(0, known))
    expect(trust()).toEqual([])
    await capture(turns, '/logs/again.jsonl')
    expect(trust()).toEqual([])
  })
})
