/**
 * The notes for a message, looked for while the model already works (spec I3): begun when the message arrives, asked for
 * before a call of the model, never waited for. What must stay true: at most one block a turn, nothing runs on for a turn
 * that was given up, and what comes late is given with the next message only while all of it still counts.
 */
import {
  type Block,
  type ContextInput,
  DEFAULT_CONFIG,
  EMPTY_BLOCK,
  type Memory,
  type ShownBlock,
  type TurnGate,
} from '../domain/index.ts'
import { readShown, versionOf } from '../inject/index.ts'

export interface PrefetchMessage extends Pick<ContextInput, 'shown' | 'sessionStart' | 'begins' | 'toolUses'> {
  /** The user's words. What the host or a tool says is no message and begins no turn. */
  readonly prompt: string
  /** Of the turn: when it fires, because the turn is given up, the search ends and nothing of it is given. */
  readonly signal: AbortSignal
}

/** How it stands with the turn that was begun last; a gate when that one let nothing be searched. */
export type PrefetchState = 'idle' | 'running' | 'ready' | 'stopped' | 'failed' | TurnGate

export interface Prefetch {
  /** Starts the search for one message, in parallel to whatever follows. Never waits, never throws. */
  begin(message: PrefetchMessage): void
  /** The block when it is there and says something, once for each turn; else null. Never waits. */
  take(): Block | null
  state(): PrefetchState
  /** Ends what still runs, with the conversation. */
  stop(): void
}

export interface PrefetchOptions {
  /** False for a host that wants none of it; `inject.turn` of the settings decides too. Default true. */
  readonly isOn?: boolean
  /** UTF-8 bytes of turn blocks in one conversation, for a block that comes late. Default: that of a fresh configuration. */
  readonly maxSessionBytes?: number
  /** Told why a search gave nothing. */
  readonly onProblem?: (error: unknown) => void
}

type Source = Pick<Memory, 'context' | 'read'>

interface Turn {
  readonly own: Search
  /** What the turn before was not given, once it is known to count still. */
  readonly late: Search | null
  given: Search | null
}

export function createPrefetch(memory: Source, options: PrefetchOptions = {}): Prefetch {
  const { isOn = true, maxSessionBytes = DEFAULT_CONFIG.inject.sessionBytes, onProblem = () => undefined } = options
  let turn: Turn | null = null
  return {
    begin({ signal, ...message }) {
      turn?.late?.stop()
      const before = turn !== null && turn.given !== turn.own ? turn.own : null
      const own = startSearch(
        async (both) => (isOn ? memory.context({ ...message, signal: both }) : { ...EMPTY_BLOCK, closed: 'off' }),
        { signal, onProblem },
      )
      const { shown = [] } = message
      const late =
        before && startSearch(() => stillCounting(memory, before, { shown, maxSessionBytes }), { signal, onProblem })
      turn = { own, late, given: null }
    },
    take() {
      if (turn === null || turn.given !== null) return null
      const { own, late } = turn
      const given = own.ready() ? own : late
      const block = given?.ready() ?? null
      if (block !== null) turn.given = given
      return block
    },
    state: () => turn?.own.state() ?? 'idle',
    stop() {
      turn?.own.stop()
      turn?.late?.stop()
    },
  }
}

interface Search {
  /** Settles when there is nothing to wait for any more; never rejects. */
  readonly found: Promise<void>
  /** Null when there is nothing to say, not yet, or not any more. */
  ready(): Block | null
  state(): PrefetchState
  stop(): void
}

function startSearch(
  work: (signal: AbortSignal) => Promise<Block | null>,
  { signal, onProblem }: { readonly signal: AbortSignal; readonly onProblem: (error: unknown) => void },
): Search {
  const end = new AbortController()
  const both = AbortSignal.any([signal, end.signal])
  let state: PrefetchState = 'running'
  let ready: Block | null = null
  const run = async (): Promise<void> => {
    if (both.aborted) return
    try {
      const block = await work(both)
      state = block?.closed ?? 'ready'
      ready = block === null || block.text === '' ? null : block
    } catch (error) {
      state = 'failed'
      // What was given up has failed at nothing.
      if (!both.aborted) onProblem(error)
    }
  }
  return {
    found: run(),
    ready: () => (both.aborted ? null : ready),
    state: () => (both.aborted ? 'stopped' : state),
    stop: () => end.abort(),
  }
}

/** The block that came late, or null when a note of it was shown meanwhile, changed, or counts no more. */
async function stillCounting(
  memory: Source,
  before: Search,
  { shown, maxSessionBytes }: { readonly shown: readonly ShownBlock[]; readonly maxSessionBytes: number },
): Promise<Block | null> {
  await before.found
  // Null, too, when its turn was given up after it was found.
  const block = before.ready()
  const now = readShown(shown)
  if (block === null || now.turnBytes + block.bytes > maxSessionBytes) return null
  const holds = readShown([{ kind: 'turn', text: block.text, time: null }])
  const isToldAlready =
    [...holds.versions].some((version) => now.versions.has(version)) ||
    [...holds.forgotten].some((name) => now.forgotten.has(name)) ||
    (holds.toldKept && now.toldKept)
  if (isToldAlready) return null
  for (const id of holds.ids.keys()) {
    const read = await memory.read(id)
    const counts = read?.note.status === 'active' && (read.summary.standing?.state ?? 'stands') === 'stands'
    if (!counts || !holds.versions.has(versionOf(read.note.id, read.note.hash))) return null
  }
  return block
}
