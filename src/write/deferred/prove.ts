/**
 * Whether a change rests on words of the user (spec W6, W7): each quote must stand, letter for letter but for white space,
 * in a message of theirs, or in a note that rests on such words. What a tool, a file or the assistant said proves nothing.
 */
import { type Config, type Evidence, sessionParts } from '../../domain/index.ts'
import type { SessionStore } from '../../store/sessions/session-store.ts'
import { normaliseForComparison, oneLine } from '../../util/index.ts'
import { absoluteDates } from '../dates/index.ts'
import { isUsersWord, quoteOf, utcSeconds } from '../evidence.ts'
import type { ExistingNote, ExtractMessage, ProposedNote } from '../extract/index.ts'
import { nativeIdOf } from '../message-identity.ts'
import type { KnownNote, OfferedNote, Proven, Quote } from '../sandbox/index.ts'
import { messagesOf, type NumberedMessage } from './conversation.ts'
import type { FoundNote } from './known-notes.ts'

export interface ProofSources {
  readonly sessions: SessionStore
  /** Conversation name (`c1`) to session id. */
  readonly conversations: ReadonlyMap<string, string>
  readonly findNote: (reference: string) => Promise<FoundNote | { readonly problem: string }>
  readonly existing: () => Promise<readonly ExistingNote[]>
  readonly sensitive: Config['sensitive']
  /** The second judge of the gate. */
  readonly veto: (note: ProposedNote) => string | null
}

interface Standing {
  readonly session: string
  readonly message: NumberedMessage
  readonly words: string
}

export async function prove(
  sources: ProofSources,
  note: OfferedNote,
  { quotes, instead }: { readonly quotes: readonly Quote[]; readonly instead: KnownNote | null },
): Promise<Proven> {
  const standing: Standing[] = []
  const inherited: Inherited[] = []
  for (const quote of quotes) {
    const found = await look(sources, quote)
    if ('problem' in found) return found
    if ('body' in found) inherited.push(found)
    else standing.push(found)
  }
  const texts = [...inherited.map(({ body }) => body), ...(instead ? [instead.body] : [])]
  if (standing.length === 0 && !saysOnly(note.text, texts))
    return { problem: 'it says more than the notes do, and no words of a conversation prove that' }
  const time =
    standing
      .flatMap(({ message }) => message.time ?? [])
      .sort()
      .at(-1) ?? null
  const { updated = null } = instead ?? {}
  if (time !== null && updated !== null && (utcSeconds(time) ?? '') < (utcSeconds(updated) ?? ''))
    return { problem: 'the note was changed after these words were said' }
  const problem = await vetoOf(sources, note, { standing, instead, time })
  if (problem !== null) return { problem }
  const kept = inherited.flatMap(({ source }) => source)
  const evidence = [...standing.map((each) => evidenceOf(each, sources.sensitive)), ...kept]
  return {
    evidence,
    time:
      time ??
      kept
        .flatMap((each) => each.time ?? [])
        .sort()
        .at(-1) ??
      null,
  }
}

/** Session by session: what silences one conversation says nothing about another. */
async function vetoOf(
  { sessions, existing, sensitive, veto }: ProofSources,
  note: OfferedNote,
  { standing, instead, time }: { standing: readonly Standing[]; instead: KnownNote | null; time: string | null },
): Promise<string | null> {
  const { text } = absoluteDates(note.text, time)
  const others = (await existing()).filter(({ name }) => name !== instead?.name)
  for (const session of new Set(standing.map((each) => each.session))) {
    const messages = messagesOf(sessions, session).map(asExtract)
    const quotes = standing
      .filter((each) => each.session === session)
      .map(({ message, words }) => ({ message: message.number, words }))
    const reason = veto({ type: note.type, text, quotes, messages, existing: others, sensitive })
    if (reason !== null) return `not saved: ${reason}`
  }
  return null
}

function asExtract({ number, role, content, toolName, time }: NumberedMessage): ExtractMessage {
  return { index: number, role, content, toolName, time }
}

type Inherited = Pick<FoundNote, 'body' | 'source'>

async function look(
  { sessions, conversations, findNote }: ProofSources,
  { in: place, message, words }: Quote,
): Promise<Standing | Inherited | { readonly problem: string }> {
  const [, name = '', number] = /^(?:conversations\/)?(c\d{1,4})(?:#(\d{1,9}))?$/.exec(place.trim()) ?? []
  const session = conversations.get(name)
  if (session === undefined) {
    const note = await findNote(place)
    if ('problem' in note) return { problem: `${JSON.stringify(place)} is no conversation and no note` }
    if (!isUsersWord(note.source)) return { problem: `the note "${note.name}" does not rest on words of the user` }
    const texts = [note.body, ...note.source.flatMap(({ quote }) => quote ?? [])]
    return texts.some((text) => holds(text, words)) ? note : { problem: notThere(words) }
  }
  const wanted = number === undefined ? message : Number(number)
  const said = messagesOf(sessions, session).filter(({ role, content }) => role === 'user' && holds(content, words))
  const found = said.find((each) => each.number === wanted) ?? said[0]
  return found ? { session, message: found, words } : { problem: notThere(words) }
}

function notThere(words: string): string {
  return `no message of the user holds the words ${JSON.stringify(oneLine(words).slice(0, 80).toWellFormed())}`
}

/** Fewer letters stand in any message. */
const LEAST_LETTERS = 2

function holds(text: string, words: string): boolean {
  const fold = (each: string) => oneLine(each.normalize('NFKC'))
  const letters = words.match(/[\p{L}\p{N}]/gu) ?? []
  return letters.length >= LEAST_LETTERS && fold(text).includes(fold(words))
}

/** Words that were there already, and dates: what a note says cannot prove another thing. */
function saysOnly(text: string, sources: readonly string[]): boolean {
  const there = new Set(sources.flatMap(wordsIn))
  return wordsIn(text.replace(/\b\d{4}-\d{2}(?:-\d{2})?\b/g, ' ')).every((word) => there.has(word))
}

/** Words; of scripts without spaces the pairs of neighbours. */
function wordsIn(text: string): string[] {
  const runs = normaliseForComparison(text).match(/\p{Script=Han}+|[^\P{L}\p{Script=Han}]+|\p{N}+/gu) ?? []
  return runs.flatMap((run) =>
    /\p{Script=Han}/u.test(run) && run.length > 1
      ? [...run].slice(1).map((character, at) => `${[...run][at]}${character}`)
      : [run],
  )
}

function evidenceOf({ session, message, words }: Standing, sensitive: Config['sensitive']): Evidence {
  return {
    session,
    message: nativeIdOf(message.id, sessionParts(session).agent),
    role: message.role,
    time: utcSeconds(message.time),
    quote: quoteOf(words, sensitive),
    hash: message.hash,
  }
}
