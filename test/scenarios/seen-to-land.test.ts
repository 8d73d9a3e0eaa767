/** Each write is told once, to the person, where it happened; what was kept in the background at the next session's start. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CaptureResult, ListResult } from '../../src/domain/index.ts'
import { createWorkshop, makeRepository, type Workshop } from '../support/cli.ts'
import { callTools } from '../support/mcp.ts'
import { type Said, writeTranscript } from '../support/transcript.ts'

let shop: Workshop
beforeEach(() => {
  shop = createWorkshop('tidepool')
})
afterEach(() => shop.remove())

const HOUR_MS = 3_600_000
const session = (number: number) => `7f1c2a44-0000-4000-8000-00000000000${number}`
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString()
const OPENING = 'Kept in the background since the last session: '

/** A session as the worker reads it after its last turn. */
async function held(number: number, said: readonly Said[], hours = 10 - number): Promise<CaptureResult> {
  const file = writeTranscript(shop, said, { session: session(number), start: hoursAgo(hours) })
  return (await shop.cli(['capture', file, '--json'])).json<CaptureResult>()
}

/** The first message of a new session, whose transcript is not there yet. */
async function firstTurn(number: number, prompt = 'Good morning, what is next on the list?'): Promise<string> {
  return turn(number, prompt, join(shop.root, 'not-there-yet.jsonl'))
}

async function turn(number: number, prompt: string, transcript: string): Promise<string> {
  const input = { session_id: session(number), transcript_path: transcript, prompt }
  const { stdout } = await shop.hook('UserPromptSubmit', input)
  return stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext
}

const lineIn = (text: string) => text.split('\n').filter((line) => line.startsWith(OPENING))
const total = async () => (await shop.cli(['list', '--json'])).json<ListResult>().total

describe('kept in the background [W22] [W12]', () => {
  const stories: readonly (readonly [string, string, RegExp])[] = [
    ['English', "No, don't use npm in this repository, use pnpm.", /"Don't use npm/],
    ['Chinese', '以后提交信息都用中文写。', /中文/],
  ]

  it.each(stories)(
    '%s: one line in the first turn block of the next session, and in no other block',
    async (_, words, name) => {
      await held(1, [{ user: words }, { assistant: 'Understood.' }])
      const [line, ...others] = lineIn(await firstTurn(2))
      expect(line).toMatch(name)
      expect(line).toMatch(/\((?:feedback|user|project), (?:project|global), [0-9A-Z]{26}\)/)
      expect(line).toContain('Tell the user in one line; memory_forget with an id takes one back.')
      expect(others).toEqual([])

      // Neither shown nor used up by what stands before it.
      const start = await shop.hook('SessionStart', { session_id: session(2), source: 'startup' })
      expect(start.stdout).not.toContain(OPENING)
      expect((await shop.cli(['context'])).stdout).not.toContain(OPENING)
      expect(lineIn(await firstTurn(2))).toEqual([line])
    },
  )

  it('is told by the first session after it and by no later one', async () => {
    await held(1, [{ user: stories[0]![1] }, { assistant: 'Understood.' }])
    expect(lineIn(await firstTurn(2))).toHaveLength(1)
    // The second session was held, and nothing was kept in it.
    const file = writeTranscript(shop, [{ user: 'Good morning' }], { session: session(2), start: hoursAgo(0) })
    await shop.cli(['capture', file])
    expect(lineIn(await firstTurn(3))).toEqual([])
  })

  it('not at a later message, nor after it was told in this conversation', async () => {
    await held(1, [{ user: stories[0]![1] }, { assistant: 'Understood.' }])
    const transcript = writeTranscript(shop, [{ user: 'Hello' }, { assistant: 'Hello.' }], { session: session(2) })
    expect(lineIn(await turn(2, 'And what now?', transcript))).toEqual([])
  })

  it('counts what it does not name', async () => {
    const rules = ['tabs', 'spaces', 'semicolons', 'single quotes', 'trailing commas', 'short names', 'long lines']
    const said = rules.flatMap((rule): Said[] => [
      { user: `From now on, never use ${rule} in files of the ${rule.replace(' ', '')}box folder.` },
      { assistant: 'Understood.' },
    ])
    const kept = (await held(1, said)).outcomes.filter(({ outcome }) => outcome === 'written').length
    expect(kept).toBeGreaterThan(5)
    const [line] = lineIn(await firstTurn(2))
    expect(line).toContain(`, and ${kept - 5} more. Tell`)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['nothing was kept', () => held(1, [{ user: 'Thanks, that is all.' }, { assistant: 'Fine.' }])],
    ['a person wrote it', () => shop.cli(['remember', 'Use pnpm here, never npm', '--type', 'feedback'])],
    ['it was another project', () => elsewhere()],
    ['it was forgotten since', () => keptAndForgotten()],
    ['no conversation is kept', () => withoutSessions()],
    ['the conversations are damaged', () => withDamage()],
  ])('nothing when %s', async (_, before) => {
    await before()
    expect(lineIn(await firstTurn(2))).toEqual([])
  })

  async function elsewhere(): Promise<void> {
    await held(1, [{ user: 'Thanks, that is all.' }])
    const other = join(shop.root, 'code', 'harbour')
    makeRepository(other)
    const start = hoursAgo(1)
    // Rows of this number were in the first session already.
    const said: Said[] = [{ user: 'Good morning' }, { user: stories[0]![1] }, { user: 'I am a lighthouse keeper.' }]
    const { outcomes } = (
      await shop.cli(['capture', writeTranscript(shop, said, { session: session(9), cwd: other, start }), '--json'])
    ).json<CaptureResult>()
    expect(outcomes.length).toBeGreaterThan(0)
  }

  async function keptAndForgotten(): Promise<void> {
    const { outcomes } = await held(1, [{ user: stories[0]![1] }, { assistant: 'Understood.' }])
    for (const each of outcomes) if ('note' in each) await shop.cli(['forget', each.note.id, '--yes'])
  }

  async function withoutSessions(): Promise<void> {
    await held(1, [{ user: stories[0]![1] }])
    rmSync(join(shop.home, 'sessions.db'))
  }

  async function withDamage(): Promise<void> {
    await held(1, [{ user: stories[0]![1] }])
    writeFileSync(join(shop.home, 'sessions.db'), 'no database at all'.repeat(400))
  }
})

describe('taken back in words [W22] [G1]', () => {
  it.each([
    'Do not keep that.',
    "Don't save that, please.",
    'forget that',
    'Please do not remember this.',
    '别记这个',
    '不要记住这个。',
    '這個不要記',
  ])('%s', async (words) => {
    const rule: Said[] = [{ user: "No, don't use npm in this repository, use pnpm." }, { assistant: 'Understood.' }]
    await held(1, rule)
    expect(await total()).toBe(1)
    const result = await held(1, [...rule, { user: words }, { assistant: 'It is gone.' }])
    expect(result.takenBack).toBe(1)
    expect(await total()).toBe(0)
    // Its tombstone keeps the same words from coming back by themselves.
    rmSync(join(shop.home, 'state.db'), { force: true })
    await held(1, rule)
    expect(await total()).toBe(0)
  })

  it.each([
    ['Keep this instead: always use yarn in this repository.', /yarn/],
    ['No, remember this instead: use bun in this repository.', /bun/],
    ['改成记这个：这个仓库以后都用 yarn。', /yarn/],
    ['别记那个，改成记：以后这个仓库都用 bun。', /bun/],
  ])('%s replaces it', async (words, kept) => {
    const rule: Said[] = [{ user: "No, don't use npm in this repository, use pnpm." }, { assistant: 'Understood.' }]
    await held(1, rule)
    await held(1, [...rule, { user: words }, { assistant: 'Understood.' }])
    const { notes } = (await shop.cli(['list', '--json'])).json<ListResult>()
    expect(notes.map(({ name, description }) => `${name} ${description}`)).toEqual([expect.stringMatching(kept)])
    expect(notes[0]?.description).not.toMatch(/pnpm/)
  })
})

describe('told where it was written [W22]', () => {
  it('by the command line: what, type, layer, and how to take it back', async () => {
    const { stdout } = await shop.cli([
      'remember',
      'Use pnpm here, never npm',
      '--type',
      'feedback',
      '--layer',
      'project',
    ])
    expect(stdout).toMatch(/^Kept: .+ \(feedback, project\)/)
    expect(stdout).toMatch(/To take it back: keepsake (?:undo|forget) \S+/)
  })

  it('by the tool, for the agent to tell the user', async () => {
    const [told] = await callTools(shop, [['memory_save', { text: 'Use pnpm here, never npm', type: 'feedback' }]])
    expect(told).toMatch(/Saved: .+ \(feedback, (?:project|global), [0-9A-Z]{26}\)/)
    expect(told).toContain('Tell the user in one line.')
    expect(told).toMatch(/To take it back: keepsake/)
  })

  it('by a capture in the foreground', async () => {
    const file = writeTranscript(shop, [{ user: "No, don't use npm in this repository, use pnpm." }])
    const { stdout } = await shop.cli(['capture', file])
    expect(stdout).toMatch(/Kept: .+ \(feedback, project\)/)
    expect(stdout).toMatch(/To take it back: keepsake/)
  })
})
