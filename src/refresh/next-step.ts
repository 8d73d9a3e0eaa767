/** What somebody said is to be done next, in their own words. Pure; English and Chinese. */
import { oneLine } from '../util/index.ts'

/** A question whose answer is the next step. */
const asksForNext: readonly RegExp[] = [
  /\bwhat(?:'s| is| are)? (?:\w+ ){0,3}(?:left|next|remaining|missing|still open|to do)\b/i,
  /(?:还剩|还有|剩下|接下来|下一步)[^。！？?]{0,12}(?:什么|哪些|吗|呢|做啥|工作)/,
]

const saysNext: readonly RegExp[] = [
  /\b(?:next(?: step)?s?|after that|to ?do|follow-?ups?)\s*(?:is|are|:|,|—|-)/i,
  /\b(?:(?:is|are|remains?|still) (?:left|open|missing|to be done|to do|needed)|remain(?:s|ing)?\b|left to do|not (?:yet )?(?:done|finished))/i,
  /\b(?:i(?:'ll| will)|let me|we(?:'ll| will| should| still need to)) (?:now |next |then |still )?(?:continue|start|add|write|move|fix|run|look|do|change|test|sketch|go on)\b/i,
  /(?:下一步|接下来|随后|之后再|待办|还剩|剩下|还需要|还要|还没|尚未|未完成)/,
]

/** A sentence ends at its mark or at the end of its line; a point within a name or a number ends none. */
const sentence = /[^\n。！？]+?(?:[。！？]+|[.!?]+(?=\s|$)|(?=\n)|$)/gu

export function asksNextStep(text: string): boolean {
  return asksForNext.some((pattern) => pattern.test(text))
}

/** The last sentence that says it, or null. */
export function nextStepIn(text: string): string | null {
  const said = [...text.matchAll(sentence)].map(([words]) => oneLine(words)).filter((words) => words !== '')
  return said.findLast((words) => !/[?？]$/.test(words) && saysNext.some((pattern) => pattern.test(words))) ?? null
}
