/**
 * The last failures, for `status` (spec: a failing hook is silent, so it must be found afterwards). Bounded, masked,
 * and never a reason to fail: recording cannot throw and never makes a home.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Failure, homeFiles } from '../domain/index.ts'
import { cutGraphemes, oneLine } from '../util/index.ts'
import { appendJsonLine, readJsonLines, rewriteJsonLines } from './json-lines.ts'

/** How many are kept; the file is cut back to these when it holds twice as many. */
export const MAX_FAILURES = 200
const MAX_MESSAGE_GRAPHEMES = 500
/** Below this size the file cannot hold too many, so it is not read again at each append. */
const TRIM_BYTES = 32_768
const MAX_FILE_BYTES = 524_288

/** Records one failure. False when it could not be recorded. Never throws. */
export function appendFailure(home: string, failure: Failure, redact: (text: string) => { text: string }): boolean {
  try {
    if (!statSync(home, { throwIfNoEntry: false })?.isDirectory()) return false
    const file = failuresFile(home)
    const message = cutGraphemes(oneLine(redact(failure.message).text), MAX_MESSAGE_GRAPHEMES)
    appendJsonLine(file, { time: failure.time, where: failure.where, code: failure.code, message })
    trim(file)
    return true
  } catch {
    // A failure that cannot be recorded (disk full, read-only) must not become a second failure of the caller.
    return false
  }
}

/** Newest first, at most `limit`. Throws STORE_UNREADABLE when the file cannot be read. */
export function readFailures(home: string, limit: number): Failure[] {
  const failures = readJsonLines(failuresFile(home)).records.flatMap(({ value }) => failureFrom(value) ?? [])
  return failures.slice(-Math.min(limit, MAX_FAILURES)).reverse()
}

function trim(file: string): void {
  if (statSync(file).size < TRIM_BYTES) return
  const records = readJsonLines(file).records
  if (records.length > 2 * MAX_FAILURES || statSync(file).size > MAX_FILE_BYTES)
    rewriteJsonLines(
      file,
      records.slice(-MAX_FAILURES).map((record) => record.value),
    )
}

function failureFrom(record: Readonly<Record<string, unknown>>): Failure | null {
  const { time, where, code, message } = record
  if (typeof time !== 'string' || typeof where !== 'string') return null
  if (typeof code !== 'string' || typeof message !== 'string') return null
  return { time, where, code, message }
}

function failuresFile(home: string): string {
  return join(home, homeFiles.logs, homeFiles.failures)
}
