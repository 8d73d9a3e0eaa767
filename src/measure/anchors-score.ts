/**
 * Scores of verdicts about what notes name. Stale is what is `changed` or `gone`: shown as `holds` it misleads, so that
 * stands first. Shares are 0..1; of nothing they are null. Intervals are Wilson's, 95 %.
 */
import { type AnchorKind, type AnchorVerdict, anchorKinds, type Verdict } from '../domain/index.ts'
import type { LabelledAnchor } from './anchors-data.ts'
import { type Interval, type Share, shareOf, wilson } from './wilson.ts'

export interface JudgedAnchor extends LabelledAnchor {
  readonly note: string
  readonly lang: string
  /** Null: it was not found in the text. */
  readonly said: Verdict | null
  readonly detail: string | null
}

export interface JudgedNote {
  readonly anchors: readonly JudgedAnchor[]
  /** Found, and no label says so. */
  readonly extra: readonly AnchorVerdict[]
}

export interface AnchorFigures {
  readonly n: number
  readonly stale: number
  readonly staleShownAsHolds: number
  /** Labelled `holds`. */
  readonly true: number
  readonly trueCalledGone: Share
  /** Labelled otherwise than `not checkable`. */
  readonly checkable: number
  /** Of the checkable: `holds`, `changed` or `gone` was said. */
  readonly withVerdict: Share
  /** Of the checkable: what was said is what the label says. */
  readonly right: Share
  readonly ci95: Readonly<Record<'trueCalledGone' | 'withVerdict' | 'right', Interval>>
}

export interface AnchorScore extends AnchorFigures {
  readonly notes: number
  /** Found anchors that are none. */
  readonly extra: number
  readonly perKind: Readonly<Partial<Record<AnchorKind, AnchorFigures>>>
  readonly perLanguage: Readonly<Record<string, AnchorFigures>>
}

/** Pairs labels with what was found: the same kind, and one text within the other. */
export function judgeNote(
  { id, lang, anchors }: { readonly id: string; readonly lang: string; readonly anchors: readonly LabelledAnchor[] },
  found: readonly AnchorVerdict[],
): JudgedNote {
  const isMeant = (label: LabelledAnchor, each: AnchorVerdict) =>
    each.anchor.includes(label.anchor) || label.anchor.includes(each.anchor)
  return {
    anchors: anchors.map((label) => {
      const meant = found.filter((each) => each.kind === label.kind && isMeant(label, each))
      const best = meant.find((each) => each.anchor === label.anchor) ?? meant[0]
      return { ...label, note: id, lang, said: best?.verdict ?? null, detail: best?.detail ?? null }
    }),
    extra: found.filter((each) => !anchors.some((label) => isMeant(label, each))),
  }
}

export function scoreAnchors(notes: readonly JudgedNote[]): AnchorScore {
  const all = notes.flatMap(({ anchors }) => anchors)
  const languages = [...new Set(all.map(({ lang }) => lang))].sort()
  const kinds = anchorKinds.filter((kind) => all.some((each) => each.kind === kind))
  return {
    notes: notes.length,
    ...figuresOf(all),
    extra: notes.reduce((sum, { extra }) => sum + extra.length, 0),
    perKind: Object.fromEntries(kinds.map((kind) => [kind, figuresOf(all.filter((each) => each.kind === kind))])),
    perLanguage: Object.fromEntries(
      languages.map((lang) => [lang, figuresOf(all.filter((each) => each.lang === lang))]),
    ),
  }
}

export function isStale({ verdict }: LabelledAnchor): boolean {
  return verdict === 'changed' || verdict === 'gone'
}

function figuresOf(all: readonly JudgedAnchor[]): AnchorFigures {
  const stale = all.filter(isStale)
  const holding = all.filter(({ verdict }) => verdict === 'holds')
  const checkable = all.filter(({ verdict }) => verdict !== 'not checkable')
  const counts = {
    trueCalledGone: [holding.filter(({ said }) => said === 'gone').length, holding.length],
    withVerdict: [
      checkable.filter(({ said }) => said === 'holds' || said === 'changed' || said === 'gone').length,
      checkable.length,
    ],
    right: [checkable.filter(({ said, verdict }) => said === verdict).length, checkable.length],
  } as const
  return {
    n: all.length,
    stale: stale.length,
    staleShownAsHolds: stale.filter(({ said }) => said === 'holds').length,
    true: holding.length,
    trueCalledGone: shareOf(...counts.trueCalledGone),
    checkable: checkable.length,
    withVerdict: shareOf(...counts.withVerdict),
    right: shareOf(...counts.right),
    ci95: {
      trueCalledGone: wilson(...counts.trueCalledGone),
      withVerdict: wilson(...counts.withVerdict),
      right: wilson(...counts.right),
    },
  }
}
