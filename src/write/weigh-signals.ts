/**
 * What a user's correction or praise says about the notes that the conversation showed (spec W9): the note that misled
 * loses trust, the one that guided gains some. They write no note. A correction beats praise in one message, and a bare
 * "yes" is praise only as the answer to a proposal. A note counts once for each session, the worse signal stays.
 */
import type { NoteType, NoteUse, TrustStep } from '../domain/index.ts'
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

interface Said {
  /** In order; those before `from` are known already. */
  readonly messages: readonly ContextMessage[]
  readonly from: number
  readonly session: string
  /** The user's own cues. */
  readonly cues: readonly SignalTable[]
  /** Milliseconds, for messages without a time. */
  readonly now: number
}

export interface SaidAfter extends Said {
  readonly shown: readonly ShownNote[]
}

export interface SaidAfterReading extends Said {
  readonly opened: readonly NoteUse[]
  /** When the user spoke last before these messages; milliseconds. */
  readonly since: number
}

/** In order of what was said. */
export function trustStepsOf({ messages, from, session, shown, cues, now }: SaidAfter): TrustStep[] {
  return messages.flatMap((message, place) => {
    if (place < from || message.role !== 'user') return []
    const answered = answerBefore(messages, place)
    const signal = signalIn(message.content, answered, cues)
    const note = signal && noteMeant(signal, { words: message.content, answered, shown })
    return note ? [{ note: note.id, session, signal, at: msOf(message) ?? now }] : []
  })
}

/** Notes that were opened between two messages of the user, the second of which corrects nothing (spec R10). */
export function stepsOfReading({ messages, from, session, opened, since, cues, now }: SaidAfterReading): TrustStep[] {
  let last = since
  return messages.flatMap((message, place) => {
    if (message.role !== 'user') return []
    const [begin, end] = [last, msOf(message) ?? now]
    last = end
    const isNew = place >= from
    const corrects = isNew && signalIn(message.content, answerBefore(messages, place), cues) === 'misled'
    if (!isNew || corrects) return []
    const helped = opened.filter(({ at }) => at >= begin && at < end)
    return helped.map(({ note }) => ({ note, session, signal: 'helped', at: end }) as const)
  })
}

function answerBefore(messages: readonly ContextMessage[], place: number): string {
  const before = messages.slice(0, place).findLast(({ role }) => role !== 'tool')
  return before?.role === 'assistant' ? before.content : ''
}

function msOf({ time }: ContextMessage): number | null {
  const ms = Date.parse(time ?? '')
  return Number.isNaN(ms) ? null : ms
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
