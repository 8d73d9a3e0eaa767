/**
 * Tombstones that take along what the state database keeps of what they bury (spec G1): its trust and uses, tentative
 * statements, what models took out of the conversations that proved it, their summaries, and what was decided and not carried
 * out yet, and the notes of those conversations. Such a conversation is read for the deferred pipeline no more, since its words would give the same again. The start
 * blocks that are kept for conversations lose its lines.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type BlockPiece, homeFiles } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import type { StartBlocks } from '../store/start-blocks.ts'
import type { NewTombstone, Tombstones } from '../store/tombstones.ts'
import type { Stores } from './stores.ts'

/** Newest conversations in which the words of a note are looked for whose file went by hand. */
const MAX_LOOKED = 1_000
const PAGE = 1_000

export interface BuryDependencies {
  readonly home: string
  readonly stores: Pick<Stores, 'state' | 'sessions'>
  readonly startBlocks: Pick<StartBlocks, 'forget'>
  /** The notes of these conversations begin anew. */
  readonly forgetNotes: (sessions: readonly string[]) => Promise<void>
  readonly onProblem: (error: unknown, where: string) => void
}

/** A state database that cannot be reached stops no forgetting. */
export function buryingWords(
  tombstones: Tombstones,
  { home, stores, startBlocks, forgetNotes, onProblem }: BuryDependencies,
): Tombstones {
  // Looking must not make the databases.
  const isThere = (file: string) => existsSync(join(home, file))
  const bury = (buried: NewTombstone): readonly string[] => {
    const state = isThere(homeFiles.stateDb) ? stores.state() : null
    if (!state) return buried.sessions ?? []
    const { noteId, textKey, evidenceKeys } = buried
    state.removeTrust([noteId])
    state.uses.remove([noteId])
    state.candidates.bury({ textKey, messages: evidenceKeys })
    const store = isThere(homeFiles.sessionsDb) ? stores.sessions() : null
    const sessions = buried.sessions ?? (store ? sessionsProving(store, tombstones, new Set(evidenceKeys)) : [])
    state.sessionMemories.forgetWords(sessions)
    for (const session of sessions) {
      state.queue.forgetWords(session)
      store?.removeSummary(session)
    }
    return sessions
  }
  return {
    ...tombstones,
    async add(tombstone) {
      const added = await tombstones.add(tombstone)
      const attempt = async (work: () => unknown) => {
        try {
          await work()
        } catch (error) {
          if (!MemoryError.isInstance(error)) throw error
          onProblem(error, 'forget')
        }
      }
      let sessions = tombstone.sessions ?? []
      await attempt(() => {
        sessions = bury(tombstone)
      })
      await attempt(() => forgetNotes(sessions))
      await attempt(() => startBlocks.forget((piece) => isOf(piece, tombstone, tombstones, new Set(sessions))))
      return added
    },
  }
}

/** A line of the note itself, one that names it, or words of a conversation that proved it. */
function isOf(
  { note, session }: BlockPiece,
  { noteId, nameKey }: NewTombstone,
  tombstones: Tombstones,
  sessions: ReadonlySet<string>,
): boolean {
  if (session !== null && sessions.has(session)) return true
  if (note === null) return false
  return note.version === null ? tombstones.nameKey(note.name) === nameKey : note.version.id === noteId
}

/** Of a note whose file went by hand, only keyed hashes are left. */
function sessionsProving(store: SessionStore, { evidenceKey }: Tombstones, keys: ReadonlySet<string>): string[] {
  if (keys.size === 0) return []
  const { sessions } = store.sessions({ limit: MAX_LOOKED })
  return sessions.flatMap(({ id }) => (hasMessage(store, id, (hash) => keys.has(evidenceKey(hash))) ? [id] : []))
}

function hasMessage(store: SessionStore, session: string, isMeant: (hash: string) => boolean): boolean {
  for (let offset = 0; ; offset += PAGE) {
    const { messages } = store.messages(session, { limit: PAGE, offset })
    if (messages.some(({ role, hash }) => role === 'user' && isMeant(hash))) return true
    if (messages.length < PAGE) return false
  }
}
