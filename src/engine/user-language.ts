/**
 * The language in which the user writes, seen again by each refresh and recorded in the home: one for all projects, since it
 * is the person's, and a new project knows it too. A start block is the same until the next refresh.
 */
import { existsSync } from 'node:fs'
import { mostlyIn } from '../domain/index.ts'
import { recordLanguage } from '../store/language.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import type { RefreshDependencies } from './refresh.ts'

/** The last messages of the user that are looked at. */
const MAX_MESSAGES = 20
/** Conversations they are looked for in, and messages of each: assistants say several for one of the user. */
const MAX_SESSIONS = 20
const MAX_OF_SESSION = 200

/** Where nothing was captured, what is known stays. */
export async function recordUserLanguage(
  { home, onProblem }: Pick<RefreshDependencies, 'home' | 'onProblem'>,
  store: SessionStore,
): Promise<void> {
  if (!home.writable || !existsSync(home.directory)) return
  try {
    const said = lastMessages(store)
    if (said.length > 0) await recordLanguage(home.directory, mostlyIn(said))
  } catch (error) {
    onProblem(error, 'refresh')
  }
}

/** Newest first, of the conversations that began last. */
function lastMessages(store: SessionStore): string[] {
  const said: string[] = []
  for (const { id } of store.sessions({ limit: MAX_SESSIONS }).sessions) {
    if (said.length >= MAX_MESSAGES) break
    const messages = store.messagesFrom(id, {
      ordinal: Number.MAX_SAFE_INTEGER,
      direction: 'back',
      limit: MAX_OF_SESSION,
      tools: false,
    })
    said.push(...messages.flatMap(({ message }) => (message.role === 'user' ? [message.content] : [])).reverse())
  }
  return said.slice(0, MAX_MESSAGES)
}
