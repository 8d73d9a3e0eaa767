/** The two files of a retrieval data set: turns of conversations, and questions with their gold turns and sessions. */
import { readRows, textAt, textsOf } from './data-rows.ts'

const HINT = 'Turns are {c, s, t, ts, r, x}, questions {c, id, q, cat, gt, gs}; one JSON object a line, gzip or plain.'

/** One turn: conversation, session, turn id, time, speaker, text. */
export interface TurnRow {
  readonly c: string
  readonly s: string
  readonly t: string
  readonly ts: string | null
  readonly r: string
  readonly x: string
}

/** One question: conversation, id, text, category, gold turns, gold sessions. */
export interface QuestionRow {
  readonly c: string
  readonly id: string
  readonly q: string
  readonly cat: string
  readonly gt: readonly string[]
  readonly gs: readonly string[]
}

/** In file order. Throws INPUT_INVALID that names the line. */
export function readTurns(file: string): TurnRow[] {
  return readRows(file, HINT, (row) => {
    const [c, s, t, x] = [textAt(row, 'c'), textAt(row, 's'), textAt(row, 't'), textAt(row, 'x')]
    if (c === null || s === null || t === null || x === null) return null
    return { c, s, t, ts: textAt(row, 'ts'), r: textAt(row, 'r') ?? 'user', x }
  })
}

/** In file order. Throws INPUT_INVALID that names the line. */
export function readQuestions(file: string): QuestionRow[] {
  return readRows(file, HINT, (row) => {
    const [c, id, q] = [textAt(row, 'c'), textAt(row, 'id'), textAt(row, 'q')]
    if (c === null || id === null || q === null) return null
    return { c, id, q, cat: textAt(row, 'cat') ?? 'all', gt: textsOf(row.gt), gs: textsOf(row.gs) }
  })
}
