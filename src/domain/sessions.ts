/** What `memory.sessions` offers: captured conversations found, read, tagged, taken up again. */
import type { LayerMode } from './config.ts'
import type { AnsweredInput, AnsweredResult } from './note-use.ts'
import type { Message, Session } from './session.ts'
import type { ShownSessionNote } from './session-note.ts'

/** A message and where it stands. Places never change: what is captured later comes behind. */
export interface PlacedMessage extends Message {
  /** From 0. */
  readonly ordinal: number
  /** Opens this message again (`sessions.show`, memory_get): `<session id>#<ordinal + 1>`. */
  readonly reference: string
}

/** By what a conversation was found, best first. */
export const sessionFinds = ['tag', 'part of a tag', 'title', 'branch', 'summary', 'text', 'meaning', 'time'] as const
export type SessionFind = (typeof sessionFinds)[number]

export interface SessionPassage {
  readonly ordinal: number
  readonly reference: string
  /** Id of the message. */
  readonly message: string
  readonly role: string
  readonly snippet: string
  readonly time: string | null
  /** The whole phrase stands in it, words of the question near each other, single words, or none: an answer beside them. */
  readonly match: 'phrase' | 'near' | 'word' | 'none'
}

export interface FoundSession {
  readonly session: Session
  readonly foundBy: SessionFind
  /** Best first; of one that was found by its name alone, how it begins. */
  readonly matches: readonly SessionPassage[]
  /** Of its words; 0 when only its name was found. */
  readonly score: number
}

export interface SessionSearchResult {
  /** Those whose tag, title, branch or summary is what was asked for, then those that hold its words. */
  readonly sessions: readonly FoundSession[]
  readonly omitted: number
  /** As in `RecallResult`: a broken index is no empty answer. */
  readonly searched: 'ok' | 'scan'
  readonly reason: string | null
  /** As in `RecallResult`. */
  readonly sessionNote?: ShownSessionNote
}

export interface SessionShowInput {
  /** Session id, or a reference to one message of it (`<session id>#<n>`), or the id of a message. */
  readonly id: string
  /** A message to show with those around it: its number from 1, its reference or its id. */
  readonly at?: string
  /** Messages before and after it; 0..250, default 10 each. */
  readonly before?: number
  readonly after?: number
  /** Whether answers of tools are shown; default no, but the message `at` always is. */
  readonly tools?: boolean
  /** Whether the note of the conversation is given, too; default no. */
  readonly note?: boolean
  /** Messages on one page, without `at`; 1..500, default 50. */
  readonly limit?: number
  readonly cursor?: string
}

export interface SessionView {
  readonly session: Session
  readonly messages: readonly PlacedMessage[]
  /** Given when it was asked for; null while there is none. */
  readonly note?: ShownSessionNote | null
  /** Ordinal of the message that was asked for, or null. */
  readonly at: number | null
  /** Where the messages before and behind these are; null when there are none. They hold when more is captured. */
  readonly previousCursor: string | null
  readonly nextCursor: string | null
  /** Messages of the whole conversation, tools' answers included. */
  readonly total: number
  /** Answers of tools between these messages that are not shown. */
  readonly omittedTools: number
}

export interface SessionListInput {
  readonly limit?: number
  readonly cursor?: string
  readonly agent?: string
  readonly branch?: string
  readonly tag?: string
  /** Begun then or later: ISO 8601, an age (`7d`, 3周), or a span (`last week`, 上周), from its beginning. */
  readonly since?: string
  /** Begun then or before, to the end of the day, week or month that is named. */
  readonly until?: string
}

export interface SessionListResult {
  /** Newest first. */
  readonly sessions: readonly Session[]
  readonly nextCursor: string | null
  /** All that match; `omitted` are those of them behind this page. */
  readonly total: number
  readonly omitted: number
}

export interface SessionTagInput {
  readonly id: string
  readonly tags: readonly string[]
  /** Takes these tags away instead. */
  readonly remove?: boolean
}

export interface SessionTagResult {
  readonly session: string
  /** All tags of it now. */
  readonly tags: readonly string[]
  readonly changed: boolean
  /** Kinds of secrets that were masked in what was given. */
  readonly masked: readonly string[]
}

/** What a model says of a conversation, for one question. */
export interface SessionDigest {
  /** One sentence; empty when nothing bears on the question. */
  readonly wanted: string
  readonly done: readonly string[]
  readonly decided: readonly string[]
  /** Each stands in the conversation, character by character. */
  readonly commands: readonly string[]
  readonly open: readonly string[]
}

export const sessionDigestLists = ['done', 'decided', 'commands', 'open'] as const

interface SummaryBase {
  readonly session: Session
  /** How it begins, and the passages around the question. */
  readonly passages: readonly SessionPassage[]
}

export type SessionSummary =
  | (SummaryBase & {
      readonly outcome: 'summarised'
      readonly digest: SessionDigest
      readonly model: string
      /** First and last message that the model was shown, and how many others there are. */
      readonly from: string
      readonly to: string
      readonly leftOut: number
      /** Commands of the model that nobody said. */
      readonly droppedCommands: number
    })
  /** No model, or none that gave an answer: `reason` says why. */
  | (SummaryBase & { readonly outcome: 'passages'; readonly reason: string })

/** How to go on with a conversation in its own agent. */
export type SessionCommand =
  | {
      readonly outcome: 'ready'
      readonly session: string
      /** Program and arguments. */
      readonly command: readonly string[]
      /** The same for a shell. */
      readonly line: string
      /** Where it must be run, when that is known. */
      readonly cwd: string | null
      readonly transcript: string
    }
  | { readonly outcome: 'gone'; readonly session: string; readonly reason: string }

/** With where the work stands, also when its transcript is gone. */
export type SessionResume = SessionCommand & { readonly note: ShownSessionNote | null }

export interface SessionModeResult {
  readonly session: string
  readonly mode: LayerMode
  /** Notes and proposals that rested on nothing but this session and went with it. */
  readonly forgotten: number
}

/** Conversations of this project, or of no project outside any. One that is set `off` is never seen. */
export interface Sessions {
  /**
   * What may become of one conversation from now on: `off` (nothing is kept of it, and what it gave before is forgotten),
   * `read-only` (no notes), `review` (every note waits for a yes), `auto`. It never widens the mode of a layer.
   */
  setMode(input: { readonly id: string; readonly mode: LayerMode }): Promise<SessionModeResult>
  /** By name and by words, grouped, with passages around what matched. Never throws for any query text. */
  search(input: {
    readonly query: string
    /** 1..50, default 10. */
    readonly limit?: number
    readonly signal?: AbortSignal
  }): Promise<SessionSearchResult>
  /**
   * Tells Keepsake an answer of your model: the notes that it cites count as used in this conversation, and its text comes
   * back without the block. Throws INPUT_INVALID.
   */
  answered(input: AnsweredInput): Promise<AnsweredResult>
  /** A page of a conversation, or a window around one message. Throws SESSION_NOT_FOUND. */
  show(input: SessionShowInput): Promise<SessionView>
  list(input?: SessionListInput): Promise<SessionListResult>
  /** What it holds for one question, said by a model; without one, its passages and why. At most 10 s. */
  summarise(input: {
    readonly id: string
    readonly question: string
    readonly signal?: AbortSignal
  }): Promise<SessionSummary>
  /** The command that goes on with it, while its transcript is there. Nothing is run. */
  resume(input: { readonly id: string }): Promise<SessionResume>
  /** A person's own words about a conversation; they stay until they are taken away or it is forgotten. */
  tag(input: SessionTagInput): Promise<SessionTagResult>
}
