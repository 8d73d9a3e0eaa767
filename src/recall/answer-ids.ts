/**
 * The ids in a model's answer (spec W19): tolerant about what stands around the list (thoughts, prose, a code fence),
 * strict about the list, which holds texts and nothing else.
 */
import { withoutThoughts } from '../models/scan-answer.ts'

/** UTF-16 units of an answer that are looked at. */
const MAX_ANSWER_LENGTH = 20_000

/** In the order of the answer, each once; ids that were not offered are dropped. Null: there is no list of ids. */
export function readIds(answer: string, offered: ReadonlySet<string>): string[] | null {
  const list = firstList(withoutThoughts(answer.slice(0, MAX_ANSWER_LENGTH)))
  if (list === null || !list.every((each) => typeof each === 'string')) return null
  return [...new Set(list)].filter((id) => offered.has(id))
}

/** The first balanced `[…]` that is JSON. */
function firstList(text: string): unknown[] | null {
  for (let start = text.indexOf('['); start >= 0; start = text.indexOf('[', start + 1)) {
    // A list of ids holds no list, so the next end is its end.
    const end = text.indexOf(']', start)
    if (end < 0) return null
    const value = parse(text.slice(start, end + 1))
    if (Array.isArray(value)) return value
  }
  return null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Prose in brackets: the list may come later.
    return null
  }
}
