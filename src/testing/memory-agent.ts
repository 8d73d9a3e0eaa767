/** The in-memory agent: one JSON object a line (`{session, id, role, text}`), settings in a map. For tests of what uses agents. */
import type {
  AgentHooks,
  AgentWiring,
  HookEvent,
  TranscriptBatch,
  TranscriptMessage,
  TranscriptReader,
} from '../domain/index.ts'
import { MemoryError } from '../errors.ts'

export interface MemoryAgent {
  readonly reader: TranscriptReader
  readonly hooks: AgentHooks
  readonly wiring: AgentWiring
  /** Bytes of transcripts by path. */
  readonly transcripts: Map<string, Uint8Array>
  readonly settings: Map<string, string>
}

const SETTINGS = 'settings.txt'
const ENTRY = 'hook keepsake\n'

export function createMemoryAgent(): MemoryAgent {
  const transcripts = new Map<string, Uint8Array>()
  const settings = new Map<string, string>()
  return { transcripts, settings, reader: createReader(transcripts), hooks, wiring: createWiring(settings) }
}

function createReader(transcripts: ReadonlyMap<string, Uint8Array>): TranscriptReader {
  return {
    agent: 'memory-agent',
    async *read(file, { fromOffset = 0, signal } = {}) {
      const bytes = transcripts.get(file)
      if (!bytes) throw new MemoryError('TRANSCRIPT_UNREADABLE', `There is no ${file}`)
      if (signal?.aborted) throw new MemoryError('CANCELLED', 'Cancelled')
      yield* batchesOf(Buffer.from(bytes), fromOffset)
    },
  }
}

function* batchesOf(bytes: Buffer, fromOffset: number): Generator<TranscriptBatch> {
  let offset = fromOffset
  for (;;) {
    const end = bytes.indexOf(0x0a, offset)
    if (end < 0) return
    const row = rowFrom(bytes.toString('utf8', offset, end))
    const isEmpty = end === offset
    offset = end + 1
    const messages: TranscriptMessage[] = row ? [row.message] : []
    yield {
      sessionId: row?.session ?? 'unknown',
      cwd: null,
      branch: null,
      title: null,
      messages,
      memoryWrites: [],
      skipped: row || isEmpty ? {} : { damaged: 1 },
      endOffset: offset,
      turnEnded: row?.message.role === 'assistant',
    }
  }
}

function rowFrom(line: string): { session: string; message: TranscriptMessage } | null {
  const value = parsed(line)
  if (typeof value !== 'object' || value === null) return null
  const { session, id, role, text } = value as Record<string, unknown> // Any object may be looked into.
  if (typeof session !== 'string' || typeof id !== 'string' || typeof text !== 'string') return null
  if (role !== 'user' && role !== 'assistant') return null
  return { session, message: { nativeId: id, role, content: text, toolName: null, time: null } }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No JSON: counted by the reader.
    return null
  }
}

const isUserPrompt = (prompt: string) => prompt.trim() !== '' && !prompt.startsWith('/')

const hooks: AgentHooks = {
  agent: 'memory-agent',
  parse(eventName, stdin): HookEvent {
    const kind = eventName === 'start' ? 'session-start' : eventName === 'prompt' ? 'user-prompt' : 'other'
    return {
      kind,
      fresh: kind === 'session-start' && stdin === 'new',
      nativeSessionId: null,
      transcript: null,
      cwd: null,
      prompt: kind === 'user-prompt' ? stdin : null,
    }
  },
  format: (event, text) => (event.kind === 'other' ? '' : text),
  isUserPrompt,
  hasEarlierPrompt: (tail, prompt) =>
    tail.split('\n').some((line) => {
      const message = rowFrom(line)?.message
      return message?.role === 'user' && isUserPrompt(message.content) && message.content.trim() !== prompt.trim()
    }),
  toolUses: () => [],
  shownBlocks: () => [],
}

function createWiring(settings: Map<string, string>): AgentWiring {
  const isWired = () => settings.get(SETTINGS)?.startsWith(ENTRY) === true
  const change = (action: 'created' | 'changed' | 'unchanged' | 'restored') => [
    { file: SETTINGS, action, detail: 'one line' },
  ]
  return {
    async install({ dryRun }) {
      if (isWired()) return change('unchanged')
      const before = settings.get(SETTINGS)
      if (!dryRun) settings.set(SETTINGS, ENTRY + (before ?? '\0'))
      return change(before === undefined ? 'created' : 'changed')
    },
    async uninstall({ dryRun }) {
      if (!isWired()) return change('unchanged')
      const before = settings.get(SETTINGS)?.slice(ENTRY.length)
      if (!dryRun && before === '\0') settings.delete(SETTINGS)
      else if (!dryRun) settings.set(SETTINGS, before ?? '')
      return change('restored')
    },
    verify: async () => (isWired() ? [] : ['There is no hook of Keepsake']),
  }
}
