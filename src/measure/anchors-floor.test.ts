/** Floors of the verdicts about what notes name, on our own labelled notes over real git histories. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAnchorSet } from './anchors-data.ts'
import { type AnchorsReport, evalAnchors } from './eval-anchors.ts'

const fixtures = join(import.meta.dirname, '../../test/fixtures/anchors')
/** Long enough on any machine: how long it takes is told by `keepsake eval anchors`. */
const maxMs = 60_000

describe.each(['own.jsonl', 'held-out.jsonl'])('%s [I5] (BL-56)', (name) => {
  let folder: string
  let report: AnchorsReport
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-anchors-')))
    report = await evalAnchors({ file: join(fixtures, name), maxMs, files: 0, temporaryDirectory: folder })
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('shows nothing stale as holding', () => {
    const misleading = report.wrong.filter(({ said, verdict }) => said === 'holds' && verdict !== 'not checkable')
    expect(misleading).toEqual([])
    expect(report.staleShownAsHolds).toBe(0)
    expect(report.stale).toBeGreaterThan(35)
  })

  it('calls at most 3 % of the true ones gone', () => {
    expect(report.true).toBeGreaterThan(30)
    expect(report.trueCalledGone).toBeLessThanOrEqual(0.03)
  })

  it('says something of at least 85 % of the checkable ones', () => {
    expect(report.withVerdict).toBeGreaterThanOrEqual(0.85)
  })

  it('takes few ordinary words for anchors', () => {
    expect(report.extra).toBeLessThanOrEqual(Math.floor(report.n * 0.05))
  })
})

it('the set is large enough, in both languages, and of every kind', () => {
  const notes = ['own.jsonl', 'held-out.jsonl'].flatMap((name) => readAnchorSet(join(fixtures, name)).notes)
  expect(notes.length).toBeGreaterThanOrEqual(150)
  for (const lang of ['en', 'zh']) expect(notes.filter((note) => note.lang === lang).length).toBeGreaterThan(25)
  const kinds = notes.flatMap(({ anchors }) => anchors.map(({ kind }) => kind))
  for (const kind of ['path', 'line', 'symbol', 'command', 'config', 'version', 'ref'] as const)
    expect(kinds.filter((each) => each === kind).length).toBeGreaterThanOrEqual(20)
})
