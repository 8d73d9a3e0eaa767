/**
 * Messages and conversations in order. An answer often stands beside the words that were asked for, so a hit lends part
 * of its score to the turns around it, most to the answer of a question; a conversation that holds many hits lifts each
 * of them; what was said at the time that the question names counts more. A conversation is the better the more of
 * the question its hits hold together, and worse for each name in the question that none of them holds.
 */
import { compareUnits } from '../util/index.ts'
import type { Candidate, MessageReference } from './candidates.ts'
import { coverageFactor, semanticPoints } from './factors.ts'

/** What a hit lends to the turns one and two places away. */
const NEIGHBOUR_SHARES = [0.3, 0.15] as const
/** Lent to the next turn besides, when the hit asks something: its answer is what is looked for, so it comes first. */
const ANSWER_SHARE = 0.8
export const SESSION_SHARE = 0.4
/** "What did Ana say about the port": a conversation in which no hit names Ana is hardly the one. */
const MISSING_NAME_FACTOR = 0.5

/** What the ranking must know of a message beside the words that matched. */
export interface MessageFacts {
  /** It ends with a question mark. */
  readonly asks: boolean
  /** How much the time of it counts for the question; 1 = not at all. */
  readonly timeFactor: number
}

export interface RankedMessage extends MessageReference {
  readonly score: number
  /** Score of its own words; 0 for a neighbour that holds none. */
  readonly own: number
  readonly asks: boolean
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

/** Sessions by the sum of their hits, each worth half of the one before it, and by what they hold of the question. */
export function rankSessions(
  hits: readonly Candidate<MessageReference>[],
  factsOf: (message: MessageReference) => MessageFacts,
  names: ReadonlySet<string> = new Set(),
): RankedSession[] {
  const bySession = new Map<string, Candidate<MessageReference>[]>()
  for (const hit of hits) {
    const held = bySession.get(hit.reference.session)
    if (held) held.push(hit)
    else bySession.set(hit.reference.session, [hit])
  }
  const factorOf = togetherness(hits, names)
  return [...bySession]
    .map(([session, found]) => {
      const best = found
        .map((hit) => rankedMessage(hit, factsOf(hit.reference)))
        .sort((left, right) => right.own - left.own || left.ordinal - right.ordinal)
      const sum = best.reduce((total, hit, rank) => total + hit.own / 2 ** rank, 0)
      return { session, hits: best, score: sum * factorOf(found) }
    })
    .sort((left, right) => right.score - left.score || compareUnits(left.session, right.session))
}

function rankedMessage(hit: Candidate<MessageReference>, { asks, timeFactor }: MessageFacts): RankedMessage {
  const own = ownScore(hit) * timeFactor
  const { coverage, rarity, matched } = hit
  return { ...hit.reference, score: own, own, asks, coverage, rarity, matched }
}

/** 1 where hits of one conversation hold together all that was found of the question, down to half; less for names. */
function togetherness(
  all: readonly Candidate<MessageReference>[],
  names: ReadonlySet<string>,
): (hits: readonly Candidate<MessageReference>[]) => number {
  const worth = bestPoints(all)
  const total = [...worth.values()].reduce((sum, points) => sum + points, 0)
  return (hits) => {
    const held = bestPoints(hits)
    const got = [...held.keys()].reduce((sum, text) => sum + (worth.get(text) ?? 0), 0)
    const missing = [...names].filter((name) => worth.has(name) && !held.has(name)).length
    return ((1 + (total > 0 ? got / total : 1)) / 2) * MISSING_NAME_FACTOR ** missing
  }
}

/** What is asked for itself and was found, with the most that it gave to a hit. */
function bestPoints(hits: readonly Candidate<MessageReference>[]): ReadonlyMap<string, number> {
  const best = new Map<string, number>()
  for (const { terms } of hits)
    for (const { text, points, isAsked } of terms)
      if (isAsked && points > 0) best.set(text, Math.max(best.get(text) ?? 0, points))
  return best
}

/** Messages, neighbours of hits included, best first. Whether a neighbour exists is for the caller to see. */
export function rankMessages(sessions: readonly RankedSession[]): RankedMessage[] {
  return sessions
    .flatMap((session) => {
      const byOrdinal = new Map<number, Mutable<RankedMessage>>()
      for (const hit of session.hits) {
        lend(byOrdinal, hit, { ordinal: hit.ordinal, share: 1 })
        for (const { distance, share } of loansOf(hit))
          if (hit.ordinal + distance >= 0) lend(byOrdinal, hit, { ordinal: hit.ordinal + distance, share })
      }
      const ranked = [...byOrdinal.values()]
      for (const each of ranked) each.score += SESSION_SHARE * session.score
      return ranked
    })
    .sort(
      (left, right) =>
        right.score - left.score || compareUnits(left.session, right.session) || left.ordinal - right.ordinal,
    )
}

function loansOf({ asks }: RankedMessage): { distance: number; share: number }[] {
  return NEIGHBOUR_SHARES.flatMap((share, at) => [
    { distance: -(at + 1), share },
    { distance: at + 1, share: at === 0 && asks ? share + ANSWER_SHARE : share },
  ])
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

/** Gives the message at `ordinal` its share of a hit: all of it to the hit itself. */
function lend(
  byOrdinal: Map<number, Mutable<RankedMessage>>,
  hit: RankedMessage,
  { ordinal, share }: { readonly ordinal: number; readonly share: number },
): void {
  const isHit = ordinal === hit.ordinal
  const coverage = isHit ? hit.coverage : hit.coverage * Math.min(share, 0.5)
  const { session, rarity, matched } = hit
  const known = byOrdinal.get(ordinal)
  if (!known) {
    const own = isHit ? hit.own : 0
    byOrdinal.set(ordinal, {
      session,
      ordinal,
      score: hit.own * share,
      own,
      asks: isHit && hit.asks,
      coverage,
      rarity,
      matched,
    })
    return
  }
  known.score += hit.own * share
  if (isHit) Object.assign(known, { own: Math.max(known.own, hit.own), asks: hit.asks })
  known.coverage = Math.max(known.coverage, coverage)
  known.rarity = Math.max(known.rarity, rarity)
  known.matched = Math.max(known.matched, matched)
}

/** A message has neither confidence nor, in the index, a time: words, coverage and meaning count. */
function ownScore(hit: Candidate<MessageReference>): number {
  return hit.score * coverageFactor(hit.coverage) + semanticPoints(hit)
}
