/** Notes of conversations as the engine wires them (spec F1): who is corrected, what was forgotten, whose project, which model. */
import type { Home, ShownSessionNote } from '../domain/index.ts'
import type { ModelJobs } from '../models/index.ts'
import { asksToContinue } from '../recall/index.ts'
import {
  createNoteDesk,
  createSessionNotes,
  SESSION_NOTE,
  type SessionNotes,
  type SessionNotesDependencies,
  tellNote,
} from '../refresh/index.ts'
import type { SessionModes } from '../store/session-modes.ts'
import type { Tombstones } from '../store/tombstones.ts'
import { isForgottenSaying, saysCorrection } from '../write/index.ts'
import type { EngineOptions } from './core.ts'
import { readOwnCues } from './own-cues.ts'
import type { RunJobsDependencies } from './run-jobs.ts'
import type { Stores } from './stores.ts'
import { transcriptOf } from './transcript-of.ts'

export interface SessionNotesAccess extends Omit<SessionNotes, 'forgetWords'> {
  forgetWords(sessions: readonly string[]): Promise<void>
  /** How a model is asked; empty while none is set up. */
  work(): RunJobsDependencies['work']
}

export interface SessionNotesParts {
  readonly options: EngineOptions
  readonly home: Home
  readonly stores: Stores
  readonly models: ModelJobs
  readonly sessionModes: Pick<SessionModes, 'modeOf'>
  readonly tombstones: Tombstones
  readonly onProblem: (error: unknown, where: string) => void
}

export function sessionNotesOf(parts: SessionNotesParts): SessionNotesAccess {
  const { options, home, stores, models, sessionModes, tombstones, onProblem } = parts
  const { clock, ids, readers, loaded } = options
  const dependencies: SessionNotesDependencies = {
    home: home.directory,
    readers,
    clock,
    ids,
    models,
    queue: () => stores.state()?.queue ?? null,
    projectOf: (session) => stores.sessions()?.session(session)?.project,
    modeOf: sessionModes.modeOf,
    isKept: loaded.config.capture.sessions,
    rules() {
      const { tables } = readOwnCues(home.directory)
      return {
        isCorrection: (content) => saysCorrection(content, tables),
        isForgotten: (message) => isForgottenSaying(tombstones, message),
      }
    },
  }
  const desk = createNoteDesk(dependencies)
  const notes = createSessionNotes(dependencies, desk)
  const telling = { ...dependencies, wording: notes.wording, onProblem }
  return {
    ...notes,
    forgetWords: async (sessions) => {
      if (sessions.length > 0) await notes.forgetWords(sessions, (session) => transcriptOf(stores.state(), session))
    },
    work(): RunJobsDependencies['work'] {
      return models.has(SESSION_NOTE) ? { [SESSION_NOTE]: (job, hold) => tellNote(telling, desk, job, hold) } : nothing
    },
  }
}

/** What a question opens first that asks to go on where the work stopped ("where did we leave off", 上次做到哪了). */
export function continuedNote(
  notes: Pick<SessionNotes, 'newestOf'>,
  project: string | null,
  query: string | undefined,
): ShownSessionNote | null {
  return query !== undefined && asksToContinue(query) !== null ? notes.newestOf(project) : null
}

const nothing: RunJobsDependencies['work'] = {}
