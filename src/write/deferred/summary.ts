/**
 * memory_summary.md: the first thing to read about a project, written by stage two. What must stay true: its first line is
 * `v1`; each of its lines names a note that is there, so that what was forgotten stands in it no longer; it is masked, does
 * not attack, and has at most 5,000 tokens.
 */
import { existsSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { estimateTokenCount } from 'tokenx'
import { homeFiles, type Layer } from '../../domain/index.ts'
import { isOwnBlock, redact, scanThreats } from '../../guard/index.ts'
import { writeWholeFile } from '../../store/notes/atomic-write.ts'
import type { NoteFiles } from '../../store/notes/note-files.ts'
import { parseSummaryLine, readSummary, SUMMARY_VERSION } from '../../store/notes/summary-file.ts'
import { comparableName } from '../../util/index.ts'

/** Tokens on disk (spec W14). */
export const MAX_SUMMARY_TOKENS = 5_000
/** As the worker waits. */
const LOCK_WAIT_MS = 60_000

/** The summary in a model's answer, as it may be kept; null when there is none. `names`: of the notes that are there. */
export function summaryFrom(answer: string, names: readonly string[]): string | null {
  const lines = answer.split('\n').map((line) => line.trimEnd())
  const start = lines.findIndex((line) => line.trim() === SUMMARY_VERSION)
  if (start < 0) return null
  return keptSummary(
    lines.slice(start + 1).filter((line) => !line.trimStart().startsWith('```')),
    names,
  )
}

/** The lines of a summary whose note is there, under their headings; null when none is left. */
export function keptSummary(lines: readonly string[], names: readonly string[]): string | null {
  const known = new Set(names.map(comparableName))
  const kept: string[] = [SUMMARY_VERSION]
  let heading: string | null = null
  let left = MAX_SUMMARY_TOKENS - 10
  for (const given of lines) {
    if (given.startsWith('## ')) heading = clean(given)
    const line = clean(given)
    const note = line === null ? null : (parseSummaryLine(line)?.note ?? null)
    if (line === null || note === null || !known.has(comparableName(note))) continue
    const added = heading === null ? [line] : ['', heading, '', line]
    left -= estimateTokenCount(added.join('\n')) + 2
    if (left < 0) break
    kept.push(...added)
    heading = null
  }
  return kept.length === 1 ? null : `${kept.join('\n')}\n`
}

function clean(line: string): string | null {
  const masked = redact(line).text
  return scanThreats(masked).length > 0 || isOwnBlock(masked) ? null : masked
}

/** Whole or not at all, under the lock of the layer; null takes it away. */
export async function writeSummary(files: NoteFiles, layer: Layer, text: string | null): Promise<void> {
  const path = join(layer.directory, homeFiles.summary)
  await files.withLock(layer, { waitMs: LOCK_WAIT_MS }, async () => {
    if (text !== null) await writeWholeFile(path, new TextEncoder().encode(text))
    else if (existsSync(path)) unlinkSync(path)
  })
}

/** Takes out the lines whose note is gone. True when it changed. A file that is none of ours stays as it is. */
export async function pruneSummary(
  files: NoteFiles,
  layer: Layer,
  names: () => Promise<readonly string[]>,
): Promise<boolean> {
  const text = readSummary(layer)
  if (text === null) return false
  const kept = keptSummary(text.split('\n').slice(1), await names())
  if (kept === text) return false
  await writeSummary(files, layer, kept)
  return true
}
