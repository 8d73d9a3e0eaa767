/**
 * Reads Claude Code transcripts (`~/.claude/projects/<folder>/<session>.jsonl`), forward, at flat memory, about one
 * turn a batch. Rows are taken by a list of known kinds; everything else is counted, nothing is thrown.
 */
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ReadTranscriptOptions, TranscriptBatch, TranscriptReader } from '../../../domain/index.ts'
import { MemoryError } from '../../../errors.ts'
import { readLogLines } from '../../log-lines.ts'
import { createBatch } from './batch.ts'
import { isKnownType } from './row-kinds.ts'
import { type Row, textAt } from './rows.ts'
import { splitRecords } from './split-records.ts'

/** Sub-agents of one conversation whose files are looked at. */
const MAX_COMPANIONS = 1_000

export function createClaudeCodeReader(): TranscriptReader {
  return { agent: 'claude-code', read: readTranscript, companions }
}

async function* readTranscript(file: string, options: ReadTranscriptOptions = {}): AsyncGenerator<TranscriptBatch> {
  const fromOffset = options.fromOffset ?? 0
  const batch = createBatch(fromOffset)
  let lines = 0
  let known = 0
  for await (const line of readLogLines(file, fromOffset, options.signal)) {
    const { rows, damaged } = splitRecords((line.text ?? '').replace(/^\uFEFF/, ''))
    // A last line that is still being written is left for the next read.
    if (!line.terminated && (rows.length === 0 || damaged)) {
      if (line.text === null || !line.text.startsWith('{')) lines++
      break
    }
    lines++
    if (line.text === null) batch.skip('oversized')
    else if (damaged && line.text.trim() !== '') batch.skip('damaged')
    for (const row of rows) {
      if (isTranscriptRow(row)) known++
      const finished = batch.add(row)
      if (finished) yield finished
    }
    batch.moveTo(line.endOffset)
  }
  if (lines > 0 && known === 0 && fromOffset === 0) throw noTranscript(file)
  const last = batch.finish()
  if (last) yield last
}

function isTranscriptRow(row: Row): boolean {
  return isKnownType(textAt(row, 'type') ?? '')
}

function noTranscript(file: string): MemoryError {
  return new MemoryError('TRANSCRIPT_UNREADABLE', `${file} is no Claude Code transcript`, {
    hint: 'Give a .jsonl file from below ~/.claude/projects.',
    data: { file },
  })
}

/** Files of the sub-agents of this conversation: `<session>/subagents/*.jsonl` beside `<session>.jsonl`. */
async function companions(file: string): Promise<readonly string[]> {
  const folder = join(dirname(file), file.replace(/^.*[\\/]/, '').replace(/\.jsonl$/, ''), 'subagents')
  const names = await readdir(folder).catch(() => [] as string[]) // Most conversations have none.
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .slice(0, MAX_COMPANIONS)
    .map((name) => join(folder, name))
}
