/** Ledger of calls in memory: for tests, and where no SQLite works (then it lives as long as the process). */
import {
  type CallLedger,
  dayOf,
  type KindSpend,
  type LedgerCall,
  refusalOf,
  type SettledCall,
} from '../../domain/index.ts'

type Kept = LedgerCall & SettledCall

export function createMemoryCallLedger(onWrite: () => void = () => undefined): CallLedger {
  let kept: Kept[] = []
  const spendOf = (at: number): KindSpend[] => {
    const kinds = new Map<string, KindSpend>()
    for (const call of kept.filter((each) => dayOf(each.at) === dayOf(at))) {
      const { kind, inputTokens, outputTokens, money, estimated } = call
      const sum = kinds.get(kind) ?? { kind, calls: 0, inputTokens: 0, outputTokens: 0, money: 0, estimated: false }
      kinds.set(kind, {
        kind,
        calls: sum.calls + 1,
        inputTokens: sum.inputTokens + inputTokens,
        outputTokens: sum.outputTokens + outputTokens,
        money: sum.money + money,
        estimated: sum.estimated || estimated,
      })
    }
    return [...kinds.values()].toSorted((one, other) => (one.kind < other.kind ? -1 : 1))
  }
  return {
    reserve(call, ceilings) {
      const refusal = refusalOf(spendOf(call.at), call.kind, { ...call, calls: 1 }, ceilings)
      if (refusal) return refusal
      onWrite()
      // Nobody asks for the days before, and a process may run for months.
      kept = [...kept.filter((each) => dayOf(each.at) >= dayOf(call.at)), { ...call, estimated: true }]
      return null
    },
    settle(id, spent) {
      onWrite()
      kept = kept.map((each) => (each.id === id ? { ...each, ...spent } : each))
    },
    spendOf,
  }
}
