/**
 * How good a result is, as a number that can be compared between notes and messages, and what it is made of (spec R6).
 *
 * What a text holds of the question is measured by `full`: what a text of usual length has that holds each thing asked
 * for, once. Just that gives half of the way, more leads towards the whole. The way leads through the place of the
 * result: what counts here and is no weak match has 0.2 to 1; weak matches, and notes that name what is gone from the
 * working tree, have 0.1 to 0.2; notes that do not count here less than 0.1.
 */
export type ScorePart =
  | 'words'
  | 'coverage'
  | 'phrase'
  | 'meaning'
  | 'time'
  | 'neighbours'
  | 'session'
  | 'full'
  | 'recency'
  | 'confidence'
  | 'trust'
  | 'share'
  | 'place'
  | 'anchors'
  | 'model'

/** One step on the way to a score: a number that is added or multiplied, in the order of the list. */
export interface ScoreStep {
  readonly part: ScorePart
  readonly by: 'plus' | 'times'
  readonly value: number
  /** Why, in plain words. */
  readonly because: string
}

/** A word of the question that the text holds. */
export interface FoundWord {
  readonly word: string
  readonly points: number
  readonly where: 'title' | 'text'
  /** It stands for a word of the question and says the same. */
  readonly alias: boolean
}

export interface ScoreExplanation {
  /** Most points first; they add up to the first step. */
  readonly found: readonly FoundWord[]
  /** Words of the question that the text does not hold. */
  readonly missing: readonly string[]
  readonly steps: readonly ScoreStep[]
}

/** The score that the steps lead to. */
export function scoreFrom(steps: readonly ScoreStep[]): number {
  return steps.reduce((score, { by, value }) => (by === 'plus' ? score + value : score * value), 0)
}
