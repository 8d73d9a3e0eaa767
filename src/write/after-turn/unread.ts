/**
 * What a model has not read of a conversation (spec W12). A message is read once, wherever it stands: a fork and a
 * resumed conversation share messages with another one, and what that one's cursor has passed is read. What must stay
 * true: a cursor moves forward only, and only over messages that were read, or that nobody is to read.
 */
import type { Message } from '../../domain/index.ts'
import type { OrderedMessage, SessionStore } from '../../store/sessions/session-store.ts'
import {
  type ExtractionCursor,
  type ExtractionCursors,
  MAX_SKIPPED,
  type Stretch,
} from '../../store/state/extraction-cursors.ts'

export interface ReadingStores {
  readonly sessions: SessionStore
  readonly cursors: ExtractionCursors
}

export interface Unread {
  /** In order. */
  readonly messages: readonly OrderedMessage[]
  /** Place of the last message that was looked at: when these are read, all up to it are. */
  readonly upTo: number
  /** There are more behind them. */
  readonly hasMore: boolean
}

const PAGE = 200
/** Messages before a turn among which its beginning is looked for. */
const TURN_LENGTH = 100

/** A conversation that no model has read yet begins here: what is stored of it already is read by none. */
export function beginReading({ sessions, cursors }: ReadingStores, session: string, now: number): void {
  if (cursors.get(session)) return
  const last = sessions.messages(session, { limit: 0, offset: 0 }).total - 1
  const message = sessions.message(session, last)?.id ?? null
  cursors.change(session, (known) => known ?? { ...unreadFrom(last, message), session, touchedAt: now })
}

/** At most `limit` unread messages, from the oldest on. Without a cursor there are none. */
export function unreadOf(stores: ReadingStores, session: string, limit: number): Unread {
  const { sessions, cursors } = stores
  const cursor = cursors.get(session)
  const start = cursor && placeOf(sessions, cursor)
  if (start === null) return { messages: [], upTo: -1, hasMore: false }
  const isRead = readElsewhere(stores, session)
  const messages: OrderedMessage[] = []
  let upTo = start
  for (;;) {
    const page = sessions.messagesFrom(session, { ordinal: upTo + 1, direction: 'on', limit: PAGE, tools: true })
    for (const each of page) {
      const isUnread = !isIn(cursor?.skipped ?? [], each.ordinal) && !isRead(each.message)
      if (isUnread && messages.length === limit) return { messages, upTo, hasMore: true }
      if (isUnread) messages.push(each)
      upTo = each.ordinal
    }
    if (page.length < PAGE) return { messages, upTo, hasMore: false }
  }
}

/** All up to this place is read. */
export function moveTo(
  { sessions, cursors }: ReadingStores,
  session: string,
  { upTo, now, isRead }: { readonly upTo: number; readonly now: number; readonly isRead: boolean },
): void {
  cursors.change(session, (known) => {
    if (!known || upTo <= known.ordinal) return null
    const message = sessions.message(session, upTo)?.id ?? null
    const skipped = known.skipped.filter(({ to }) => to > upTo)
    const readAt = isRead ? now : known.readAt
    return { ...known, ordinal: upTo, message, skipped, seen: Math.max(known.seen, upTo), readAt, touchedAt: now }
  })
}

/** It was decided about all up to this place whether a model is to be asked. */
export function markSeen({ cursors }: ReadingStores, session: string, seen: number, now: number): void {
  cursors.change(session, (known) => (known && seen > known.seen ? { ...known, seen, touchedAt: now } : null))
}

/** A turn that no model is to read, from the user's message that began it: the agent kept its words itself, or nobody may. */
export function passOver(
  { sessions, cursors }: ReadingStores,
  session: string,
  { messages, now }: { readonly messages: readonly Pick<Message, 'id'>[]; readonly now: number },
): void {
  const places = [messages[0], messages.at(-1)].flatMap((message) => ordinalOf(sessions, session, message?.id) ?? [])
  const [first, last] = [Math.min(...places), Math.max(...places)]
  if (places.length === 0) return
  const from = beginningOf(sessions, session, first)
  cursors.change(session, (known) =>
    !known || last <= known.ordinal
      ? null
      : { ...known, skipped: joined([...known.skipped, { from, to: last }]), touchedAt: now },
  )
}

function unreadFrom(ordinal: number, message: string | null): Omit<ExtractionCursor, 'session' | 'touchedAt'> {
  return { ordinal, message, skipped: [], seen: ordinal, readAt: null }
}

/** Where the cursor is now. Null: its message is not in the conversation any more, so nothing of it is known to be unread. */
function placeOf(sessions: SessionStore, { session, ordinal, message }: ExtractionCursor): number | null {
  if (message === null || sessions.message(session, ordinal)?.id === message) return ordinal
  return ordinalOf(sessions, session, message)
}

function ordinalOf(sessions: SessionStore, session: string, message: string | undefined): number | null {
  if (message === undefined) return null
  return sessions.placesOf(message).find((place) => place.session === session)?.ordinal ?? null
}

/** Whether another conversation that shares a message has passed it. One without a cursor was never to be read. */
function readElsewhere({ sessions, cursors }: ReadingStores, session: string): (message: Message) => boolean {
  const known = new Map<string, { readonly place: number | null; readonly skipped: readonly Stretch[] }>()
  const cursorOf = (other: string) => {
    const found = known.get(other)
    if (found) return found
    const cursor = cursors.get(other)
    const made = { place: cursor && placeOf(sessions, cursor), skipped: cursor?.skipped ?? [] }
    known.set(other, made)
    return made
  }
  return ({ id }) =>
    sessions.placesOf(id).some((place) => {
      if (place.session === session) return false
      const other = cursorOf(place.session)
      return other.place === null || place.ordinal <= other.place || isIn(other.skipped, place.ordinal)
    })
}

/** Place of the user's message with which the turn began that goes on at `ordinal`. */
function beginningOf(sessions: SessionStore, session: string, ordinal: number): number {
  if (sessions.message(session, ordinal)?.role === 'user') return ordinal
  const before = sessions.messagesFrom(session, { ordinal, direction: 'back', limit: TURN_LENGTH, tools: false })
  return before.findLast(({ message }) => message.role === 'user')?.ordinal ?? ordinal
}

function isIn(stretches: readonly Stretch[], ordinal: number): boolean {
  return stretches.some(({ from, to }) => from <= ordinal && ordinal <= to)
}

/** In order, those that touch made one; of too many the first two are, with what lies between them. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const result: Stretch[] = []
  for (const each of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last && each.from <= last.to + 1)
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, each.to) }
    else result.push(each)
  }
  const [first, second, ...rest] = result
  return result.length > MAX_SKIPPED && first && second ? [{ from: first.from, to: second.to }, ...rest] : result
}
