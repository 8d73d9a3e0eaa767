/**
 * What one question to a model is about (spec W12): the unread messages as far as they fit, whole turns where it can be,
 * what stood before them, and the notes that are kept. What does not fit waits for the next job, and is not lost. Kept
 * notes stand first and always in one order, so that a provider's cache of the beginning holds from call to call; of too
 * many the ones nearest to the new words are shown.
 */
import type { Message, Session } from '../../domain/index.ts'
import type { OrderedMessage, SessionStore } from '../../store/sessions/session-store.ts'
import { compareUnits } from '../../util/index.ts'
import type { SpokenMessage } from '../conversation-lines.ts'
import { type ExistingNote, type ExtractMessage, takenBackMessages } from '../extract/index.ts'
import { shared, termsOf } from '../extract/terms.ts'
import { spokenWords } from '../message-identity.ts'
import { buildExtractQuestion } from './extract-question.ts'
import type { Unread } from './unread.ts'

/** Earlier messages that are shown at most. */
const EARLIER_MESSAGES = 30

export interface Material {
  readonly prompt: string
  /** Everything that is shown, as the rules see it; `index` is the number by which the model quotes. */
  readonly messages: readonly ExtractMessage[]
  /** Those of them that may give notes, by number. */
  readonly fresh: ReadonlyMap<number, OrderedMessage>
  /** Place of the last message that counts as read afterwards. */
  readonly upTo: number
  readonly hasMore: boolean
}

export interface MaterialInput {
  readonly session: Session
  readonly unread: Unread
  readonly existing: readonly ExistingNote[]
  /** Whether it proved a note that was forgotten: no note could rest on it, so no model is shown it again. */
  readonly isForgotten: (message: Message) => boolean
  /** Exactly the messages up to this place, as they were shown before; what was said since may take some of them back. */
  readonly shownUpTo?: number
}

/** Null when nothing of it is anybody's words. */
export function materialOf(
  sessions: SessionStore,
  { session, unread, existing, isForgotten, shownUpTo }: MaterialInput,
): Material | null {
  const [first] = unread.messages
  if (!first) return null
  const before = { ordinal: first.ordinal, direction: 'back', limit: EARLIER_MESSAGES, tools: true } as const
  const beforehand = sessions.messagesFrom(session.id, before)
  const earlier = beforehand.map(forRules)
  const both = [...beforehand, ...unread.messages]
  const gone = new Set([
    ...takenBackMessages(both.map(forRules), earlier.length),
    ...both.flatMap((each) => (isForgotten(each.message) ? numberOf(each) : [])),
  ])
  const stands = ({ index, content }: ExtractMessage) => !gone.has(index) && content.trim() !== ''
  const last = shownUpTo ?? unread.upTo
  const standing = unread.messages.filter((each) => each.ordinal <= last && stands(forRules(each)))
  if (standing.length === 0) return null
  const question = { kept: ordered(existing), earlier: [...summaryOf(session), ...earlier.filter(stands).map(spoken)] }
  const ask = (messages: readonly OrderedMessage[]) =>
    buildExtractQuestion({ ...question, messages: messages.map((each) => spoken(forRules(each))) })
  const fits = ask(standing).taken
  const isWhole = shownUpTo !== undefined || (fits === standing.length && !unread.hasMore)
  const part = isWhole ? standing : standing.slice(0, endOfTurn(standing, fits))
  const built = ask(part)
  const said = part.flatMap(({ message }) => (message.role === 'user' ? message.content : [])).join('\n')
  const nearest = built.leftOut.kept === 0 ? null : { ...question, kept: nearestTo(said, existing) }
  const messages = part.map(forRules)
  return {
    prompt: nearest ? buildExtractQuestion({ ...nearest, messages: messages.map(spoken) }).prompt : built.prompt,
    messages: [...earlier.filter(stands), ...messages],
    fresh: new Map(part.map((each) => [numberOf(each), each])),
    upTo: isWhole ? last : (part.at(-1)?.ordinal ?? last),
    hasMore: unread.hasMore || part.length < standing.length || last < unread.upTo,
  }
}

/** As references count: from 1. */
function numberOf({ ordinal }: OrderedMessage): number {
  return ordinal + 1
}

function forRules(each: OrderedMessage): ExtractMessage {
  const { role, content, toolName, time } = each.message
  return { index: numberOf(each), role, content: spokenWords({ role, content }), toolName, time }
}

function spoken({ index, role, content, time }: ExtractMessage): SpokenMessage {
  return { number: index, role: role === 'system' ? 'tool' : role, content, time }
}

/** What stands for the messages that are not shown. */
function summaryOf({ summary }: Session): SpokenMessage[] {
  return summary === null ? [] : [{ number: 0, role: 'assistant', content: `In short: ${summary}`, time: null }]
}

/** Of the first `fits` messages those that make whole turns; of one long turn as many as fit. */
function endOfTurn(messages: readonly OrderedMessage[], fits: number): number {
  const next = messages.findLastIndex(({ message }, at) => at > 0 && at <= fits && message.role === 'user')
  return next > 0 ? next : Math.max(1, fits)
}

function ordered(notes: readonly ExistingNote[]): readonly ExistingNote[] {
  return notes.toSorted((a, b) => compareUnits(a.type, b.type) || compareUnits(a.name, b.name))
}

function nearestTo(words: string, notes: readonly ExistingNote[]): readonly ExistingNote[] {
  const said = termsOf(words)
  const weighed = notes.map((note) => ({ note, common: shared(termsOf(`${note.name} ${note.description}`), said) }))
  return weighed
    .toSorted((a, b) => b.common - a.common || compareUnits(a.note.name, b.note.name))
    .map(({ note }) => note)
}
