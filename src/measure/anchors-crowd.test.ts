/** A repository of 50,000 files: what there is no time for is not checked, what is said is right, and with time all is said. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAnchorVerifier } from '../engine/index.ts'
import { readAnchorSet } from './anchors-data.ts'
import { judgeNote } from './anchors-score.ts'
import { crowded } from './eval-anchors.ts'
import { makeRepository } from './history-repository.ts'

const { histories, notes } = readAnchorSet(join(import.meta.dirname, '../../test/fixtures/anchors/own.jsonl'))
const asked = notes.filter(({ repository, body }) => repository === 'ledger' && !body.includes('{{')).slice(0, 20)
let folder: string
let root: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-crowd-')))
  root = join(folder, 'ledger')
  const [first, ...rest] = histories.get('ledger') ?? []
  if (first !== undefined) makeRepository(root, [crowded(first, 50_000), ...rest])
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function judged(maxMs: number) {
  const found = await createAnchorVerifier({ root })(asked, { maxMs })
  return asked.flatMap((note) => judgeNote(note, found.get(note.id) ?? []).anchors)
}

it.each([1, 30, 100])('in %i ms nothing wrong is said [I5]', async (maxMs) => {
  const anchors = await judged(maxMs)
  // Words that only the tree could tell from others are left out where there was no time.
  const wrong = anchors.filter(({ said, verdict }) => said !== verdict && said !== 'not checked' && said !== null)
  expect(wrong.filter(({ said, verdict }) => !(said === 'gone' && verdict === 'changed'))).toEqual([])
})

it('with time everything is said [I5]', async () => {
  const anchors = await judged(120_000)
  expect(anchors.length).toBeGreaterThan(20)
  expect(anchors.filter(({ said, verdict }) => said !== verdict)).toEqual([])
}, 180_000)
