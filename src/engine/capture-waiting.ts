/** Reads what waits: transcripts that the journal names, and those that grew; then looks whether a model is to be asked. */
import { statSync } from 'node:fs'
import type { CaptureInput, Home, IdSource } from '../domain/index.ts'
import { MemoryError, messageOf } from '../errors.ts'
import { type JournalEntry, takeJournal } from '../store/journal.ts'
import type { ReadingBook, SessionEvent } from '../write/index.ts'
import type { Capture } from './capture.ts'
import type { Stores } from './stores.ts'
import { whileHeld } from './while-held.ts'
import { HEARTBEAT_MS, type WorkerLease } from './worker-lease.ts'

export interface CaptureWaitingDependencies {
  readonly home: Home
  readonly stores: Stores
  readonly ids: IdSource
  readonly capture: Capture
  /** Null: no model reads conversations here. */
  readonly reading: () => Pick<ReadingBook, 'look'> | null
  readonly onProblem: (error: unknown, where: string) => void
}

export interface CaptureWaitingOptions {
  readonly lease: WorkerLease
  readonly signal: AbortSignal | undefined
  /** A person wants all of it read by a model. */
  readonly now?: boolean
}

export interface CapturedWaiting {
  readonly messages: number
  readonly problems: readonly string[]
}

/** Transcripts named by the journal, and those whose cursor lags behind their size (a lost line costs a delay only). */
export async function captureWaiting(
  dependencies: CaptureWaitingDependencies,
  { lease, signal, now = false }: CaptureWaitingOptions,
): Promise<CapturedWaiting> {
  const { home, stores, ids, reading } = dependencies
  // Without a database the journal is where conversations wait.
  if (stores.state() === null) return { messages: 0, problems: [] }
  const journal = takeJournal(home.directory, { ids })
  const waiting = new Map<string, string>()
  for (const { agent, transcript } of journal.entries) if (transcript) waiting.set(transcript, agent)
  const events = eventsIn(journal.entries)
  for (const { transcript, agent, offset } of stores.state()?.cursors() ?? [])
    if (sizeOf(transcript) > offset) waiting.set(transcript, agent)
  let messages = 0
  const problems: string[] = []
  const again = new Set<string>()
  for (const [file, agent] of waiting) {
    // What is not done by then is in the files of the journal that stay.
    if (!lease.keep()) return { messages, problems }
    try {
      const closing = closingIn(journal.entries, file)
      const captured = await captureWhileHeld(dependencies, { file, agent, signal }, { lease, closing })
      if (captured === null) return { messages, problems }
      messages += captured.messages
    } catch (error) {
      if (signal?.aborted) throw error
      if (!lease.keep()) return { messages, problems }
      // A transcript that its client deleted is no failure; anything else is named, and the others go on.
      if (sizeOf(file) === 0) continue
      if (isPassing(error)) again.add(file)
      dependencies.onProblem(error, 'worker capture')
      problems.push(`${file}: ${messageOf(error)}`)
    }
  }
  // Before the lines go: what they say of a conversation stands nowhere else.
  problems.push(...(reading()?.look(events, now ? 'asked' : undefined) ?? []))
  journal.done(journal.entries.filter(({ transcript }) => transcript !== null && again.has(transcript)))
  return { messages, problems }
}

/** A long transcript outlasts the lease unless it is renewed on the way. Null when it was lost. */
function captureWhileHeld(
  dependencies: CaptureWaitingDependencies,
  input: CaptureInput,
  { lease, closing }: { readonly lease: WorkerLease; readonly closing: ReadonlySet<string> },
) {
  const holding = { keep: () => lease.keep(), everyMs: HEARTBEAT_MS, signal: input.signal }
  return whileHeld(holding, ({ signal, isHeld }) =>
    dependencies.capture({ ...input, signal, onProgress: () => void isHeld() }, closing),
  )
}

/** Conversations of this transcript of which a hook said that they end, or are about to be compacted. */
function closingIn(entries: readonly JournalEntry[], file: string): ReadonlySet<string> {
  const isClosing = ({ transcript, kind }: JournalEntry) =>
    transcript === file && (kind === 'session-end' || kind === 'before-compaction')
  return new Set(entries.filter(isClosing).flatMap(({ agent, session }) => (session ? [`${agent}:${session}`] : [])))
}

/** The transcript may be read well another time: a database that is locked or damaged, a disk that is full. */
function isPassing(error: unknown): boolean {
  return MemoryError.isInstance(error) && /^(SQLITE|STORE)_/.test(error.code)
}

/** What happened to conversations; that one ended says more than that it was compacted. */
function eventsIn(entries: readonly JournalEntry[]): ReadonlyMap<string, SessionEvent> {
  const events = new Map<string, SessionEvent>()
  for (const { agent, session, kind } of entries) {
    if (session === null) continue
    const id = `${agent}:${session}`
    if (kind === 'session-end') events.set(id, 'ended')
    else if (kind === 'before-compaction' && !events.has(id)) events.set(id, 'compacted')
  }
  return events
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
