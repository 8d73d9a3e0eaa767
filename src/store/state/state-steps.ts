/** Tables of state.db, step by step. */
import type { MigrationStep } from '../sqlite/migrations.ts'

/** Append steps, never change one. */
export const stateSteps: readonly MigrationStep[] = [
  `CREATE TABLE cursors (
     transcript TEXT PRIMARY KEY,
     agent TEXT NOT NULL,
     offset INTEGER NOT NULL,
     head TEXT NOT NULL,
     read_at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE leases (
     name TEXT PRIMARY KEY,
     owner TEXT NOT NULL,
     renewed_at INTEGER NOT NULL,
     ttl_ms INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE first_seen (
     layer TEXT NOT NULL,
     file TEXT NOT NULL,
     hash TEXT NOT NULL,
     seen_at INTEGER NOT NULL,
     PRIMARY KEY (layer, file, hash)
   ) WITHOUT ROWID;
   CREATE TABLE note_keys (
     layer TEXT NOT NULL,
     file TEXT NOT NULL,
     hash TEXT NOT NULL,
     id TEXT NOT NULL,
     name_key TEXT NOT NULL,
     text_key TEXT NOT NULL,
     evidence_keys TEXT NOT NULL,
     PRIMARY KEY (layer, file)
   ) WITHOUT ROWID;
   CREATE TABLE missing_notes (
     layer TEXT NOT NULL,
     file TEXT NOT NULL,
     hash TEXT NOT NULL,
     id TEXT NOT NULL,
     name_key TEXT NOT NULL,
     text_key TEXT NOT NULL,
     evidence_keys TEXT NOT NULL,
     missed_at INTEGER NOT NULL,
     PRIMARY KEY (layer, file)
   ) WITHOUT ROWID;`,
  `CREATE TABLE trust_steps (
     note TEXT NOT NULL,
     session TEXT NOT NULL,
     signal TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (note, session)
   ) WITHOUT ROWID;`,
  `CREATE TABLE session_memories (
     session TEXT PRIMARY KEY,
     layer TEXT NOT NULL,
     messages INTEGER NOT NULL,
     raw_memory TEXT,
     summary TEXT,
     slug TEXT,
     sequence INTEGER NOT NULL,
     at INTEGER NOT NULL,
     tries INTEGER NOT NULL,
     retry_at INTEGER,
     problem TEXT
   ) WITHOUT ROWID;
   CREATE INDEX session_memories_by_layer ON session_memories (layer, sequence);
   CREATE TABLE memory_passes (
     layer TEXT PRIMARY KEY,
     sequence INTEGER NOT NULL,
     base TEXT,
     plan TEXT,
     succeeded_at INTEGER,
     tries INTEGER NOT NULL,
     retry_at INTEGER,
     problem TEXT
   ) WITHOUT ROWID;`,
  `CREATE TABLE jobs (
     id TEXT PRIMARY KEY,
     kind TEXT NOT NULL,
     key TEXT NOT NULL,
     state TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     due_at INTEGER NOT NULL,
     signals TEXT NOT NULL,
     attempts INTEGER NOT NULL,
     losses INTEGER NOT NULL,
     owner TEXT,
     renewed_at INTEGER,
     again TEXT,
     last_error TEXT,
     raw TEXT,
     answer TEXT,
     UNIQUE (kind, key)
   ) WITHOUT ROWID;
   CREATE TABLE job_runs (
     key_order INTEGER PRIMARY KEY AUTOINCREMENT,
     kind TEXT NOT NULL,
     key TEXT NOT NULL,
     ended_at INTEGER NOT NULL,
     duration_ms INTEGER NOT NULL,
     calls INTEGER NOT NULL,
     input_tokens INTEGER NOT NULL,
     output_tokens INTEGER NOT NULL,
     is_estimated INTEGER NOT NULL,
     written INTEGER NOT NULL,
     refused INTEGER NOT NULL
   );
   CREATE TABLE extraction_cursors (
     session TEXT PRIMARY KEY,
     ordinal INTEGER NOT NULL,
     message TEXT,
     skipped TEXT NOT NULL,
     seen INTEGER NOT NULL,
     read_at INTEGER,
     touched_at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX extraction_cursors_by_touch ON extraction_cursors (touched_at);`,
  `CREATE TABLE model_calls (
     id TEXT PRIMARY KEY,
     job TEXT NOT NULL,
     kind TEXT NOT NULL,
     model TEXT NOT NULL,
     day INTEGER NOT NULL,
     at INTEGER NOT NULL,
     input_tokens INTEGER NOT NULL,
     output_tokens INTEGER NOT NULL,
     money INTEGER NOT NULL,
     estimated INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX model_calls_by_day ON model_calls (day, kind);`,
  `CREATE TABLE candidates (
     id TEXT PRIMARY KEY,
     layer TEXT NOT NULL,
     type TEXT NOT NULL,
     text TEXT NOT NULL,
     text_key TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE sightings (
     candidate TEXT NOT NULL,
     session TEXT NOT NULL,
     day TEXT NOT NULL,
     message TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (candidate, session, message)
   ) WITHOUT ROWID;`,
  `CREATE TABLE note_uses (
     note TEXT NOT NULL,
     act TEXT NOT NULL,
     session TEXT NOT NULL,
     kind TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (note, act)
   ) WITHOUT ROWID;
   CREATE INDEX note_uses_by_session ON note_uses (session);`,
]
