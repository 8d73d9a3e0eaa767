import type { Session, SessionModeResult, SessionSearchResult, SessionView } from '../../domain/index.ts'
import { cutGraphemes, oneLine } from '../../util/index.ts'
import { printable } from './notes.ts'

export function sessionLine(session: Session): string {
  const date = session.started?.slice(0, 16).replace('T', ' ') ?? 'undated         '
  return printable(`${date}  ${session.id}  ${cutGraphemes(oneLine(session.title ?? ''), 60)}`)
}

export function sessionSearchLines(result: SessionSearchResult): string {
  const lines = result.sessions.flatMap(({ session, matches }) => [
    sessionLine(session),
    ...matches.map((match) =>
      printable(`    ${match.ordinal} ${match.role}: ${cutGraphemes(oneLine(match.snippet), 110)}`),
    ),
  ])
  if (result.sessions.length === 0) lines.push('Nothing matches.')
  if (result.omitted > 0) lines.push(`${result.omitted} more sessions; raise --limit to see them.`)
  return lines.join('\n')
}

export function sessionViewLines(view: SessionView): string {
  const lines = view.messages.map((message) =>
    printable(`${message.role}${message.toolName ? ` (${message.toolName})` : ''}: ${message.content}`),
  )
  const more =
    view.nextCursor === null ? [] : [`… of ${view.total} messages; continue with --cursor ${view.nextCursor}`]
  return [sessionLine(view.session), '', ...lines, ...more].join('\n')
}

export function sessionModeLine({ session, mode, forgotten }: SessionModeResult): string {
  const gone = forgotten === 0 ? '' : `; ${forgotten} ${forgotten === 1 ? 'note' : 'notes'} of it forgotten`
  return printable(`${session} is ${mode}${gone}`)
}
