/**
 * Answers of the tools. Whatever quotes stored text is fenced and escaped; a caller's mistake is an `isError` answer in
 * words, a fault of ours is thrown and becomes a protocol error.
 */
import type { RecallResult } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { escapeFenced } from '../guard/index.ts'

export interface ToolAnswer {
  [key: string]: unknown
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly isError?: boolean
}

export function answer(...lines: readonly string[]): ToolAnswer {
  return { content: [{ type: 'text', text: lines.filter((line) => line !== '').join('\n') }] }
}

/** That the index could not be used is no answer of "nothing". */
export function searchState({ searched, reason }: Pick<RecallResult, 'searched' | 'reason'>): string {
  return searched === 'scan' ? `(index not usable: ${reason}; files were scanned)` : ''
}

export function refusal(...lines: readonly string[]): ToolAnswer {
  return { ...answer(...lines), isError: true }
}

/** Runs one tool; documented errors are told to the agent with code and hint, anything else is thrown. */
export async function guarded(work: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
  try {
    return await work()
  } catch (error) {
    if (!MemoryError.isInstance(error) || error.code === 'INTERNAL') throw error
    return refusal(`${error.code}: ${escapeFenced(error.message)}`, error.hint ?? '')
  }
}
