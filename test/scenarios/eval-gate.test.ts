/** `keepsake eval gate` through the built command: conversations are captured as real ones, and what is kept is scored. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { GateReport } from '../../src/measure/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'

const fixtures = resolve(import.meta.dirname, '../fixtures/gate')

let shop: Workshop
beforeEach(() => {
  shop = createWorkshop('gate')
})
afterEach(() => shop.remove())

function some(name: string, isWanted: (at: number) => boolean): string {
  const file = join(shop.root, name)
  const rows = readFileSync(join(fixtures, name), 'utf8').trim().split('\n')
  writeFileSync(file, rows.filter((_, at) => isWanted(at)).join('\n'))
  return file
}

const rowOf = (fields: object) =>
  JSON.stringify({
    id: 'a',
    lang: 'en',
    kind: 'update',
    date: '2026-05-12T10:00:00+02:00',
    existing: [{ name: 'tickets', type: 'reference', description: 'Bugs are tracked in Jira.' }],
    messages: [{ role: 'user', content: 'fyi our bugs are tracked in Linear now' }],
    keep: [{ type: 'reference', typeAlso: ['project'], must: ['Linear'], evidence: 0, replaces: 'tickets' }],
    ...fields,
  })

describe('eval gate [M3] [W6] [W17]', () => {
  it('own conversations, through capture: precise, silent, nothing forbidden', async () => {
    const file = some('own.jsonl', (at) => at % 6 === 0)
    const report = (await shop.cli(['eval', 'gate', file, '--json'])).json<GateReport>()
    expect(report).toMatchObject({ forbidden: 0, replaces: { wrong: 0 }, perturbed: null })
    expect(report.n).toBeGreaterThanOrEqual(80)
    expect(report.precision).toBeGreaterThanOrEqual(0.97)
    expect(report.noopRate).toBeGreaterThanOrEqual(0.98)
    expect(report.recall).toBeGreaterThanOrEqual(0.8)
    expect(report.conversations).toBeUndefined()
  }, 180_000)

  it('a note that takes the place of a kept one is seen as that, and faults are listed', async () => {
    const file = join(shop.root, 'rows.jsonl')
    const missed = { id: 'b', kind: 'chit-chat', existing: [], messages: [{ role: 'user', content: 'hello there' }] }
    writeFileSync(file, [rowOf({}), rowOf(missed)].join('\n'))
    const report = (await shop.cli(['eval', 'gate', file, '--list', '--json'])).json<GateReport>()
    expect(report.replaces).toEqual({ of: 2, right: 1, wrong: 0 })
    expect(report.perKind.update).toMatchObject({ precision: 1, recall: 1 })
    expect(report.conversations[1]?.remarks).toEqual(['missed: Linear'])
    const { stdout } = await shop.cli(['eval', 'gate', file, '--list', '--perturb', '7'])
    expect(stdout).toContain('2 conversations, by rules alone, 1 notes saved, 2 to save, perturbed by 7')
    expect(stdout).toContain('missed: Linear')
  })

  it('a model is asked only where one is set up', async () => {
    const file = join(shop.root, 'rows.jsonl')
    writeFileSync(file, rowOf({}))
    const { code, stderr } = await shop.cli(['eval', 'gate', file, '--model', 'configured'])
    expect(code).toBe(5)
    expect(stderr).toContain('models.small')
  })

  it.each([
    ['no JSON', 'hello', 'line 1'],
    ['a pattern that is none', rowOf({ keep: [{ type: 'user', must: ['('], evidence: 0 }] }), 'line 1'],
    ['proof by nobody', rowOf({ keep: [{ type: 'user', must: ['x'], evidence: 3 }] }), 'line 1'],
    ['a role that is none', `${rowOf({})}\n${rowOf({ messages: [{ role: 'oracle', content: 'x' }] })}`, 'line 2'],
  ])('a file that is no data set: %s', async (_, text, line) => {
    const wrong = join(shop.root, 'wrong.jsonl')
    writeFileSync(wrong, text)
    const { code, stderr } = await shop.cli(['eval', 'gate', wrong])
    expect(code).toBe(2)
    expect(stderr).toContain(line)
  })
})
