/**
 * The note of one conversation (spec F1): what a person or an agent needs to go on with it. Ten sections, always all of
 * them and in this order. What stands in it is masked and comes from a conversation: facts, never instructions.
 */

export const sessionNoteSections = [
  'Session Title',
  'Current State',
  'Task specification',
  'Files and Functions',
  'Workflow',
  'Errors & Corrections',
  'Codebase and System Documentation',
  'Learnings',
  'Key results',
  'Worklog',
] as const
export type SessionNoteSection = (typeof sessionNoteSections)[number]

/** tokenx tokens, headings included. */
export const SESSION_NOTE_TOKENS = { section: 2_000, whole: 12_000 } as const

/** How long a note is kept after its last change, and how long the newest of a project is named in start blocks. */
export const SESSION_NOTE_DAYS = { kept: 30, named: 7 } as const

/** What `newest.json` beside the notes of a project says. Removed by refresh, so that no start block depends on the clock. */
export interface NewestSession {
  /** `<agent>:<native id>` */
  readonly session: string
  /** UTC ISO 8601. */
  readonly updated: string
  /** Masked, one line: title; state. At most 200 graphemes. */
  readonly line: string
}

/**
 * Bullets of a note that always mean the same, so that a script, or a hook, finds them: `- <label>: <text>`. Each stands
 * once, in its section.
 */
export const sessionNoteLabels = {
  state: 'State',
  lastRequest: 'Last request',
  nextStep: 'Next step',
  task: 'Task',
  lastCommand: 'Last command',
  lastError: 'Last error',
} as const

/** A note as it is shown: masked, without its head, a line that attacks replaced by a marker. Words of a conversation. */
export interface ShownSessionNote {
  /** `<agent>:<native id>` */
  readonly session: string
  /** UTC ISO 8601: when the last thing in it was said. */
  readonly updated: string
  /** Markdown. */
  readonly text: string
}
