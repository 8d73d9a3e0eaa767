/**
 * Append-only files of JSON lines. A record is one write and one fsync and always begins on a fresh line, so a torn
 * line costs only itself. Reading never throws for content: glued records are separated, the rest is counted and shown.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fromFileSystemError, MemoryError, systemCode } from '../errors.ts'
import { endOfJsonObject, makeFolder } from '../util/index.ts'

export interface BadLine {
  /** 1-based. */
  readonly line: number
  readonly bytes: number
}

export interface JsonRecord {
  /** 1-based line it was found in. */
  readonly line: number
  /** An object, unchecked. */
  readonly value: Readonly<Record<string, unknown>>
}

export interface JsonLines {
  /** In file order. */
  readonly records: readonly JsonRecord[]
  readonly bad: readonly BadLine[]
}

/** Longest line in which glued records are looked for; the search is quadratic in the worst case. */
const MAX_RECOVERED_LINE = 65_536

/** Appends one record durably (mode 0600, folders 0700). Throws STORE_FULL, STORE_READ_ONLY and the like. */
export function appendJsonLine(file: string, record: object): void {
  try {
    const descriptor = openForAppend(file)
    try {
      const size = fstatSync(descriptor).size
      const line = Buffer.from(`${needsFreshLine(descriptor, size) ? '\n' : ''}${JSON.stringify(record)}\n`)
      for (let written = 0; written < line.length; ) written += writeSync(descriptor, line, written)
      fsyncSync(descriptor)
      if (size === 0) syncDirectory(dirname(file))
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw fromFileSystemError(error, file)
  }
}

/** Empty when the file does not exist. Throws STORE_UNREADABLE when it cannot be read. */
export function readJsonLines(file: string): JsonLines {
  const text = readWhole(file)
  const records: JsonRecord[] = []
  const bad: BadLine[] = []
  text.split('\n').forEach((raw, index) => {
    const line = (index === 0 ? raw.replace(/^\u{FEFF}/u, '') : raw).trim()
    if (line === '') return
    const found = recordsOf(line)
    if (found.length > 0) records.push(...found.map((value) => ({ line: index + 1, value })))
    else bad.push({ line: index + 1, bytes: Buffer.byteLength(raw) })
  })
  return { records, bad }
}

/** Replaces the whole file atomically. Lines that another process appends meanwhile may be lost: for logs only. */
export function rewriteJsonLines(file: string, records: readonly object[]): void {
  const temp = join(dirname(file), `.keepsake-temp-${randomBytes(8).toString('hex')}`)
  try {
    writeFileSync(temp, records.map((record) => `${JSON.stringify(record)}\n`).join(''), { mode: 0o600, flag: 'wx' })
    renameSync(temp, file)
  } catch (error) {
    rmSync(temp, { force: true })
    throw fromFileSystemError(error, file)
  }
}

function openForAppend(file: string): number {
  try {
    return openSync(file, 'a+', 0o600)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    makeFolder(dirname(file))
    return openSync(file, 'a+', 0o600)
  }
}

function needsFreshLine(descriptor: number, size: number): boolean {
  if (size === 0) return false
  const last = Buffer.alloc(1)
  return readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a
}

function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function readWhole(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return ''
    throw new MemoryError('STORE_UNREADABLE', `Cannot read ${file}`, {
      hint: 'Check the permissions of the file.',
      data: { path: file },
      cause: error,
    })
  }
}

/** The one record of a good line, or every whole object in a line of torn and glued ones. */
function recordsOf(line: string): Record<string, unknown>[] {
  const whole = parseObject(line)
  if (whole) return [whole]
  if (line.length > MAX_RECOVERED_LINE) return []
  const found: Record<string, unknown>[] = []
  for (let start = line.indexOf('{'); start >= 0; ) {
    const end = endOfJsonObject(line, start)
    const record = end < 0 ? null : parseObject(line.slice(start, end))
    if (record) found.push(record)
    start = line.indexOf('{', record ? end : start + 1)
  }
  return found
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    // An object literal that JSON.parse made has string keys only.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    // Not JSON: the caller counts the line as bad.
    return null
  }
}
