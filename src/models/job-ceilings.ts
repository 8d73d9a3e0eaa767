/** The sums and sentences of ceilings. */
import { type JobBudget, type JobKind, MONEY_UNIT, type ModelPrice, type Refusal } from '../domain/index.ts'

interface Tokens {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** In millionths; a price is for a million tokens, so their product is just that. */
export function costOf(price: ModelPrice | undefined, { inputTokens, outputTokens }: Tokens): number {
  return price ? Math.ceil(inputTokens * price.input + outputTokens * price.output) : 0
}

/** What one call may still take. */
export interface Room {
  readonly outputTokens: number
  readonly timeoutMs: number
}

/** No single answer needs more, and no model of today gives less. */
const MAX_OUTPUT_OF_CALL = 8_000
/** Below this no answer is whole. */
const LEAST_OUTPUT = 50

export interface JobState extends Tokens {
  readonly calls: number
  readonly money: number
  /** Milliseconds since the job began. */
  readonly elapsedMs: number
}

/** What a call with so many tokens of input may still take, or why it may not be made. */
export function roomFor(
  inputTokens: number,
  state: JobState,
  { ceilings, price }: { readonly ceilings: JobBudget; readonly price: ModelPrice | undefined },
): Room | string {
  if (state.calls >= ceilings.calls) return `the job has made its ${counted(ceilings.calls, 'call')}`
  const input = ceilings.inputTokens - state.inputTokens
  if (inputTokens > input)
    return state.calls === 0
      ? `the question has ${inputTokens} tokens, more than ${ceilings.inputTokens}`
      : `the question has ${inputTokens} tokens, and the job has ${input} of ${ceilings.inputTokens} left`
  const outputTokens = Math.min(ceilings.outputTokens - state.outputTokens, MAX_OUTPUT_OF_CALL)
  if (outputTokens < Math.min(LEAST_OUTPUT, ceilings.outputTokens))
    return `the job has used its ${ceilings.outputTokens} tokens of answers`
  // A clock that was set back gives no more time than there was.
  const timeoutMs = Math.ceil(ceilings.seconds * 1_000 - Math.max(0, state.elapsedMs))
  if (timeoutMs <= 0) return `the job has used its ${ceilings.seconds} s`
  const money = state.money + costOf(price, { inputTokens, outputTokens })
  if (ceilings.money !== undefined && money > ceilings.money * MONEY_UNIT)
    return `the job may cost more than ${ceilings.money} (budget.perJob)`
  return { outputTokens, timeoutMs }
}

/** Why a job does not begin, or makes no further call today. */
export function dayRefused(kind: JobKind, { what, of, used, wanted, ceiling }: Refusal): string {
  const [most, spent, asked] = [ceiling, used, wanted].map((amount) =>
    what === 'money' ? amount / MONEY_UNIT : amount,
  )
  const whose = of === 'day' ? '' : ` for ${kind}`
  return `a day has ${most} ${what}${whose}, ${spent} are used and up to ${asked} more would be (setting budget.perDay.${what})`
}

function counted(count: number, noun: string): string {
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`
}
