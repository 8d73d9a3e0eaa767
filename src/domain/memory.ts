/**
 * The Memory interface: what the library offers and what CLI, MCP and web call, verb by verb.
 * Everything that waits takes a `signal`; everything that lists takes `limit` and says what it left out.
 */
import type { AnchorVerdict } from './anchor.ts'
import type { Block, ShownBlock } from './block.ts'
import type { LayerMode } from './config.ts'
import type { DeferredProgress, DeferredReport } from './deferred.ts'
import type { EditInput, EditResult } from './edit.ts'
import type { HistoryAccess } from './history.ts'
import type { Jobs, JobTally } from './jobs.ts'
import type { ReadableLayer } from './layer.ts'
import type { Note, NoteStatus, NoteSummary, NoteType } from './note.ts'
import type { UseCount } from './note-use.ts'
import type { ForgetResult, RememberResult } from './outcome.ts'
import type { RecallResult, RecallTarget } from './recall-result.ts'
import type { RememberInput } from './remember.ts'
import type { ReviewInput, ReviewResult } from './review.ts'
import type { Sessions } from './sessions.ts'
import type { EmbeddingStatus, StatusReport } from './status.ts'
import type { ToolUse } from './tool-use.ts'
import type { Trust } from './trust.ts'

export interface ForgetOptions {
  /** Name of the agent that asks; default: the person. */
  readonly agent?: string
  /** Not done now, whatever the mode of the layer: it waits for the person's yes, and this sentence says why. */
  readonly asProposal?: string
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

/** Narrows notes: the same words for `recall` and `list` (spec R9). */
export interface NoteNarrowing {
  readonly layer?: ReadableLayer
  readonly type?: NoteType
  readonly tag?: string
  /** Only notes that name this person, project, tool or thing, under any of its names (spec R10). */
  readonly about?: string
  /** Beside `about`: only notes that name both. */
  readonly together?: string
  /** Last changed then or later: ISO 8601, an age (`7d`, 3周), or a span (`last week`, 上周), from its beginning. */
  readonly since?: string
  /** Last changed then or before, to the end of the day, week or month that is named. */
  readonly until?: string
  /** 0..1; what nobody tried has 0.5. */
  readonly minTrust?: number
  /** Default `active`. */
  readonly status?: NoteStatus | 'all'
}

export interface RecallInput extends NoteNarrowing {
  /** May be left out beside `about` (then all that names it, newest first) and `contradicts`. */
  readonly query?: string
  /** Pairs of notes that cannot both hold, beside `about` only those that name it. */
  readonly contradicts?: boolean
  /** 1..50, default 10. */
  readonly limit?: number
  readonly in?: RecallTarget
  readonly explain?: boolean
  /** A model puts the best results into order, when one is set up. Default: `recall.rerank` of the configuration. */
  readonly rerank?: boolean
  readonly signal?: AbortSignal
}

export interface ListInput extends NoteNarrowing {
  readonly limit?: number
  readonly cursor?: string
}

export interface ListResult {
  readonly notes: readonly NoteSummary[]
  readonly nextCursor: string | null
  readonly total: number
}

/** A note as read: its text, and what a reader must know about it (age, voice, what is withheld). */
export interface ReadResult {
  readonly note: Note
  readonly summary: NoteSummary
  /** Body as it may be shown: masked, hits of the threat scan replaced by a marker. */
  readonly text: string
  readonly age: string
  /** Point-in-time warning; null for a rule of the user, and while it is fresh. */
  readonly warning: string | null
  /** For a note that says how to live with a fault: that it may no longer hold. */
  readonly workaround: string | null
  /** What it names, looked up in the working tree just now (spec I5). */
  readonly verdicts: readonly AnchorVerdict[]
  readonly voice: 'rule' | 'fact' | 'quoted'
  /** What it earned, and in how many sessions (spec R10). */
  readonly trust: Trust
  /** In how many sessions it was cited or opened, and when last (spec I7). */
  readonly uses: UseCount
}

export interface ReadOptions {
  /**
   * The conversation for which it is read: its own id, or `<agent>:<id>`; then it counts as used (spec I7). For hosts whose
   * conversations no transcript tells of.
   */
  readonly session?: string
  /** Name of the host; default `plain`. */
  readonly agent?: string
}

export interface ContextInput {
  /**
   * Whose dialect: `plain` (the default), an agent's name, or `library` for a host that takes the list of used notes
   * (`<keepsake-cite>`) out of an answer before anybody sees it.
   */
  readonly agent?: string
  readonly explain?: boolean
  /**
   * The conversation that the start block is for: its own id, or `<agent>:<id>`. The block is kept for it, and each later
   * call gives the same bytes, in any process and on any day; what was forgotten since is taken out. Not beside `prompt`.
   */
  readonly session?: string
  /** With `session`, after a compaction or a clear: the block is made anew. */
  readonly renew?: boolean
  /**
   * Compares the start block as it would be made now with an earlier one: that of a session (kept, or in its transcript), or
   * that in a file (a transcript of a known agent, or any text that holds one). Default of `agent`: whose block that is.
   */
  readonly compare?: string
  /**
   * A message of the user: then the block is the turn block for it, with the notes that bear on it. It belongs behind the
   * message, once; it is empty when nothing does. Where a model is set up it chooses them, else words do.
   */
  readonly prompt?: string
  /** With `prompt`: our blocks that the conversation still shows, so that no note is shown twice. */
  readonly shown?: readonly ShownBlock[]
  /**
   * With `prompt`: when this conversation began or was last cut, ISO 8601; what was written, changed or forgotten since comes
   * first. Default: the time of the start block in `shown`.
   */
  readonly sessionStart?: string
  /**
   * With `prompt`, at the first message of a conversation: its id, as captured conversations are called. Then it is told
   * what was kept in the background since the last one.
   */
  readonly begins?: string
  /** With `prompt`: tools that were used since the last message of the user. */
  readonly toolUses?: readonly ToolUse[]
  /** With `prompt`. */
  readonly signal?: AbortSignal
}

export interface CaptureInput {
  readonly file: string
  readonly agent: string
  /** Narrows what may become of these sessions, for this reading. Default: the mode of each session alone. */
  readonly mode?: LayerMode
  readonly signal?: AbortSignal
  /** Called as rows are read, for progress. */
  readonly onProgress?: (progress: { readonly bytes: number; readonly totalBytes: number }) => void
}

export interface CaptureResult {
  readonly sessions: readonly string[]
  readonly messages: number
  /** Rows that were no message, by kind. */
  readonly skipped: Readonly<Record<string, number>>
  /** One entry per note that the rules of extraction offered. */
  readonly outcomes: readonly RememberResult[]
  /** Notes that the user took back in these words ("forget that", 别记这个). */
  readonly takenBack: number
  /** Notes that the agent cited or opened, turn by turn, and what it cited that is no note of the place (spec I7). */
  readonly uses: { readonly counted: number; readonly unknown: number }
  /** Why messages or notes were not kept, when something stood in the way (`SQLITE_UNAVAILABLE`, …). */
  readonly problems: readonly string[]
}

export interface RefreshInput {
  /** All that waits for a model, without waiting for conversations to be idle or for a cool-down. */
  readonly now?: boolean
  readonly signal?: AbortSignal
  /** Called while a model works on conversations and notes. */
  readonly onProgress?: (progress: DeferredProgress) => void
}

export interface RefreshResult {
  readonly layers: readonly { readonly layer: string; readonly changed: number; readonly removed: number }[]
  readonly captured: number
  readonly settled: number
  /** Displaced files that are looked at again once they are 60 s old. */
  readonly waiting: number
  readonly conflicts: readonly string[]
  /** Conversations whose kept start blocks were too old; absent when none was. */
  readonly droppedBlocks?: readonly string[]
  /** Absent while no embedder is named. `shown`: texts that the model saw in this run; call again until all are done. */
  readonly embedding?: EmbeddingStatus & { readonly shown: number }
  /** What a model was asked in this run, and what still waits for one. */
  readonly jobs: JobTally
  /** What was taken out of idle conversations, and what became of the notes. Absent where no database keeps conversations. */
  readonly deferred?: DeferredReport
  readonly problems: readonly string[]
}

export interface Memory {
  /** Keeps one memory. Expected refusals are values; it throws only for a broken store or wrong input. */
  remember(input: RememberInput): Promise<RememberResult>
  /**
   * Changes what is known: adds, replaces, removes and moves entries, all of them or none. Refusals are values that carry
   * the entries in question. Throws INPUT_INVALID, NOTE_NOT_FOUND, NOTE_AMBIGUOUS, STORE_BUSY; then nothing was changed.
   */
  remember(input: EditInput): Promise<EditResult>
  /** Finds notes and messages by words. Never throws for any query text. */
  recall(input: RecallInput): Promise<RecallResult>
  /** One note by id, unique id prefix (6 or more), file name or name; null when there is none. */
  read(reference: string, options?: ReadOptions): Promise<ReadResult | null>
  list(input?: ListInput): Promise<ListResult>
  /** Takes one note off disk, index and prompt, and leaves a content-free tombstone. Exact or unique reference only. */
  forget(reference: string, options?: ForgetOptions): Promise<ForgetResult>
  /**
   * What waits for a person's yes: list it (the default), show, approve, reject or edit it; and their word on a note that
   * is kept: it helped, it misled. A person's act only. What
   * became of each is a value; a `show` of what is not there throws PROPOSAL_NOT_FOUND.
   */
  review(input?: ReviewInput): Promise<ReviewResult>
  /** The start block for an agent; with `prompt` the turn block for one message. */
  context(input?: ContextInput): Promise<Block>
  /** Reads a transcript now: messages into sessions, notes by the rules of extraction. */
  capture(input: CaptureInput): Promise<CaptureResult>
  /** Brings index, MEMORY.md and displaced files up to date, in the foreground. */
  refresh(input?: RefreshInput): Promise<RefreshResult>
  status(): Promise<StatusReport>
  /** With `askModels` each model that is set up is also asked one short question, which is counted as any other. */
  doctor(input?: { readonly askModels?: boolean; readonly signal?: AbortSignal }): Promise<StatusReport>
  close(): Promise<void>
  readonly sessions: Sessions
  readonly history: HistoryAccess
  /** Work that waits for a model. */
  readonly jobs: Jobs
}
