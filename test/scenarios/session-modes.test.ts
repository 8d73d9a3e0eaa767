/** One conversation is kept apart: by the agent's environment from its start, by the person afterwards (spec W11). */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type {
  CaptureResult,
  ListResult,
  RecallResult,
  ReviewResult,
  SessionModeResult,
} from '../../src/domain/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'
import { type Said, writeTranscript } from '../support/transcript.ts'

let shop: Workshop
beforeEach(() => {
  shop = createWorkshop('tidepool')
})
afterEach(() => shop.remove())

const SESSION = '7f1c2a44-0000-4000-8000-000000000001'
const first: readonly Said[] = [
  { user: 'Remember: we always use pnpm in this repository, never npm.' },
  { assistant: 'Understood.' },
]
const more: readonly Said[] = [
  ...first,
  { user: 'Remember that our fiscal year starts in October.' },
  { assistant: 'Noted.' },
]

const turn = async (said: readonly Said[], mode?: string) => {
  const environment: Record<string, string> = mode === undefined ? {} : { KEEPSAKE_SESSION_MODE: mode }
  const file = writeTranscript(shop, said)
  const input = { session_id: SESSION, transcript_path: file }
  const start = await shop.hook('SessionStart', { ...input, source: 'startup' }, { environment })
  const prompt = await shop.hook(
    'UserPromptSubmit',
    { ...input, prompt: 'which package manager do we use here?' },
    { environment },
  )
  await shop.hook('Stop', input, { environment })
  return { file, said: start.stdout + prompt.stdout }
}
const refresh = () => shop.cli(['refresh'])
const kept = async () => ({
  notes: (await shop.cli(['list', '--json'])).json<ListResult>().total,
  sessions: (await shop.cli(['sessions', 'list', '--json'])).json<{ total: number }>().total,
  waiting: (await shop.cli(['review', '--json'])).json<ReviewResult>().total,
})

describe('the mode of a session [W11] [A2]', () => {
  it.each([
    ['auto', { notes: 1, sessions: 1, waiting: 0 }],
    ['review', { notes: 0, sessions: 1, waiting: 1 }],
    ['read-only', { notes: 0, sessions: 1, waiting: 0 }],
    ['off', { notes: 0, sessions: 0, waiting: 0 }],
  ])('%s from its start: the worker, in another environment, keeps to it', async (mode, expected) => {
    await turn(first, mode)
    await refresh()
    expect(await kept()).toEqual(expected)
    // The next session is nobody's but its own.
    await shop.cli(['remember', 'We deploy on Fridays', '--layer', 'project'])
    expect((await kept()).notes).toBe(expected.notes + 1)
  })

  it('off: nothing is shown in it, nothing is left of it, and a transcript that is found later stays unread', async () => {
    await shop.cli(['remember', 'Always use pnpm in this repository', '--layer', 'project'])
    const { file, said } = await turn(first, 'off')
    expect(said).toBe('')
    expect(existsSync(join(shop.home, 'journal/queue.jsonl'))).toBe(false)
    const modes = join(shop.home, 'session-modes.jsonl')
    expect(readFileSync(modes, 'utf8')).not.toContain('pnpm')
    expect(statSync(modes).mode & 0o777).toBe(0o600)
    const captured = (await shop.cli(['capture', file, '--json'])).json<CaptureResult>()
    expect(captured).toMatchObject({ messages: 0, outcomes: [], skipped: { 'session-off': 2 } })
    expect(await kept()).toEqual({ notes: 1, sessions: 0, waiting: 0 })
    expect((await shop.cli(['recall', 'pnpm', '--in', 'sessions', '--json'])).json<RecallResult>().results).toEqual([])
    // Resumed without it, the session is still off; the person may say otherwise.
    await turn(more)
    await refresh()
    expect((await kept()).sessions).toBe(0)
    await shop.cli(['sessions', 'mode', `claude-code:${SESSION}`, 'auto'])
    await turn([...more, { user: 'Remember: the changelog is written in German.' }])
    await refresh()
    expect(await kept()).toEqual({ notes: 2, sessions: 1, waiting: 0 })
  })

  it.each(['by the person', 'by the next start'])(
    'set off late, %s, it forgets what it gave and nothing else',
    async (way) => {
      await shop.cli(['remember', 'We deploy on Fridays', '--layer', 'project'])
      await turn(first)
      await refresh()
      await shop.cli(['config', 'set', 'modes.project', 'review'])
      await shop.cli(['config', 'set', 'modes.global', 'review'])
      await turn(more)
      await refresh()
      expect(await kept()).toEqual({ notes: 2, sessions: 1, waiting: 1 })
      await shop.cli(['config', 'set', 'modes.project', 'auto'])
      await shop.cli(['config', 'set', 'modes.global', 'auto'])
      if (way === 'by the person') {
        const set = await shop.cli(['sessions', 'mode', `claude-code:${SESSION}`, 'off', '--json'])
        expect(set.json<SessionModeResult>()).toMatchObject({ mode: 'off', forgotten: 2 })
      } else {
        await turn(more, 'off')
        await refresh()
      }
      expect(await kept()).toEqual({ notes: 1, sessions: 0, waiting: 0 })
      expect((await shop.cli(['recall', 'fiscal', '--json'])).json<RecallResult>().results).toEqual([])
      const again = await shop.cli(['sessions', 'mode', `claude-code:${SESSION}`, 'off', '--json'])
      expect(again.json<SessionModeResult>().forgotten).toBe(0)
    },
  )

  it('one reading may be narrowed by hand; wrong words are usage faults', async () => {
    const file = writeTranscript(shop, first)
    const captured = (await shop.cli(['capture', file, '--mode', 'review', '--json'])).json<CaptureResult>()
    expect(captured.outcomes.map(({ outcome }) => outcome)).toEqual(['proposed'])
    expect(await kept()).toEqual({ notes: 0, sessions: 1, waiting: 1 })
    expect((await shop.cli(['capture', file])).stdout).not.toContain('Waits')
    for (const words of [
      ['sessions', 'mode', 'x', 'off'],
      ['sessions', 'mode', `claude-code:${SESSION}`, 'quiet'],
      ['capture', file, '--mode', 'loud'],
    ])
      expect((await shop.cli(words)).code).toBe(2)
    const broken = await shop.cli(['status', '--json'], { environment: { KEEPSAKE_SESSION_MODE: 'loud' } })
    expect(broken.stdout).toContain('session.mode must be one of off, read-only, review, auto; off holds')
    // Whoever meant to say no must not be heard as saying nothing.
    expect((await shop.cli(['remember', 'x y z'], { environment: { KEEPSAKE_SESSION_MODE: 'OFF' } })).stdout).toContain(
      'layer-off',
    )
  })
})
