/** A real conversation of Claude Code (recorded from the client, invented words) becomes exactly the right notes. */
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CaptureResult, ListResult, Message, RecallResult, StatusReport } from '../../src/domain/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'
import { writeTranscript } from '../support/transcript.ts'

const fixtures = resolve(import.meta.dirname, '../fixtures/transcripts/claude-code')
let shop: Workshop

beforeEach(() => {
  shop = createWorkshop('tidepool')
})
afterEach(() => shop.remove())

/** The recorded conversation as if it had been held in the workshop's project. */
function conversation(name: string): string {
  const text = readFileSync(join(fixtures, `${name}.jsonl`), 'utf8')
  const file = join(shop.root, `${name}.jsonl`)
  writeFileSync(
    file,
    text.replace(/"cwd":"(?:[^"\\]|\\.)*"/g, () => `"cwd":${JSON.stringify(shop.project)}`),
  )
  return file
}

async function messagesOf(): Promise<Message[]> {
  const [session] = (await shop.cli(['sessions', 'list', '--json'])).json<{ sessions: { id: string }[] }>().sessions
  const view = await shop.cli(['sessions', 'show', session?.id ?? '', '--limit', '500', '--tools', '--json'])
  return view.json<{ messages: Message[] }>().messages
}

const stories = [
  { name: 'first-light', kept: [/pnpm/, /small commits/, /SQLite/], types: ['feedback', 'feedback', 'project'] },
  { name: 'first-light-zh', kept: [/pnpm/, /小提交/, /SQLite/], types: ['feedback', 'feedback', 'project'] },
]

describe.each(stories)('capture of $name [A3] [S9] [W17] [W12]', ({ name, kept, types }) => {
  it('gives a correction, a preference and a decision, and no other note', async () => {
    const result = (await shop.cli(['capture', conversation(name), '--json'])).json<CaptureResult>()
    const notes = result.outcomes.flatMap((outcome) => ('note' in outcome ? [outcome.note] : []))
    expect(result.outcomes.map(({ outcome }) => outcome)).toEqual(['written', 'written', 'written'])
    expect(notes.map(({ type }) => type)).toEqual(types)
    for (const [index, pattern] of kept.entries())
      expect(readFileSync(notes[index]?.file ?? '', 'utf8')).toMatch(pattern)
    expect((await shop.cli(['list', '--json'])).json<ListResult>().total).toBe(3)
  })

  it('nothing but what was said is a message: no summary, command, hook row, subagent or prompt of ours [BL-17]', async () => {
    await shop.cli(['capture', conversation(name)])
    const messages = await messagesOf()
    const users = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
    expect(users).toHaveLength(7)
    for (const content of users)
      expect(content).not.toMatch(/<command-|<local-command|session is being continued|keepsake-memory|as a table|表格/)
    expect(messages.every(({ content }) => !content.includes('<keepsake-memory'))).toBe(true)
    // What a tool answered is kept as a tool's words, never as the user's.
    expect(messages.filter(({ content }) => /setup\.sh/.test(content)).every(({ role }) => role === 'tool')).toBe(true)
  })

  it('reading it again, from a copy, or in two halves gives nothing new', async () => {
    const file = conversation(name)
    const text = readFileSync(file, 'utf8')
    const half = text.indexOf('\n', Math.floor(text.length / 2)) + 1
    writeFileSync(file, text.slice(0, half))
    const first = (await shop.cli(['capture', file, '--json'])).json<CaptureResult>()
    writeFileSync(file, text)
    const second = (await shop.cli(['capture', file, '--json'])).json<CaptureResult>()
    expect(first.messages + second.messages).toBe((await messagesOf()).length)
    copyFileSync(file, join(shop.root, 'copy.jsonl'))
    const third = (await shop.cli(['capture', join(shop.root, 'copy.jsonl'), '--json'])).json<CaptureResult>()
    expect({
      messages: third.messages,
      outcomes: third.outcomes.filter(({ outcome }) => outcome !== 'unchanged'),
    }).toEqual({ messages: 0, outcomes: [] })
    expect((await shop.cli(['list', '--json'])).json<ListResult>().total).toBe(3)
  })

  it('what is forgotten does not come back from the same conversation [G1]', async () => {
    const file = conversation(name)
    await shop.cli(['capture', file])
    const { notes } = (await shop.cli(['list', '--json'])).json<ListResult>()
    for (const note of notes) expect((await shop.cli(['forget', note.id, '--yes'])).code).toBe(0)
    copyFileSync(file, join(shop.root, 'copy.jsonl'))
    await shop.cli(['capture', join(shop.root, 'copy.jsonl')])
    for (const end of ['index.db', 'state.db', 'sessions.db']) {
      const path = join(shop.home, end)
      if (existsSync(path)) writeFileSync(path, '')
    }
    await shop.cli(['capture', file])
    expect((await shop.cli(['list', '--json'])).json<ListResult>().total).toBe(0)
    const tombstones = readFileSync(join(shop.home, 'tombstones.jsonl'), 'utf8')
    expect(tombstones).not.toMatch(/pnpm|SQLite|commits|提交/)
  })
})

describe('a conversation from a folder that is gone [S6] [W21]', () => {
  it('its rules belong to that place, not to every project', async () => {
    const cwd = join(shop.root, 'code', 'removed-worktree')
    const said = [
      { user: "No, don't use npm in this repository, use pnpm." },
      { assistant: 'Understood.' },
      { user: 'We decided to keep the tables in SQLite because two writers tore the file.' },
      { assistant: 'Noted.' },
    ]
    const transcript = writeTranscript(shop, said, { cwd })
    const result = (await shop.cli(['capture', transcript, '--json'])).json<CaptureResult>()
    expect(result.outcomes.map((outcome) => ('note' in outcome ? outcome.note.layer : outcome.outcome))).toEqual([
      'project',
      'project',
    ])
    expect((await shop.cli(['list', '--json'])).json<ListResult>().total).toBe(0)
    expect((await shop.cli(['context'])).stdout).not.toContain('pnpm')
  })
})

describe('taken back [G1] [W6]', () => {
  it.each([
    ['We decided to ship on Fridays because the office is quiet then.', 'actually, forget that'],
    ['From now on answer me in French.', 'scratch that, do not save it'],
    ['以后提交说明都用中文写。', '算了，别记这个'],
    ['I like vitest more than jest, use it by default from now on.', "don't remember that please"],
    ['我们决定用 PostgreSQL，因为要做全文检索。', '忘掉刚才那条'],
  ])('%s … %s, said in a later turn and read later, leaves nothing', async (said, back) => {
    const first = [{ user: 'hello' }, { assistant: 'Hi.' }, { user: said }, { assistant: 'Understood.' }]
    const transcript = writeTranscript(shop, first)
    expect((await shop.cli(['capture', transcript, '--json'])).json<CaptureResult>().outcomes).toHaveLength(1)
    writeTranscript(shop, [...first, { user: back }, { assistant: 'Forgotten.' }])
    const second = (await shop.cli(['capture', transcript, '--json'])).json<CaptureResult>()
    expect({ takenBack: second.takenBack, outcomes: second.outcomes }).toEqual({ takenBack: 1, outcomes: [] })
    expect((await shop.cli(['list', '--json'])).json<ListResult>().total).toBe(0)
  })
})

describe('hooks and the worker’s work, done in the foreground [A2] [I1] [I2] [S7]', () => {
  it('Stop leaves a line, refresh captures it, the next session starts with the note, the next question recalls it', async () => {
    const transcript = writeTranscript(shop, [
      { user: 'run the linter' },
      { assistant: 'Which one?' },
      { user: 'Always use biome for linting in this repository, never eslint: one tool is enough.' },
      { assistant: 'Understood.' },
    ])
    const input = { session_id: '7f1c2a44-0000-4000-8000-000000000001', transcript_path: transcript }
    expect((await shop.hook('Stop', input)).stdout).toBe('')
    expect((await shop.cli(['status', '--json'])).json<StatusReport>().queue.journalLines).toBe(1)
    expect((await shop.cli(['refresh', '--json'])).code).toBe(0)
    expect((await shop.cli(['status', '--json'])).json<StatusReport>().queue.journalLines).toBe(0)
    expect((await shop.hook('SessionStart', { session_id: 'n', source: 'startup' })).stdout).toContain('biome')
    for (const source of ['resume', 'fork'])
      expect((await shop.hook('SessionStart', { session_id: 'n', source })).stdout).toBe('')
    const turn = await shop.hook('UserPromptSubmit', {
      session_id: 'n',
      prompt: 'should the linting here use eslint or biome?',
    })
    expect(turn.stdout).toContain('never eslint')
    const going = writeTranscript(shop, [{ user: 'should the linting here use eslint or biome?' }], { session: 'n' })
    for (const prompt of [
      '/compact',
      '<task-notification>biome</task-notification>',
      'tell me about the weather in Lisbon tomorrow',
    ])
      expect(
        (await shop.hook('UserPromptSubmit', { session_id: 'n', transcript_path: going, prompt })).stdout,
        prompt,
      ).toBe('')
  })

  it('a lost journal line costs a delay, never a memory: cursors find the rest', async () => {
    const said = [
      { user: 'hello' },
      { assistant: 'Hi.' },
      { user: 'We decided to ship on Fridays because the office is quiet then.' },
      { assistant: 'Noted.' },
    ]
    const transcript = writeTranscript(shop, said.slice(0, 2))
    await shop.cli(['capture', transcript])
    writeTranscript(shop, said)
    await shop.cli(['refresh'])
    expect(
      (await shop.cli(['recall', 'when do we ship', '--in', 'notes', '--json'])).json<RecallResult>().results[0]
        ?.description,
    ).toMatch(/Fridays/)
  })

  it('inside our own worker every hook is silent', async () => {
    const run = await shop.hook(
      'SessionStart',
      { session_id: 'n', source: 'startup' },
      { environment: { KEEPSAKE_WORKER: '1' } },
    )
    expect(run).toMatchObject({ code: 0, stdout: '' })
  })

  it('nothing is written into the project, and reading makes no home [BL-84]', async () => {
    const before = readdirSync(shop.project)
    await shop.cli(['remember', 'Deploys go out on Fridays'])
    await shop.hook('SessionStart', { session_id: 'n', source: 'startup' })
    expect(readdirSync(shop.project)).toEqual(before)
    const empty = join(shop.root, 'empty-home')
    for (const command of [['list'], ['recall', 'x'], ['status'], ['context'], ['doctor'], ['sessions', 'list']])
      expect([command[0], (await shop.cli(command, { home: empty })).code]).toEqual([command[0], 0])
    expect(existsSync(empty)).toBe(false)
  })
})
