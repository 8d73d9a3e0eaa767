/**
 * One turn of a transcript: masked first, then extracted, then stored. Only new words of the user yield notes; a turn
 * in which the agent wrote memory itself yields none (spec W12).
 */
import type {
  CaptureInput,
  CaptureResult,
  Evidence,
  Message,
  RememberResult,
  TranscriptBatch,
  TranscriptMemoryWrite,
} from '../domain/index.ts'
import { redact } from '../guard/index.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import { cutGraphemes, oneLine, wellFormed } from '../util/index.ts'
import type { CaptureDependencies, SessionPlace } from './capture.ts'
import { cutCodePoints, quoteOf, utcSeconds } from './evidence.ts'
import { type ExistingNote, type ExtractedNote, type ExtractMessage, extractNotes } from './extract/index.ts'
import { type MaskedMessage, maskMessage, spokenWords } from './message-identity.ts'

/** Earlier messages that the extractor sees without taking notes from them. */
const CONTEXT_MESSAGES = 30
/** Code points of an answer of a tool that the extractor sees. */
const MAX_TOOL_CHARACTERS = 2_000
/** Outcomes and problems listed in one result; the rest is counted. */
const MAX_LISTED = 1_000
const MAX_TITLE_GRAPHEMES = 200

/** What the extractor needs of a message, from this read or from the store. */
type ContextMessage = Pick<
  MaskedMessage,
  'id' | 'role' | 'content' | 'toolName' | 'time' | 'hash' | 'nativeId' | 'writtenTime'
>

interface KnownPlace {
  readonly place: SessionPlace
  /** Read once, then kept up with what this run writes. */
  existing: ExistingNote[] | null
}

/** State of one capture: bounded, gone with the call. */
export interface CaptureRun {
  readonly dependencies: CaptureDependencies
  readonly input: CaptureInput
  readonly places: Map<string | null, KnownPlace>
  readonly context: Map<string, readonly ContextMessage[]>
  readonly positions: Map<string, number>
  readonly tally: {
    readonly sessions: Set<string>
    readonly skipped: Record<string, number>
    readonly outcomes: RememberResult[]
    readonly problems: Set<string>
    messages: number
    unlistedOutcomes: number
  }
  result(): CaptureResult
}

export function startRun(dependencies: CaptureDependencies, input: CaptureInput): CaptureRun {
  const tally: CaptureRun['tally'] = {
    sessions: new Set(),
    skipped: {},
    outcomes: [],
    problems: new Set(dependencies.unavailable === null ? [] : [dependencies.unavailable]),
    messages: 0,
    unlistedOutcomes: 0,
  }
  const result = (): CaptureResult => ({
    sessions: [...tally.sessions],
    messages: tally.messages,
    skipped: tally.skipped,
    outcomes: tally.outcomes,
    problems: [
      ...tally.problems,
      ...(tally.unlistedOutcomes > 0 ? [`${tally.unlistedOutcomes} more outcomes are not listed.`] : []),
    ],
  })
  return { dependencies, input, places: new Map(), context: new Map(), positions: new Map(), tally, result }
}

export async function captureTurn(run: CaptureRun, turn: TranscriptBatch): Promise<void> {
  const session = `${run.input.agent}:${turn.sessionId}`
  countSkipped(run.tally.skipped, turn.skipped)
  const messages = maskAll(run, turn, session)
  const known = knownIds(run, messages)
  const place = await placeFor(run, turn.cwd)
  await recordToolWrites(run, session, turn.memoryWrites)
  if (turn.memoryWrites.length === 0) {
    for (const note of notesOf(run, { session, messages, known, existing: await existingIn(place) }))
      await rememberExtracted(run, place, note)
  }
  store(run, { turn, session, place: place.place, messages })
  run.context.set(session, lastOf([...contextOf(run, session, messages), ...messages]))
  if (messages.length > 0) run.tally.sessions.add(session)
}

function maskAll(run: CaptureRun, turn: TranscriptBatch, session: string): MaskedMessage[] {
  const first = run.positions.get(session) ?? 0
  run.positions.set(session, first + turn.messages.length)
  return turn.messages.map((message, index) =>
    maskMessage(message, { agent: run.input.agent, session, position: first + index }),
  )
}

function knownIds(run: CaptureRun, messages: readonly MaskedMessage[]): ReadonlySet<string> {
  const { sessions } = run.dependencies
  if (!sessions || messages.length === 0) return new Set()
  return sessions.knownMessages(messages.map((message) => message.id))
}

async function placeFor(run: CaptureRun, cwd: string | null): Promise<KnownPlace> {
  const known = run.places.get(cwd)
  if (known) return known
  const place: KnownPlace = { place: await run.dependencies.placeOf(cwd), existing: null }
  run.places.set(cwd, place)
  return place
}

async function existingIn(place: KnownPlace): Promise<readonly ExistingNote[]> {
  place.existing ??= [...(await place.place.existing())]
  return place.existing
}

async function recordToolWrites(
  run: CaptureRun,
  session: string,
  writes: readonly TranscriptMemoryWrite[],
): Promise<void> {
  for (const { path, time } of writes)
    if (path !== null) await run.dependencies.recordToolWrite({ path, session, time: utcSeconds(time) })
}

/** Earlier messages of the session: held from this run, else from the store; never those of the turn itself. */
function contextOf(run: CaptureRun, session: string, turn: readonly MaskedMessage[]): readonly ContextMessage[] {
  const held = run.context.get(session)
  if (held) return held
  const { sessions } = run.dependencies
  if (!sessions) return []
  const inTurn = new Set(turn.map((message) => message.id))
  const { total } = sessions.messages(session, { limit: 1, offset: 0 })
  const offset = Math.max(0, total - CONTEXT_MESSAGES)
  const stored = sessions.messages(session, { limit: CONTEXT_MESSAGES, offset }).messages
  return stored.filter((message) => !inTurn.has(message.id)).map((message) => fromStore(message, run.input.agent))
}

function fromStore(message: Message, agent: string): ContextMessage {
  const id = message.id.startsWith(`${agent}:`) ? message.id.slice(agent.length + 1) : message.id
  return { ...message, nativeId: /^[0-9a-f]{64}$/.test(id) ? null : id, writtenTime: message.time }
}

function lastOf(messages: readonly ContextMessage[]): readonly ContextMessage[] {
  return messages.slice(-CONTEXT_MESSAGES)
}

interface ProvenNote {
  readonly note: ExtractedNote
  readonly evidence: readonly Evidence[]
}

function notesOf(
  run: CaptureRun,
  turn: {
    readonly session: string
    readonly messages: readonly MaskedMessage[]
    readonly known: ReadonlySet<string>
    readonly existing: readonly ExistingNote[]
  },
): ProvenNote[] {
  const isNew = (message: ContextMessage | undefined) => message?.role === 'user' && !turn.known.has(message.id)
  if (!turn.messages.some(isNew)) return []
  const context = contextOf(run, turn.session, turn.messages)
  const all: readonly ContextMessage[] = [...context, ...turn.messages]
  const extracted = extractNotes({
    messages: all.map(forExtraction),
    existing: [...turn.existing],
    date: all.find((message) => message.writtenTime !== null)?.writtenTime ?? null,
  })
  return extracted.flatMap((note) => {
    const [proof] = note.evidence
    // What only the context proves was judged when it was new.
    if (proof === undefined || proof < context.length || !isNew(all[proof])) return []
    const evidence = note.evidence.flatMap((index) => {
      const message = all[index]
      return message ? [evidenceFrom(run, turn.session, message)] : []
    })
    return [{ note, evidence }]
  })
}

function forExtraction(message: ContextMessage, index: number): ExtractMessage {
  const words = spokenWords(message.content)
  return {
    index,
    role: message.role,
    content:
      message.role === 'tool'
        ? cutCodePoints(oneLine(words.slice(0, MAX_TOOL_CHARACTERS * 4)), MAX_TOOL_CHARACTERS)
        : words,
    toolName: message.toolName,
    time: message.writtenTime,
  }
}

function evidenceFrom(run: CaptureRun, session: string, message: ContextMessage): Evidence {
  return {
    session,
    message: message.nativeId,
    role: message.role,
    time: utcSeconds(message.time),
    quote: quoteOf(message.content, run.dependencies.config.sensitive),
    hash: message.hash,
  }
}

async function rememberExtracted(run: CaptureRun, place: KnownPlace, { note, evidence }: ProvenNote): Promise<void> {
  const result = await place.place.remember({
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
  if (run.tally.outcomes.length < MAX_LISTED) run.tally.outcomes.push(result)
  else run.tally.unlistedOutcomes++
  if (result.outcome !== 'written' && result.outcome !== 'merged') return
  const { name, type, description } = result.note
  place.existing = [...(place.existing ?? []).filter((each) => each.name !== name), { name, type, description }]
}

function store(
  run: CaptureRun,
  {
    turn,
    session,
    place,
    messages,
  }: {
    readonly turn: TranscriptBatch
    readonly session: string
    readonly place: SessionPlace
    readonly messages: readonly MaskedMessage[]
  },
): void {
  const { sessions, config } = run.dependencies
  if (!sessions || !config.capture.sessions) return
  // A title alone does not make a conversation.
  if (messages.length === 0 && sessions.session(session) === null) return
  putSession(sessions, { run, turn, session, place, messages })
  if (messages.length > 0) run.tally.messages += sessions.addMessages(session, messages)
}

function putSession(
  sessions: SessionStore,
  {
    run,
    turn,
    session,
    place,
    messages,
  }: {
    readonly run: CaptureRun
    readonly turn: TranscriptBatch
    readonly session: string
    readonly place: SessionPlace
    readonly messages: readonly MaskedMessage[]
  },
): void {
  const times = messages.flatMap((message) => message.time ?? [])
  sessions.putSession({
    id: session,
    agent: run.input.agent,
    project: place.project,
    title: maskedLine(turn.title),
    tags: [],
    branch: maskedLine(turn.branch),
    cwd: turn.cwd,
    started: times[0] ?? null,
    ended: times.at(-1) ?? null,
    summary: null,
    parent: null,
  })
}

function maskedLine(text: string | null): string | null {
  if (text === null) return null
  const line = cutGraphemes(oneLine(redact(wellFormed(text)).text), MAX_TITLE_GRAPHEMES)
  return line === '' ? null : line
}

function countSkipped(total: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [kind, count] of Object.entries(more)) total[kind] = (total[kind] ?? 0) + count
}
