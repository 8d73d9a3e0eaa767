/**
 * The journal: what a hook leaves for the worker. One fsynced line per finished turn, pointers only, never text. A
 * lost line costs a delay, never a memory, because the worker compares cursors with the transcripts.
 */
import { readdirSync, renameSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type HookEvent, homeFiles, type IdSource } from '../domain/index.ts'
import { fromFileSystemError, systemCode } from '../errors.ts'
import { appendJsonLine, type BadLine, readJsonLines } from './json-lines.ts'

export interface JournalEntry {
  /** UTC ISO 8601. */
  readonly time: string
  readonly event: string
  readonly agent: string
  readonly session: string | null
  readonly transcript: string | null
  readonly cwd: string | null
  /** What kind of event it is, in our words; null in lines of an earlier version. */
  readonly kind: HookEvent['kind'] | null
  /** Bytes of the transcript when the line was written. */
  readonly size: number | null
}

export interface JournalContent {
  readonly entries: readonly JournalEntry[]
  /** Lines that are no entry, with the file they are in. */
  readonly bad: readonly (BadLine & { readonly file: string })[]
}

export interface TakenJournal extends JournalContent {
  /**
   * Call when every entry was dealt with; until then the next `takeJournal` gives the entries again. `again`: entries
   * that could not be dealt with now; they go back into the queue first.
   */
  done(again?: readonly JournalEntry[]): void
}

/** Version of a line; lines of another version are kept out and counted. */
const LINE_VERSION = 1
/** The worker drains in seconds; a queue of this size means that it never ran, and cursors will find the rest. */
const MAX_QUEUE_BYTES = 4_194_304
const QUEUE = 'queue.jsonl'
const TAKEN = /^taken-.*\.jsonl$/

/** Appends one line (one write, one fsync). False when the queue is full and the line was left out. */
export function appendJournal(home: string, entry: JournalEntry): boolean {
  const file = join(home, homeFiles.journal, QUEUE)
  if (sizeOf(file) > MAX_QUEUE_BYTES) return false
  appendJsonLine(file, { version: LINE_VERSION, ...entry })
  return true
}

/** Everything that waits, without taking it. */
export function readJournal(home: string): JournalContent {
  const folder = join(home, homeFiles.journal)
  return contentOf(folder, [...takenFiles(folder), QUEUE])
}

/**
 * Moves the queue aside for the one drainer and gives its entries, and those of an earlier drainer that died. Only the
 * holder of the worker's lease may call it.
 */
export function takeJournal(home: string, effects: { readonly ids: IdSource }): TakenJournal {
  const folder = join(home, homeFiles.journal)
  try {
    renameSync(join(folder, QUEUE), join(folder, `taken-${effects.ids.next()}.jsonl`))
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw fromFileSystemError(error, folder)
  }
  const files = takenFiles(folder).map((name) => ({ name, size: sizeOf(join(folder, name)) }))
  const content = contentOf(
    folder,
    files.map((file) => file.name),
  )
  const done = (again: readonly JournalEntry[] = []) => {
    for (const entry of again) appendJournal(home, entry)
    for (const { name, size } of files) removeUnlessGrown(join(folder, name), size)
  }
  return { ...content, done }
}

/** A hook that had opened the queue before it was moved may have written after we read: then it stays for next time. */
function removeUnlessGrown(file: string, size: number): void {
  if (sizeOf(file) !== size) return
  try {
    unlinkSync(file)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw fromFileSystemError(error, file)
  }
}

function contentOf(folder: string, names: readonly string[]): JournalContent {
  const entries: JournalEntry[] = []
  const bad: (BadLine & { file: string })[] = []
  for (const name of names) {
    const file = join(folder, name)
    const lines = readJsonLines(file)
    bad.push(...lines.bad.map((line) => ({ ...line, file })))
    for (const { line, value } of lines.records) {
      const entry = entryFrom(value)
      if (entry) entries.push(entry)
      else bad.push({ line, bytes: Buffer.byteLength(JSON.stringify(value)), file })
    }
  }
  return { entries, bad }
}

function entryFrom(record: Readonly<Record<string, unknown>>): JournalEntry | null {
  const { version, time, event, agent } = record
  if (version !== LINE_VERSION) return null
  if (typeof time !== 'string' || typeof event !== 'string' || typeof agent !== 'string') return null
  return {
    time,
    event,
    agent,
    session: textOrNull(record.session),
    transcript: textOrNull(record.transcript),
    cwd: textOrNull(record.cwd),
    kind: kindOf(record.kind),
    size: typeof record.size === 'number' ? record.size : null,
  }
}

const kinds: readonly HookEvent['kind'][] = ['turn-end', 'before-compaction', 'session-end']

/** Only those that leave a line. */
function kindOf(value: unknown): JournalEntry['kind'] {
  return kinds.find((kind) => kind === value) ?? null
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function takenFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => TAKEN.test(name))
      .sort()
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return []
    throw fromFileSystemError(error, folder)
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
