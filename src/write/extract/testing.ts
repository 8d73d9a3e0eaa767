/** Builders for the tables of this room's tests. */
import type { ExtractInput, ExtractMessage } from './types.ts'

/** Message of the user, allowed types (`|` between), words that the body must contain. */
export type Hit = readonly [message: string, types: string, contains: readonly string[]]

/** A Wednesday. */
export const WEDNESDAY = '2026-06-10T15:12:00+02:00'

/** A turn of small talk, then the message in question at index 2. */
export function conversation(message: string, more: Partial<ExtractInput> = {}): ExtractInput {
  return dialogue(
    ['user: ok, next one', 'assistant: Sure, what is it?', `user: ${message}`, 'assistant: Understood.'],
    more,
  )
}

/** Lines `role: words`, in order. */
export function dialogue(lines: readonly string[], more: Partial<ExtractInput> = {}): ExtractInput {
  const messages = lines.map((line, index): ExtractMessage => {
    const [, role = 'user', content = ''] = /^(user|assistant|tool|system): ([\s\S]*)$/.exec(line) ?? []
    return { index, role: roleOf(role), content, toolName: role === 'tool' ? 'bash' : null, time: WEDNESDAY }
  })
  return { messages, existing: [], date: WEDNESDAY, ...more }
}

function roleOf(text: string): ExtractMessage['role'] {
  return text === 'assistant' || text === 'tool' || text === 'system' ? text : 'user'
}
