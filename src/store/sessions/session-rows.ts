/** Rows of sessions.db to domain values. A row that no code of ours could have written is SQLITE_FAILED, not a guess. */
import type { Message, MessageRole, Session } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import type { SqliteRow, SqliteValue } from '../sqlite/sqlite-port.ts'

export function toSession(row: SqliteRow): Session {
  return {
    id: text(row.id),
    agent: text(row.agent),
    project: textOrNull(row.project),
    title: textOrNull(row.title),
    tags: toTags(text(row.tags)),
    branch: textOrNull(row.branch),
    cwd: textOrNull(row.cwd),
    started: textOrNull(row.started),
    ended: textOrNull(row.ended),
    summary: textOrNull(row.summary),
    parent: textOrNull(row.parent),
  }
}

export function toStoredMessage(row: SqliteRow): Message {
  return {
    id: text(row.id),
    role: toRole(text(row.role)),
    content: fromStoredText(row.content),
    toolName: textOrNull(row.tool_name),
    time: textOrNull(row.time),
    hash: text(row.hash),
  }
}

/** Text with a null byte is kept as bytes: some SQLite bindings cut it there when they read it. */
export function toStoredText(words: string): string | Uint8Array {
  return words.includes('\0') ? new TextEncoder().encode(words) : words
}

function fromStoredText(value: SqliteValue | undefined): string {
  return value instanceof Uint8Array ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(value) : text(value)
}

function toTags(json: string): string[] {
  let tags: unknown
  try {
    tags = JSON.parse(json)
  } catch {
    throw unexpected('list of tags')
  }
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : []
}

function toRole(role: string): MessageRole {
  if (role === 'user' || role === 'assistant' || role === 'tool') return role
  throw unexpected('role')
}

function text(value: SqliteValue | undefined): string {
  if (typeof value === 'string') return value
  throw unexpected('text')
}

function textOrNull(value: SqliteValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function unexpected(what: string): MemoryError {
  return new MemoryError('SQLITE_FAILED', `A row of sessions.db has no ${what} where one must be`, {
    hint: 'Run `keepsake doctor`.',
    data: { file: 'sessions.db' },
  })
}
