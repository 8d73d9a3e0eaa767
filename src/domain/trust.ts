/**
 * Trust of a note (spec R10): what it earned by being used, kept in the state database. Not its confidence, which says
 * how sure its writer was and stands in the file. The rule is pure: the same steps in any order give the same trust.
 */

/** `helped`: it was of use. `misled`: it was shown or used and was wrong. Shown and ignored is no signal. */
export const trustSignals = ['helped', 'misled'] as const
export type TrustSignal = (typeof trustSignals)[number]

export interface TrustStep {
  /** Id of the note. */
  readonly note: string
  /** Where it was seen to help or to mislead: one step of one note counts per session. */
  readonly session: string
  readonly signal: TrustSignal
  /** Milliseconds. */
  readonly at: number
}

export interface Trust {
  /** 0..1 */
  readonly value: number
  /** Sessions in which it helped, and in which it misled. */
  readonly helped: number
  readonly misled: number
}

/** In hundredths, so that sums are exact. */
const START = 50
const STEP = { helped: 5, misled: -10 } as const satisfies Record<TrustSignal, number>

export const UNTRIED: Trust = { value: START / 100, helped: 0, misled: 0 }

/** Within one session the worse signal holds: a correction beats a reinforcement. */
export function worseSignal(one: TrustSignal, other: TrustSignal): TrustSignal {
  return STEP[one] < STEP[other] ? one : other
}

/** What the steps of one note come to. */
export function trustFrom(steps: readonly Pick<TrustStep, 'session' | 'signal'>[]): Trust {
  const bySession = new Map<string, TrustSignal>()
  for (const { session, signal } of steps) bySession.set(session, worseSignal(bySession.get(session) ?? signal, signal))
  const signals = [...bySession.values()]
  const helped = signals.filter((signal) => signal === 'helped').length
  const misled = signals.length - helped
  const hundredths = START + helped * STEP.helped + misled * STEP.misled
  return { value: Math.min(100, Math.max(0, hundredths)) / 100, helped, misled }
}
