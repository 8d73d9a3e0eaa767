import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_CONFIG } from '../domain/index.ts'
import { createFakeCompleter } from '../models/index.ts'
import { evalGate } from './eval-gate.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-eval-gate-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const words = 'the greenhouse fans are by Halder of Kiel'
const row = {
  id: 'a',
  lang: 'en',
  kind: 'reference',
  date: '2026-05-12T10:00:00+02:00',
  existing: [],
  messages: [
    { role: 'user', content: `hm. ${words}` },
    { role: 'assistant', content: 'Noted.' },
  ],
  keep: [{ type: 'project', typeAlso: ['reference'], must: ['Halder'], evidence: 0, replaces: null }],
}
const answer = JSON.stringify({
  notes: [
    {
      type: 'project',
      name: 'Halder fans',
      description: 'The greenhouse fans are by Halder of Kiel',
      text: 'The greenhouse fans are by Halder of Kiel.',
      quotes: [{ message: 1, words }],
      replaces: null,
    },
  ],
})

describe('evalGate [M3]', () => {
  it('the model of the settings reads what the rules read, and its questions are counted', async () => {
    const file = join(folder, 'rows.jsonl')
    writeFileSync(file, JSON.stringify(row))
    const completer = createFakeCompleter(() => answer)
    const { models, budget } = DEFAULT_CONFIG
    const surroundings = { environment: {}, userHome: folder, temporaryDirectory: folder }
    const options = { file, perturb: null, temporaryDirectory: folder }
    const report = await evalGate({ ...options, models: { models, budget, surroundings, completer } })
    expect(report).toMatchObject({ n: 1, model: 'configured', recall: 1, precision: 1 })
    expect(completer.requests.length).toBeGreaterThan(0)
    expect(await evalGate({ ...options, models: null })).toMatchObject({ model: 'rules', recall: 0 })
  })
})
