import {
  type FoundSession,
  type Session,
  type SessionListResult,
  type SessionModeResult,
  type SessionPassage,
  type SessionResume,
  type SessionSearchResult,
  type SessionSummary,
  type SessionTagResult,
  type SessionView,
  sessionDigestLists,
} from '../../domain/index.ts'
import { cutGraphemes, oneLine } from '../../util/index.ts'
import { printable } from './notes.ts'
import { howLine } from './recall.ts'
import { noteStart } from './session-note.ts'

/** Enough to judge a passage at a glance; --json has all of it. */
const PASSAGE_GRAPHEMES = 200

export function sessionLine(session: Session): string {
  const date = session.started?.slice(0, 16).replace('T', ' ') ?? 'undated         '
  const tags = session.tags.length === 0 ? '' : `  [${session.tags.map(oneLine).join(', ')}]`
  return printable(`${date}  ${session.id}  ${cutGraphemes(oneLine(session.title ?? ''), 60)}${tags}`)
}

export function sessionListLines(page: SessionListResult): string {
  const lines = page.sessions.map(sessionLine)
  if (page.total === 0) lines.push('No such conversations of this project.')
  if (page.nextCursor !== null) lines.push(`${page.omitted} more; continue with --cursor ${page.nextCursor}`)
  return lines.join('\n')
}

export function sessionSearchLines(result: SessionSearchResult): string {
  const lines = [...(result.sessionNote ? noteStart(result.sessionNote) : []), ...result.sessions.flatMap(foundLines)]
  const [open] = result.sessions.flatMap(({ matches }) => matches)
  if (result.sessions.length === 0) lines.push('Nothing matches.')
  if (result.omitted > 0) lines.push(`${result.omitted} more sessions; raise --limit to see them.`)
  lines.push(...howLine(result).map(printable))
  if (open) lines.push(printable(`Read on, for example: keepsake sessions show ${open.reference}`))
  return lines.join('\n')
}

function foundLines({ session, foundBy, matches }: FoundSession): string[] {
  return [
    `${sessionLine(session)}${foundBy === 'text' ? '' : `  (by its ${foundBy === 'part of a tag' ? 'tag' : foundBy})`}`,
    ...matches.map(passageLine),
  ]
}

export function sessionViewLines(view: SessionView): string {
  const lines = view.messages.map(({ ordinal, role, toolName, content }) => {
    const mark = ordinal === view.at ? '>' : ' '
    return printable(`${mark}#${ordinal + 1} ${role}${toolName ? ` (${toolName})` : ''}: ${content}`)
  })
  const { previousCursor, nextCursor, omittedTools, total } = view
  const beside = [
    ...(previousCursor === null ? [] : [`earlier: --cursor ${previousCursor}`]),
    ...(nextCursor === null ? [] : [`later: --cursor ${nextCursor}`]),
    ...(omittedTools === 0 ? [] : [`${omittedTools} answers of tools between them: --tools`]),
  ]
  const more = beside.length === 0 ? [] : ['', `… of ${total} messages; ${beside.join('; ')}`]
  return [sessionLine(view.session), '', ...lines, ...more].join('\n')
}

export function sessionSummaryLines(summary: SessionSummary): string {
  const lines = [sessionLine(summary.session), '']
  if (summary.outcome === 'passages') {
    lines.push(`Not summed up: ${summary.reason}. What it holds:`, ...summary.passages.map(passageLine))
    return lines.join('\n')
  }
  const { digest, droppedCommands } = summary
  lines.push(`wanted: ${digest.wanted === '' ? 'nothing that bears on this' : digest.wanted}`)
  for (const name of sessionDigestLists)
    if (digest[name].length > 0) lines.push(`${name}:`, ...digest[name].map((each) => `  - ${each}`))
  if (droppedCommands > 0) lines.push(`  (${droppedCommands} commands left out: nobody said them)`)
  const others = summary.leftOut > 0 ? `, without ${summary.leftOut} other messages` : ''
  lines.push('', `Said by ${summary.model} from ${summary.from} to ${summary.to}${others}. Check it:`)
  return printable([...lines, ...summary.passages.map(passageLine)].join('\n'))
}

export function sessionResumeLines(resume: SessionResume): string {
  const command =
    resume.outcome === 'gone'
      ? `It cannot be taken up again: ${resume.reason}`
      : `${resume.line}${resume.cwd === null ? '' : `\n  in ${resume.cwd}`}`
  return printable([command, ...(resume.note ? noteStart(resume.note) : [])].join('\n'))
}

/** Its note, whole. */
export function sessionNoteLines({ session, note }: SessionView): string {
  const none = 'It has no note yet: a conversation gets one when it is long enough (about 10,000 tokens).'
  return printable([sessionLine(session), '', note?.text ?? none].join('\n'))
}

function passageLine({ ordinal, role, snippet }: SessionPassage): string {
  return printable(`    #${ordinal + 1} ${role}: ${cutGraphemes(oneLine(snippet), PASSAGE_GRAPHEMES)}`)
}

export function sessionTagLine({ session, tags, changed, masked }: SessionTagResult): string {
  const kept = tags.length === 0 ? 'no tags' : tags.join(', ')
  const lines = [`${session}: ${kept}${changed ? '' : ' (nothing changed)'}`]
  if (masked.length > 0) lines.push(`  masked before storing: ${masked.join(', ')}`)
  return printable(lines.join('\n'))
}

export function sessionModeLine({ session, mode, forgotten }: SessionModeResult): string {
  const gone = forgotten === 0 ? '' : `; ${forgotten} ${forgotten === 1 ? 'note' : 'notes'} of it forgotten`
  return printable(`${session} is ${mode}${gone}`)
}
