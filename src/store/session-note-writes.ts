/**
 * Notes of conversations written and removed: 0600, whole or not at all, under one lock of the home. Bytes are masked by
 * who writes them.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { homeFiles, type NewestSession } from '../domain/index.ts'
import { fromFileSystemError, systemCode } from '../errors.ts'
import { TEMP_PREFIX, writeWholeFile } from './notes/atomic-write.ts'
import { createLockKeeper } from './notes/lock-keeper.ts'
import {
  NEWEST_SESSION,
  readNewestSession,
  type SessionNotePlace,
  sessionNoteFile,
  sessionNoteFolder,
} from './session-notes.ts'

const LOCK_WAIT_MS = 15_000

export interface SessionNoteLock {
  /** While nobody else changes notes of this home. STORE_BUSY, CANCELLED. */
  hold<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** Short work only: a person who forgets something waits for it. */
export function createSessionNoteLock(home: string): SessionNoteLock {
  const keeper = createLockKeeper({ directory: join(home, homeFiles.locks) })
  return { hold: (work, signal) => keeper.hold(homeFiles.sessionNotes, { signal, waitMs: LOCK_WAIT_MS }, work) }
}

export async function writeSessionNote(home: string, place: SessionNotePlace, text: string): Promise<void> {
  await writeWholeFile(sessionNoteFile(home, place), new TextEncoder().encode(text))
}

/** The note, and `newest.json` where it names this session. */
export function removeSessionNote(home: string, place: SessionNotePlace): void {
  // First what is shown by itself.
  if (readNewestSession(home, place.project)?.session === place.session) removeNewestSession(home, place.project)
  remove(sessionNoteFile(home, place))
}

export async function writeNewestSession(
  home: string,
  project: string | null,
  { session, updated, line }: NewestSession,
): Promise<void> {
  const bytes = new TextEncoder().encode(`${JSON.stringify({ session, updated, line })}\n`)
  await writeWholeFile(join(sessionNoteFolder(home, project), NEWEST_SESSION), bytes)
}

export function removeNewestSession(home: string, project: string | null): void {
  remove(join(sessionNoteFolder(home, project), NEWEST_SESSION))
}

/** What a killed write left: under the lock nobody else writes, so all of it is litter. */
export function sweepSessionNotes(home: string): void {
  const root = join(home, homeFiles.sessionNotes)
  try {
    const litter = readdirSync(root, { recursive: true, withFileTypes: true }).filter(({ name }) =>
      name.startsWith(TEMP_PREFIX),
    )
    for (const { parentPath, name } of litter) remove(join(parentPath, name))
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch (error) {
    throw fromFileSystemError(error, file)
  }
}
