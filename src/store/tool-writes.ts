/**
 * Files that an agent's own file tools wrote into a folder of notes, as seen in transcripts. Their words are quoted,
 * never a rule (spec I11). One line per file, so the list is bounded by the number of files.
 */
import { join, resolve } from 'node:path'
import { homeFiles } from '../domain/index.ts'
import { createFileView, stampOf } from './file-view.ts'
import { appendJsonLine, readJsonLines } from './json-lines.ts'

export interface ToolWrite {
  /** Absolute path, NFC. */
  readonly path: string
  readonly session: string
  /** UTC ISO 8601, null when the agent gave none. */
  readonly time: string | null
}

export interface ToolWrites {
  /** Durable when it resolves; a file that is known already is not recorded again. */
  record(path: string, session: string, time: string | null): Promise<void>
  has(path: string): boolean
  /** In the order of recording. */
  all(): readonly ToolWrite[]
  /** Another text whenever something may have been recorded since, by whomever. */
  generation(): string
}

export function createToolWrites(options: { readonly home: string }): ToolWrites {
  const file = join(options.home, homeFiles.toolWrites)
  const writes = createFileView(file, readWrites, new Map())
  return {
    has(path) {
      const known = writes()
      return known.size > 0 && known.has(comparable(path))
    },
    all: () => [...writes().values()],
    generation: () => stampOf(file),
    async record(path, session, time) {
      const known = comparable(path)
      if (!writes().has(known)) appendJsonLine(file, { path: known, session, time })
    },
  }
}

function readWrites(file: string): ReadonlyMap<string, ToolWrite> {
  const writes = new Map<string, ToolWrite>()
  for (const { value } of readJsonLines(file).records) {
    const { path, session, time } = value
    if (typeof path !== 'string' || typeof session !== 'string') continue
    writes.set(path, { path, session, time: typeof time === 'string' ? time : null })
  }
  return writes
}

function comparable(path: string): string {
  return resolve(path).normalize('NFC')
}
