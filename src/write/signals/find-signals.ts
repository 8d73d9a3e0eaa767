/**
 * Signals of spec W9: cues that weigh, and never write by themselves. Tables are data; a user's own tables are handed
 * in beside ours. In one message a correction silences reinforcement: "yes, but that is wrong" is no praise.
 */
import correction from './tables/correction.json' with { type: 'json' }
import decision from './tables/decision.json' with { type: 'json' }
import fromNowOn from './tables/from-now-on.json' with { type: 'json' }
import goal from './tables/goal.json' with { type: 'json' }
import identity from './tables/identity.json' with { type: 'json' }
import keep from './tables/keep.json' with { type: 'json' }
import preference from './tables/preference.json' with { type: 'json' }
import reinforcement from './tables/reinforcement.json' with { type: 'json' }

export const signalKinds = [
  'correction',
  'reinforcement',
  'preference',
  'identity',
  'goal',
  'decision',
  'keep',
  'from-now-on',
] as const
export type SignalKind = (typeof signalKinds)[number]

/** One cue table, as in `tables/*.json`; a user's own tables have the same shape. */
export interface SignalTable {
  readonly kind: SignalKind
  readonly cues: readonly {
    readonly id: string
    /** Source of a regular expression, flags `giu`. */
    readonly pattern: string
    /** Found only as the answer to a proposal of the assistant. */
    readonly answerOnly?: boolean
  }[]
}

export interface Signal {
  readonly kind: SignalKind
  /** Id of the cue. */
  readonly cue: string
  /** UTF-16 offsets in the text. */
  readonly start: number
  readonly end: number
}

export interface FindSignalsOptions {
  /** True when the message before was the assistant's and proposed something. Default false. */
  readonly answersProposal?: boolean
  /** The user's own tables, beside ours. A pattern that is no regular expression throws a SyntaxError. */
  readonly tables?: readonly SignalTable[]
}

interface Cue {
  readonly kind: SignalKind
  readonly id: string
  readonly pattern: RegExp
  readonly answerOnly: boolean
}

/** Cues that a message longer than this holds are not looked for: it is a paste. */
export const MAX_SIGNAL_TEXT = 20_000

const ownCues = [correction, decision, fromNowOn, goal, identity, keep, preference, reinforcement].flatMap(compile)

function compile(table: { readonly kind: string; readonly cues: SignalTable['cues'] }): Cue[] {
  const kind = signalKinds.find((each) => each === table.kind)
  if (!kind) return []
  return table.cues.map(({ id, pattern, answerOnly }) => ({
    kind,
    id,
    pattern: new RegExp(pattern, 'giu'),
    answerOnly: answerOnly ?? false,
  }))
}

/** Signals in the order of the text; overlapping ones of different kinds are all reported. */
export function findSignals(text: string, options: FindSignalsOptions = {}): Signal[] {
  const { answersProposal = false, tables = [] } = options
  const cues = [...ownCues, ...tables.flatMap(compile)].filter((cue) => answersProposal || !cue.answerOnly)
  const found = cues.flatMap((cue) =>
    [...text.slice(0, MAX_SIGNAL_TEXT).matchAll(cue.pattern)]
      .filter((match) => match[0] !== '')
      .map((match) => ({ kind: cue.kind, cue: cue.id, start: match.index, end: match.index + match[0].length })),
  )
  const isCorrected = found.some((signal) => signal.kind === 'correction')
  return found
    .filter((signal) => !(isCorrected && signal.kind === 'reinforcement'))
    .sort((a, b) => a.start - b.start || b.end - a.end)
}
