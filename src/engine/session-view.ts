/**
 * Reading a conversation: in pages, or a window around one message. Cursors are ordinals, which never change, so a page
 * is the same after more was captured: `o<n>` goes on at n, `b<n>` ends before n.
 */
import {
  messageReference,
  type PlacedMessage,
  readReference,
  type Session,
  type SessionShowInput,
  type SessionView,
} from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import type { OrderedMessage, SessionStore } from '../store/sessions/session-store.ts'
import { shownSession } from './shown.ts'

const DEFAULT_PAGE = 50
const MAX_PAGE = 500
const DEFAULT_BESIDE = 10
const MAX_BESIDE = 250
const CURSOR = /^([ob])(\d{1,9})$/

/** A conversation of this project, and the message of it that was named. */
export interface FoundPlace {
  readonly session: Session
  readonly ordinal: number | null
}

/** By session id, by reference to a message, or by the id of a message. Throws SESSION_NOT_FOUND. */
export function findPlace(store: SessionStore, project: string | null, id: string): FoundPlace {
  const mine = (session: string): Session | null => {
    const found = store.session(session)
    // A session of another project is not shown here (spec R9).
    return found?.project === project ? found : null
  }
  const exact = mine(id)
  if (exact) return { session: exact, ordinal: null }
  const reference = readReference(id)
  const named = reference.ordinal === null ? null : mine(reference.session)
  if (named) return { session: named, ordinal: reference.ordinal }
  for (const place of store.placesOf(id)) {
    const session = mine(place.session)
    if (session) return { session, ordinal: place.ordinal }
  }
  throw notFound(`No captured session is called ${JSON.stringify(id)}`, id)
}

export function viewSession(store: SessionStore, project: string | null, input: SessionShowInput): SessionView {
  const { session, ordinal } = findPlace(store, project, input.id)
  const at = input.at === undefined ? ordinal : ordinalOf(store, session.id, input.at)
  const isWindow = at !== null && input.cursor === undefined
  const tools = input.tools ?? false
  const reading = { store, session: session.id, tools }
  const messages = isWindow ? windowAround(reading, at, input) : pageOf(reading, input)
  const first = messages[0]?.ordinal
  const last = messages.at(-1)?.ordinal
  const total = store.messages(session.id, { limit: 0, offset: 0 }).total
  const next = last === undefined ? undefined : store.messagesFrom(session.id, step(last + 1, 'on', tools))[0]
  const start = input.cursor === undefined && !isWindow ? 0 : first
  return {
    session: shownSession(session),
    messages: messages.map((each) => placed(session.id, each)),
    at: isWindow ? at : null,
    previousCursor: hasBefore(reading, first) ? `b${first}` : null,
    nextCursor: next ? `o${next.ordinal}` : null,
    total,
    omittedTools: start === undefined ? 0 : (next?.ordinal ?? total) - start - messages.length,
  }
}

interface Reading {
  readonly store: SessionStore
  readonly session: string
  readonly tools: boolean
}

function pageOf({ store, session, tools }: Reading, { limit, cursor }: SessionShowInput): OrderedMessage[] {
  const [, kind = 'o', number = '0'] = cursor === undefined ? [] : (CURSOR.exec(cursor) ?? [])
  if (cursor !== undefined && !CURSOR.test(cursor))
    throw new MemoryError('INPUT_INVALID', `The cursor ${JSON.stringify(cursor)} is not one of ours`, {
      hint: 'Take nextCursor or previousCursor from a page, or leave it out to begin at the start.',
      data: { field: 'cursor' },
    })
  const direction = kind === 'o' ? 'on' : 'back'
  const wanted = within(limit, { least: 1, most: MAX_PAGE, usual: DEFAULT_PAGE })
  return store.messagesFrom(session, { ordinal: Number(number), direction, limit: wanted, tools })
}

/** The message itself is shown whatever it is. */
function windowAround(
  { store, session, tools }: Reading,
  ordinal: number,
  { before, after }: SessionShowInput,
): OrderedMessage[] {
  const message = store.message(session, ordinal)
  if (!message) throw notFound(`${session} has no message ${ordinal + 1}`, messageReference(session, ordinal))
  const beside = (wanted: number | undefined) => within(wanted, { least: 0, most: MAX_BESIDE, usual: DEFAULT_BESIDE })
  return [
    ...store.messagesFrom(session, { ordinal, direction: 'back', limit: beside(before), tools }),
    { ordinal, message },
    ...store.messagesFrom(session, { ordinal: ordinal + 1, direction: 'on', limit: beside(after), tools }),
  ]
}

/** `12`, `#12`, a whole reference, or the id of a message. */
function ordinalOf(store: SessionStore, session: string, at: string): number {
  const [, number] = /^#?([1-9]\d{0,8})$/.exec(at.trim()) ?? []
  if (number !== undefined) return Number(number) - 1
  const reference = readReference(at)
  if (reference.session === session && reference.ordinal !== null) return reference.ordinal
  const place = store.placesOf(at).find((each) => each.session === session)
  if (place) return place.ordinal
  throw notFound(`${session} has no message ${JSON.stringify(at)}`, at)
}

function hasBefore({ store, session, tools }: Reading, first: number | undefined): boolean {
  return first !== undefined && store.messagesFrom(session, step(first, 'back', tools)).length > 0
}

function step(ordinal: number, direction: 'on' | 'back', tools: boolean) {
  return { ordinal, direction, limit: 1, tools }
}

function placed(session: string, { ordinal, message }: OrderedMessage): PlacedMessage {
  return { ...message, ordinal, reference: messageReference(session, ordinal) }
}

function within(wanted: number | undefined, { least, most, usual }: { least: number; most: number; usual: number }) {
  return Math.min(most, Math.max(least, Math.trunc(wanted === undefined || Number.isNaN(wanted) ? usual : wanted)))
}

function notFound(message: string, reference: string): MemoryError {
  return new MemoryError('SESSION_NOT_FOUND', message, {
    hint: "See 'keepsake sessions list'.",
    data: { reference },
  })
}
