/**
 * Ledger of calls in state.db. Looking at what was spent and counting the next call are one `BEGIN IMMEDIATE`: two
 * processes that both find room for one more call cannot both take it.
 */
import { type CallLedger, dayOf, type KindSpend, refusalOf } from '../../domain/index.ts'
import type { SqliteDatabase } from '../sqlite/sqlite-port.ts'

const KEPT_DAYS = 90

export function createSqliteCallLedger(database: SqliteDatabase): CallLedger {
  const spendOf = (at: number): KindSpend[] =>
    database
      .prepare(
        `SELECT kind, count(*) AS calls, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
           sum(money) AS money, max(estimated) AS estimated
         FROM model_calls WHERE day = ? GROUP BY kind ORDER BY kind`,
      )
      .all(dayOf(at))
      .map((row) => ({
        kind: String(row.kind),
        calls: Number(row.calls),
        inputTokens: Number(row.input_tokens),
        outputTokens: Number(row.output_tokens),
        money: Number(row.money),
        estimated: row.estimated === 1,
      }))
  return {
    spendOf,
    reserve: (call, ceilings) =>
      database.transaction(() => {
        const refusal = refusalOf(spendOf(call.at), call.kind, { ...call, calls: 1 }, ceilings)
        if (refusal) return refusal
        const { id, job, kind, model, at, inputTokens, outputTokens, money } = call
        database.prepare('DELETE FROM model_calls WHERE day < ?').run(dayOf(at) - KEPT_DAYS)
        database
          .prepare(
            `INSERT INTO model_calls (id, job, kind, model, day, at, input_tokens, output_tokens, money, estimated)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`,
          )
          .run(id, job, kind, model, dayOf(at), at, inputTokens, outputTokens, money)
        return null
      }),
    settle: (id, { inputTokens, outputTokens, money, estimated }) =>
      database.transaction(() => {
        database
          .prepare('UPDATE model_calls SET input_tokens = ?, output_tokens = ?, money = ?, estimated = ? WHERE id = ?')
          .run(inputTokens, outputTokens, money, estimated ? 1 : 0, id)
      }),
  }
}
