/**
 * What a user's correction or praise says about the notes that the conversation showed (spec W9): the note that misled
 * loses trust, the one that guided gains some. They write no note. A correction beats praise in one message, and a bare
 * "yes" is praise only as the answer to a proposal. A note counts once for each session, the worse signal stays.
 */
import type { NoteType, TrustStep } from '../domain/index.ts'
import type { ContextMessage } from './capture-run.ts'
import { shared, subjectNote, termsOf } from './extract/index.ts'
import { findSignals, type SignalTable } from './signals/index.ts'

/** A note whose text the conversation was shown. */
export interface ShownNote {
  readonly id: string
  readonly name: string
  readonly type: NoteType
  readonly description: string
}

export interface SaidAfter {
  /** In order; those before `from` are known already. */
  readonly messages: readonly ContextMessage[]
  readonly from: number
  readonly session: string
  readonly shown: readonly ShownNote[]
  /** The user's own cues. */
  readonly cues: readonly SignalTable[]
  /** Milliseconds, for messages without a time. */
  readonly now: number
}

/** In order of what was said. */
export function trustStepsOf({ messages, from, session, shown, cues, now }: SaidAfter): TrustStep[] {
  return messages.flatMap((message, place) => {
    if (place < from || message.role !== 'user') return []
    const before = messages.slice(0, place).findLast(({ role }) => role !== 'tool')
    const answered = before?.role === 'assistant' ? before.content : ''
    const signal = signalIn(message.content, answered, cues)
    const note = signal && noteMeant(signal, { words: message.content, answered, shown })
    const at = Date.parse(message.time ?? '')
    return note ? [{ note: note.id, session, signal, at: Number.isNaN(at) ? now : at }] : []
  })
}

function signalIn(words: string, answered: string, tables: readonly SignalTable[]): TrustStep['signal'] | null {
  const kinds = findSignals(words, { answersProposal: proposes.test(answered), tables }).map(({ kind }) => kind)
  if (kinds.includes('correction')) return 'misled'
  return kinds.includes('reinforcement') ? 'helped' : null
}

/** The note that the answer followed; a correction must itself name something of what it says. */
function noteMeant(
  signal: TrustStep['signal'],
  {
    words,
    answered,
    shown,
  }: { readonly words: string; readonly answered: string; readonly shown: readonly ShownNote[] },
): ShownNote | null {
  const meant =
    signal === 'misled' ? shown.filter((note) => shared(termsOf(note.description), termsOf(words)) > 0) : shown
  const found = subjectNote(`${answered}\n${words}`, meant)
  return meant.find((each) => each === found) ?? null
}

const proposes =
  /[?？]\s*$|\b(?:shall|should|may|could) I\b|\b(?:I(?:['’]d| would| can| could)?|let me|let us|we could) (?:suggest|propose|recommend|use|add|change|switch|move)\b|要不要|是否|可以吗|好吗|建议|建議|我来|我來/iu
