/** One bounded question to a model. What cannot be answered is a reason, not an error: every caller has an answer without it. */
import { estimateTokenCount } from 'tokenx'
import { messageOf, throwIfCancelled } from '../errors.ts'
import type { Completer } from './completer.ts'
import { TooLate, withinTime } from './within-time.ts'

/** What one call may cost (spec W16). */
export interface CallBudget {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly timeoutMs: number
}

/** Selection, rerank and summary: light calls that somebody waits for. */
export const LIGHT_CALL: CallBudget = { inputTokens: 10_000, outputTokens: 1_000, timeoutMs: 10_000 }

export interface ModelQuestion {
  readonly system: string
  readonly prompt: string
  readonly budget: CallBudget
  readonly signal?: AbortSignal
}

export type ModelAnswer =
  | { readonly ok: true; readonly text: string }
  /** `reason`: one plain sentence part, such as "the model gave no answer within 10 s". */
  | { readonly ok: false; readonly reason: string }

/** Never waits longer than the budget, whatever the model does. Throws CANCELLED when the caller's signal says stop. */
export async function askModel(completer: Completer, question: ModelQuestion): Promise<ModelAnswer> {
  const { system, prompt, budget, signal } = question
  throwIfCancelled(signal)
  const tokens = estimateTokenCount(system) + estimateTokenCount(prompt)
  if (tokens > budget.inputTokens)
    return { ok: false, reason: `the question has ${tokens} tokens, more than ${budget.inputTokens}` }
  const ask = (stop: AbortSignal) =>
    completer.complete({ system, prompt, maxTokens: budget.outputTokens, signal: stop })
  try {
    const { text } = await withinTime(ask, { timeoutMs: budget.timeoutMs, signal })
    return { ok: true, text }
  } catch (error) {
    throwIfCancelled(signal)
    if (error instanceof TooLate) return { ok: false, reason: `the model gave ${error.message}` }
    return { ok: false, reason: `the model could not be asked: ${messageOf(error)}` }
  }
}

/** The first of these lines, as many as fit beside `fixed` into the budget of input. */
export function linesWithin(lines: readonly string[], fixed: string, { inputTokens }: CallBudget): string[] {
  // The estimate of a whole may differ from the sum of its parts by a little for each line.
  let left = inputTokens - estimateTokenCount(fixed)
  const kept: string[] = []
  for (const line of lines) {
    left -= estimateTokenCount(line) + 2
    if (left < 0) break
    kept.push(line)
  }
  return kept
}
