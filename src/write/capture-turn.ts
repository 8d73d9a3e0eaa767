/**
 * One turn of a transcript: masked first, then its notes, then its messages. A turn in which the agent wrote memory
 * itself yields no notes: the same words are never processed twice (spec W12).
 */
import { type RememberResult, stricterMode, type TranscriptBatch } from '../domain/index.ts'
import { hasCode } from '../errors.ts'
import { redact } from '../guard/index.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import { cutGraphemes, oneLine, wellFormed } from '../util/index.ts'
import {
  contextOf,
  hasNewWords,
  keepContext,
  type MaskedTurn,
  noteOfCandidate,
  type ProvenNote,
  provenNotes,
  type Seen,
  takenBackIn,
  tentativeIn,
  wordsOf,
} from './capture-notes.ts'
import { existingIn, placeFor } from './capture-place.ts'
import { type CaptureRun, countOutcome, countSkipped, type KnownPlace, type SessionPlace } from './capture-run.ts'
import { countUses } from './count-uses.ts'
import { utcSeconds } from './evidence.ts'
import { isOnlyOwnBlock, type MaskedMessage, maskMessage } from './message-identity.ts'
import { weighTrust } from './weigh-turn.ts'

const MAX_TITLE_GRAPHEMES = 200
const MAX_FIRST_WORDS_GRAPHEMES = 80

export async function captureTurn(run: CaptureRun, batch: TranscriptBatch): Promise<void> {
  countSkipped(run, batch.skipped)
  const turn = maskTurn(run, batch)
  const mode = stricterMode(run.dependencies.modeOf(turn.session), run.input.mode ?? 'auto')
  const writes = await memoryWritesIn(run, batch)
  await recordToolWrites(run, turn.session, writes)
  // Its words go nowhere; that it was read up to here is kept, so that they never do.
  if (mode === 'off') return countSkipped(run, { 'session-off': turn.messages.length })
  const place = await placeFor(run, batch.cwd, mode)
  const seen = { context: contextOf(run, turn), words: wordsOf(turn) }
  await countUses(run, place, { turn, batch })
  if (hasNewWords(turn)) await takeBack(run, place, turn, takenBackIn(seen))
  if (hasNewWords(turn)) await weighTrust(run, place, { turn, seen })
  if (writes.length === 0 && hasNewWords(turn)) {
    const existing = await existingIn(place)
    const proven = provenNotes(run, turn, { ...seen, existing })
    for (const note of proven) await rememberExtracted(run, place, note)
    await weighTentative(run, place, { turn, seen, proven })
  }
  const { reading } = run.dependencies
  reading?.begin(turn.session)
  storeTurn(run, { batch, turn, place: place.place })
  if (writes.length > 0 || !place.place.takesNotes) reading?.passOver(turn.session, turn.messages)
  keepContext(run, turn.session, seen)
  if (turn.messages.length > 0) run.tally.sessions.add(turn.session)
}

function maskTurn(run: CaptureRun, batch: TranscriptBatch): MaskedTurn {
  const { agent } = run.input
  const session = `${agent}:${batch.sessionId}`
  const first = run.positions.get(session) ?? 0
  run.positions.set(session, first + batch.messages.length)
  const messages = batch.messages.flatMap((message, index) => {
    if (!isOnlyOwnBlock(message)) return [maskMessage(message, { agent, session, position: first + index })]
    countSkipped(run, { 'own-block': 1 })
    return []
  })
  const known = run.dependencies.sessions?.knownMessages(messages.map((message) => message.id))
  return { session, messages, known: known ?? new Set() }
}

/** Writes of the agent itself into a folder of notes. They count whatever the session may do. */
async function memoryWritesIn(run: CaptureRun, { memoryWrites, cwd }: TranscriptBatch) {
  if (memoryWrites.every(({ path }) => path === null)) return memoryWrites
  const { place } = await placeFor(run, cwd, 'auto')
  return memoryWrites.filter(({ path }) => path === null || place.isNotePath(path))
}

async function recordToolWrites(
  run: CaptureRun,
  session: string,
  writes: TranscriptBatch['memoryWrites'],
): Promise<void> {
  for (const { path, time } of writes)
    if (path !== null) await run.dependencies.recordToolWrite({ path, session, time: utcSeconds(time) })
}

/** What the user takes back goes, with its tombstone, also when it was said some turns ago. */
async function takeBack(
  run: CaptureRun,
  place: KnownPlace,
  turn: MaskedTurn,
  hashes: ReadonlySet<string>,
): Promise<void> {
  if (hashes.size === 0) return
  run.tally.takenBack += await place.place.takeBack(turn.session, hashes)
  run.dependencies.candidates?.forget(hashes)
  place.existing = null
  place.finder = null
}

async function rememberExtracted(run: CaptureRun, place: KnownPlace, proven: ProvenNote): Promise<void> {
  const result = await rememberOrSkip(run, place, proven)
  if (!result) return
  countOutcome(run, result)
  if (result.outcome !== 'written' && result.outcome !== 'merged') return
  const { id, name, type, description } = result.note
  place.existing = [...(place.existing ?? []).filter((each) => each.name !== name), { id, name, type, description }]
}

/** What is not sure enough is remembered as a candidate; what has become sure is a note. */
async function weighTentative(
  run: CaptureRun,
  place: KnownPlace,
  { turn, seen, proven }: { readonly turn: MaskedTurn; readonly seen: Seen; readonly proven: readonly ProvenNote[] },
): Promise<void> {
  const { candidates } = run.dependencies
  if (!candidates || !place.place.takesNotes) return
  const layer = place.place.project ?? 'global'
  for (const { note } of proven) candidates.settle(note.body, layer)
  for (const { statement, evidence, day } of tentativeIn(run, turn, seen)) {
    if (proven.some((each) => each.evidence.some(({ hash }) => hash === evidence.hash))) continue
    const promoted = candidates.weigh(statement, { session: turn.session, layer, evidence, day })
    if (promoted) await rememberExtracted(run, place, noteOfCandidate(promoted, evidence))
  }
}

/** Input that the write path calls wrong would fail at every read: it is told once and does not hold up the rest. */
async function rememberOrSkip(
  run: CaptureRun,
  { place }: KnownPlace,
  { note, evidence }: ProvenNote,
): Promise<RememberResult | null> {
  try {
    return await place.remember({
      text: note.body,
      type: note.type,
      name: note.name,
      description: note.description,
      author: 'extractor',
      agent: run.input.agent,
      evidence,
      time: note.time ?? undefined,
      supersedes: note.replaces === null ? undefined : [note.replaces],
      signal: run.input.signal,
    })
  } catch (error) {
    if (!hasCode(error, 'INPUT_INVALID')) throw error
    run.tally.problems.add(`A note could not be kept: ${error.message}`)
    return null
  }
}

interface StoredTurn {
  readonly batch: TranscriptBatch
  readonly turn: MaskedTurn
  readonly place: SessionPlace
}

function storeTurn(run: CaptureRun, stored: StoredTurn): void {
  const { sessions, config } = run.dependencies
  if (!sessions || !config.capture.sessions) return
  const { session, messages } = stored.turn
  // A title alone does not make a conversation.
  if (messages.length === 0 && sessions.session(session) === null) return
  putSession(sessions, run.input.agent, stored)
  if (messages.length > 0) run.tally.messages += sessions.addMessages(session, messages)
}

function putSession(sessions: SessionStore, agent: string, { batch, turn, place }: StoredTurn): void {
  const times = turn.messages.flatMap((message: MaskedMessage) => message.time ?? [])
  sessions.putSession({
    id: turn.session,
    agent,
    project: place.project,
    title: maskedLine(batch.title) ?? firstWords(sessions, turn),
    tags: [],
    branch: maskedLine(batch.branch),
    cwd: maskedPath(batch.cwd),
    started: times[0] ?? null,
    ended: times.at(-1) ?? null,
    summary: null,
    parent: null,
  })
}

/** A conversation that has no title yet is called by the first thing the user said. */
function firstWords(sessions: SessionStore, turn: MaskedTurn): string | null {
  if (sessions.session(turn.session)?.title) return null
  const first = turn.messages.find(({ role }) => role === 'user')
  return first ? cutGraphemes(oneLine(first.content), MAX_FIRST_WORDS_GRAPHEMES) : null
}

/** Not cut: a folder that is known only in part is no folder. */
function maskedPath(path: string | null): string | null {
  return path === null ? null : redact(wellFormed(path)).text
}

function maskedLine(text: string | null): string | null {
  if (text === null) return null
  const line = cutGraphemes(oneLine(redact(wellFormed(text)).text), MAX_TITLE_GRAPHEMES)
  return line === '' ? null : line
}
