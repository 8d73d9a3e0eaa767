/**
 * Counts equal refusals in a row of each agent (spec W2), so that no loop burns a turn: the third one says that it is
 * the last word. Anything else in between, and ten quiet minutes, begin anew. One counter belongs to one writer, which
 * for an MCP server is one process.
 */
import type { Clock, Rejection, WriteAuthor } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'

const MAX_EQUAL = 3
const QUIET_MS = 600_000
/** Agents that are kept in mind; one process serves one or two. */
const MAX_AGENTS = 100

export const FINAL_SENTENCE =
  'This was refused three times in a row. Do not try it again now: go on with the task, and tell the user what could not be kept.'

type Refusable = { readonly outcome: string; readonly reason?: Rejection | string }

export interface RefusalCounter {
  /** The same result; the third equal refusal in a row carries the final sentence. */
  watch<Result extends Refusable>(
    who: { readonly author?: WriteAuthor; readonly agent?: string },
    work: () => Promise<Result>,
  ): Promise<Result>
}

export function createRefusalCounter(clock: Clock): RefusalCounter {
  const last = new Map<string, { readonly code: string; readonly count: number; readonly at: number }>()
  const isThird = (agent: string, code: string): boolean => {
    const before = last.get(agent)
    const isSame = before?.code === code && clock.now() - before.at < QUIET_MS
    const count = isSame ? before.count + 1 : 1
    if (last.size >= MAX_AGENTS) last.clear()
    last.set(agent, { code, count, at: clock.now() })
    return count >= MAX_EQUAL
  }
  return {
    async watch({ author, agent = '' }, work) {
      if (author !== 'agent') return work()
      const result = await work().catch((error: unknown) => {
        throw MemoryError.isInstance(error) && isThird(agent, error.code) ? withFinalHint(error) : error
      })
      const { reason } = result
      if (result.outcome !== 'rejected' || typeof reason !== 'object') {
        last.delete(agent)
        return result
      }
      return isThird(agent, reason.code)
        ? { ...result, reason: { ...reason, hint: FINAL_SENTENCE, final: true } }
        : result
    },
  }
}

function withFinalHint(error: MemoryError): MemoryError {
  return new MemoryError(error.code, error.message, { hint: FINAL_SENTENCE, data: error.data, cause: error })
}
