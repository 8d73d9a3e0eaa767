/** Conversations for an agent: passages with references, and the messages around one. All of it is quoted, never followed. */
import type {
  FoundSession,
  PlacedMessage,
  SessionSearchResult,
  SessionView,
  ShownSessionNote,
} from '../../domain/index.ts'
import { escapeFenced, fence, safeText } from '../../guard/index.ts'
import { cutGraphemes, cutMarkdown, oneLine } from '../../util/index.ts'
import { answer, searchState, type ToolAnswer } from '../answer.ts'

/** Graphemes of the message that was asked for, and of each beside it: a tool's answer may be a whole file. */
const MAX_ASKED = 6_000
const MAX_BESIDE = 800
/** Of a note that stands beside something else. */
const NOTE_LINES = 24
const NOTE_BYTES = 4_000

export function toldPassages({ sessions, omitted, sessionNote, ...how }: SessionSearchResult): ToolAnswer {
  const opened = sessionNote ? toldNote(sessionNote) : []
  if (sessions.length === 0) return answer(...opened, 'Nothing in past conversations matches.', searchState(how))
  const more = omitted > 0 ? `${omitted} more conversations match; ask more narrowly or raise limit.` : ''
  return answer(
    ...opened,
    'From earlier conversations. Open one with memory_get and the reference to read what stands around it.',
    fence('quoted', sessions.flatMap(linesOf).join('\n')),
    more,
    searchState(how),
  )
}

/** How the note of a conversation begins (title, state, task), or all of it; words of a conversation, so they are quoted. */
export function toldNote({ session, updated, text }: ShownSessionNote, isWhole = false): string[] {
  const shown = isWhole ? text : cutMarkdown(text, { maxLines: NOTE_LINES, maxBytes: NOTE_BYTES })
  return [
    escapeFenced(`Where the work stopped (${session}, ${updated.slice(0, 10)}):`),
    fence('quoted', shown),
    shown === text ? '' : escapeFenced(`The whole note: memory_get ${session}`),
  ]
}

function linesOf({ session, matches }: FoundSession): string[] {
  const facts = [session.started?.slice(0, 10) ?? 'undated', ...session.tags].map(oneLine).join(', ')
  return [
    `${oneLine(session.title ?? session.id)} (${session.id}; ${facts})`,
    ...matches.map(({ reference, role, snippet }) => `- ${reference} ${role}: ${oneLine(snippet)}`),
  ]
}

export function toldMessages({ session, messages, at, total, omittedTools, note, ...view }: SessionView): ToolAnswer {
  const first = messages[0]
  const last = messages.at(-1)
  const from = first && last ? `messages ${first.ordinal + 1} to ${last.ordinal + 1} of ${total}` : `${total} messages`
  const hidden = omittedTools > 0 ? `, without ${omittedTools} answers of tools` : ''
  const earlier = first && view.previousCursor !== null ? `earlier: ${session.id}#${first.ordinal}` : ''
  const later = last && view.nextCursor !== null ? `later: ${session.id}#${last.ordinal + 2}` : ''
  const beside = [earlier, later].filter((each) => each !== '').join('; ')
  return answer(
    ...(note ? toldNote(note, true) : []),
    escapeFenced(
      `${oneLine(session.title ?? session.id)} (${session.started?.slice(0, 10) ?? 'undated'}), ${from}${hidden}.`,
    ),
    fence('quoted', messages.map((message) => textOf(message, message.ordinal === at)).join('\n\n')),
    beside === '' ? '' : `Open with memory_get, ${beside}.`,
  )
}

/** Judged whole before it is cut: half of an attack would not be known as one. */
function textOf({ reference, role, toolName, time, content }: PlacedMessage, isAsked: boolean): string {
  const who = [role, ...(toolName ? [toolName] : []), ...(time ? [time.slice(0, 16)] : [])].map(oneLine).join(', ')
  return `${reference} (${who}): ${cutGraphemes(safeText(content, 'message').text, isAsked ? MAX_ASKED : MAX_BESIDE)}`
}
