/**
 * Messages and conversations in order. An answer often stands beside the words that were asked for, so a hit lends half
 * of its score to the turns next to it, and a conversation that holds many hits lifts each of them.
 */
import type { IndexHit, IndexQuery } from '../store/search-index/search-index.ts'
import { compareUnits } from '../util/index.ts'
import { scoreParts } from './factors.ts'

const NEIGHBOUR_SHARE = 0.5
const SESSION_SHARE = 0.3

type MessageReference = { readonly session: string; readonly ordinal: number }

export interface RankedMessage extends MessageReference {
  readonly score: number
  /** Score of its own words; 0 for a neighbour that holds none. */
  readonly own: number
  readonly coverage: number
  readonly rarity: number
  readonly matched: number
}

export interface RankedSession {
  readonly session: string
  readonly score: number
  /** Messages that hold words of the question, best first. */
  readonly hits: readonly RankedMessage[]
}

/** Sessions by the sum of their hits, each worth half of the one before it. */
export function rankSessions(hits: readonly IndexHit<MessageReference>[], query: IndexQuery): RankedSession[] {
  const bySession = new Map<string, RankedMessage[]>()
  for (const hit of hits) {
    const { session, ordinal } = hit.reference
    const own = ownScore(hit, query)
    const { coverage, rarity, matched } = hit
    const list = bySession.get(session) ?? []
    bySession.set(session, list)
    list.push({ session, ordinal, score: own, own, coverage, rarity, matched })
  }
  return [...bySession]
    .map(([session, list]) => {
      const best = list.sort((left, right) => right.own - left.own || left.ordinal - right.ordinal)
      return { session, hits: best, score: best.reduce((sum, hit, rank) => sum + hit.own / 2 ** rank, 0) }
    })
    .sort((left, right) => right.score - left.score || compareUnits(left.session, right.session))
}

/** Messages, neighbours of hits included, best first. Whether a neighbour exists is for the caller to see. */
export function rankMessages(sessions: readonly RankedSession[]): RankedMessage[] {
  return sessions
    .flatMap((session) => {
      const byOrdinal = new Map<number, RankedMessage>()
      for (const hit of session.hits) {
        lend(byOrdinal, hit, hit.own)
        for (const ordinal of [hit.ordinal - 1, hit.ordinal + 1])
          if (ordinal >= 0)
            lend(byOrdinal, { ...hit, ordinal, own: 0, coverage: hit.coverage / 2 }, hit.own * NEIGHBOUR_SHARE)
      }
      return [...byOrdinal.values()].map((each) => ({ ...each, score: each.score + SESSION_SHARE * session.score }))
    })
    .sort(
      (left, right) =>
        right.score - left.score || compareUnits(left.session, right.session) || left.ordinal - right.ordinal,
    )
}

function lend(byOrdinal: Map<number, RankedMessage>, message: RankedMessage, score: number): void {
  const known = byOrdinal.get(message.ordinal)
  byOrdinal.set(message.ordinal, {
    ...message,
    own: Math.max(known?.own ?? 0, message.own),
    score: (known?.score ?? 0) + score,
    coverage: Math.max(known?.coverage ?? 0, message.coverage),
    rarity: Math.max(known?.rarity ?? 0, message.rarity),
    matched: Math.max(known?.matched ?? 0, message.matched),
  })
}

/** A message has neither confidence nor, in the index, a time: only words and coverage count. */
function ownScore(hit: IndexHit<MessageReference>, query: IndexQuery): number {
  const { score, coverage } = hit
  return scoreParts({ score, coverage, updated: null, confidence: 0, text: null, query, nowMs: 0 }).final
}
