/**
 * Scores of merge decisions. A merge that was not wanted throws a note away, so precision stands first. Shares are 0..1;
 * of nothing they are null. Intervals are Wilson's, 95 %.
 */
import { type PairLabel, pairLabels } from './pairs-data.ts'
import { type Interval, type Share, shareOf, wilson } from './wilson.ts'

export const decisions = ['merge', 'update', 'separate'] as const
export type Decision = (typeof decisions)[number]

export interface DecidedPair {
  readonly id: string
  readonly lang: string
  readonly label: PairLabel
  readonly decision: Decision
}

export interface PairFigures {
  readonly n: number
  readonly merges: number
  readonly wrongMerges: number
  /** Of the merges: those of label `same`. */
  readonly mergePrecision: Share
  /** Of label `same`: those that merged. */
  readonly duplicateRecall: Share
  /** Of label `update`: those that were told as one. */
  readonly updateRecall: Share
  /** Of `sibling` and `unrelated`: those that were not left apart. */
  readonly separateErrors: Share
  readonly ci95: Readonly<Record<'mergePrecision' | 'duplicateRecall' | 'updateRecall' | 'separateErrors', Interval>>
}

export interface PairScore extends PairFigures {
  /** Which label went to which decision. */
  readonly perKind: Readonly<Record<PairLabel, Readonly<Record<Decision, number>>>>
  readonly perLanguage: Readonly<Record<string, PairFigures>>
}

export function scorePairs(pairs: readonly DecidedPair[]): PairScore {
  const languages = [...new Set(pairs.map(({ lang }) => lang))].sort()
  return {
    ...figuresOf(pairs),
    perKind: byLabel((label) => {
      const ofLabel = pairs.filter((pair) => pair.label === label)
      const count = (decision: Decision) => ofLabel.filter((pair) => pair.decision === decision).length
      return { merge: count('merge'), update: count('update'), separate: count('separate') }
    }),
    perLanguage: Object.fromEntries(
      languages.map((language) => [language, figuresOf(pairs.filter(({ lang }) => lang === language))]),
    ),
  }
}

function byLabel<Value>(countsOf: (label: PairLabel) => Value): Record<PairLabel, Value> {
  const [same, update, sibling, unrelated] = pairLabels
  return {
    [same]: countsOf(same),
    [update]: countsOf(update),
    [sibling]: countsOf(sibling),
    [unrelated]: countsOf(unrelated),
  }
}

function figuresOf(pairs: readonly DecidedPair[]): PairFigures {
  const merges = pairs.filter(({ decision }) => decision === 'merge')
  const isSame = ({ label }: DecidedPair) => label === 'same'
  const shares = {
    mergePrecision: [merges.filter(isSame).length, merges.length],
    duplicateRecall: [merges.filter(isSame).length, pairs.filter(isSame).length],
    updateRecall: hits(pairs, ['update'], ({ decision }) => decision === 'update'),
    separateErrors: hits(pairs, ['sibling', 'unrelated'], ({ decision }) => decision !== 'separate'),
  } as const
  return {
    n: pairs.length,
    merges: merges.length,
    wrongMerges: merges.length - merges.filter(isSame).length,
    mergePrecision: shareOf(...shares.mergePrecision),
    duplicateRecall: shareOf(...shares.duplicateRecall),
    updateRecall: shareOf(...shares.updateRecall),
    separateErrors: shareOf(...shares.separateErrors),
    ci95: {
      mergePrecision: wilson(...shares.mergePrecision),
      duplicateRecall: wilson(...shares.duplicateRecall),
      updateRecall: wilson(...shares.updateRecall),
      separateErrors: wilson(...shares.separateErrors),
    },
  }
}

function hits(
  pairs: readonly DecidedPair[],
  labels: readonly PairLabel[],
  isHit: (pair: DecidedPair) => boolean,
): readonly [number, number] {
  const asked = pairs.filter(({ label }) => labels.includes(label))
  return [asked.filter(isHit).length, asked.length]
}
