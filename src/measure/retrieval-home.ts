/**
 * A home on disk that holds the conversations of a data set, filled as real ones are: each group of conversations is a
 * project, its turns are a transcript, `capture` takes it in. Temporary; `close` takes everything away again.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_CONFIG, type Memory, type TranscriptBatch, type TranscriptReader } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { createMemory, type Embedder } from '../index.ts'
import type { TurnRow } from './retrieval-data.ts'

const AGENT = 'conversation'
const SPEAKERS_WITHOUT_NAME = new Set(['user', 'assistant'])

export interface RetrievalHome {
  /** Conversations that stand in one project, and can be asked for together. */
  readonly groups: readonly string[][]
  /** The memory of one group, filled. Close it before the next one. */
  open(group: readonly string[], signal: AbortSignal | undefined): Promise<Memory>
  close(): void
}

/** Key of a turn and of a session, as gold labels are compared. */
export function turnKey(conversation: string, turn: string): string {
  return JSON.stringify([conversation, turn])
}

export function createRetrievalHome(
  turns: readonly TurnRow[],
  {
    pooled,
    embedder,
    temporaryDirectory,
  }: { readonly pooled: number | null; readonly embedder: Embedder | null; readonly temporaryDirectory: string },
): RetrievalHome {
  const folder = realpathSync(mkdtempSync(join(temporaryDirectory, 'keepsake-eval-')))
  const conversations = [...new Set(turns.map(({ c }) => c))]
  const groups = groupsOf(conversations, pooled)
  let opened = 0
  return {
    groups,
    async open(group, signal) {
      const cwd = join(folder, 'projects', `group-${opened++}`)
      mkdirSync(cwd, { recursive: true })
      const transcript = join(cwd, 'turns.jsonl')
      const wanted = new Set(group)
      writeFileSync(transcript, JSON.stringify(turns.filter(({ c }) => wanted.has(c))))
      const memory = await createMemory({
        home: join(folder, 'home'),
        cwd,
        embedder,
        readers: { [AGENT]: createReader(cwd) },
        config: { config: quietConfig, unknownKeys: [], problems: [], usable: true },
      })
      await memory.capture({ file: transcript, agent: AGENT, signal })
      if (embedder) await embedAll(memory, signal)
      return memory
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** As the background does it, until the model has seen all. Throws EMBEDDER_UNAVAILABLE when it cannot. */
async function embedAll(memory: Memory, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    const { embedding, problems } = await memory.refresh({ signal })
    if (embedding && embedding.messages.done === embedding.messages.of) return
    if (!embedding || embedding.shown === 0)
      throw new MemoryError('EMBEDDER_UNAVAILABLE', problems.join('; ') || 'the embedder takes no more messages', {
        data: { embedder: embedding?.model },
      })
  }
}

/** The conversations are what is searched; notes made of them would only cost time. */
const quietConfig = {
  ...DEFAULT_CONFIG,
  modes: { global: 'read-only', project: 'read-only', team: 'read-only' },
} as const

/** One group a conversation, or so many together; 0 = all. */
export function groupsOf(conversations: readonly string[], pooled: number | null): string[][] {
  const size = pooled === null ? 1 : pooled === 0 ? conversations.length : pooled
  const groups: string[][] = []
  for (let at = 0; at < conversations.length; at += size) groups.push(conversations.slice(at, at + size))
  return groups
}

/** Reads what `open` wrote: one batch a session. Ids of messages are the keys of their turns. */
function createReader(cwd: string): TranscriptReader {
  return {
    agent: AGENT,
    async *read(file) {
      // Written a moment ago by this module.
      const turns = JSON.parse(readFileSync(file, 'utf8')) as TurnRow[]
      const sessions = new Map<string, TurnRow[]>()
      for (const turn of turns) {
        const key = turnKey(turn.c, turn.s)
        sessions.set(key, [...(sessions.get(key) ?? []), turn])
      }
      for (const [sessionId, rows] of sessions) yield batchOf(sessionId, rows, cwd)
    },
  }
}

function batchOf(sessionId: string, rows: readonly TurnRow[], cwd: string): TranscriptBatch {
  return {
    sessionId,
    cwd,
    branch: null,
    title: null,
    messages: rows.map(({ c, t, r, x, ts }) => ({
      nativeId: turnKey(c, t),
      role: r === 'assistant' ? 'assistant' : 'user',
      content: wordsOf({ r, x }),
      toolName: null,
      time: ts,
    })),
    memoryWrites: [],
    skipped: {},
    endOffset: 0,
    turnEnded: true,
  }
}

/** What was said, with the name of who said it where there is one. */
export function wordsOf({ r, x }: Pick<TurnRow, 'r' | 'x'>): string {
  return SPEAKERS_WITHOUT_NAME.has(r) ? x : `${r}: ${x}`
}

/** The key that `turnKey` made, from an id that the store gives back. */
export function keyOf(id: string): string {
  return id.slice(AGENT.length + 1)
}
