/** Notes, hits and outcomes as lines for a person. Control characters never reach the terminal. */
import {
  type Entry,
  type ForgetResult,
  type NoteSummary,
  type ReadResult,
  type Rejection,
  type RememberResult,
  standingWords,
} from '../../domain/index.ts'
import { checkedLines } from '../../guard/index.ts'
import { cutGraphemes, labelOf, oneLine } from '../../util/index.ts'

export const LINE_GRAPHEMES = 110

export const DRY_RUN = 'Nothing was changed: this was a dry run.'

const keptWords = { written: 'Kept', merged: 'Kept as a new version', unchanged: 'Already known, nothing changed' }
const dryWords = { written: 'Would keep', merged: 'Would keep as a new version', unchanged: 'Already known' }

/** C0 and C1 controls except tab and line feed would let stored text move the cursor or colour the terminal. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, '\uFFFD')
}

export function noteLine(note: NoteSummary): string {
  const date = note.updated?.slice(0, 10) ?? 'undated'
  const text = cutGraphemes(labelOf(note), LINE_GRAPHEMES)
  const words = note.status === 'active' ? standingWords(note.standing) : note.status
  return printable(
    `${note.id}  ${note.type.padEnd(9)}  ${note.layer.padEnd(7)}  ${date}  ${note.pinned ? '* ' : ''}${text}${words ? `  (${oneLine(words)})` : ''}`,
  )
}

export function rememberLines(result: RememberResult, dryRun = false): string {
  const lines: string[] = []
  if (result.outcome === 'rejected') {
    lines.push(`Not kept (${result.reason.code}): ${result.reason.message}`, `  ${result.reason.hint}`)
    lines.push(...roomLines(result.reason), ...entryLines(result.entries ?? [], result.omittedEntries ?? 0))
  } else if (result.outcome === 'proposed') {
    lines.push(`Waits for your yes (proposal ${result.proposalId}): ${result.reason}`)
  } else {
    const words = (dryRun ? dryWords : keptWords)[result.outcome]
    lines.push(
      `${words}: ${oneLine(result.note.name)}  (${result.note.type}, ${result.note.layer}${result.note.pinned ? ', profile' : ''})`,
      `  ${result.note.file}`,
    )
  }
  if (result.masked.length > 0) lines.push(`  masked before storing: ${result.masked.join(', ')}`)
  lines.push(...result.notices.map((notice) => `  ${notice}`))
  if (dryRun) lines.push(`  ${DRY_RUN}`)
  if (result.similar.length > 0)
    lines.push('  near notes:', ...result.similar.slice(0, 5).map((note) => `    ${noteLine(note)}`))
  return printable(lines.join('\n'))
}

/** The refusal does not offer what the person pinned; how the person may take it out is said here. */
export function roomLines({ code }: Rejection): string[] {
  if (code !== 'profile-full') return []
  return [
    '  keepsake list marks the profile with *; keepsake remember --move NOTE --to note takes one out and keeps it as a note.',
  ]
}

/** Entries that a refusal shows: those that match, or that are there. */
export function entryLines(entries: readonly Entry[], omitted: number): string[] {
  return [
    ...entries.map(
      ({ note, line, text }) => `  ${note.id} line ${line}: ${cutGraphemes(oneLine(text), LINE_GRAPHEMES)}`,
    ),
    ...(omitted > 0 ? [`  and ${omitted} more`] : []),
  ]
}

export function readLines(read: ReadResult): string {
  const { summary, text, age, warning, workaround, verdicts, voice, note, trust, uses } = read
  const head = [
    `${oneLine(summary.name)}  (${summary.type}, ${summary.layer}, ${age}, ${voice})`,
    `${summary.id}  ${summary.file}`,
    ...standingLine(summary),
    ...trustLine(trust),
    ...usesLine(uses),
  ]
  const evidence = evidenceLines(note)
  const problems = note.problems.map(
    (problem) => `  problem: ${problem.message}${problem.line ? ` (line ${problem.line})` : ''}`,
  )
  return printable(
    [
      ...head,
      ...[warning, workaround].filter((line) => line !== null),
      ...checkedLines({ id: summary.id, voice, verdicts }, 'person'),
      ...problems,
      '',
      text.trim(),
      ...(evidence.length > 0 ? ['', 'Evidence:', ...evidence] : []),
    ].join('\n'),
  )
}

/** Nothing to say of a note that nobody tried. */
function trustLine({ value, helped, misled }: ReadResult['trust']): string[] {
  return helped + misled === 0 ? [] : [`trust ${value.toFixed(2)} (helped ${helped}, misled ${misled})`]
}

function usesLine({ count, lastUsed }: ReadResult['uses']): string[] {
  if (lastUsed === null) return []
  return [`used in ${count === 1 ? 'one conversation' : `${count} conversations`}, last on ${lastUsed.slice(0, 10)}`]
}

function evidenceLines({ source }: ReadResult['note']): string[] {
  return source.map(
    ({ role, time, quote }) =>
      `  said by ${role}${time ? ` on ${time.slice(0, 10)}` : ''}${quote ? `: ${oneLine(quote)}` : ''}`,
  )
}

/** Why a note is known (spec W7): the quoted words, and where each was said. */
export function whyLines({ summary, note }: ReadResult): string {
  const where = note.source.map(({ session, message }) =>
    session === null
      ? 'not in a captured conversation'
      : `in ${session}${message === null ? '' : `, message ${message}`}`,
  )
  const lines = evidenceLines(note).flatMap((line, at) => [line, `    ${where[at]}`])
  const nothing = '  No words are on record: the file does not say where it comes from.'
  return printable([`${oneLine(summary.name)}  (${summary.id})`, ...(lines.length > 0 ? lines : [nothing])].join('\n'))
}

function standingLine({ standing }: NoteSummary): string[] {
  const words = standingWords(standing)
  return words === null ? [] : [`Does not count here: ${oneLine(words)}.`]
}

export function forgetLines(result: ForgetResult, dryRun = false): string {
  const words = {
    forgotten: dryRun ? 'Would forget' : 'Forgotten',
    proposed: 'Waits for your yes',
    rejected: 'Not forgotten',
  }[result.outcome]
  return printable(
    [`${words}: ${oneLine(result.note?.name ?? '')}`, ...result.notices.map((notice) => `  ${notice}`)].join('\n'),
  )
}
