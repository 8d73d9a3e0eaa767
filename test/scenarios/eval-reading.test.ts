/** How often a model would be asked about conversations, measured through the doors that everybody uses. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ReadingReport } from '../../src/measure/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'

let shop: Workshop
beforeEach(() => {
  shop = createWorkshop('tidepool')
})
afterEach(() => shop.remove())

it('keepsake eval reading counts questions, their tokens and their stable beginning; it asks nobody [W12] [W16]', async () => {
  const said = (s: string, ts: string | null, texts: readonly string[]) =>
    texts.flatMap((x, at) => [
      { c: 'c', s, t: `${s}-${at}`, ts, r: 'user', x },
      { c: 'c', s, t: `${s}-${at}-answer`, ts, r: 'assistant', x: 'Understood.' },
    ])
  const rows = [
    ...said('quiet', '2026-03-02T09:00:00Z', ['ok', 'thanks']),
    ...said('still', '2026-03-02T12:00:00Z', ['please run the whole suite again']),
    ...said(
      'lively',
      '2026-03-03T09:00:00Z',
      Array.from({ length: 20 }, (_, at) => `Perfect, keep doing that for lot ${at}.`),
    ),
  ]
  const file = join(shop.root, 'turns.jsonl')
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const report = (await shop.cli(['eval', 'reading', file, '--json'])).json<ReadingReport>()
  expect(report).toMatchObject({ sessions: 3, messages: 46, days: 2 })
  // None for the quiet one, one for the one that stands still, one in ten minutes for the lively one of forty.
  expect(report.calls).toBe(1 + report.callsPerSession.max)
  expect(report.callsPerSession.max).toBeGreaterThanOrEqual(3)
  expect(report.callsPerSession.max).toBeLessThanOrEqual(5)
  expect(report.callsPerDay).toBe(report.calls / 2)
  expect(report.tokensPerCall.p50).toBeGreaterThan(1_000)
  expect(report.stablePrefixShare.p50).toBeGreaterThan(0.5)
  expect((await shop.cli(['eval', 'reading', file, '--sessions', '1'])).stdout).toContain('1 sessions with 4 messages')
})
