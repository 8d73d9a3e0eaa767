/**
 * `keepsake eval reading`: how often a model is asked about conversations, and what one question costs. Each conversation is
 * held again, turn by turn at its own times, through `capture` and `refresh`; the model that is asked says that there is
 * nothing to keep, so that what is measured is the lazy rule (spec W12) and the question, and no model is needed.
 */
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { estimateTokenCount } from 'tokenx'
import { DEFAULT_CONFIG, type TranscriptBatch, type TranscriptReader } from '../domain/index.ts'
import { throwIfCancelled } from '../errors.ts'
import { createMemory } from '../index.ts'
import { readTurns, type TurnRow } from './retrieval-data.ts'
import { turnKey, wordsOf } from './retrieval-home.ts'
import { percentile } from './retrieval-score.ts'

export interface EvalReadingOptions {
  readonly turnsFile: string
  /** So many sessions, from the first one on. */
  readonly sessions: number
  readonly temporaryDirectory: string
  readonly signal?: AbortSignal
  readonly onProgress?: (done: { readonly groups: number; readonly of: number }) => void
}

export interface ReadingReport {
  readonly sessions: number
  readonly messages: number
  readonly calls: number
  readonly callsPerSession: { readonly p50: number; readonly p95: number; readonly max: number }
  /** Of one question, by our estimate. */
  readonly tokensPerCall: { readonly p50: number; readonly p95: number }
  /** Of the tokens of a question those at its beginning that the question before began with, too: what a cache serves. */
  readonly stablePrefixShare: { readonly p50: number }
  /** Days on which something was said, and calls on such a day. */
  readonly days: number
  readonly callsPerDay: number
}

const AGENT = 'conversation'
const MINUTE_MS = 60_000
/** Longer than words are debounced. */
const WAITED_MS = 31_000
const AFTERWARDS_MS = 60 * MINUTE_MS

/** Throws INPUT_INVALID for a file that is no data set. */
export async function evalReading(options: EvalReadingOptions): Promise<ReadingReport> {
  const sessions = sessionsOf(readTurns(options.turnsFile)).slice(0, options.sessions)
  const folder = realpathSync(mkdtempSync(join(options.temporaryDirectory, 'keepsake-eval-')))
  const asked: string[] = []
  const perSession: number[] = []
  try {
    for (const [at, session] of sessions.entries()) {
      throwIfCancelled(options.signal)
      const before = asked.length
      await holdAgain(session, { folder, asked, signal: options.signal })
      perSession.push(asked.length - before)
      options.onProgress?.({ groups: at + 1, of: sessions.length })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return reportOf(sessions, { asked, perSession })
}

interface HeldSession {
  readonly id: string
  readonly startMs: number
  readonly rows: readonly TurnRow[]
}

/** One without a time is of the day after the one before it. */
function sessionsOf(turns: readonly TurnRow[]): HeldSession[] {
  const rows = new Map<string, TurnRow[]>()
  for (const turn of turns) {
    const key = turnKey(turn.c, turn.s)
    const own = rows.get(key)
    if (own) own.push(turn)
    else rows.set(key, [turn])
  }
  let startMs = Date.UTC(2026, 0, 1)
  return [...rows].map(([id, own]) => {
    const said = Date.parse(own[0]?.ts ?? '')
    startMs = Number.isNaN(said) ? startMs + 24 * 60 * MINUTE_MS : said
    return { id, startMs, rows: own }
  })
}

async function holdAgain(
  { id, startMs, rows }: HeldSession,
  {
    folder,
    asked,
    signal,
  }: { readonly folder: string; readonly asked: string[]; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const cwd = join(folder, 'project')
  mkdirSync(cwd, { recursive: true })
  const file = join(cwd, `${asked.length}-${startMs}.jsonl`)
  writeFileSync(file, '')
  const time = { now: startMs }
  const held: TurnRow[] = []
  const memory = await createMemory({
    home: join(folder, 'home'),
    cwd,
    clock: { now: () => time.now },
    embedder: null,
    readers: { [AGENT]: readerOf({ id, startMs, rows: held }, cwd) },
    config: { config, unknownKeys: [], problems: [], usable: true },
    completer: {
      id: 'nothing',
      complete: async ({ system, prompt }) => {
        asked.push(`${system}\n\n${prompt}`)
        return { text: '{"notes": []}', tokens: null }
      },
    },
  })
  /** As the worker does it: once at the end of a turn, once when the words have waited. */
  const lookAgain = async () => {
    await memory.capture({ file, agent: AGENT, signal })
    await memory.refresh({ signal })
    time.now += WAITED_MS
    await memory.refresh({ signal })
  }
  try {
    for (const [at, row] of rows.entries()) {
      held.push(row)
      appendFileSync(file, '.')
      time.now = startMs + at * MINUTE_MS
      if (rows[at + 1]?.r !== 'assistant') await lookAgain()
    }
    time.now += AFTERWARDS_MS
    await lookAgain()
  } finally {
    await memory.close()
  }
}

/** What a day may cost is no matter here. */
const config = {
  ...DEFAULT_CONFIG,
  history: false,
  deferred: { ...DEFAULT_CONFIG.deferred, perStart: 0 },
  budget: { ...DEFAULT_CONFIG.budget, perDay: { calls: 1_000_000, tokens: 1_000_000_000, money: null } },
}

/** A byte of the file stands for each message. */
function readerOf({ id, startMs, rows }: HeldSession, cwd: string): TranscriptReader {
  return {
    agent: AGENT,
    async *read(_file, { fromOffset = 0 } = {}): AsyncIterable<TranscriptBatch> {
      if (fromOffset >= rows.length) return
      yield {
        sessionId: id,
        cwd,
        branch: null,
        title: null,
        messages: rows.slice(fromOffset).map((row, at) => ({
          nativeId: turnKey(row.c, row.t),
          role: row.r === 'assistant' ? 'assistant' : 'user',
          content: wordsOf(row),
          toolName: null,
          time: new Date(startMs + (fromOffset + at) * MINUTE_MS).toISOString(),
        })),
        memoryWrites: [],
        skipped: {},
        endOffset: rows.length,
        turnEnded: true,
      }
    },
  }
}

function reportOf(
  sessions: readonly HeldSession[],
  { asked, perSession }: { readonly asked: readonly string[]; readonly perSession: readonly number[] },
): ReadingReport {
  const tokens = asked.map((question) => estimateTokenCount(question))
  const stable = asked.slice(1).map((question, at) => stableShare(asked[at] ?? '', question))
  const days = new Set(sessions.map(({ startMs }) => new Date(startMs).toISOString().slice(0, 10))).size
  return {
    sessions: sessions.length,
    messages: sessions.reduce((sum, { rows }) => sum + rows.length, 0),
    calls: asked.length,
    callsPerSession: {
      p50: percentile(perSession, 0.5),
      p95: percentile(perSession, 0.95),
      max: Math.max(0, ...perSession),
    },
    tokensPerCall: { p50: percentile(tokens, 0.5), p95: percentile(tokens, 0.95) },
    stablePrefixShare: { p50: percentile(stable, 0.5) },
    days,
    callsPerDay: asked.length / Math.max(1, days),
  }
}

function stableShare(before: string, question: string): number {
  let end = 0
  while (end < question.length && question[end] === before[end]) end++
  return estimateTokenCount(question.slice(0, end)) / Math.max(1, estimateTokenCount(question))
}
