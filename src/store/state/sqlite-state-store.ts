/**
 * State store on state.db. A lease is read and taken under one `BEGIN IMMEDIATE`, so that two processes never both get
 * it. A damaged file is set aside and a new one started: what it held is statistics and places to read on from.
 */
import { type Clock, type TrustSignal, trustSignals } from '../../domain/index.ts'
import { migrate } from '../sqlite/migrations.ts'
import { type CheckedDatabase, type OpenCheckedOptions, openChecked } from '../sqlite/open-checked.ts'
import type { SqliteDatabase, SqliteRow } from '../sqlite/sqlite-port.ts'
import { createSqliteCallLedger } from './sqlite-call-ledger.ts'
import { createSqliteCandidateStore } from './sqlite-candidate-store.ts'
import { createSqliteExtractionCursors } from './sqlite-extraction-cursors.ts'
import { createSqliteJobQueue } from './sqlite-job-queue.ts'
import { createSqliteNoteUses } from './sqlite-note-uses.ts'
import { createSqliteSessionMemories } from './sqlite-session-memories.ts'
import { stateSteps } from './state-steps.ts'
import { type Cursor, isLeaseAlive, MAX_TRUST_STEPS, type NoteKeys, type StateStore } from './state-store.ts'

export interface OpenStateStoreOptions
  extends Pick<OpenCheckedOptions, 'driver' | 'file' | 'busyTimeoutMs' | 'wal' | 'check' | 'isNetworkFileSystem'> {
  readonly clock: Clock
}

export interface SqliteStateStore extends StateStore {
  /** For doctor: integrity, and whether a damaged file was set aside. */
  readonly database: CheckedDatabase
}

/** Opens or creates state.db. Throws SQLITE_BUSY, HOME_FORMAT_NEWER, SQLITE_FAILED. */
export function openStateStore(options: OpenStateStoreOptions): SqliteStateStore {
  const database = openChecked({ ...options, kind: 'derived', prepare: (opened) => migrate(opened, stateSteps) })
  return {
    database,
    sessionMemories: createSqliteSessionMemories(database),
    candidates: createSqliteCandidateStore(database),
    uses: createSqliteNoteUses(database),
    ledger: createSqliteCallLedger(database),
    ...cursorMethods(database),
    ...leaseMethods(database),
    ...firstSeenMethods(database),
    ...noteKeyMethods(database),
    ...missingMethods(database),
    ...trustMethods(database),
    queue: createSqliteJobQueue(database),
    extractions: createSqliteExtractionCursors(database),
    generation: () => database.generation(),
    close: () => database.close(),
  }
}

function cursorMethods(database: SqliteDatabase): Pick<StateStore, 'cursor' | 'putCursor' | 'cursors'> {
  return {
    cursor(transcript) {
      const row = database.prepare('SELECT * FROM cursors WHERE transcript = ?').get(transcript)
      return row ? toCursor(row) : null
    },
    putCursor: ({ transcript, agent, offset, head, readAt }) =>
      database.transaction(() => {
        database
          .prepare('INSERT OR REPLACE INTO cursors (transcript, agent, offset, head, read_at) VALUES (?, ?, ?, ?, ?)')
          .run(transcript, agent, offset, head, readAt)
      }),
    cursors: () => database.prepare('SELECT * FROM cursors ORDER BY transcript').all().map(toCursor),
  }
}

function leaseMethods(database: SqliteDatabase): Pick<StateStore, 'acquireLease' | 'releaseLease' | 'leaseOwner'> {
  const ownerAt = (name: string, now: number): string | null => {
    const row = database.prepare('SELECT owner, renewed_at, ttl_ms FROM leases WHERE name = ?').get(name)
    if (!row) return null
    const lease = { renewedAt: Number(row.renewed_at), ttlMs: Number(row.ttl_ms) }
    return isLeaseAlive(lease, now) ? String(row.owner) : null
  }
  return {
    acquireLease: (name, owner, now, ttlMs) =>
      database.transaction(() => {
        const holder = ownerAt(name, now)
        if (holder !== null && holder !== owner) return false
        database
          .prepare('INSERT OR REPLACE INTO leases (name, owner, renewed_at, ttl_ms) VALUES (?, ?, ?, ?)')
          .run(name, owner, now, ttlMs)
        return true
      }),
    releaseLease: (name, owner) =>
      database.transaction(() => {
        database.prepare('DELETE FROM leases WHERE name = ? AND owner = ?').run(name, owner)
      }),
    leaseOwner: ownerAt,
  }
}

function firstSeenMethods(database: SqliteDatabase): Pick<StateStore, 'firstSeen' | 'peekFirstSeen'> {
  const peekFirstSeen = (layer: string, file: string, hash: string): number | null => {
    const row = database
      .prepare('SELECT seen_at FROM first_seen WHERE layer = ? AND file = ? AND hash = ?')
      .get(layer, file, hash)
    return row ? Number(row.seen_at) : null
  }
  return {
    peekFirstSeen,
    firstSeen(layer, file, hash, now) {
      const known = peekFirstSeen(layer, file, hash)
      if (known !== null) return known
      return database.transaction(() => {
        database
          .prepare('INSERT OR IGNORE INTO first_seen (layer, file, hash, seen_at) VALUES (?, ?, ?, ?)')
          .run(layer, file, hash, now)
        return peekFirstSeen(layer, file, hash) ?? now
      })
    },
  }
}

function noteKeyMethods(
  database: SqliteDatabase,
): Pick<StateStore, 'putNoteKeys' | 'keyedFiles' | 'noteKeys' | 'removeNoteKeys'> {
  return {
    putNoteKeys: (keys) =>
      database.transaction(() => {
        const put = database.prepare(
          `INSERT OR REPLACE INTO note_keys (layer, file, hash, id, name_key, text_key, evidence_keys)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
        )
        for (const each of keys) put.run(...keyValues(each))
      }),
    keyedFiles(layer) {
      const rows = database.prepare('SELECT file, hash FROM note_keys WHERE layer = ?').all(layer)
      return new Map(rows.map((row) => [String(row.file), String(row.hash)]))
    },
    noteKeys(layer, file) {
      const row = database.prepare('SELECT * FROM note_keys WHERE layer = ? AND file = ?').get(layer, file)
      return row ? toNoteKeys(row) : null
    },
    removeNoteKeys: (layer, files) =>
      database.transaction(() => {
        database
          .prepare('DELETE FROM note_keys WHERE layer = ? AND file IN (SELECT value FROM json_each(?))')
          .run(layer, JSON.stringify(files))
      }),
  }
}

function missingMethods(database: SqliteDatabase): Pick<StateStore, 'missing' | 'putMissing' | 'removeMissing'> {
  return {
    missing: (layer) =>
      database
        .prepare('SELECT * FROM missing_notes WHERE layer = ? ORDER BY file')
        .all(layer)
        .map((row) => ({ ...toNoteKeys(row), missedAt: Number(row.missed_at) })),
    putMissing: (notes) =>
      database.transaction(() => {
        const put = database.prepare(
          `INSERT INTO missing_notes (layer, file, hash, id, name_key, text_key, evidence_keys, missed_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (layer, file) DO UPDATE SET hash = excluded.hash, id = excluded.id,
             name_key = excluded.name_key, text_key = excluded.text_key, evidence_keys = excluded.evidence_keys`,
        )
        for (const note of notes) put.run(...keyValues(note), note.missedAt)
      }),
    removeMissing: (layer, file) =>
      database.transaction(() => {
        database.prepare('DELETE FROM missing_notes WHERE layer = ? AND file = ?').run(layer, file)
      }),
  }
}

function trustMethods(database: SqliteDatabase): Pick<StateStore, 'putTrustStep' | 'trustSteps' | 'removeTrust'> {
  return {
    putTrustStep: ({ note, session, signal, at }) =>
      database.transaction(() => {
        // `misled` is the worse one.
        database
          .prepare(
            `INSERT INTO trust_steps (note, session, signal, at) VALUES (?, ?, ?, ?)
             ON CONFLICT (note, session) DO UPDATE SET at = max(at, excluded.at),
               signal = CASE WHEN 'misled' IN (signal, excluded.signal) THEN 'misled' ELSE signal END`,
          )
          .run(note, session, signal, at)
        database
          .prepare(
            `DELETE FROM trust_steps WHERE note = ? AND session IN
               (SELECT session FROM trust_steps WHERE note = ? ORDER BY at DESC, session LIMIT -1 OFFSET ?)`,
          )
          .run(note, note, MAX_TRUST_STEPS)
      }),
    trustSteps: (notes) =>
      database
        .prepare(
          `SELECT note, session, signal, at FROM trust_steps WHERE note IN (SELECT value FROM json_each(?))
           ORDER BY at DESC, session, note`,
        )
        .all(JSON.stringify(notes))
        .map((row) => ({
          note: String(row.note),
          session: String(row.session),
          signal: toSignal(row.signal),
          at: Number(row.at),
        })),
    removeTrust: (notes) =>
      database.transaction(() => {
        database
          .prepare('DELETE FROM trust_steps WHERE note IN (SELECT value FROM json_each(?))')
          .run(JSON.stringify(notes))
      }),
  }
}

/** A signal of a later version says nothing bad that we know of. */
function toSignal(value: unknown): TrustSignal {
  return trustSignals.find((each) => each === value) ?? 'helped'
}

function keyValues({ layer, file, hash, id, nameKey, textKey, evidenceKeys }: NoteKeys) {
  return [layer, file, hash, id, nameKey, textKey, JSON.stringify(evidenceKeys)] as const
}

function toCursor(row: SqliteRow): Cursor {
  return {
    transcript: String(row.transcript),
    agent: String(row.agent),
    offset: Number(row.offset),
    head: String(row.head),
    readAt: Number(row.read_at),
  }
}

function toNoteKeys(row: SqliteRow): NoteKeys {
  const evidenceKeys: unknown = JSON.parse(String(row.evidence_keys))
  return {
    layer: String(row.layer),
    file: String(row.file),
    hash: String(row.hash),
    id: String(row.id),
    nameKey: String(row.name_key),
    textKey: String(row.text_key),
    evidenceKeys: Array.isArray(evidenceKeys) ? evidenceKeys.map(String) : [],
  }
}
