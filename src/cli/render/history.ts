/** Changes, differences and undos as lines for a person. Control characters never reach the terminal. */
import type { HistoryChange, HistoryDiff, HistoryFile, HistoryLog, UndoResult } from '../../domain/index.ts'
import { oneLine } from '../../util/index.ts'
import { printable } from './notes.ts'

const MAX_FILES = 3
const marks = { added: '+', changed: '~', removed: '-' } as const

export function changeLine(change: HistoryChange): string {
  const state = change.undone ? '  (taken back)' : change.undoes ? `  (of ${change.undoes})` : ''
  return printable(
    `${change.id}  ${change.time.slice(0, 16).replace('T', ' ')}  ${oneLine(change.author)}: ${oneLine(change.why)}${state}`,
  )
}

function changeLines(change: HistoryChange): string[] {
  const hidden = change.files.length - MAX_FILES + change.omittedFiles
  return [
    changeLine(change),
    ...change.files.slice(0, MAX_FILES).map(fileLine),
    ...(hidden > 0 ? [`    and ${hidden} more`] : []),
  ]
}

function fileLine({ change, file }: HistoryFile): string {
  return printable(`    ${marks[change]} ${oneLine(file)}`)
}

export function historyLines({ changes, nextCursor }: HistoryLog): string {
  if (changes.length === 0) return 'Nothing is recorded yet.'
  const more = nextCursor === null ? [] : [`Older changes: --cursor ${nextCursor}`]
  return [...changes.flatMap(changeLines), ...more].join('\n')
}

export function diffLines({ change, files, omittedFiles }: HistoryDiff): string {
  const lines = [change ? changeLine(change) : 'Changed on disk, recorded with the next write or refresh']
  for (const { text, omittedLines, ...file } of files) {
    lines.push(fileLine(file))
    if (text !== '') lines.push(printable(text))
    else lines.push('      only its permissions changed, or its bytes outside the text')
    if (omittedLines > 0) lines.push(`    ${omittedLines} more lines`)
  }
  if (omittedFiles > 0) lines.push(`${omittedFiles} more files`)
  return lines.join('\n')
}

export function undoLines({ outcome, change, files, notices }: UndoResult, dryRun = false): string {
  const words = {
    undone: dryRun ? 'Would take back' : 'Taken back',
    unchanged: 'Nothing to do',
    rejected: 'Not taken back',
  }[outcome]
  return [
    `${words}: ${changeLine(change)}`,
    ...files.slice(0, MAX_FILES).map(fileLine),
    ...(files.length > MAX_FILES ? [`    and ${files.length - MAX_FILES} more`] : []),
    ...notices.map((notice) => printable(`  ${notice}`)),
  ].join('\n')
}
