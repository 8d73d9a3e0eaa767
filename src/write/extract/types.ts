/** What goes into the extractor and what comes out. Rules see these types only; nothing here touches files. */
import type { MessageRole, NoteType } from '../../domain/index.ts'
import type { SignalTable } from '../signals/index.ts'

export interface ExtractMessage {
  /** Position in the session; `evidence` names messages by it. */
  readonly index: number
  readonly role: MessageRole | 'system'
  readonly content: string
  readonly toolName: string | null
  /** ISO 8601 with offset (the anchor of relative dates), or null. */
  readonly time: string | null
}

/** A note that is already in the store: known facts are not offered again, changed ones name it. */
export interface ExistingNote {
  readonly name: string
  readonly type: NoteType
  readonly description: string
}

export interface ExtractInput {
  /** In file order. Only `user` messages yield notes; the others decide what is already visible elsewhere. */
  readonly messages: readonly ExtractMessage[]
  /** Place of the first message that may yield notes; the ones before it were judged earlier. Default 0. */
  readonly from?: number
  readonly existing: readonly ExistingNote[]
  /** Cue tables of the user: a `keep` or `from-now-on` of theirs counts as one of ours. */
  readonly cues?: readonly SignalTable[]
  /** Time of the conversation, for messages without their own. */
  readonly date: string | null
}

export interface ExtractedNote {
  readonly type: NoteType
  /** Short, one line. */
  readonly name: string
  /** One line. */
  readonly description: string
  /** Markdown; relative dates are absolute. */
  readonly body: string
  /** Indexes of the messages that prove it, the proving user message first; at most three. */
  readonly evidence: readonly number[]
  /** Name of the existing note that this one supersedes, or null. */
  readonly replaces: string | null
  /** Time of the proving message. */
  readonly time: string | null
  /** Id of the rule that found it. */
  readonly rule: string
}
