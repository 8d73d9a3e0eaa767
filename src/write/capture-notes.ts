/**
 * The notes that a turn proves (spec W12, W17). Only new words of the user yield notes; earlier messages and those of
 * others are there to be understood by, never to be kept.
 */
import type { Evidence, Message } from '../domain/index.ts'
import type { Candidate } from '../store/state/candidate-store.ts'
import { cutCodePoints, cutGraphemes, oneLine } from '../util/index.ts'
import type { CaptureRun, ContextMessage } from './capture-run.ts'
import { quoteOf, utcSeconds } from './evidence.ts'
import {
  type ExistingNote,
  type ExtractedNote,
  type ExtractMessage,
  extractNotes,
  findTentative,
  type TentativeStatement,
  takenBackMessages,
} from './extract/index.ts'
import { type MaskedMessage, nativeIdOf, spokenWords } from './message-identity.ts'

/** Earlier messages that the extractor sees without taking notes from them. */
const CONTEXT_MESSAGES = 30
/** Graphemes of the name of a note that was a candidate. */
const MAX_CANDIDATE_NAME = 60
/** Code points of an answer of a tool that the extractor sees. */
const MAX_TOOL_CHARACTERS = 2_000

export interface MaskedTurn {
  readonly session: string
  readonly messages: readonly MaskedMessage[]
  /** Ids that some session holds already. */
  readonly known: ReadonlySet<string>
}

export interface ProvenNote {
  readonly note: ExtractedNote
  readonly evidence: readonly Evidence[]
}

/** True when the turn has words of the user that were not processed before. */
export function hasNewWords(turn: MaskedTurn): boolean {
  return turn.messages.some((message) => isNewWord(turn, message))
}

/** The words of a turn as extraction sees them: each message is made ready once, however long it stays in sight. */
export function wordsOf(turn: MaskedTurn): readonly ContextMessage[] {
  return turn.messages.map(readied)
}

export interface Seen {
  readonly context: readonly ContextMessage[]
  /** Those of the turn. */
  readonly words: readonly ContextMessage[]
}

export function provenNotes(
  { dependencies }: CaptureRun,
  turn: MaskedTurn,
  { context, words, existing }: Seen & { readonly existing: readonly ExistingNote[] },
): ProvenNote[] {
  const all = [...context, ...words]
  const extract = dependencies.extract ?? extractNotes
  const notes = extract({
    messages: all.map(forExtraction),
    from: context.length,
    existing,
    cues: dependencies.cues?.tables ?? [],
    date: all.find((message) => message.writtenTime !== null)?.writtenTime ?? null,
  })
  return notes.flatMap((note) => {
    const [proof] = note.evidence
    const proving = proof === undefined || proof < context.length ? undefined : all[proof]
    if (!proving || !isNewWord(turn, proving)) return []
    const messages = note.evidence.flatMap((index) => all[index] ?? [])
    return [
      { note, evidence: messages.map((message) => evidenceFrom(message, turn.session, dependencies.config.sensitive)) },
    ]
  })
}

/** A tentative statement with the message that holds it. */
export interface SaidTentatively {
  readonly statement: TentativeStatement
  readonly evidence: Evidence
  /** The message's own calendar day, or null. */
  readonly day: string | null
}

/** What new words of the user say without being sure of it, and acts that may carry out such a plan (spec W8). */
export function tentativeIn(
  { dependencies }: CaptureRun,
  turn: MaskedTurn,
  { context, words }: Seen,
): SaidTentatively[] {
  const all = [...context, ...words]
  const statements = findTentative({
    messages: all.map(forExtraction),
    from: context.length,
    existing: [],
    date: all.find((message) => message.writtenTime !== null)?.writtenTime ?? null,
  })
  return statements.flatMap((statement) => {
    const message = all[statement.message]
    if (!message || !isNewWord(turn, message)) return []
    const evidence = evidenceFrom(message, turn.session, dependencies.config.sensitive)
    return [{ statement, evidence, day: message.writtenTime?.slice(0, 10) ?? null }]
  })
}

/** The note of a candidate that has become sure: its last words, proven by the message that promotes it and the first one. */
export function noteOfCandidate({ type, text, sightings }: Candidate, evidence: Evidence): ProvenNote {
  const line = oneLine(text)
  const [first] = sightings
  const earlier = first ? [{ ...evidence, session: first.session, message: null, quote: null, hash: null }] : []
  return {
    note: {
      type,
      name: cutGraphemes(line.replace(/[\s.。!！]+$/u, ''), MAX_CANDIDATE_NAME),
      description: line,
      body: line,
      evidence: [],
      replaces: null,
      time: evidence.time,
      rule: 'candidate',
    },
    evidence: [
      evidence,
      ...earlier.map((each) => ({ ...each, time: utcSeconds(new Date(first?.at ?? 0).toISOString()) })),
    ],
  }
}

/** Hashes of earlier messages that new words of the user take back ("forget that", 别记这个). */
export function takenBackIn({ context, words }: Seen): ReadonlySet<string> {
  const taken = takenBackMessages([...context, ...words].map(forExtraction), context.length)
  return new Set(taken.flatMap((index) => context[index]?.hash ?? []))
}

/** Earlier messages of the session: held from this run, else from the store; never those of the turn itself. */
export function contextOf(run: CaptureRun, { session, messages }: MaskedTurn): readonly ContextMessage[] {
  const held = run.context.get(session)
  if (held) return held
  const { sessions } = run.dependencies
  if (!sessions) return []
  const inTurn = new Set(messages.map((message) => message.id))
  const { total } = sessions.messages(session, { limit: 1, offset: 0 })
  const offset = Math.max(0, total - CONTEXT_MESSAGES)
  const stored = sessions.messages(session, { limit: CONTEXT_MESSAGES, offset }).messages
  return stored.filter((message) => !inTurn.has(message.id)).map((message) => fromStore(message, run.input.agent))
}

export function keepContext(run: CaptureRun, session: string, { context, words }: Seen): void {
  run.context.set(session, [...context, ...words].slice(-CONTEXT_MESSAGES))
}

function isNewWord(turn: MaskedTurn, message: ContextMessage): boolean {
  return message.role === 'user' && !turn.known.has(message.id)
}

function fromStore(message: Message, agent: string): ContextMessage {
  return readied({ ...message, nativeId: nativeIdOf(message.id, agent), writtenTime: message.time })
}

/** Without our own blocks; what a tool said may be a megabyte, of which only the beginning is ever looked at. */
function readied(message: ContextMessage): ContextMessage {
  const { id, role, toolName, time, hash, nativeId, writtenTime } = message
  const words = spokenWords(message)
  const content = role === 'tool' ? firstLineOf(words) : words
  return { id, role, content, toolName, time, hash, nativeId, writtenTime }
}

function forExtraction({ role, content, toolName, writtenTime }: ContextMessage, index: number): ExtractMessage {
  return { index, role, content, toolName, time: writtenTime }
}

function firstLineOf(words: string): string {
  return cutCodePoints(oneLine(words.slice(0, MAX_TOOL_CHARACTERS * 4).toWellFormed()), MAX_TOOL_CHARACTERS)
}

function evidenceFrom(message: ContextMessage, session: string, sensitive: 'refuse' | 'mask' | 'allow'): Evidence {
  return {
    session,
    message: message.nativeId,
    role: message.role,
    time: utcSeconds(message.time),
    quote: quoteOf(message.content, sensitive),
    hash: message.hash,
  }
}
