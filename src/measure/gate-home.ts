/**
 * One labelled conversation as a real one: its kept notes are remembered, its messages are a transcript, `capture` reads
 * it, and what is kept afterwards is read back. A home on disk of its own, gone at the end.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Config,
  DEFAULT_CONFIG,
  type Memory,
  type Note,
  type TranscriptBatch,
  type TranscriptReader,
} from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { createMemory, type MemoryOptions } from '../index.ts'
import type { GateMessage, GateNote, GateRow } from './gate-data.ts'
import type { SavedNote } from './gate-score.ts'

const AGENT = 'conversation'

export interface GateHomeOptions {
  /** Models that read the conversation after the rules; null: rules alone. */
  readonly models: GateModels | null
  readonly signal?: AbortSignal
}

/** The models and ceilings of somebody's settings, and where their keys are found. */
export interface GateModels extends Pick<Config, 'models' | 'budget'> {
  readonly surroundings: MemoryOptions['surroundings']
  /** In the place of those that the settings name. */
  readonly completer?: MemoryOptions['completer']
}

/** Runs of the worker after one conversation; more than a few mean that a model does not come to an end. */
const MAX_RUNS = 5

/** What the conversation left behind: notes that are new or say something else than before. */
export async function savedFrom(row: GateRow, folder: string, options: GateHomeOptions): Promise<SavedNote[]> {
  const { models, signal } = options
  const cwd = join(folder, 'project')
  mkdirSync(cwd, { recursive: true })
  const transcript = join(cwd, 'conversation.jsonl')
  writeFileSync(transcript, row.id)
  const asked = models && { models: models.models, budget: models.budget }
  const config = { ...DEFAULT_CONFIG, history: false, ...asked }
  const memory = await createMemory({
    home: join(folder, 'home'),
    cwd,
    readers: { [AGENT]: readerOf(row, cwd) },
    config: { config, unknownKeys: [], problems: [], usable: true },
    embedder: null,
    completer: models ? models.completer : null,
    ...(models ? { surroundings: models.surroundings } : {}),
  })
  try {
    for (const note of row.existing) await rememberKnown(memory, note)
    const before = await activeNotes(memory)
    await memory.capture({ file: transcript, agent: AGENT, signal })
    if (models) await readByModel(memory, signal)
    return savedBetween(before, await activeNotes(memory))
  } finally {
    await memory.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As the worker does it, without its waiting. Throws MODEL_UNAVAILABLE when no answer came. */
async function readByModel(memory: Memory, signal: AbortSignal | undefined): Promise<void> {
  await memory.refresh({ signal })
  for (let run = 0; run < MAX_RUNS; run++) {
    const { waiting, dead, problems } = await memory.jobs.run({ signal })
    if (dead > 0) throw unread(problems)
    if (waiting === 0) return
  }
  throw unread(['the work did not come to an end'])
}

function unread(problems: readonly string[]): MemoryError {
  return new MemoryError('MODEL_UNAVAILABLE', `A conversation was not read: ${problems.join('; ') || 'no answer'}`, {
    hint: "See 'keepsake doctor --ask-models', or measure the rules alone.",
  })
}

async function rememberKnown(memory: Memory, { name, type, description }: GateNote): Promise<void> {
  await memory.remember({ text: description, name, type, description, author: 'person' })
}

async function activeNotes(memory: Memory): Promise<Note[]> {
  const notes: Note[] = []
  let cursor: string | undefined
  do {
    const page = await memory.list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) })
    for (const { id } of page.notes) {
      const read = await memory.read(id)
      if (read) notes.push(read.note)
    }
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return notes
}

function savedBetween(before: readonly Note[], after: readonly Note[]): SavedNote[] {
  const gone = before.filter(({ id }) => !after.some((note) => note.id === id))
  return after.flatMap((note) => {
    const known = before.find(({ id }) => id === note.id)
    if (known && known.body === note.body && known.description === note.description) return []
    const { type, name, description, body } = note
    const evidence = note.source.flatMap(({ message }) => (message === null ? [] : [Number(message)]))
    return [{ type, name, description, body, evidence, replaces: (known ?? replacedBy(note, gone))?.name ?? null }]
  })
}

function replacedBy({ supersedes }: Note, gone: readonly Note[]): Note | undefined {
  return gone.find(({ id, name }) => supersedes.includes(id) || supersedes.includes(name))
}

/** A turn is what the user says until the user speaks again. Ids of messages are their places. */
function readerOf(row: GateRow, cwd: string): TranscriptReader {
  return {
    agent: AGENT,
    async *read() {
      let turn: [GateMessage, number][] = []
      for (const [at, message] of row.messages.entries()) {
        if (message.role === 'user' && turn.some(([{ role }]) => role !== 'user')) {
          yield batchOf(row, turn, cwd)
          turn = []
        }
        turn.push([message, at])
      }
      yield batchOf(row, turn, cwd)
    },
  }
}

/** Words of the system are no messages of a conversation; a reader of a real agent counts and skips them. */
function batchOf({ id, date }: GateRow, turn: readonly [GateMessage, number][], cwd: string): TranscriptBatch {
  const messages = turn.flatMap(([{ role, content, tool, at }, place]) =>
    role === 'system' ? [] : [{ nativeId: String(place), role, content, toolName: tool, time: at ?? date }],
  )
  return {
    sessionId: id,
    cwd,
    branch: null,
    title: null,
    messages,
    memoryWrites: [],
    skipped: { system: turn.length - messages.length },
    endOffset: 0,
    turnEnded: true,
  }
}
