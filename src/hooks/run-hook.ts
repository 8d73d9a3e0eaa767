/**
 * What one hook event does, with every effect handed in. It never throws and never blocks the agent: a failure is
 * recorded and the answer is empty.
 */
import type { AgentHooks, Block, Clock, Failure, HookEvent, LayerMode, ShownBlock } from '../domain/index.ts'
import { isoSeconds, workedTools } from '../domain/index.ts'
import { MemoryError, messageOf } from '../errors.ts'
import type { JournalEntry } from '../store/journal.ts'
import { utf8Bytes } from '../util/index.ts'

/** Whole text that goes to the agent; below the caps of all supported hosts. */
export const MAX_OUTPUT_BYTES = 9_500

/** The reading side of the engine, opened only for events that answer. */
export interface HookMemory {
  startBlock(options: {
    readonly agent: string
    readonly compacted: string | null
    readonly signal: AbortSignal
  }): Promise<Block>
  turnBlock(input: {
    readonly prompt: string
    readonly shown: readonly ShownBlock[]
    readonly sessionStart: string | null
    readonly begins: string | null
    readonly worked: () => readonly string[]
    readonly maxBytes: number
    readonly signal: AbortSignal
  }): Promise<Block>
}

export interface HookEffects {
  readonly clock: Clock
  readonly signal: AbortSignal
  openMemory(cwd: string | null): Promise<HookMemory>
  /** End of the transcript as text; empty when there is none yet. */
  readTranscriptTail(file: string): Promise<string>
  /** Size in bytes, and when the file was made (ISO 8601, null where the disk does not say). Null when it is not there. */
  lookAtTranscript(file: string): Promise<{ readonly size: number; readonly began: string | null } | null>
  appendJournal(entry: JournalEntry): Promise<void>
  /** The mode that this session was started with (spec W11). */
  readonly mode: LayerMode
  /** Keeps a mode that is not `auto`: the worker reads the transcript later and elsewhere. */
  keepMode(session: string, cwd: string | null): Promise<void>
  /** Starts the worker when there may be work for it. */
  startWorker(project: string | null): void
  recordFailure(failure: Failure): Promise<void>
}

export interface HookCall {
  readonly agent: AgentHooks
  readonly eventName: string
  readonly stdin: string
}

/** Text for stdout; empty when there is nothing to say. */
export async function runHook(call: HookCall, effects: HookEffects): Promise<string> {
  const event = call.agent.parse(call.eventName, call.stdin)
  try {
    if (event.kind !== 'user-prompt') await keepMode(call, event, effects)
    // Nothing is said in a session that is off, and nothing is left of it.
    return effects.mode === 'off' ? '' : await answer(call, event, effects)
  } catch (error) {
    await effects.recordFailure(toFailure(call.eventName, error, effects.clock))
    return ''
  }
}

async function answer(call: HookCall, event: HookEvent, effects: HookEffects): Promise<string> {
  switch (event.kind) {
    case 'session-start':
      return startSession(call, event, effects)
    case 'user-prompt':
      return answerPrompt(call, event, effects)
    case 'turn-end':
    case 'before-compaction':
    case 'session-end':
      await leaveForWorker(call, event, effects)
      effects.startWorker(event.cwd)
      return ''
    case 'other':
      return ''
  }
}

/** Before anything of the session can be captured. */
async function keepMode({ agent }: HookCall, event: HookEvent, effects: HookEffects): Promise<void> {
  if (effects.mode !== 'auto' && event.nativeSessionId !== null)
    await effects.keepMode(`${agent.agent}:${event.nativeSessionId}`, event.cwd)
}

async function startSession(call: HookCall, event: HookEvent, effects: HookEffects): Promise<string> {
  try {
    if (!event.fresh) return ''
    const memory = await effects.openMemory(event.cwd)
    const compacted = event.compacted ? sessionOf(call, event) : null
    const block = await memory.startBlock({ agent: call.agent.agent, compacted, signal: effects.signal })
    return fitting(call, event, block.text)
  } finally {
    effects.startWorker(event.cwd)
  }
}

async function answerPrompt(call: HookCall, event: HookEvent, effects: HookEffects): Promise<string> {
  const { prompt } = event
  if (prompt === null || !call.agent.isUserPrompt(prompt)) return ''
  const tail = event.transcript === null ? '' : await effects.readTranscriptTail(event.transcript)
  const shown = call.agent.shownBlocks(tail)
  const memory = await effects.openMemory(event.cwd)
  const block = await memory.turnBlock({
    prompt,
    shown,
    sessionStart: await beganAt(event, shown, effects),
    // Without a transcript each message would look like the first.
    begins: event.transcript === null || call.agent.hasEarlierPrompt(tail, prompt) ? null : sessionOf(call, event),
    worked: () => workedTools(call.agent.toolUses(tail, prompt)),
    maxBytes: MAX_OUTPUT_BYTES,
    signal: effects.signal,
  })
  return fitting(call, event, block.text)
}

/** As captured conversations are called. */
function sessionOf({ agent }: HookCall, { nativeSessionId }: HookEvent): string | null {
  return nativeSessionId === null ? null : `${agent.agent}:${nativeSessionId}`
}

/** The start block stands at the beginning of what the conversation still holds; without one, the transcript is as old. */
async function beganAt(event: HookEvent, shown: readonly ShownBlock[], effects: HookEffects): Promise<string | null> {
  const start = shown.find((block) => block.kind === 'start')?.time
  if (start || event.transcript === null) return start ?? null
  return (await effects.lookAtTranscript(event.transcript))?.began ?? null
}

/** A block that is too long would be cut by the host in the middle of a fence: better none, and a word about it. */
function fitting(call: HookCall, event: HookEvent, text: string): string {
  const bytes = utf8Bytes(text)
  if (bytes > MAX_OUTPUT_BYTES)
    throw new MemoryError('INTERNAL', `A block of ${bytes} bytes does not fit into ${MAX_OUTPUT_BYTES}`)
  return call.agent.format(event, text)
}

async function leaveForWorker(call: HookCall, event: HookEvent, effects: HookEffects): Promise<void> {
  if (event.transcript === null)
    throw new MemoryError('INPUT_INVALID', 'The agent named no transcript', { data: { field: 'transcript_path' } })
  await effects.appendJournal({
    time: isoSeconds(effects.clock.now()),
    event: call.eventName,
    kind: event.kind,
    agent: call.agent.agent,
    session: event.nativeSessionId,
    transcript: event.transcript,
    cwd: event.cwd,
    size: (await effects.lookAtTranscript(event.transcript))?.size ?? null,
  })
}

/** Pointers only: what the user typed is in no failure. */
export function toFailure(eventName: string, error: unknown, clock: Clock): Failure {
  const known = MemoryError.isInstance(error)
  return {
    time: isoSeconds(clock.now()),
    where: `hook ${eventName.replace(/[^A-Za-z]/g, '').slice(0, 40)}`,
    code: known ? error.code : 'INTERNAL',
    message: messageOf(error),
  }
}
