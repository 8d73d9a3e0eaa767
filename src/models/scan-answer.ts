/** The JSON values in what a model said, apart from its thoughts, prose and code fences (spec W19). */
import { endOfJsonValue } from '../util/index.ts'

export interface ScannedAnswer {
  /** Balanced JSON outside of thoughts, in order. */
  values: unknown[]
  thoughts: string[]
  /** The text ends inside a value or a thought. */
  isTorn: boolean
}

const THOUGHT = '(?:think|thinking|thought|thoughts|reasoning)'

/** In one pass: a text of any length and any brackets costs its length. */
export function scanAnswer(text: string): ScannedAnswer {
  const found: ScannedAnswer = { values: [], thoughts: [], isTorn: false }
  const mark = new RegExp(`<(/?)${THOUGHT}>|[{[]`, 'gi')
  let from = 0
  for (let match = mark.exec(text); match; match = mark.exec(text)) {
    const [words, slash] = match
    if (words === '{' || words === '[') {
      if (!beginsJson(text, match.index)) continue
      const end = endOfJsonValue(text, match.index)
      if (end < 0) return { ...found, isTorn: true }
      const value = parse(text.slice(match.index, end))
      if (value !== undefined) found.values.push(value)
      mark.lastIndex = end
      continue
    }
    if (slash === '/') {
      // The beginning of this thought was cut off by who served it: all before was one.
      found.values = []
      found.thoughts.push(text.slice(from, match.index))
    } else {
      const closed = new RegExp(`</${THOUGHT}>`, 'i').exec(text.slice(mark.lastIndex))
      if (!closed) return { ...found, isTorn: true }
      found.thoughts.push(text.slice(mark.lastIndex, mark.lastIndex + closed.index))
      mark.lastIndex += closed.index + closed[0].length
    }
    from = mark.lastIndex
  }
  return found
}

/** A bracket of prose begins no JSON. */
function beginsJson(text: string, start: number): boolean {
  const next = text.slice(start + 1, start + 200).trimStart()
  return text[start] === '{' ? /^["}]/.test(next) : /^(?:[\]"{[\d-]|(?:true|false|null)\b)/.test(next)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Brackets of prose, or JSON with a fault: what stands behind it may be the value.
    return undefined
  }
}

/** The text without what the model only thought. */
export function withoutThoughts(text: string): string {
  return text.replace(new RegExp(`<${THOUGHT}>[\\s\\S]*?</${THOUGHT}>`, 'gi'), '')
}
