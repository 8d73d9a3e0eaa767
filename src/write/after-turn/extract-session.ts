/**
 * One conversation read by a model (spec W12): ask, keep the answer, write its notes by the one write path, move the cursor,
 * done. What must stay true: killed between any two of these, the next run ends with the same notes and asks at most once
 * more, because an answer is on disk before the first of its notes is written; who lost the job writes nothing.
 */
import type { Clock, Config, LayerMode, RememberInput, Session } from '../../domain/index.ts'
import { hasCode } from '../../errors.ts'
import { redact } from '../../guard/index.ts'
import type { ModelJobs } from '../../models/index.ts'
import { askForValue } from '../../models/structured-answer.ts'
import type { ExtractionCursor } from '../../store/state/extraction-cursors.ts'
import type { QueuedJob } from '../../store/state/job-queue.ts'
import { figuresOf, type JobEnd, type JobFigures, type JobHold, laterEnd } from '../../store/state/job-work.ts'
import type { SessionPlace } from '../capture-run.ts'
import { type AnswerNotesInput, notesOfAnswer } from './answer-notes.ts'
import { extractPrompt } from './extract-prompt.ts'
import { type KeptAnswer, masked, readKept, writeKept } from './kept-answer.ts'
import { type Material, type MaterialInput, materialOf } from './material.ts'
import { moveTo, type ReadingStores, unreadOf } from './unread.ts'

export interface ExtractionDependencies extends ReadingStores {
  readonly models: ModelJobs
  readonly config: Config
  readonly clock: Clock
  readonly modeOf: (session: string) => LayerMode
  readonly placeOf: (cwd: string | null, mode: LayerMode) => Promise<SessionPlace>
  readonly isForgotten: MaterialInput['isForgotten']
  readonly veto?: AnswerNotesInput['veto']
}

/** Unread messages of one job; what is behind them is the next one's. */
const MAX_MESSAGES = 200

export async function extractSession(
  dependencies: ExtractionDependencies,
  job: QueuedJob,
  hold: JobHold,
): Promise<JobEnd> {
  const { sessions, cursors, modeOf, placeOf, isForgotten } = dependencies
  const session = sessions.session(job.key)
  if (!session) {
    cursors.remove(job.key)
    return { ...idle, hasMore: false }
  }
  const mode = modeOf(session.id)
  const unread = unreadOf(dependencies, session.id, MAX_MESSAGES)
  const place = mode === 'off' || unread.messages.length === 0 ? null : await placeOf(session.cwd, mode)
  const existing = place?.takesNotes ? await place.existing() : null
  if (!place || !existing) return passed(dependencies, session.id, unread)
  const kept = openAnswer(job, cursors.get(session.id))
  const about = kept ? { shownUpTo: kept.upTo } : {}
  const material = materialOf(sessions, { session, unread, existing, isForgotten, ...about })
  const rest = kept ? { upTo: kept.upTo, hasMore: true } : unread
  if (!material || !hasUsersWord(material)) return passed(dependencies, session.id, material ?? rest)
  const answer = kept ?? (await ask(dependencies, { job, material, hold }))
  if ('state' in answer) return answer
  const figures = await writeNotes(dependencies, { answer, material, place, session, existing, hold })
  if (!figures) return { state: 'lost' }
  pass(dependencies, session.id, material, { isRead: true })
  return { state: 'done', figures, hasMore: material.hasMore }
}

const idle = { state: 'done', figures: null } as const

function pass(
  dependencies: ExtractionDependencies,
  session: string,
  { upTo }: Pick<Material, 'upTo'>,
  { isRead }: { readonly isRead: boolean },
): void {
  moveTo(dependencies, session, { upTo, now: dependencies.clock.now(), isRead })
}

/** Nobody is asked about these messages. */
function passed(
  dependencies: ExtractionDependencies,
  session: string,
  part: Pick<Material, 'upTo' | 'hasMore'>,
): JobEnd {
  pass(dependencies, session, part, { isRead: false })
  return { ...idle, hasMore: part.hasMore }
}

/** An answer that was kept before its notes were written, unless they all were. */
function openAnswer({ answer }: QueuedJob, cursor: ExtractionCursor | null): KeptAnswer | null {
  const kept = readKept(answer)
  return kept && cursor && kept.upTo > cursor.ordinal ? kept : null
}

/** Without one nothing can be proved. */
function hasUsersWord({ fresh }: Material): boolean {
  return [...fresh.values()].some(({ message }) => message.role === 'user')
}

async function ask(
  { models, clock }: ExtractionDependencies,
  { job, material, hold }: { readonly job: QueuedJob; readonly material: Material; readonly hold: JobHold },
): Promise<KeptAnswer | JobEnd> {
  const begun = models.begin('extraction', { signal: hold.signal })
  if (!begun.ok) return laterEnd({ ...begun, message: redact(begun.message).text }, job, clock.now())
  // Its schema library costs more than most commands, and most of them ask no model.
  const { extractShape } = await import('./answer.ts')
  const asked = await askForValue(begun.job, { system: extractPrompt.text, prompt: material.prompt }, extractShape)
  if (!asked.ok) {
    const { reason, message, raw } = asked
    if (reason !== 'malformed') return laterEnd({ reason, message: redact(message).text }, job, clock.now())
    return { state: 'dead', error: redact(message).text, raw: raw === null ? null : redact(raw).text }
  }
  const answer = { upTo: material.upTo, notes: asked.value.notes.map(masked), spend: begun.job.spent() }
  const isKept = answer.notes.length === 0 ? hold.isMine() : hold.keepAnswer(writeKept(answer))
  return isKept ? answer : { state: 'lost' }
}

interface Writing {
  readonly answer: KeptAnswer
  readonly material: Material
  readonly place: SessionPlace
  readonly session: Session
  readonly existing: MaterialInput['existing']
  readonly hold: JobHold
}

/** Null when the job was lost on the way. */
async function writeNotes(
  { config, veto }: ExtractionDependencies,
  { answer, material, place, session, existing, hold }: Writing,
): Promise<JobFigures | null> {
  const { agent, id } = session
  const { notes, spend } = answer
  const { sensitive } = config
  const { wanted, refused } = notesOfAnswer({ notes, material, existing, session: id, agent, sensitive, veto })
  let written = 0
  for (const note of wanted) {
    if (!hold.isMine()) return null
    if (await isWritten(place, { ...note, signal: hold.signal })) written++
  }
  return hold.isMine() ? { ...figuresOf(spend), written, refused: refused.length + wanted.length - written } : null
}

/** Input that the write path calls wrong would fail at every try; it does not hold up the rest. */
async function isWritten(place: SessionPlace, note: RememberInput): Promise<boolean> {
  try {
    const { outcome } = await place.remember(note)
    return outcome === 'written' || outcome === 'merged' || outcome === 'proposed'
  } catch (error) {
    if (hasCode(error, 'INPUT_INVALID')) return false
    throw error
  }
}
