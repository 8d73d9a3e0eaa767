/**
 * A user's own cue table: the same shape as `tables/*.json`. Data, never code; a table with a fault is left out whole and
 * the fault is told, so that a typing mistake does not half work.
 */
import { type SignalTable, signalKinds } from './find-signals.ts'

/** Cues of one table, and signs of one pattern: more is no list that a person keeps. */
const MAX_CUES = 200
const MAX_PATTERN = 500

export type ReadCues = { readonly table: SignalTable } | { readonly problem: string }

/** `text`: the file. The problem is the end of "cues/<file>: …". */
export function readCues(text: string): ReadCues {
  try {
    return tableOf(JSON.parse(text))
  } catch {
    // What JSON.parse says of it names bytes, not what to do.
    return { problem: 'it is no JSON' }
  }
}

function tableOf(value: unknown): ReadCues {
  const { kind: named, cues, ...others } = fieldsOf(value)
  const kind = signalKinds.find((each) => each === named)
  if (kind === undefined) return { problem: `"kind" must be one of ${signalKinds.join(', ')}` }
  const [other] = Object.keys(others)
  if (other !== undefined) return { problem: `there is no field "${other}"; a table is {kind, cues}` }
  if (!Array.isArray(cues) || cues.length > MAX_CUES) return { problem: `"cues" must be a list of at most ${MAX_CUES}` }
  const read: SignalTable['cues'][number][] = []
  for (const [at, each] of cues.entries()) {
    const cue = cueOf(each)
    if (typeof cue === 'string') return { problem: `cue ${at + 1}: ${cue}` }
    if (read.some(({ id }) => id === cue.id)) return { problem: `cue ${at + 1}: the id "${cue.id}" stands twice` }
    read.push(cue)
  }
  return { table: { kind, cues: read } }
}

function cueOf(value: unknown): SignalTable['cues'][number] | string {
  const { id, pattern, answerOnly, ...others } = fieldsOf(value)
  const [other] = Object.keys(others)
  if (other !== undefined) return `there is no field "${other}"; a cue is {id, pattern, answerOnly}`
  if (typeof id !== 'string' || id === '') return '"id" must be a text'
  if (typeof pattern !== 'string' || pattern === '' || pattern.length > MAX_PATTERN)
    return `"pattern" must be a regular expression of at most ${MAX_PATTERN} signs`
  if (answerOnly !== undefined && typeof answerOnly !== 'boolean') return '"answerOnly" must be true or false'
  const fault = faultOf(pattern)
  return fault ?? { id: `own:${id}`, pattern, ...(answerOnly === undefined ? {} : { answerOnly }) }
}

/** A pattern that finds nothing in particular would make everything a signal. */
function faultOf(pattern: string): string | null {
  try {
    return new RegExp(pattern, 'giu').test('') ? `"pattern" must not match an empty text: ${pattern}` : null
  } catch {
    return `"pattern" is no regular expression: ${pattern}`
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  // An object read from JSON has text keys; what they hold is looked at one by one.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
