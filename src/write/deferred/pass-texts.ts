/** What a pass keeps in state.db between its steps, as text. Anything that is none of ours is made anew. */
import { z } from 'zod'
import { redact } from '../../guard/index.ts'
import { plannedChange } from '../sandbox/index.ts'
import type { Base } from './changes-since.ts'

const decided = z.strictObject({
  changes: z.array(plannedChange),
  /** The last words of the agent, which hold the summary. */
  answer: z.string(),
  /** What it wanted and was not noted. */
  skipped: z.array(z.string()),
  /** The watermark that this pass reaches. */
  sequence: z.int().min(0),
  base: z.string(),
})

export type DecidedPass = z.infer<typeof decided>

export function decidedToText(pass: DecidedPass): string {
  return JSON.stringify({ ...pass, answer: redact(pass.answer).text })
}

/** Null: the memories that it was made of are still there, and the pass is done again. */
export function decidedFromText(text: string): DecidedPass | null {
  const read = decided.safeParse(parsed(text))
  return read.success ? read.data : null
}

export function baseToText(base: Base): string {
  return JSON.stringify(base)
}

/** Null: compared with nothing, as at the first pass. */
export function baseFromText(text: string | null): Base | null {
  const read = z.record(z.string(), z.string()).safeParse(text === null ? null : parsed(text))
  return read.success ? read.data : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Cut, or of another version.
    return null
  }
}
