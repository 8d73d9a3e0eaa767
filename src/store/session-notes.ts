/**
 * Notes of conversations (spec F1): `session-notes/<project folder>/<session>.md`, and `newest.json` that names the newest
 * of the project. Reading is plain and light, because hooks do it; writing is in `session-note-writes.ts`, and what a note
 * says is the room `refresh`'s.
 */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  homeFiles,
  type NewestSession,
  type SessionNoteSection,
  sessionNoteLabels,
  sessionParts,
} from '../domain/index.ts'
import { fromFileSystemError, systemCode } from '../errors.ts'
import { cutBytes, oneLine, sha256 } from '../util/index.ts'

export const NEWEST_SESSION = 'newest.json'
/** Conversations outside any project. No project folder is called so: those end with a key of eight characters. */
const NO_PROJECT = 'no-project'
const SAFE_NATIVE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/
/** Of a note or newest.json that is read; ours are far smaller. */
const MAX_READ_BYTES = 262_144
/** What is said of a conversation after its compaction. */
const MAX_STATE_BYTES = 600
/** Files that are named in it. */
const MAX_STATE_FILES = 4
const MAX_LINE_BYTES = 600
const filesSection: SessionNoteSection = 'Files and Functions'

/** Whose note. `project`: layer key (`projects/<folder>`), or null outside any. */
export interface SessionNotePlace {
  readonly project: string | null
  /** `<agent>:<native id>` */
  readonly session: string
}

/** A note as it lies on disk. */
export interface StoredSessionNote {
  readonly project: string | null
  readonly file: string
  readonly text: string
}

/** Of one project. */
export function sessionNoteFolder(home: string, project: string | null): string {
  return join(home, homeFiles.sessionNotes, project === null ? NO_PROJECT : project.replace(/^.*\//, ''))
}

export function sessionNoteFile(home: string, { project, session }: SessionNotePlace): string {
  const { agent, native } = sessionParts(session)
  const isSafe = /^[a-z][a-z0-9-]{0,40}$/.test(agent) && SAFE_NATIVE_ID.test(native)
  const name = isSafe ? `${agent}_${native}` : `session_${sha256(session).slice(0, 32)}`
  return join(sessionNoteFolder(home, project), `${name}.md`)
}

/** What a person put beside the notes: their own template and prompt, or null. Throws STORE_UNREADABLE. */
export function readOwnNoteFiles(home: string): { readonly template: string | null; readonly prompt: string | null } {
  const read = (name: string) => readWithin(join(home, homeFiles.sessionNotes, name))
  return { template: read('template.md'), prompt: read('prompt.md') }
}

/** Null when there is none. Throws STORE_UNREADABLE. */
export function readSessionNoteText(home: string, place: SessionNotePlace): string | null {
  return readWithin(sessionNoteFile(home, place))
}

/** Every note of a home, one after another. */
export function* sessionNotes(home: string): Generator<StoredSessionNote> {
  const root = join(home, homeFiles.sessionNotes)
  for (const folder of namesIn(root)) {
    const project = folder === NO_PROJECT ? null : `${homeFiles.projects}/${folder}`
    for (const name of namesIn(join(root, folder)).filter((each) => each.endsWith('.md'))) {
      const file = join(root, folder, name)
      const text = readWithin(file)
      if (text !== null) yield { project, file, text }
    }
  }
}

/** Null when none is named, or what is there is not ours. Throws nothing: a start block goes without. */
export function readNewestSession(home: string, project: string | null): NewestSession | null {
  try {
    const value: unknown = JSON.parse(readWithin(join(sessionNoteFolder(home, project), NEWEST_SESSION)) ?? 'null')
    if (typeof value !== 'object' || value === null) return null
    const { session, updated, line } = value as Record<string, unknown> // An object; its fields are looked at next.
    if (typeof session !== 'string' || typeof updated !== 'string' || typeof line !== 'string') return null
    if (Number.isNaN(Date.parse(updated))) return null
    return { session, updated, line: cutBytes(oneLine(line), MAX_LINE_BYTES) }
  } catch {
    // Torn by hand, or not readable: `doctor` names what cannot be read.
    return null
  }
}

/**
 * Bullets of a conversation's own note that say where it stands (state, last request, next step, last error, last
 * command): for its start block after a compaction, at most 600 bytes. Empty without a note. Throws nothing. Masked, but
 * words of a conversation: they go through `safeText` and a fence like all others.
 */
export function readSessionState(home: string, place: SessionNotePlace): string {
  try {
    return stateOf(readSessionNoteText(home, place) ?? '')
  } catch {
    // As above: a start block goes without.
    return ''
  }
}

const { state, lastRequest, nextStep, lastError, lastCommand } = sessionNoteLabels
const stateLabels = [state, lastRequest, nextStep, lastError, lastCommand]

function stateOf(note: string): string {
  const lines = note.split('\n')
  const labelled = stateLabels.flatMap((label) => lines.find((line) => line.startsWith(`- ${label}: `)) ?? [])
  const files = lastFiles(lines)
  const found = [...labelled, ...(files === '' ? [] : [`- Files: ${files}`])]
  // Each gets an even part, so that a long request hides no error.
  const share = Math.floor(MAX_STATE_BYTES / Math.max(1, found.length)) - 1
  return found.map((line) => cutBytes(line, share)).join('\n')
}

/** The paths that were used last. */
function lastFiles(lines: readonly string[]): string {
  const rest = lines.slice(lines.indexOf(`# ${filesSection}`) + 1)
  const end = rest.findIndex((line) => line.startsWith('# '))
  const paths = rest.slice(0, Math.max(0, end)).flatMap((line) => /^- (`[^`]+`) /.exec(line)?.[1] ?? [])
  return paths.slice(-MAX_STATE_FILES).join(', ')
}

/** Sorted; empty for a folder that is not there. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return []
    throw fromFileSystemError(error, folder)
  }
}

function readWithin(file: string): string | null {
  let handle: number | null = null
  try {
    // Opening a pipe would wait for its other end.
    if (!statSync(file).isFile()) return null
    handle = openSync(file, 'r')
    const buffer = Buffer.alloc(MAX_READ_BYTES)
    return buffer.toString('utf8', 0, readSync(handle, buffer, 0, MAX_READ_BYTES, 0))
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null
    throw fromFileSystemError(error, file)
  } finally {
    if (handle !== null) closeSync(handle)
  }
}
