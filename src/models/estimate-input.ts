/** What a question costs before it is asked. Rooms that fill a prompt measure with the same function. */
import { estimateTokenCount } from 'tokenx'
import type { JobQuestion } from './model-jobs.ts'

/** For what stands around each part on the wire. */
const BESIDE_EACH = 8

/** Our estimate, in tokens. */
export function estimateInput({ system, prompt, steps = [], tools = [], schema }: JobQuestion): number {
  const parts = [
    system,
    prompt,
    ...steps.flatMap(({ text, calls, results }) => [
      text,
      ...calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`),
      ...results.map((each) => each.text),
    ]),
    ...tools.map(({ name, description, parameters }) => `${name} ${description} ${JSON.stringify(parameters)}`),
    ...(schema ? [JSON.stringify(schema)] : []),
  ].filter((part) => part !== '')
  return parts.reduce((sum, part) => sum + estimateTokenCount(part) + BESIDE_EACH, 0)
}

/** The first of these lines, as many as fit beside `fixed` into a budget of input. */
export function linesWithin(lines: readonly string[], fixed: string, inputTokens: number): string[] {
  // System and prompt, and a little for each line: the estimate of a whole may differ from the sum of its parts.
  let left = inputTokens - estimateTokenCount(fixed) - 2 * BESIDE_EACH
  const kept: string[] = []
  for (const line of lines) {
    left -= estimateTokenCount(line) + 2
    if (left < 0) break
    kept.push(line)
  }
  return kept
}
