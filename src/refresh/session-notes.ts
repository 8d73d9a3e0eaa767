/**
 * Notes of conversations, kept in the background (spec F1): made and brought up to date from the transcript alone; where
 * a model is set up it is asked by a job of the queue (`tell-note.ts`). What must stay true: what was forgotten or set off
 * never comes back, because a note is written only under the lock and only over what it was made from.
 */
import { existsSync, statSync } from 'node:fs'
import {
  type Clock,
  type IdSource,
  isoSeconds,
  type LayerMode,
  SESSION_NOTE_DAYS,
  type ShownSessionNote,
  type TranscriptReader,
} from '../domain/index.ts'
import { MemoryError, messageOf, throwIfCancelled } from '../errors.ts'
import type { ModelJobs } from '../models/index.ts'
import {
  createSessionNoteLock,
  removeNewestSession,
  removeSessionNote,
  type SessionNoteLock,
  sweepSessionNotes,
  writeNewestSession,
  writeSessionNote,
} from '../store/session-note-writes.ts'
import {
  readNewestSession,
  readOwnNoteFiles,
  readSessionNoteText,
  type SessionNotePlace,
  sessionNotes,
} from '../store/session-notes.ts'
import type { JobQueue } from '../store/state/job-queue.ts'
import { compareUnits } from '../util/index.ts'
import { condenseSections } from './condense.ts'
import { type ConversationFacts, type FactsRules, foldFacts } from './conversation-facts.ts'
import { factSections, newestLine } from './fact-sections.ts'
import {
  emptySections,
  formatNote,
  hasWords,
  type NoteHead,
  readNote,
  type SessionNote,
  sectionsFrom,
} from './note-document.ts'
import { isNoteDue } from './note-due.ts'
import { shownNote } from './shown-note.ts'
import { type NoteWording, readWording } from './template.ts'

/** What asking a model about a note is called in the queue. */
export const SESSION_NOTE = 'session-note'
const DAY_MS = 86_400_000

export interface SessionNotesDependencies {
  readonly home: string
  /** By agent name. */
  readonly readers: Readonly<Record<string, TranscriptReader>>
  readonly clock: Clock
  readonly ids: IdSource
  readonly models: ModelJobs
  /** Null where there is no database: then no model is asked. */
  readonly queue: () => JobQueue | null
  /** Layer key of the project of a captured conversation, null outside any; undefined for one that is not kept. */
  readonly projectOf: (session: string) => string | null | undefined
  readonly modeOf: (session: string) => LayerMode
  /** Whether words of conversations are kept here at all. */
  readonly isKept: boolean
  /** Asked once for each reading of a transcript. */
  readonly rules: () => FactsRules
}

/** A conversation that was just read. */
export interface ReadConversation {
  readonly session: string
  readonly agent: string
  readonly transcript: string
  /** It ended, or is about to be compacted. */
  readonly isClosing: boolean
  readonly signal?: AbortSignal
}

export interface SessionNotes {
  /** Writes the note of a conversation, where it is due. True when it did. */
  look(conversation: ReadConversation): Promise<boolean>
  /** As it may be shown; null while there is none. */
  noteOf(session: string): ShownSessionNote | null
  /** The one of this project in which something was said last. */
  newestOf(project: string | null): ShownSessionNote | null
  /** Nothing of the conversation is kept any more. */
  remove(session: string): Promise<void>
  /** What was said so far proved something that was forgotten: the notes begin anew behind it. */
  forgetWords(sessions: readonly string[], transcriptOf: (session: string) => string | null): Promise<void>
  /** Removes what is too old. Returns sentences about what could not be. */
  tidy(): Promise<readonly string[]>
  wording(): NoteWording
}

/** What `tell-note.ts` needs beside. */
export interface NoteDesk {
  readonly lock: SessionNoteLock
  placeOf(session: string): SessionNotePlace | null
  noteAt(place: SessionNotePlace): SessionNote | null
  put(place: SessionNotePlace, note: SessionNote): Promise<void>
}

export function createNoteDesk({ home, projectOf, modeOf, isKept }: SessionNotesDependencies): NoteDesk {
  return {
    lock: createSessionNoteLock(home),
    placeOf(session) {
      const project = isKept && modeOf(session) !== 'off' ? projectOf(session) : undefined
      return project === undefined ? null : { project, session }
    },
    noteAt(place) {
      const text = readSessionNoteText(home, place)
      const note = text === null ? null : readNote(text)
      return note?.head.session === place.session ? note : null
    },
    put: (place, { head, sections }) =>
      writeSessionNote(home, place, formatNote({ head, sections: condenseSections(sections) })),
  }
}

export function createSessionNotes(dependencies: SessionNotesDependencies, desk: NoteDesk): SessionNotes {
  const { home, clock, projectOf } = dependencies
  return {
    look: (conversation) => lookAt(dependencies, desk, conversation),
    noteOf: (session) => shownAt(desk, session),
    newestOf(project) {
      const heads = [...sessionNotes(home)].flatMap((each) => {
        const note = each.project === project ? readNote(each.text) : null
        return note && hasWords(note.sections) ? note.head : []
      })
      const newest = heads.sort((one, other) => compareUnits(other.updated, one.updated)).map(({ session }) => session)
      return newest.map((session) => shownAt(desk, session)).find((each) => each !== null) ?? null
    },
    remove: (session) => desk.lock.hold(async () => removeEverywhere(home, session, projectOf(session))),
    forgetWords: (sessions, transcriptOf) =>
      desk.lock.hold(async () => {
        for (const session of sessions) await beginAnew(dependencies, desk, session, transcriptOf)
      }),
    tidy: () => desk.lock.hold(async () => removeOld(home, clock.now())),
    wording: () => readWording(readOwnNoteFiles(home)),
  }
}

function shownAt(desk: NoteDesk, session: string): ShownSessionNote | null {
  const place = desk.placeOf(session)
  const note = place && desk.noteAt(place)
  return note && hasWords(note.sections) ? shownNote(note) : null
}

async function lookAt(
  dependencies: SessionNotesDependencies,
  desk: NoteDesk,
  conversation: ReadConversation,
): Promise<boolean> {
  const { session, transcript, isClosing, signal } = conversation
  const place = desk.placeOf(session)
  if (!place) return false
  const before = desk.noteAt(place)
  const hasNote = before !== null && hasWords(before.sections)
  const since = before?.head.since ?? 0
  const known = hasNote && before.head.transcript === transcript ? before.head.readTo : since
  // A transcript that was replaced by a shorter one is read again whole.
  const from = known <= sizeOf(transcript) ? known : since
  const grown = await readFacts(dependencies, conversation, from)
  if (!grown || !isNoteDue({ ...grown, hasNote, isClosing })) return false
  const facts = from === since ? grown : await readFacts(dependencies, conversation, since)
  const updated = facts && updatedOf(facts, dependencies.clock.now())
  if (!facts || updated === null) return false
  const head = { session, updated, transcript, since, readTo: facts.readTo }
  return desk.lock.hold(async () => {
    if (!desk.placeOf(session) || !isSameNote(desk.noteAt(place), before)) return false
    await writeFacts(dependencies, desk, place, { head, facts })
    return true
  }, signal)
}

/** Also for one that another process wrote or forgot meanwhile: it has seen to it. */
function isSameNote(now: SessionNote | null, before: SessionNote | null): boolean {
  return now?.head.since === before?.head.since && now?.head.readTo === before?.head.readTo
}

/** When something was last said. Null for a conversation that is too old for a note. */
function updatedOf({ lastTime }: ConversationFacts, now: number): string | null {
  const saidMs = lastTime === null ? now : Math.min(Date.parse(lastTime), now)
  return now - saidMs > SESSION_NOTE_DAYS.kept * DAY_MS ? null : isoSeconds(saidMs)
}

interface NewNote {
  readonly head: Omit<NoteHead, 'askedTo'>
  readonly facts: ConversationFacts
}

async function writeFacts(
  { home, clock, ids, models, queue }: SessionNotesDependencies,
  desk: NoteDesk,
  place: SessionNotePlace,
  { head, facts }: NewNote,
): Promise<void> {
  const bullets = factSections(facts)
  // What a model told meanwhile stays: it is read again under the lock.
  const kept = desk.noteAt(place)
  const sections = sectionsFrom((name) => ({ facts: bullets[name], told: kept?.sections[name].told ?? '' }))
  await desk.put(place, { head: { ...head, askedTo: kept?.head.askedTo ?? head.since }, sections })
  const newest = readNewestSession(home, place.project)
  const isNewest = newest === null || newest.session === place.session || newest.updated <= head.updated
  if (isNewest && ageInDays(head.updated, clock.now()) <= SESSION_NOTE_DAYS.named)
    await writeNewestSession(home, place.project, {
      session: place.session,
      updated: head.updated,
      line: newestLine(facts),
    })
  const now = clock.now()
  if (models.has(SESSION_NOTE))
    queue()?.put({ id: ids.next(), kind: SESSION_NOTE, key: place.session, signals: [], dueAt: now, now })
}

/** Null when the transcript says nothing of this conversation from there on. */
async function readFacts(
  { readers, rules }: SessionNotesDependencies,
  { session, agent, transcript, signal }: ReadConversation,
  fromOffset: number,
): Promise<ConversationFacts | null> {
  const reader = Object.hasOwn(readers, agent) ? readers[agent] : undefined
  if (!reader) return null
  const fold = foldFacts(fromOffset, rules())
  for await (const batch of reader.read(transcript, { fromOffset, signal })) {
    throwIfCancelled(signal)
    if (`${agent}:${batch.sessionId}` === session) fold.add(batch)
  }
  const facts = fold.facts()
  return facts.readTo > fromOffset ? facts : null
}

/** Also where its project is not known any more. */
function removeEverywhere(home: string, session: string, project: string | null | undefined): void {
  sweepSessionNotes(home)
  if (project !== undefined) removeSessionNote(home, { project, session })
  for (const { project: other, text } of sessionNotes(home))
    if (readNote(text)?.head.session === session) removeSessionNote(home, { project: other, session })
}

/** Without a note too: one that is made later must not read what was said until now. */
async function beginAnew(
  { home, clock, projectOf }: SessionNotesDependencies,
  desk: NoteDesk,
  session: string,
  transcriptOf: (session: string) => string | null,
): Promise<void> {
  const project = projectOf(session)
  const place = project === undefined ? null : { project, session }
  const transcript = (place && desk.noteAt(place)?.head.transcript) ?? transcriptOf(session)
  removeEverywhere(home, session, project)
  if (!place || transcript === null || !existsSync(transcript)) return
  const since = sizeOf(transcript)
  const head = { session, updated: isoSeconds(clock.now()), transcript, since, readTo: since, askedTo: since }
  await writeSessionNote(home, place, formatNote({ head, sections: emptySections() }))
}

async function removeOld(home: string, now: number): Promise<readonly string[]> {
  sweepSessionNotes(home)
  const problems: string[] = []
  const projects = new Set<string | null>()
  for (const { project, file, text } of sessionNotes(home)) {
    try {
      projects.add(project)
      const note = readNote(text)
      if (note && isOver(note, now)) removeSessionNote(home, { project, session: note.head.session })
    } catch (error) {
      if (!MemoryError.isInstance(error)) throw error
      problems.push(`${file}: ${messageOf(error)}`)
    }
  }
  for (const project of projects) {
    const newest = readNewestSession(home, project)
    if (newest && ageInDays(newest.updated, now) > SESSION_NOTE_DAYS.named) removeNewestSession(home, project)
  }
  return problems
}

/** An empty one says only from where on its conversation is read: it holds as long as there is something to read. */
function isOver({ head, sections }: SessionNote, now: number): boolean {
  if (!hasWords(sections)) return !existsSync(head.transcript)
  return ageInDays(head.updated, now) > SESSION_NOTE_DAYS.kept
}

function ageInDays(updated: string, now: number): number {
  return (now - Date.parse(updated)) / DAY_MS
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
