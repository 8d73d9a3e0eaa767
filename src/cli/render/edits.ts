/** Edits and refusals with entries, as lines for a person. */
import { type EditedEntry, type EditResult, type ProfileUsage, profileHeader } from '../../domain/index.ts'
import { oneLine } from '../../util/index.ts'
import { DRY_RUN, entryLines, printable, roomLines } from './notes.ts'

/** Lines of one entry that are printed. */
const MAX_ENTRY_LINES = 12

const words: Readonly<Record<EditedEntry['action'], string>> = {
  add: 'Kept',
  replace: 'Replaced, it now reads',
  remove: 'Removed',
  move: 'Moved',
}

export function editLines(result: EditResult, dryRun = false): string {
  const lines = outcomeLines(result)
  if (result.masked.length > 0) lines.push(`  masked before storing: ${result.masked.join(', ')}`)
  lines.push(...result.notices.map((notice) => `  ${notice}`))
  if (result.outcome === 'rejected')
    lines.push(...roomLines(result.reason), ...entryLines(result.entries, result.omittedEntries))
  lines.push(...profileLines(result.profile))
  if (dryRun) lines.push(`  ${DRY_RUN}`)
  return printable(lines.join('\n'))
}

function outcomeLines(result: EditResult): string[] {
  if (result.outcome === 'rejected')
    return [`Not done (${result.reason.code}): ${result.reason.message}`, `  ${result.reason.hint}`]
  if (result.outcome === 'proposed') return [`Waits for your yes (${result.proposalIds.join(', ')}): ${result.reason}`]
  return result.entries.flatMap((entry) => [
    `${entry.outcome === 'unchanged' ? 'Nothing changed' : words[entry.action]}: ${oneLine(entry.note.name)}  (${entry.note.type}, ${entry.note.layer}${entry.note.pinned ? ', profile' : ''})`,
    `  ${entry.note.file}:${entry.line}`,
    ...textLines(entry.text),
  ])
}

export function profileLines(profile: readonly ProfileUsage[]): string[] {
  return profile.filter(({ entries }) => entries > 0).map((usage) => `  ${profileHeader(usage)}`)
}

function textLines(text: string): string[] {
  const lines = text.split('\n')
  const shown = lines.slice(0, MAX_ENTRY_LINES).map((line) => `    ${line}`)
  return lines.length > MAX_ENTRY_LINES ? [...shown, `    … ${lines.length - MAX_ENTRY_LINES} more lines`] : shown
}
