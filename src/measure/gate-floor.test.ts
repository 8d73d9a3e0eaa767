/** Floors of the extractor without a model on our own labelled conversations: a change that loses some is seen at once. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { extractNotes } from '../write/extract/index.ts'
import { type GateRow, readGateRows } from './gate-data.ts'
import { scoreConversation, scoreGate } from './gate-score.ts'
import { perturb } from './perturb.ts'

const rowsOf = (name: string) => readGateRows(join(import.meta.dirname, '../../test/fixtures/gate', name))

function score(rows: readonly GateRow[]) {
  return scoreGate(
    rows.map((row) => {
      const messages = row.messages.map(({ role, content, tool, at }, index) => ({
        index,
        role,
        content,
        toolName: tool,
        time: at ?? row.date,
      }))
      return scoreConversation(row, extractNotes({ messages, existing: row.existing, date: row.date }))
    }),
  )
}

interface Floor {
  readonly precision: number
  readonly recall: number
  readonly noopRate: number
}

describe.each<[string, Floor]>([['own.jsonl', { precision: 0.98, recall: 0.88, noopRate: 0.99 }]])(
  'rules on %s [W6] [W17]',
  (name, floor) => {
    const rows = rowsOf(name)

    it('save almost nothing that is wrong, and find most', () => {
      const { precision, recall, noopRate, forbidden, replaces } = score(rows)
      expect({ forbidden, wrong: replaces.wrong }).toEqual({ forbidden: 0, wrong: 0 })
      expect(precision).toBeGreaterThanOrEqual(floor.precision)
      expect(noopRate).toBeGreaterThanOrEqual(floor.noopRate)
      expect(recall).toBeGreaterThanOrEqual(floor.recall)
    })

    it.each([1, 2, 3])('lose at most 3 points with other names, numbers, order and courtesy words (%i)', (seed) => {
      const [before, after] = [score(rows), score(rows.map((row) => perturb(row, seed)))]
      for (const share of ['precision', 'recall', 'noopRate'] as const)
        expect(after[share]).toBeGreaterThanOrEqual((before[share] ?? 0) - 0.03)
      expect(after.forbidden).toBe(0)
    })
  },
)
