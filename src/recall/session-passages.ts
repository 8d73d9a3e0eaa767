/** Conversations for `sessions.search`: grouped, with passages around their best matches and the place of each. */
import type { SessionSearchResult } from '../domain/index.ts'
import { findSessions, type MessageSearch, type MessageTools, type SessionSearch } from './recall-messages.ts'
import { cutSnippet } from './snippet.ts'

const MATCHES_PER_SESSION = 3
/** UTF-16 units of one passage around a match, and of all passages of one answer. */
const PASSAGE_LENGTH = 400
const MAX_PASSAGES_LENGTH = 100_000

/** Sessions best first, with passages around their best matches and the place of each message. */
export async function searchSessionPassages(
  tools: MessageTools,
  search: SessionSearch & Pick<MessageSearch, 'limit'>,
): Promise<SessionSearchResult> {
  const { store } = tools
  const { sessions: ranked } = await findSessions(tools, search)
  let left = MAX_PASSAGES_LENGTH
  const sessions = ranked.slice(0, search.limit).flatMap(({ stored, score, hits }) => {
    const matches = hits.slice(0, MATCHES_PER_SESSION).flatMap(({ session, ordinal }) => {
      const message = store.message(session, ordinal)
      const snippet = message ? cutSnippet(message.content, search.query, PASSAGE_LENGTH) : ''
      if (!message || snippet.length > left) return []
      left -= snippet.length
      return [{ ordinal, role: message.role, snippet, time: message.time }]
    })
    return matches.length > 0 ? [{ session: stored, matches, score }] : []
  })
  return { sessions, omitted: ranked.length - sessions.length }
}
