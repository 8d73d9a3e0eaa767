/**
 * Tentative statements of a turn (spec W8): kept as candidates, promoted to a note when they are said again in another
 * session on another day, when an act carries them out, or when the turn itself proves them; gone after 90 days. What is
 * sensitive, an attack or forgotten never becomes one.
 */
import type { Clock, Config, Evidence } from '../domain/index.ts'
import { findSensitive, scanThreats } from '../guard/index.ts'
import type { Candidate, CandidateStore } from '../store/state/candidate-store.ts'
import type { Tombstones } from '../store/tombstones.ts'
import { sha256 } from '../util/index.ts'
import { isSamePlan, type TentativeStatement } from './extract/index.ts'

const DAY_MS = 86_400_000
/** A plan that nobody spoke of for so long is none any more. */
export const CANDIDATE_DAYS = 90
/** Candidates of a place that one statement is compared with. */
const MAX_COMPARED = 200

export interface CandidateBook {
  /** Drops what is too old. */
  expire(): void
  /** One statement. Gives the candidate that it promotes, which is then gone; else it is kept, and null. */
  weigh(statement: TentativeStatement, said: Said): Candidate | null
  /** The turn proved this as a note: candidates of the same plan are done. */
  settle(text: string, layer: string): void
  /** What the user took back. */
  forget(messages: ReadonlySet<string>): void
}

/** Where a statement stands. */
export interface Said {
  readonly session: string
  readonly layer: string
  readonly evidence: Evidence
  /** The message's own calendar day, `2026-05-12`; null: unknown. */
  readonly day: string | null
}

export interface CandidateDependencies {
  readonly store: CandidateStore
  readonly tombstones: Pick<Tombstones, 'textKey' | 'evidenceKey' | 'has'>
  readonly clock: Clock
  readonly sensitive: Config['sensitive']
}

export function createCandidateBook({ store, tombstones, clock, sensitive }: CandidateDependencies): CandidateBook {
  const isAllowed = (text: string, keys: { readonly textKey: string; readonly evidenceKeys: readonly string[] }) =>
    !(sensitive !== 'allow' && findSensitive(text)) && scanThreats(text).length === 0 && !tombstones.has(keys)
  const samePlans = (statement: Pick<TentativeStatement, 'kind' | 'text'>, layer: string) =>
    store.list([layer], MAX_COMPARED).filter((each) => isSamePlan(each.text, statement))
  return {
    expire: () => store.expire(clock.now() - CANDIDATE_DAYS * DAY_MS),
    weigh(statement, said) {
      const { text, type, kind } = statement
      const message = tombstones.evidenceKey(said.evidence.hash ?? sha256(text))
      const textKey = tombstones.textKey(text)
      if (!isAllowed(text, { textKey, evidenceKeys: [message] })) return null
      const [known] = samePlans(statement, said.layer)
      if (known && (kind === 'done' || isSeenElsewhere(known, said))) {
        store.remove([known.id])
        return { ...known, text }
      }
      if (kind === 'done') return null
      const at = Math.min(Date.parse(said.evidence.time ?? '') || clock.now(), clock.now())
      const day = said.day ?? new Date(at).toISOString().slice(0, 10)
      const id = known?.id ?? sha256(`${said.layer}\n${textKey}`)
      store.see({ id, layer: said.layer, type, text, textKey }, { session: said.session, day, message, at })
      return null
    },
    settle: (text, layer) => store.remove(samePlans({ kind: 'done', text }, layer).map(({ id }) => id)),
    forget: (messages) => store.bury({ textKey: '', messages: [...messages].map(tombstones.evidenceKey) }),
  }
}

/** Another session on another day. */
function isSeenElsewhere({ sightings }: Candidate, { session, day }: Said): boolean {
  return sightings.some((each) => each.session !== session && each.day !== day)
}
