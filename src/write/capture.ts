/**
 * One transcript into memory: notes first, then messages, then the cursor. A kill between any two of them costs
 * nothing: the next read starts at the old cursor, the same notes come out `unchanged`, the same messages have the same
 * ids. Memory stays flat: one turn and thirty earlier messages are held.
 */
import type {
  CaptureInput,
  CaptureResult,
  Clock,
  Config,
  RememberInput,
  RememberResult,
  TranscriptBatch,
  TranscriptReader,
} from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import type { StateStore } from '../store/state/state-store.ts'
import { sha256 } from '../util/index.ts'
import { type CaptureRun, captureTurn, startRun } from './capture-turn.ts'
import { turnsOf } from './capture-turns.ts'
import type { ExistingNote } from './extract/index.ts'
import { hasNativeId } from './message-identity.ts'
import { throwIfCancelled } from './throw-if-cancelled.ts'
import { HEAD_BYTES, readTranscriptHead, type TranscriptHead } from './transcript-head.ts'

/** Where the notes of one session go: decided by the session's own folder, never by the caller's. */
export interface SessionPlace {
  /** Layer key of the project, or null outside any. */
  readonly project: string | null
  /** The write path, for the layers of that project. */
  remember(input: RememberInput): Promise<RememberResult>
  /** What those layers hold now: name, type and description of each note. */
  existing(): Promise<readonly ExistingNote[]>
}

export interface CaptureDependencies {
  /** By agent name. */
  readonly readers: Readonly<Record<string, TranscriptReader>>
  /** Null when no SQLite works here: then notes are made and no message is kept. */
  readonly sessions: SessionStore | null
  readonly state: StateStore | null
  /** Why one of the two is null, for people. */
  readonly unavailable: string | null
  readonly config: Config
  readonly clock: Clock
  /** Asked once for each folder in a run. */
  readonly placeOf: (cwd: string | null) => Promise<SessionPlace>
  /** Files that a tool call wrote (spec I11). Recording the same write again must change nothing. */
  readonly recordToolWrite: (write: {
    readonly path: string
    readonly session: string
    readonly time: string | null
  }) => Promise<void>
  /** For tests; default reads the file. */
  readonly headOf?: (file: string) => Promise<TranscriptHead>
}

/** Throws AGENT_UNKNOWN, TRANSCRIPT_UNREADABLE, CANCELLED, or what a broken store throws; what was done stays done. */
export function createCapture(dependencies: CaptureDependencies): (input: CaptureInput) => Promise<CaptureResult> {
  return async (input) => {
    const reader = readerFor(dependencies.readers, input.agent)
    const head = await (dependencies.headOf ?? readTranscriptHead)(input.file)
    const run = startRun(dependencies, input)
    const offset = startOffset(dependencies.state, input, head)
    const finished = await readFrom({ dependencies, input, reader, head, run, offset })
    // Positions stand in for missing ids, and they are counted from the start of the file.
    if (!finished) await readFrom({ dependencies, input, reader, head, run, offset: 0 })
    return run.result()
  }
}

function readerFor(readers: Readonly<Record<string, TranscriptReader>>, agent: string): TranscriptReader {
  const reader = Object.hasOwn(readers, agent) ? readers[agent] : undefined
  if (reader) return reader
  const known = Object.keys(readers).sort()
  throw new MemoryError('AGENT_UNKNOWN', `No agent "${agent}" is supported`, {
    hint: `Name one of: ${known.join(', ')}.`,
    data: { agent, known },
  })
}

interface Reading {
  readonly dependencies: CaptureDependencies
  readonly input: CaptureInput
  readonly reader: TranscriptReader
  readonly head: TranscriptHead
  readonly run: CaptureRun
  readonly offset: number
}

/** False when a message without an id was met and the reading did not begin at the start of the file. */
async function readFrom({ dependencies, input, reader, head, run, offset }: Reading): Promise<boolean> {
  const { signal } = input
  for await (const turn of turnsOf(reader.read(input.file, { fromOffset: offset, signal }))) {
    throwIfCancelled(signal)
    if (offset > 0 && !turn.messages.every(hasNativeId)) return false
    await captureTurn(run, turn)
    putCursor(dependencies, input, head, turn)
    input.onProgress?.({ bytes: turn.endOffset, totalBytes: Math.max(head.size, turn.endOffset) })
  }
  throwIfCancelled(signal)
  return true
}

/** The cursor counts only for the file that begins as it did then, and is still that long. */
function startOffset(state: StateStore | null, { file, agent }: CaptureInput, head: TranscriptHead): number {
  const cursor = state?.cursor(file)
  if (!cursor || cursor.agent !== agent || cursor.offset > head.size) return 0
  return cursor.head === headHash(head, cursor.offset) ? cursor.offset : 0
}

/** A file may be shorter than the head when it is first read, so only what had been read is compared. */
function headHash(head: TranscriptHead, offset: number): string {
  return sha256(head.head.subarray(0, Math.min(HEAD_BYTES, offset)))
}

function putCursor(
  { state, clock }: CaptureDependencies,
  input: CaptureInput,
  head: TranscriptHead,
  turn: TranscriptBatch,
): void {
  state?.putCursor({
    transcript: input.file,
    agent: input.agent,
    offset: turn.endOffset,
    head: headHash(head, turn.endOffset),
    readAt: clock.now(),
  })
}
