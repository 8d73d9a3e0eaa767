/**
 * The steps to the score of a hit, each with its reason. The score itself is what these steps lead to, so that what is
 * explained and what is returned cannot differ.
 */
import type { ScoreStep, Standing } from '../domain/index.ts'
import type { Candidate } from './candidates.ts'
import { coverageFactor, fullScore, type NoteParts, semanticPoints } from './factors.ts'
import { type RankedMessage, SESSION_SHARE } from './rank-messages.ts'

/** Where a hit stands among all: what counts, then weak matches, then notes that do not count here. */
export const places = {
  counts: { from: 0.2, width: 0.8, because: 'more than a weak match' },
  weak: { from: 0.1, width: 0.1, because: 'a weak match: it holds a rare word and little else of the question' },
  silenced: { from: 0, width: 0.1, because: 'another note stands before it here, or it is meant for other places' },
}

interface Facts {
  readonly weak: boolean
  readonly standing?: Standing
}

export interface NoteFacts extends Facts {
  readonly parts: NoteParts
  readonly candidate: Pick<Candidate<unknown>, 'coverage' | 'semantic'>
  readonly updated: string | null
  readonly confidence: number
  readonly trust: number
}

export function noteSteps({ parts, candidate, updated, confidence, trust, ...facts }: NoteFacts): ScoreStep[] {
  const steps: ScoreStep[] = [
    words(parts.words),
    coverage(candidate.coverage),
    {
      part: 'phrase',
      by: 'times',
      value: parts.phrase,
      because:
        parts.phrase > 1 ? 'words stand beside each other as in the question' : 'no words beside each other as asked',
    },
    full(parts.full),
    ...(candidate.semantic === undefined ? [] : [meaning(candidate.semantic, parts.semantic)]),
    {
      part: 'recency',
      by: 'times',
      value: parts.recency,
      because: updated === null ? 'undated' : `of ${updated.slice(0, 10)}`,
    },
    ...(parts.time === 1 ? [] : [time(parts.time, 'written')]),
    { part: 'confidence', by: 'times', value: parts.confidence, because: `confidence ${round(confidence)}` },
    { part: 'trust', by: 'times', value: parts.trust, because: `trust ${round(trust)}` },
  ]
  return [...steps, ...lastSteps(parts.final, facts)]
}

export interface MessageFacts extends Facts {
  readonly ranked: RankedMessage
  /** Its own words; null for a message that only stands beside others. */
  readonly candidate: Candidate<unknown> | null
  readonly full: number
  readonly session: number
}

export function messageSteps({ ranked, candidate, full: fullPoints, session, ...facts }: MessageFacts): ScoreStep[] {
  const sessionPoints = SESSION_SHARE * session
  const lent = ranked.score - ranked.own - sessionPoints
  const unit = fullScore({ full: fullPoints }) * (1 + SESSION_SHARE)
  const steps: ScoreStep[] = [
    ...(candidate === null ? [words(0)] : ownSteps(candidate, ranked.own)),
    { part: 'neighbours', by: 'plus', value: lent, because: 'what was said beside it answers too' },
    { part: 'session', by: 'plus', value: sessionPoints, because: 'its conversation holds what was asked' },
    full(unit),
  ]
  return [...steps, ...lastSteps(ranked.score / unit, facts)]
}

function ownSteps(candidate: Candidate<unknown>, own: number): ScoreStep[] {
  const steps = [
    words(candidate.score),
    coverage(candidate.coverage),
    ...(candidate.semantic === undefined ? [] : [meaning(candidate.semantic, semanticPoints(candidate))]),
  ]
  const plain = candidate.score * coverageFactor(candidate.coverage) + semanticPoints(candidate)
  const lift = plain > 0 ? own / plain : 1
  if (lift === 1) return steps
  return [...steps, time(lift, 'said')]
}

function time(value: number, verb: 'said' | 'written'): ScoreStep {
  const because =
    value > 1 ? `${verb} at the time that is asked for` : 'you ask to go on: half for each seven days since'
  return { part: 'time', by: 'times', value, because }
}

function words(value: number): ScoreStep {
  return {
    part: 'words',
    by: 'plus',
    value,
    because: value > 0 ? 'points of the words found' : 'no word of the question',
  }
}

function coverage(share: number): ScoreStep {
  return {
    part: 'coverage',
    by: 'times',
    value: coverageFactor(share),
    because: `it holds ${Math.round(share * 100)} % of what was asked, rare words counting more`,
  }
}

function full(value: number): ScoreStep {
  return {
    part: 'full',
    by: 'times',
    value: 1 / value,
    because: '1 is a text of usual length that holds all that was asked',
  }
}

function meaning(semantic: number, value: number): ScoreStep {
  return { part: 'meaning', by: 'plus', value, because: `nearness in meaning ${round(semantic)}` }
}

function lastSteps(value: number, { weak, standing }: Facts): ScoreStep[] {
  const isSilent = standing !== undefined && standing.state !== 'stands'
  const { from, width, because } = places[isSilent ? 'silenced' : weak ? 'weak' : 'counts']
  return [
    { part: 'share', by: 'times', value: 1 / (1 + value), because: 'from "1 or more" to a share of the best possible' },
    { part: 'place', by: 'times', value: width, because },
    { part: 'place', by: 'plus', value: from, because },
  ]
}

function round(value: number): string {
  return value.toFixed(2)
}
