/** What recall answers (spec R3, R6, R7, R9). */
import type { AnchorVerdict } from './anchor.ts'
import type { NoteType } from './note.ts'
import type { UseCount } from './note-use.ts'
import type { ScoreExplanation } from './score.ts'
import type { ShownSessionNote } from './session-note.ts'
import type { Standing } from './standing.ts'

export type RecallTarget = 'notes' | 'sessions' | 'all'

/** Whose words a result holds: the user's, a model's, those of a tool or file; `unknown`: a note that does not say. */
export type SaidBy = 'user' | 'agent' | 'tool' | 'unknown'

/** Where words were said. */
export interface SaidWhere {
  /** `<agent>:<native id>`, or null when it was not in a captured conversation. */
  readonly session: string | null
  readonly message: string | null
  /** UTC ISO 8601 */
  readonly time: string | null
}

/** In words, for lists and answers. */
export function saidByWords(saidBy: SaidBy): string {
  return { user: 'said by the user', agent: 'noted by an agent', tool: 'from a tool', unknown: 'origin unknown' }[
    saidBy
  ]
}

/** Freshness and checks of one result, worded for a reader. */
export interface RecallHit {
  readonly kind: 'note' | 'message'
  readonly id: string
  /** Note name, or session title. */
  readonly name: string
  readonly type: NoteType | null
  /** `global` or `project` for notes, `session` for messages. */
  readonly layer: string
  /** Absolute path of the note, or null for a message. */
  readonly file: string | null
  readonly description: string
  /** Between 0 and 1, comparable between notes and messages (see `ScoreExplanation`); results stand by it. */
  readonly score: number
  /** When the note was last changed or the message said, UTC ISO 8601; null when nothing says. */
  readonly date: string | null
  readonly saidBy: SaidBy
  /** Null when nothing is on record; `read` gives the quoted words of a note. */
  readonly source: SaidWhere | null
  /** `today`, `yesterday`, `12 days ago`, or `undated`. */
  readonly age: string
  /** What it names, looked up in the working tree just now (spec I5); empty where there is nothing to look up. */
  readonly verdicts: readonly AnchorVerdict[]
  /** Cut around the match, on a grapheme. */
  readonly snippet: string
  /** True when it matched a rare word but lies below the floor (spec R7). */
  readonly weak: boolean
  /** For a note: whether it counts in this place (spec S5). */
  readonly standing?: Standing
  /** For a note: in how many sessions it was cited or opened, and when last (spec I7). */
  readonly uses?: UseCount
  readonly session: string | null
  readonly role: string | null
  /** For a message: opens it again with those around it (`sessions.show`, memory_get). */
  readonly reference?: string
  readonly explain?: ScoreExplanation
}

/** What a model did to the order of results; it was asked for. */
export interface RerankReport {
  /** Null: none was asked. */
  readonly model: string | null
  /** Results that it was shown, and how many of the best were left out because they did not fit. */
  readonly candidates: number
  readonly leftOut: number
  /** How many it named; they stand first, in its order. */
  readonly named: number
  /** Why the order is unchanged; null when it was asked and answered. */
  readonly reason: string | null
}

/** What `about` was taken to mean. */
export interface NamedEntity {
  /** As asked. */
  readonly asked: string
  /** Every name that was looked for: as asked, the names and `aliases` of notes, and the shipped pairs. */
  readonly names: readonly string[]
  /** What the tags of its notes say (`person:ana`, 人:小王); null when none does. */
  readonly kind: 'person' | 'project' | 'tool' | null
}

/** Two notes that cannot both hold: one attribute of one thing with two values. */
export interface Contradiction {
  /** Ids of results; the newer one is named first, nothing is decided. */
  readonly newer: string
  readonly older: string
  readonly kind: 'value' | 'number' | 'polarity'
  readonly newerQuote: string
  readonly olderQuote: string
}

export interface RecallResult {
  readonly results: readonly RecallHit[]
  /** How many more matched than were returned. */
  readonly omitted: number
  /**
   * `ok`: searched in the index. `scan`: the index could not be used, files were scanned instead (`reason` says why).
   * "No match" is `results: []` with `ok` or `scan`; a broken index is never an empty answer.
   */
  readonly searched: 'ok' | 'scan'
  readonly reason: string | null
  /** Given when a model was to put the results into order. */
  readonly rerank?: RerankReport
  /** To a question that asks to go on where the work stopped: the newest note of a conversation, in full. Read it first. */
  readonly sessionNote?: ShownSessionNote
  /** Of `about` and `together`. */
  readonly entities?: readonly NamedEntity[]
  /** Of `contradicts`. */
  readonly contradictions?: readonly Contradiction[]
  /** Of `contradicts`: notes that were not compared, because there are too many. */
  readonly notCompared?: number
}
