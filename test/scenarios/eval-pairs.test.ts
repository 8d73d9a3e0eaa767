/** `keepsake eval pairs` through the built command: the real write path decides as the rule does, and merges nothing wrong. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PairsReport } from '../../src/measure/index.ts'
import { createNearJudge } from '../../src/write/near/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'

const file = resolve(import.meta.dirname, '../fixtures/pairs/pairs.jsonl')

let shop: Workshop
beforeEach(() => {
  shop = createWorkshop('pairs')
})
afterEach(() => shop.remove())

interface Note {
  readonly name: string
  readonly body: string
}

describe('eval pairs [M3] [W1]', () => {
  it('no wrong merge, most paraphrases merge, and remember does what the rule says', async () => {
    const rows = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .filter((_, at) => at % 3 !== 1)
    const some = join(shop.root, 'some.jsonl')
    writeFileSync(some, rows.join('\n'))
    // A folder of its own: others may measure at the same time.
    const temporary = join(shop.root, 'temporary')
    mkdirSync(temporary)
    const report = (
      await shop.cli(['eval', 'pairs', some, '--json'], { environment: { TMPDIR: temporary } })
    ).json<PairsReport>()
    expect(report).toMatchObject({ n: rows.length, wrongMerges: 0, mergePrecision: 1 })
    expect(report.n).toBeGreaterThanOrEqual(40)
    expect(report.duplicateRecall).toBeGreaterThanOrEqual(0.75)
    expect(Object.keys(report.perLanguage)).toEqual(['en', 'mixed', 'zh'])
    const judge = createNearJudge()
    for (const [at, row] of rows.entries()) {
      // Written by us, one pair a line.
      const { existing, incoming } = JSON.parse(row) as { existing: Note; incoming: Note }
      const { relation } = judge(
        { name: existing.name, text: existing.body },
        { name: incoming.name, text: incoming.body },
      )
      expect([report.decided[at]?.id, report.decided[at]?.decision === 'merge']).toEqual([
        report.decided[at]?.id,
        relation === 'merge',
      ])
    }
    expect(readdirSync(temporary)).toEqual([])
  }, 180_000)

  it.each([
    ['no JSON', 'hello', 'line 1'],
    ['a label that is none', '{"id":"a","label":"twin","existing":{},"incoming":{}}', 'line 1'],
    [
      'a note without body',
      '\n{"id":"a","label":"same","existing":{"type":"user","name":"x"},"incoming":{}}',
      'line 2',
    ],
  ])('a file that is no data set: %s', async (_, text, line) => {
    const wrong = join(shop.root, 'wrong.jsonl')
    writeFileSync(wrong, text)
    const { code, stderr } = await shop.cli(['eval', 'pairs', wrong])
    expect(code).toBe(2)
    expect(stderr).toContain(line)
  })
})
