/**
 * Schema of sessions.db, as migration steps: append a step, never change one. Messages stand once; `session_messages`
 * joins them to sessions, so a fork shares its first part. Times are kept as the agent gave them; `started_ms` orders.
 */
import type { MigrationStep } from '../sqlite/migrations.ts'

export const sessionSteps: readonly MigrationStep[] = [
  `CREATE TABLE sessions (
     key INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     agent TEXT NOT NULL,
     project TEXT,
     title TEXT,
     tags TEXT NOT NULL,
     branch TEXT,
     cwd TEXT,
     started TEXT,
     started_ms INTEGER,
     ended TEXT,
     summary TEXT,
     parent TEXT
   );
   CREATE INDEX sessions_by_start ON sessions (started_ms DESC, key DESC);
   CREATE TABLE messages (
     key INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     id_given INTEGER NOT NULL,
     role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
     content TEXT NOT NULL,
     tool_name TEXT,
     time TEXT,
     hash TEXT NOT NULL
   );
   CREATE TABLE session_messages (
     session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
     ordinal INTEGER NOT NULL,
     message INTEGER NOT NULL REFERENCES messages (key),
     PRIMARY KEY (session, ordinal),
     UNIQUE (session, message)
   ) WITHOUT ROWID;
   CREATE INDEX session_messages_by_message ON session_messages (message);`,
]
