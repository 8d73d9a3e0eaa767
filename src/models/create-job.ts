/** One job: its calls, each counted before it is made and set right after. */
import { estimateTokenCount } from 'tokenx'
import type {
  CallLedger,
  Clock,
  DayBudget,
  IdSource,
  JobBudget,
  JobKind,
  ModelPrice,
  SettledCall,
} from '../domain/index.ts'
import { MemoryError, messageOf, throwIfCancelled } from '../errors.ts'
import { redact } from '../guard/index.ts'
import { cutGraphemes, oneLine } from '../util/index.ts'
import type { Completer, Completion } from './completer.ts'
import { estimateInput } from './estimate-input.ts'
import { costOf, dayRefused, roomFor } from './job-ceilings.ts'
import type { JobAnswer, JobQuestion, ModelJob, NoAnswerReason } from './model-jobs.ts'
import { saysOutage } from './outage-prose.ts'
import { TooLate, withinTime } from './within-time.ts'

export interface JobParts {
  readonly kind: JobKind
  readonly completer: Completer
  readonly ceilings: JobBudget
  readonly price: ModelPrice | undefined
  readonly perDay: DayBudget
  readonly ledger: () => CallLedger
  readonly clock: Clock
  readonly ids: IdSource
  readonly signal: AbortSignal | undefined
}

const MESSAGE_GRAPHEMES = 300

export function createJob(parts: JobParts): ModelJob {
  const { kind, completer, ceilings, price, clock, ids, signal } = parts
  const id = ids.next()
  const beganAt = clock.now()
  // Of each call: the most that it may cost, then what it did.
  const calls = new Map<string, SettledCall>()
  const sum = (read: (call: SettledCall) => number) =>
    [...calls.values()].reduce((total, call) => total + read(call), 0)
  const spent = () => ({
    calls: calls.size,
    inputTokens: sum((call) => call.inputTokens),
    outputTokens: sum((call) => call.outputTokens),
    estimated: [...calls.values()].some((call) => call.estimated),
  })
  const settle = (call: string, tokens: Omit<SettledCall, 'money'>) => {
    const settled = { ...tokens, money: costOf(price, tokens) }
    calls.set(call, settled)
    try {
      parts.ledger().settle(call, settled)
    } catch {
      // The ledger cannot be written now: the most that the call may have cost stays counted, which is safe.
    }
  }

  async function ask(question: JobQuestion): Promise<JobAnswer> {
    throwIfCancelled(signal)
    const inputTokens = estimateInput(question)
    const state = { ...spent(), money: sum((call) => call.money), elapsedMs: clock.now() - beganAt }
    const room = roomFor(inputTokens, state, parts)
    if (typeof room === 'string') return without('budget', room)
    const { outputTokens, timeoutMs } = room
    const most = { inputTokens, outputTokens, money: costOf(price, { inputTokens, outputTokens }) }
    const call = { id: ids.next(), job: id, kind, model: completer.id, at: clock.now(), ...most }
    const refused = reserve(parts, call)
    if (refused) return refused
    calls.set(call.id, { ...most, estimated: true })
    const request = { ...question, maxTokens: outputTokens }
    try {
      const answer = await withinTime((stop) => completer.complete({ ...request, signal: stop }), { timeoutMs, signal })
      settle(call.id, tokensOf(answer, inputTokens))
      return judged(answer)
    } catch (error) {
      throwIfCancelled(signal)
      if (error instanceof TooLate) return without('late', `the model gave ${error.message}`)
      settle(call.id, { inputTokens, outputTokens: 0, estimated: true })
      return without('unavailable', `the model could not be asked: ${told(error)}`)
    }
  }

  return { kind, model: completer.id, budget: ceilings, ask, spent }
}

function reserve({ ledger, kind, perDay }: JobParts, call: Parameters<CallLedger['reserve']>[0]): JobAnswer | null {
  try {
    const refusal = ledger().reserve(call, perDay)
    return refusal && without('budget', dayRefused(kind, refusal))
  } catch (error) {
    // A call that is counted nowhere is not made.
    return without('unavailable', `the call could not be counted: ${messageOf(error)}`)
  }
}

function judged({ text, calls = [] }: Completion): JobAnswer {
  if (calls.length === 0 && saysOutage(text)) return without('unavailable', `the model said: ${text}`)
  return { ok: true, text, calls }
}

/** What the model told, where that can be true; else the estimate. */
function tokensOf({ text, calls = [], tokens }: Completion, inputTokens: number): Omit<SettledCall, 'money'> {
  if (tokens !== null && [tokens.input, tokens.output].every((count) => Number.isSafeInteger(count) && count >= 0))
    return { inputTokens: tokens.input, outputTokens: tokens.output, estimated: false }
  const said = [text, ...calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`)].join('\n')
  return { inputTokens, outputTokens: estimateTokenCount(said), estimated: true }
}

function told(error: unknown): string {
  const hint = MemoryError.isInstance(error) ? error.hint : undefined
  return hint === undefined ? messageOf(error) : `${messageOf(error)}. ${hint}`
}

/** Addresses and keys may stand in what a provider says. */
function without(reason: NoAnswerReason, message: string): JobAnswer {
  return { ok: false, reason, message: cutGraphemes(oneLine(redact(message).text), MESSAGE_GRAPHEMES) }
}
