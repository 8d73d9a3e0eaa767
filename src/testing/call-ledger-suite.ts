/** Contract of the ledger of model calls. */
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { type CallLedger, DAY_BUDGET, type JobKind, type LedgerCall } from '../domain/index.ts'

const NOON = Date.UTC(2026, 2, 1, 12)
const HOUR = 3_600_000

export function testCallLedger(name: string, create: () => CallLedger): void {
  describe(name, () => {
    let ledger: CallLedger
    let count = 0
    beforeEach(() => {
      ledger = create()
      count = 0
    })
    const call = (fields: Partial<LedgerCall> = {}): LedgerCall => ({
      id: `call ${count++}`,
      job: 'job',
      kind: 'extraction',
      model: '模型',
      at: NOON,
      inputTokens: 10,
      outputTokens: 5,
      money: 0,
      ...fields,
    })
    const reserve = (fields: Partial<LedgerCall> = {}, ceilings = {}) =>
      ledger.reserve(call(fields), { ...DAY_BUDGET, ...ceilings })

    it('[W16] counts a call before it is made, and sets it right after', () => {
      expect(ledger.spendOf(NOON)).toEqual([])
      expect([reserve({ id: 'one' }), reserve({ kind: 'summary' })]).toEqual([null, null])
      ledger.settle('one', { inputTokens: 7, outputTokens: 2, money: 9, estimated: false })
      ledger.settle('never counted', { inputTokens: 1_000, outputTokens: 2, money: 0, estimated: false })
      expect(ledger.spendOf(NOON)).toEqual([
        { kind: 'extraction', calls: 1, inputTokens: 7, outputTokens: 2, money: 9, estimated: false },
        { kind: 'summary', calls: 1, inputTokens: 10, outputTokens: 5, money: 0, estimated: true },
      ])
    })

    it('keeps days apart, by UTC', () => {
      const midnight = NOON - 12 * HOUR
      for (const at of [midnight, NOON, midnight + 24 * HOUR - 1]) expect(reserve({ at })).toBeNull()
      expect(reserve({ at: midnight + 24 * HOUR })).toBeNull()
      expect(ledger.spendOf(midnight + 24 * HOUR)[0]?.calls).toBe(1)
      expect(create().spendOf(NOON)).toEqual([])
    })

    it.each<[string, object, object]>([
      [
        'calls of the day',
        { calls: 2, shareOfOneKind: 1 },
        { what: 'calls', of: 'day', used: 2, wanted: 1, ceiling: 2 },
      ],
      ['calls of a kind', { calls: 5 }, { what: 'calls', of: 'kind', used: 2, wanted: 1, ceiling: 2 }],
      [
        'tokens of the day',
        { tokens: 40, shareOfOneKind: 1 },
        { what: 'tokens', of: 'day', used: 30, wanted: 15, ceiling: 40 },
      ],
      ['tokens of a kind', { tokens: 80 }, { what: 'tokens', of: 'kind', used: 30, wanted: 15, ceiling: 40 }],
      ['money', { money: 0.000_002, shareOfOneKind: 1 }, { what: 'money', of: 'day', used: 2, wanted: 1, ceiling: 2 }],
    ])('[W16] a ceiling is never passed: %s', (_, ceilings, refusal) => {
      for (let at = 0; at < 2; at++) expect(reserve({ money: 1 }, ceilings)).toBeNull()
      expect(reserve({ money: 1 }, ceilings)).toEqual(refusal)
      expect(ledger.spendOf(NOON)[0]?.calls).toBe(2)
      expect(reserve({ money: 1, at: NOON + 24 * HOUR }, ceilings)).toBeNull()
    })

    it('[W16] whatever is asked for and told, no ceiling is passed and the sums are exact', () => {
      const kind = fc.constantFrom<JobKind>('extraction', 'stage-two', 'rerank')
      const tokens = fc.record({ inputTokens: fc.nat(60), outputTokens: fc.nat(40) })
      const asked = fc.record({
        kind,
        most: tokens,
        part: fc.double({ min: 0, max: 1, noNaN: true }),
        dies: fc.boolean(),
      })
      const ceilings = fc.record({ calls: fc.nat(20), tokens: fc.nat(600), shareOfOneKind: fc.constantFrom(0.5, 1) })
      fc.assert(
        fc.property(fc.array(asked, { maxLength: 40 }), ceilings, (all, limits) => {
          ledger = create()
          const sums = new Map<string, number>()
          for (const { kind, most, part, dies } of all) {
            const made = call({ kind, ...most })
            if (ledger.reserve(made, { ...limits, money: null }) !== null) continue
            const told = dies
              ? most
              : { inputTokens: Math.floor(most.inputTokens * part), outputTokens: Math.floor(most.outputTokens * part) }
            if (!dies) ledger.settle(made.id, { ...told, money: 0, estimated: false })
            sums.set(kind, (sums.get(kind) ?? 0) + told.inputTokens + told.outputTokens)
            const spent = ledger.spendOf(NOON)
            const total = (read: (each: (typeof spent)[number]) => number) =>
              spent.reduce((sum, each) => sum + read(each), 0)
            expect(total((each) => each.calls)).toBeLessThanOrEqual(limits.calls)
            expect(total((each) => each.inputTokens + each.outputTokens)).toBeLessThanOrEqual(limits.tokens)
            for (const each of spent) {
              expect(each.calls).toBeLessThanOrEqual(limits.calls * limits.shareOfOneKind)
              expect(each.inputTokens + each.outputTokens).toBeLessThanOrEqual(limits.tokens * limits.shareOfOneKind)
              expect(each.inputTokens + each.outputTokens).toBe(sums.get(each.kind))
            }
          }
        }),
      )
    })
  })
}
