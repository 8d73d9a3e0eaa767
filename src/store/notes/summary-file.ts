/** memory_summary.md as a file: where it lies, when it is ours, and which note each of its lines tells. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { homeFiles, type Layer } from '../../domain/index.ts'

export const SUMMARY_VERSION = 'v1'
/** A larger file is none of ours. */
const MAX_BYTES = 100_000

/** Null when there is none that is ours. */
export function readSummary({ directory }: Layer): string | null {
  const path = join(directory, homeFiles.summary)
  // Also where a file stands in the place of the folder.
  if (!existsSync(path)) return null
  const stat = statSync(path)
  if (!stat.isFile() || stat.size > MAX_BYTES) return null
  const text = readFileSync(path, 'utf8')
  return text.split('\n')[0]?.trim() === SUMMARY_VERSION ? text : null
}

/** `- We deploy on Tuesday. [deploys]` names its note last. Null for a line that names none. */
export function parseSummaryLine(line: string): { readonly text: string; readonly note: string } | null {
  const [, text, note] = /^\s*[-*] (.*)\[([^[\]]+)\]\.?$/.exec(line) ?? []
  return text === undefined || note === undefined ? null : { text: text.trim(), note }
}
