/**
 * Reads Codex rollouts (`~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`). Only the first rows name the
 * session and tell whether a person speaks in it, so every read looks at the head of the file first; without a header
 * nothing is taken.
 */
import { open, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ReadTranscriptOptions, TranscriptReader } from '../../../domain/index.ts'
import { MemoryError } from '../../../errors.ts'
import { readLogLines } from '../../log-lines.ts'
import { joined, nowhere, type RowPlace, safeSessionId } from '../../shared/batch.ts'
import { readTranscript, type TranscriptLanguage } from '../../shared/read-transcript.ts'
import { parseRow, textAt } from '../../shared/rows.ts'
import { createRollout, isRolloutRow, type Rollout } from './rollout.ts'
import { commandOf, folderOf, writtenPaths } from './written-paths.ts'

/** Rows in which the session, its folder and its branch are named. */
const HEAD_ROWS = 20

/** Threads of one day that are looked at for sub-agents. */
const MAX_COMPANIONS = 500

/** A header names its thread well before its long instructions. */
const HEADER_BYTES = 4 * 1024

export function createCodexReader(): TranscriptReader {
  return { agent: 'codex', resume: ['codex', 'resume'], read, companions }
}

async function* read(file: string, options: ReadTranscriptOptions = {}) {
  const rollout = createRollout()
  const known = await readHead(file, rollout, options)
  yield* readTranscript(file, options, languageOf(rollout), known)
}

function languageOf(rollout: Rollout): TranscriptLanguage {
  return {
    ...rollout,
    writtenPaths,
    // It reads files by commands.
    readPaths: () => [],
    commandOf,
    folderOf,
    shape: {
      beginnings: ['{"timestamp":'],
      isWhole: (row) => textAt(row, 'timestamp') !== null && isRolloutRow(row),
    },
    isTranscriptRow: isRolloutRow,
    notATranscript: (file) =>
      new MemoryError('TRANSCRIPT_UNREADABLE', `${file} is no Codex rollout`, {
        hint: 'Give a rollout-….jsonl file from below ~/.codex/sessions, or name the agent that wrote this one (--agent).',
        data: { file },
      }),
  }
}

/** What the first rows say about the conversation, as far as the read begins behind them. */
async function readHead(file: string, rollout: Rollout, options: ReadTranscriptOptions): Promise<RowPlace> {
  let place: RowPlace = nowhere
  let rows = 0
  for await (const line of readLogLines(file, 0, options.signal)) {
    const isStillToCome = rows > 0 && line.endOffset > (options.fromOffset ?? 0)
    if (isStillToCome || rows++ === HEAD_ROWS) break
    const row = parseRow((line.text ?? '').replace(/^\uFEFF/, ''))
    if (row) place = joined(place, rollout.placeOf(row))
  }
  return place
}

/** `rollout-2026-11-18T10-02-00-<thread>.jsonl`. */
function threadInName(file: string): string | null {
  return safeSessionId(/^rollout-[\dT-]{19}-(.+)\.jsonl$/.exec(basename(file))?.[1] ?? null)
}

/** Threads that this one started: files of their own in the folder of the same day, later by name. */
async function companions(file: string): Promise<readonly string[]> {
  const thread = threadInName(file)
  if (thread === null) return []
  const folder = dirname(file)
  const names = await readdir(folder).catch(() => [] as string[]) // A file alone has no companions.
  const later = names.filter((name) => name > basename(file) && name.startsWith('rollout-') && name.endsWith('.jsonl'))
  const found: string[] = []
  for (const name of later.sort().slice(0, MAX_COMPANIONS))
    if (servesThread(await beginningOf(join(folder, name)), thread)) found.push(join(folder, name))
  return found
}

/** The header is longer than what is read of it, so its text is looked at, not its meaning. */
function servesThread(beginning: string, thread: string): boolean {
  return beginning.includes(`"session_id":"${thread}"`) || beginning.includes(`"parent_thread_id":"${thread}"`)
}

async function beginningOf(file: string): Promise<string> {
  try {
    const handle = await open(file, 'r')
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch {
    // Gone or not ours to read: then nothing is known of it.
    return ''
  }
}
