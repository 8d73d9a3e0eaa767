/** Names of everything in the home folder, in one place. */

/** The format this version reads and writes. A home with a higher number opens read-only. */
export const HOME_FORMAT = 1

export const homeFiles = {
  home: 'home.json',
  config: 'config.json',
  secretKey: 'secret.key',
  tombstones: 'tombstones.jsonl',
  toolWrites: 'tool-writes.jsonl',
  global: 'global',
  projects: 'projects',
  projectJson: 'project.json',
  index: 'MEMORY.md',
  summary: 'memory_summary.md',
  sessionsDb: 'sessions.db',
  stateDb: 'state.db',
  indexDb: 'index.db',
  journal: 'journal',
  history: 'history',
  proposals: 'proposals',
  answers: 'answers.jsonl',
  sessionModes: 'session-modes.jsonl',
  conflicts: 'conflicts',
  unfinished: 'unfinished',
  locks: 'locks',
  logs: 'logs',
  failures: 'failures.jsonl',
  refreshDay: 'refresh-day',
  language: 'language',
  sharedIndexes: 'shared-indexes',
  cues: 'cues',
  /** `<project folder>/<session>.md`, and `newest.json` beside them. */
  sessionNotes: 'session-notes',
  /** Start blocks that hosts of the library asked to be kept, one file per session. */
  startBlocks: 'start',
} as const

/** A home that was opened: where it is, and whether it may be written. */
export interface Home {
  readonly directory: string
  /** Null while nothing has been written yet: reading never creates a home. */
  readonly id: string | null
  readonly format: number
  /** False when the format is newer than ours. */
  readonly writable: boolean
}
