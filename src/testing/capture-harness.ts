/**
 * Capture over the write harness: a transcript in memory, in-memory session and state stores, and a very simple
 * extractor (`Remember: …` in a user message gives a note) unless the test asks for the real rules.
 */
import type {
  CaptureInput,
  CaptureResult,
  TranscriptBatch,
  TranscriptMessage,
  TranscriptReader,
} from '../domain/index.ts'
import { scanLayer } from '../store/notes/layer-scan.ts'
import { createMemorySessionStore } from '../store/sessions/memory-session-store.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import { createMemoryStateStore } from '../store/state/memory-state-store.ts'
import type { StateStore } from '../store/state/state-store.ts'
import { type CaptureDependencies, createCapture, type ExtractedNote, type ExtractInput } from '../write/index.ts'
import { globalLayer, projectLayer, type WriteHarness } from './write-harness.ts'

export type FakeTurn = Partial<Omit<TranscriptBatch, 'messages'>> & {
  readonly messages: readonly Partial<TranscriptMessage>[]
}

export interface CaptureHarness {
  readonly sessions: SessionStore
  readonly state: StateStore
  readonly toolWrites: string[]
  readonly dependencies: CaptureDependencies
  /** Captures `turns` as the transcript that now lies at `input.file`. */
  capture(
    turns: readonly FakeTurn[],
    changes?: Partial<CaptureDependencies>,
    input?: Partial<CaptureInput>,
  ): Promise<CaptureResult>
}

/** Bytes that one fake turn takes in the fake file. */
const TURN_BYTES = 100

export function createCaptureHarness(store: WriteHarness): CaptureHarness {
  const sessions = createMemorySessionStore()
  const state = createMemoryStateStore()
  const toolWrites: string[] = []
  const dependencies: CaptureDependencies = {
    readers: {},
    sessions,
    state,
    unavailable: null,
    config: store.dependencies.config,
    clock: store.clock,
    modeOf: () => 'auto',
    placeOf: async () => ({
      project: projectLayer.key,
      takesNotes: true,
      remember: (input) => store.writer.remember(input),
      existing: async () => {
        const scans = await Promise.all([globalLayer, projectLayer].map((layer) => scanLayer(store.files, layer)))
        return scans.flatMap((scan) => scan.notes)
      },
      takeBack: async () => 0,
      noteFinder: async () => {
        const scans = await Promise.all([globalLayer, projectLayer].map((layer) => scanLayer(store.files, layer)))
        const notes = scans.flatMap((scan) => scan.notes)
        return (reference) => notes.find(({ id, name }) => [id, name].includes(reference))?.id ?? null
      },
      isNotePath: (path) => [globalLayer, projectLayer].some(({ directory }) => path.startsWith(`${directory}/`)),
    }),
    recordToolWrite: async ({ path }) => {
      if (!toolWrites.includes(path)) toolWrites.push(path)
    },
    reading: null,
    candidates: null,
    guidance: null,
    uses: state.uses,
    extract: simpleExtract,
  }
  return {
    sessions,
    state,
    toolWrites,
    dependencies,
    capture: (turns, changes = {}, input = {}) => {
      const reader = fakeReader(turns)
      const head = new TextEncoder().encode(
        JSON.stringify(turns[0] ?? null)
          .padEnd(1_024)
          .slice(0, 1_024),
      )
      const headOf = async () => ({ head, size: turns.length * TURN_BYTES })
      return createCapture({ ...dependencies, headOf, readers: { [reader.agent]: reader }, ...changes })({
        file: '/logs/one.jsonl',
        agent: reader.agent,
        ...input,
      })
    },
  }
}

function fakeReader(turns: readonly FakeTurn[]): TranscriptReader {
  return {
    agent: 'claude-code',
    async *read(_file, { fromOffset = 0 } = {}) {
      for (const [index, turn] of turns.entries()) if ((index + 1) * TURN_BYTES > fromOffset) yield batchOf(turn, index)
    },
  }
}

function batchOf(turn: FakeTurn, index: number): TranscriptBatch {
  return {
    sessionId: 's1',
    cwd: '/srv/billing',
    branch: 'main',
    title: null,
    memoryWrites: [],
    skipped: {},
    turnEnded: true,
    ...turn,
    endOffset: (index + 1) * TURN_BYTES,
    messages: turn.messages.map((message, position) => ({
      nativeId: `m${index}-${position}`,
      role: 'user',
      content: '',
      toolName: null,
      time: `2026-11-${String(10 + index).padStart(2, '0')}T09:0${position % 10}:00Z`,
      ...message,
    })),
  }
}

function simpleExtract({ messages, existing }: ExtractInput): ExtractedNote[] {
  return messages.flatMap(({ index, role, content, time }) => {
    const body = /Remember: ([^\n]+)/.exec(content)?.[1]
    if (role !== 'user' || body === undefined) return []
    const [name = body, ...rest] = body.split(' = ')
    const replaces = rest.length > 0 && existing.some((note) => note.name === name) ? name : null
    return [{ type: 'feedback', name, description: body, body, evidence: [index], replaces, time, rule: 'test' }]
  })
}
