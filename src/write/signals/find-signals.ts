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
    /** Source of a regular expression, flags `iu`. */
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
  /** The user's own tables, beside ours. */
  readonly tables?: readonly SignalTable[]
}

export function findSignals(_text: string, _options: FindSignalsOptions = {}): Signal[] {
  return []
}
