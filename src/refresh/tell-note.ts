/**
 * A model tells the note of one conversation (spec F1): one call, of the words that no model was shown yet. What must stay
 * true: the same words are never sent twice, so how far was asked is on disk before the call, and is taken back only when
 * the call was not made. Whatever goes wrong, the facts stand as they did.
 */
import { existsSync } from 'node:fs'
import { type Clock, sessionParts, type TranscriptBatch } from '../domain/index.ts'
import { MemoryError, throwIfCancelled } from '../errors.ts'
import { redact } from '../guard/index.ts'
import type { ModelJob, ModelJobs } from '../models/index.ts'
import type { SessionNotePlace } from '../store/session-notes.ts'
import type { QueuedJob } from '../store/state/job-queue.ts'
import { figuresOf, type JobEnd, type JobHold, laterEnd } from '../store/state/job-work.ts'
import { hasWords, type SessionNote, sectionsFrom } from './note-document.ts'
import { buildNoteQuestion, spokenLines } from './note-question.ts'
import { type NoteDesk, SESSION_NOTE, type SessionNotesDependencies } from './session-notes.ts'
import type { NoteWording } from './template.ts'
import { readTold, type ToldSections } from './told-answer.ts'

export interface TellingDependencies extends Pick<SessionNotesDependencies, 'readers' | 'rules'> {
  readonly models: ModelJobs
  readonly clock: Clock
  readonly wording: () => NoteWording
  readonly onProblem: (error: unknown, where: string) => void
}

const nothingToDo: JobEnd = { state: 'done', figures: null, hasMore: false }
/** What estimates of tokens may miss, and what stands around a question on the wire. */
const TOKENS_KEPT_FREE = 1_000
/** Turns that are held in memory; more than any question has room for. */
const MAX_BATCHES = 400

export async function tellNote(
  dependencies: TellingDependencies,
  desk: NoteDesk,
  job: QueuedJob,
  hold: JobHold,
): Promise<JobEnd> {
  const { models, clock, wording } = dependencies
  const place = desk.placeOf(job.key)
  const note = place && desk.noteAt(place)
  if (!note || !hasWords(note.sections) || note.head.askedTo >= note.head.readTo) return nothingToDo
  // Gone with its client: the facts are all that is left of it.
  if (!existsSync(note.head.transcript)) return nothingToDo
  const lines = spokenLines(await readUnasked(dependencies, note, hold.signal))
  const { since, askedTo, readTo } = note.head
  const mark = (from: number, to: number) => markAsked(desk, place, { since, from, to })
  if (lines.length === 0) return (await mark(askedTo, readTo)) ? nothingToDo : { state: 'lost' }
  const begun = models.begin(SESSION_NOTE, { signal: hold.signal })
  if (!begun.ok) return laterEnd({ ...begun, message: redact(begun.message).text }, job, clock.now())
  const { system, rules } = wording()
  const inputTokens = begun.job.budget.inputTokens - TOKENS_KEPT_FREE
  const { prompt, material } = buildNoteQuestion({ sections: note.sections, lines, system, inputTokens })
  if (!(await mark(askedTo, readTo))) return { state: 'lost' }
  const answer = await begun.job.ask({ system, prompt })
  if (!answer.ok && answer.reason === 'late') return failed(dependencies, begun.job, answer.message)
  if (!answer.ok) {
    // Only what was not sent may be sent another time.
    await mark(readTo, askedTo)
    return laterEnd({ ...answer, message: redact(answer.message).text }, job, clock.now())
  }
  const told = readTold(answer.text, { material, rules })
  if (!told.ok) return failed(dependencies, begun.job, `the answer is no such note: ${told.problem}`)
  const isWritten = hold.isMine() && (await writeTold(desk, place, note, told.sections))
  if (!isWritten) return { state: 'lost' }
  return {
    state: 'done',
    figures: { ...figuresOf(begun.job.spent()), written: 1, refused: told.dropped },
    hasMore: false,
  }
}

/** The facts stand; what a model made of these words is lost, and it is not asked again. */
function failed({ onProblem }: TellingDependencies, job: ModelJob, message: string): JobEnd {
  onProblem(new MemoryError('MODEL_UNAVAILABLE', redact(message).text), 'worker session-note')
  return { state: 'done', figures: { ...figuresOf(job.spent()), written: 0, refused: 1 }, hasMore: false }
}

async function readUnasked(
  { readers, rules }: TellingDependencies,
  { head }: SessionNote,
  signal: AbortSignal,
): Promise<readonly TranscriptBatch[]> {
  const { agent } = sessionParts(head.session)
  const reader = Object.hasOwn(readers, agent) ? readers[agent] : undefined
  const { isForgotten } = rules()
  const batches: TranscriptBatch[] = []
  if (!reader) return batches
  for await (const batch of reader.read(head.transcript, { fromOffset: Math.max(head.askedTo, head.since), signal })) {
    throwIfCancelled(signal)
    if (`${agent}:${batch.sessionId}` !== head.session) continue
    if (batch.endOffset > head.readTo) break
    batches.push({ ...batch, messages: batch.messages.filter((message) => !isForgotten(message)) })
    if (batches.length > MAX_BATCHES) batches.shift()
  }
  return batches
}

interface Mark {
  readonly since: number
  readonly from: number
  readonly to: number
}

/** False when the note is no longer what it was. */
async function markAsked(desk: NoteDesk, place: SessionNotePlace, { since, from, to }: Mark): Promise<boolean> {
  return desk.lock.hold(async () => {
    const now = desk.placeOf(place.session) && desk.noteAt(place)
    if (!now || now.head.since !== since || now.head.askedTo !== from) return false
    await desk.put(place, { ...now, head: { ...now.head, askedTo: to } })
    return true
  })
}

/** Into the note as it is now: its facts may be newer. */
async function writeTold(
  desk: NoteDesk,
  place: SessionNotePlace,
  { head }: SessionNote,
  told: ToldSections,
): Promise<boolean> {
  return desk.lock.hold(async () => {
    const now = desk.placeOf(place.session) && desk.noteAt(place)
    if (!now || now.head.since !== head.since || now.head.askedTo !== head.readTo) return false
    const sections = sectionsFrom((name) => ({ facts: now.sections[name].facts, told: told[name] }))
    await desk.put(place, { head: now.head, sections })
    return true
  })
}
