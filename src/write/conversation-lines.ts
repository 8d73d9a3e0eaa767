/**
 * A conversation as a model reads it in the background: one message after the other, each with the number by which the
 * model quotes it. What must stay true: no text of a message can look like the head of another one, because only heads
 * begin a line; what is secret is masked, and a message that attacks is replaced by a marker. Whoever puts the lines
 * into a prompt fences them.
 */
import type { MessageRole } from '../domain/index.ts'
import { safeText } from '../guard/index.ts'
import { cutGraphemes, oneLine, wellFormed } from '../util/index.ts'
import { calendarDay } from './dates/index.ts'

export interface SpokenMessage {
  /** Quotes name the message by it. */
  readonly number: number
  readonly role: MessageRole
  readonly content: string
  /** ISO 8601 with the offset of the user, or null. */
  readonly time: string | null
}

/** Graphemes that are shown. The user's words are the evidence; of a tool's answer a line tells what it was about. */
const MAX_SHOWN: Readonly<Record<MessageRole, number>> = { user: 6_000, assistant: 1_500, tool: 200 }
/** Of what is too long both ends are shown: between them people paste. */
const CUT = '[…]'

/** `#7 user, Tue 2026-03-03: first line`, its further lines indented; in the given order. */
export function conversationLines(messages: readonly SpokenMessage[]): string[] {
  return messages.map(({ number, role, content, time }) => {
    const day = calendarDay(time)
    const head = day === null ? `#${number} ${role}` : `#${number} ${role}, ${day}`
    return `${head}: ${shown(role, content).split(lineBreak).join('\n  ')}`
  })
}

/** All that a reader may take for a new line. */
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u

function shown(role: MessageRole, content: string): string {
  const text = safeText(content, `message of the ${role}`).text
  return role === 'tool' ? cutGraphemes(oneLine(text), MAX_SHOWN.tool) : endsOf(text.trim(), MAX_SHOWN[role])
}

function endsOf(text: string, maxGraphemes: number): string {
  if (cutGraphemes(text, maxGraphemes) === text) return text
  const half = Math.floor(maxGraphemes / 2)
  return `${cutGraphemes(text, half)}\n${CUT}\n${wellFormed(text.slice(-half))}`
}
