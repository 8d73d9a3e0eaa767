/**
 * Reads Claude Code transcripts (`~/.claude/projects/<folder>/<session>.jsonl`). Every row names its session, its folder
 * and its branch, so a read may begin anywhere.
 */
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { TranscriptReader } from '../../../domain/index.ts'
import { MemoryError } from '../../../errors.ts'
import { type RowPlace, safeSessionId } from '../../shared/batch.ts'
import { readTranscript, type TranscriptLanguage } from '../../shared/read-transcript.ts'
import type { ToolCall } from '../../shared/row-content.ts'
import { type Row, textAt } from '../../shared/rows.ts'
import { readRow } from './read-row.ts'
import { isKnownType } from './row-kinds.ts'

/** Sub-agents of one conversation whose files are looked at. */
const MAX_COMPANIONS = 1_000

/** The file tools, by the field that names the file; files that Bash touches are not guessed. */
const writingTools: Readonly<Record<string, string>> = {
  Write: 'file_path',
  Edit: 'file_path',
  MultiEdit: 'file_path',
  NotebookEdit: 'notebook_path',
}
const readingTools: Readonly<Record<string, string>> = { Read: 'file_path' }

const language: TranscriptLanguage = {
  readRow,
  placeOf,
  writtenPaths: (call) => namedPath(call, writingTools),
  readPaths: (call) => namedPath(call, readingTools),
  commandOf: ({ name, input }) => (name === 'Bash' ? textAt(input, 'command') : null),
  shape: {
    beginnings: ['{"parentUuid":', '{"type":"'],
    isWhole: (row) => typeof row.uuid === 'string' && typeof row.sessionId === 'string',
  },
  isTranscriptRow: (row) => isKnownType(textAt(row, 'type') ?? ''),
  notATranscript,
}

export function createClaudeCodeReader(): TranscriptReader {
  return {
    agent: 'claude-code',
    resume: ['claude', '--resume'],
    read: (file, options = {}) => readTranscript(file, options, language),
    companions,
  }
}

function namedPath({ name, input }: ToolCall, tools: Readonly<Record<string, string>>): readonly string[] {
  const field = Object.hasOwn(tools, name) ? tools[name] : undefined
  const path = field === undefined ? null : textAt(input, field)
  return path === null ? [] : [path]
}

function placeOf(row: Row): RowPlace {
  return {
    sessionId: safeSessionId(textAt(row, 'sessionId')),
    cwd: textAt(row, 'cwd'),
    branch: branchOf(row),
    title: textAt(row, 'customTitle') ?? textAt(row, 'aiTitle'),
  }
}

/** `HEAD` stands for a detached head or no repository. */
function branchOf(row: Row): string | null {
  const branch = textAt(row, 'gitBranch')
  return branch === '' || branch === 'HEAD' ? null : branch
}

function notATranscript(file: string): MemoryError {
  return new MemoryError('TRANSCRIPT_UNREADABLE', `${file} is no Claude Code transcript`, {
    hint: 'Give a .jsonl file from below ~/.claude/projects, or name the agent that wrote this one (--agent).',
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
