/** Cue tables of the user in `cues/*.json`: a good one counts, a broken one is left out and told, by the command line [W9]. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CaptureResult, ListResult, StatusReport } from '../../src/domain/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'
import { writeTranscript } from '../support/transcript.ts'

let shop: Workshop
beforeEach(() => {
  shop = createWorkshop()
})
afterEach(() => shop.remove())

const table = (name: string, text: string) => {
  mkdirSync(join(shop.home, 'cues'), { recursive: true })
  writeFileSync(join(shop.home, 'cues', name), text)
}
const capture = async (words: string) => {
  const file = writeTranscript(shop, [{ user: words }, { assistant: 'Understood.' }])
  return (await shop.cli(['capture', file, '--json'])).json<CaptureResult>()
}
const names = async () => (await shop.cli(['list', '--json'])).json<ListResult>().notes.map(({ name }) => name)
const checks = async () =>
  (await shop.cli(['doctor', '--json'])).json<StatusReport>().checks.filter(({ name }) => name === 'cues')

const KEEP = '{"kind": "keep", "cues": [{"id": "elephant", "pattern": "\\\\belephant:"}]}'

describe("a user's own cues on disk [W9]", () => {
  it.each(['elephant: the kiln cools for two hours', 'Elephant: 窑炉要冷却两小时'])(
    'a good table makes a note of %s, and nothing is said of it',
    async (words) => {
      await capture(words)
      expect(await names()).toEqual([])
      table('mine.json', KEEP)
      // The same words once more, in another conversation.
      const again = writeTranscript(shop, [{ user: words }], {
        session: '7f1c2a44-0000-4000-8000-000000000002',
        messageIds: 'd0000001',
      })
      const { outcomes, problems } = (await shop.cli(['capture', again, '--json'])).json<CaptureResult>()
      expect([outcomes.map(({ outcome }) => outcome), problems]).toEqual([['written'], []])
      expect(await names()).toHaveLength(1)
      expect(await checks()).toEqual([])
    },
    60_000,
  )

  it.each([
    ['no JSON', '{"kind": "keep",', 'it is no JSON'],
    ['an unknown kind', '{"kind": "loud", "cues": []}', '"kind" must be one of'],
    ['another field', '{"kind": "keep", "cues": [], "run": "x"}', 'there is no field "run"'],
    ['a pattern that is none', '{"kind": "keep", "cues": [{"id": "a", "pattern": "("}]}', 'is no regular expression'],
    ['a pattern that finds all', '{"kind": "keep", "cues": [{"id": "a", "pattern": "x*"}]}', 'must not match an empty'],
    ['a list instead', '[]', '"kind" must be one of'],
  ])(
    '%s: left out, told by capture and doctor, and the good one beside it counts',
    async (_, text, why) => {
      table('good.json', KEEP)
      table('bad.json', text)
      const { problems } = await capture('elephant: the kiln cools for two hours')
      expect(problems).toEqual([expect.stringMatching(/^cues\/bad\.json: /)])
      expect(problems[0]).toContain(why)
      expect(await names()).toHaveLength(1)
      const found = await checks()
      expect(found).toMatchObject([{ state: 'warning', hint: expect.stringContaining('docs/background.md') }])
      expect(found[0]?.detail).toContain('cues/bad.json')
      expect(found[0]?.detail).toContain(why)
      const { stdout } = await shop.cli(['doctor'])
      expect(stdout).toContain('cues/bad.json')
    },
    60_000,
  )
})
