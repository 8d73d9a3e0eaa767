/** Captured conversations of this place: this project's, and those that belong to no project when there is none here. */
import type { Clock, SessionListInput, SessionListResult, Sessions } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import type { ModelJobs } from '../models/index.ts'
import { type Recall, summariseSession, timeBounds } from '../recall/index.ts'
import type { SessionPlace, SessionStore } from '../store/sessions/session-store.ts'
import { boundedLimit } from './notes.ts'
import { type ResumeDependencies, resumeSession } from './resume-session.ts'
import { continuedNote, type SessionNotesAccess } from './session-notes.ts'
import { comparableTag, tagSession } from './session-tags.ts'
import { findPlace, viewSession } from './session-view.ts'
import { shownPassages, shownSession } from './shown.ts'

export interface SessionsDependencies {
  /** Without those that are `off`. */
  readonly store: () => SessionStore | null
  /** Why there is none. */
  readonly unavailable: () => string | null
  readonly projectKey: () => string | null
  readonly recall: Pick<Recall, 'searchSessions'>
  /** Brings the words of new messages into the index; never throws. */
  readonly prepare: () => Promise<void>
  readonly setMode: Sessions['setMode']
  readonly answered: Sessions['answered']
  readonly models: ModelJobs
  readonly notes: Pick<SessionNotesAccess, 'noteOf' | 'newestOf'>
  readonly clock: Clock
  readonly readers: ResumeDependencies['readers']
  readonly state: () => ResumeDependencies['state']
  /** Refuses to change what may not be changed. */
  readonly changing: <Result>(work: () => Promise<Result>) => Promise<Result>
}

const CURSOR = /^s(-1|\d{1,15})\.(\d{1,12})$/

export function createSessions(dependencies: SessionsDependencies): Sessions {
  const { store, projectKey, recall, prepare, changing, notes } = dependencies
  const open = (): SessionStore | null => {
    const found = store()
    const reason = found ? null : dependencies.unavailable()
    if (reason === null) return found
    throw new MemoryError('SQLITE_UNAVAILABLE', 'Conversations are not available here', {
      hint: reason,
      data: { tried: [reason] },
    })
  }
  const openFor = (id: string): SessionStore => {
    const found = open()
    if (found) return found
    throw new MemoryError('SESSION_NOT_FOUND', `No captured session is called ${JSON.stringify(id)}`, {
      hint: 'Nothing was captured yet.',
      data: { reference: id },
    })
  }
  const sessionOf = (id: string) => {
    const found = openFor(id)
    return { found, session: findPlace(found, projectKey(), id).session }
  }
  return {
    setMode: dependencies.setMode,
    answered: dependencies.answered,
    async summarise({ id, question, signal }) {
      if (question.trim() === '') throw invalidField('question', 'A summary answers a question; say which')
      const { found, session } = sessionOf(id)
      const tools = { store: found, models: dependencies.models }
      return summariseSession(tools, { session: shownSession(session), question, signal })
    },
    async resume({ id }) {
      const { readers, state } = dependencies
      const { session } = sessionOf(id)
      return { ...resumeSession(session, { readers, state: state() }), note: notes.noteOf(session.id) }
    },
    async search(input) {
      if (open() === null) return { sessions: [], omitted: 0, searched: 'ok', reason: null }
      await prepare()
      const { sessions, ...how } = await recall.searchSessions(input)
      const sessionNote = continuedNote(notes, projectKey(), input.query)
      return { sessions: sessions.map(shownPassages), ...how, ...(sessionNote ? { sessionNote } : {}) }
    },
    async show(input) {
      const view = viewSession(openFor(input.id), projectKey(), input)
      return input.note === true ? { ...view, note: notes.noteOf(view.session.id) } : view
    },
    async list(input = {}) {
      const wanted = filterOf(input, dependencies.clock.now())
      const found = open()
      if (!found) return { sessions: [], nextCursor: null, total: 0, omitted: 0 }
      return listed(found.sessions({ ...wanted, projects: [projectKey()] }))
    },
    tag: (input) =>
      changing(async () => {
        const { found, session } = sessionOf(input.id)
        return tagSession(found, session.id, input)
      }),
  }
}

function invalidField(field: string, message: string): MemoryError {
  return new MemoryError('INPUT_INVALID', message, { hint: 'Nothing was changed.', data: { field } })
}

function listed({ sessions, total, omitted, last }: ReturnType<SessionStore['sessions']>): SessionListResult {
  const nextCursor = omitted > 0 && last ? `s${last.startedMs}.${last.key}` : null
  return { sessions: sessions.map(shownSession), nextCursor, total, omitted }
}

function filterOf({ limit, cursor, tag, since, until, agent, branch }: SessionListInput, nowMs: number) {
  const { fromMs, toMs } = timeBounds({ since, until }, nowMs)
  return {
    agent,
    branch,
    limit: boundedLimit(limit),
    after: cursor === undefined ? undefined : placeOf(cursor),
    tag: tag === undefined ? undefined : comparableTag(tag),
    sinceMs: fromMs ?? undefined,
    untilMs: toMs ?? undefined,
  }
}

function placeOf(cursor: string): SessionPlace {
  const [, startedMs, key] = CURSOR.exec(cursor) ?? []
  if (startedMs !== undefined && key !== undefined) return { startedMs: Number(startedMs), key: Number(key) }
  throw new MemoryError('INPUT_INVALID', `The cursor ${JSON.stringify(cursor)} is not one of ours`, {
    hint: 'Take nextCursor from the last page, or leave it out to begin at the start.',
    data: { field: 'cursor' },
  })
}
