/**
 * One transcript into memory: notes first, then messages, then the cursor. A kill between any two of them costs
 * nothing: the next read starts at the old cursor, the same notes come out `unchanged`, the same messages have the same
 * ids. Memory stays flat: one turn and thirty earlier messages are held.
 */
import type { CaptureInput, CaptureResult, TranscriptBatch, TranscriptReader } from '../domain/index.ts'
import { MemoryError, throwIfCancelled } from '../errors.ts'
import type { StateStore } from '../store/state/state-store.ts'
import { sha256 } from '../util/index.ts'
import { type CaptureDependencies, type CaptureRun, restarted, resultOf, startRun } from './capture-run.ts'
import { captureTurn } from './capture-turn.ts'
import { turnsOf } from './capture-turns.ts'
import { hasNativeId } from './message-identity.ts'
import { HEAD_BYTES, readTranscriptHead, type TranscriptHead } from './transcript-head.ts'

/** Throws AGENT_UNKNOWN, TRANSCRIPT_UNREADABLE, CANCELLED, or what a broken store throws; what was done stays done. */
export function createCapture(dependencies: CaptureDependencies): (input: CaptureInput) => Promise<CaptureResult> {
  return async (input) => {
    const reader = readerFor(dependencies.readers, input.agent)
    const run = await readWhole(dependencies, reader, input)
    // What sub-agents wrote is no word of the user, but it says which files a tool made.
    for (const file of (await reader.companions?.(input.file)) ?? [])
      await readWhole(dependencies, reader, { ...input, file, onProgress: undefined })
    return resultOf(run)
  }
}

/** One file, from its cursor. */
async function readWhole(
  dependencies: CaptureDependencies,
  reader: TranscriptReader,
  input: CaptureInput,
): Promise<CaptureRun> {
  const head = await (dependencies.headOf ?? readTranscriptHead)(input.file)
  const run = startRun(dependencies, input)
  const offset = startOffset(dependencies.state, input, head)
  if (await readFrom({ dependencies, input, reader, head, run, offset })) return run
  // Positions stand in for missing ids, and they are counted from the start of the file.
  const again = restarted(run)
  await readFrom({ dependencies, input, reader, head, run: again, offset: 0 })
  return again
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
  try {
    for await (const turn of turnsOf(reader.read(input.file, { fromOffset: offset, signal }))) {
      throwIfCancelled(signal)
      if (offset > 0 && !turn.messages.every(hasNativeId)) return false
      await captureTurn(run, turn)
      putCursor(dependencies, input, head, turn)
      input.onProgress?.({ bytes: turn.endOffset, totalBytes: Math.max(head.size, turn.endOffset) })
    }
  } catch (error) {
    // A reader may answer the signal with an error of its own.
    throwIfCancelled(signal)
    throw error
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
