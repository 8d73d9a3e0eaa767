/** Runs a search on the index, and on a scan of the files when the index cannot be used. A broken index is no answer. */
import type { Layer, RecallResult } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import type { SearchIndex } from '../store/search-index/search-index.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import { toIndexedMessage } from '../store/sync-sessions.ts'
import type { RecallDependencies } from './recall.ts'

const MAX_SCANNED_SESSIONS = 200
const MAX_SCANNED_MESSAGES = 5_000

export type Searched<Value> = Pick<RecallResult, 'searched' | 'reason'> & { readonly value: Value }

/** Throws INDEX_UNAVAILABLE when neither can be used; errors that are no fault of the index pass through. */
export async function withIndex<Value>(
  { index, scan }: Pick<RecallDependencies, 'index' | 'scan'>,
  layers: readonly Layer[],
  work: (index: SearchIndex) => Value | Promise<Value>,
  conversations?: { readonly store: SessionStore; readonly project: string | null } | null,
): Promise<Searched<Value>> {
  try {
    return { value: await work(index()), searched: 'ok', reason: null }
  } catch (error) {
    if (!isIndexFailure(error)) throw error
    const reason = typeof error.data.reason === 'string' ? `${error.message}: ${error.data.reason}` : error.message
    if (!scan)
      throw new MemoryError('INDEX_UNAVAILABLE', 'The search index cannot be used', {
        hint: error.hint ?? 'Run `keepsake doctor`.',
        data: { reason },
        cause: error,
      })
    const scanned = await scan(layers)
    if (conversations) scanMessages(scanned, conversations.store, conversations.project)
    return { value: await work(scanned), searched: 'scan', reason }
  }
}

/** The newest conversations of the project, as far as a scan can bear. */
function scanMessages(index: SearchIndex, store: SessionStore, project: string | null): void {
  let left = MAX_SCANNED_MESSAGES
  for (const session of store.sessions({ projects: [project], limit: MAX_SCANNED_SESSIONS, offset: 0 }).sessions) {
    if (left <= 0) return
    const { messages } = store.messages(session.id, { limit: left, offset: 0 })
    left -= messages.length
    index.putMessages(messages.map((message, ordinal) => toIndexedMessage(session, message, ordinal)))
  }
}

function isIndexFailure(error: unknown): error is MemoryError {
  return MemoryError.isInstance(error) && (error.code === 'INDEX_UNAVAILABLE' || error.code.startsWith('SQLITE_'))
}
