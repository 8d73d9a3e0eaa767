/** Ports to agents. Adapters implement them; engine, worker, hooks and CLI get them handed in. */
import type { ShownBlock } from './block.ts'
import type { ToolUse } from './tool-use.ts'
import type { TranscriptBatch } from './transcript.ts'

export interface ReadTranscriptOptions {
  /** Byte offset to start at: the cursor of an earlier read. Default 0. */
  readonly fromOffset?: number
  readonly signal?: AbortSignal
}

/** Reads one agent's log files, forward, at flat memory. */
export interface TranscriptReader {
  /** Agent name as in session ids: `claude-code`. */
  readonly agent: string
  /** Program and arguments that go on with a conversation, before its id. The id is part of the transcript's name. */
  readonly resume?: readonly string[]
  /**
   * Batches in file order, about one turn each. A half-written last line is left for the next read. Bytes that are
   * no record are skipped and counted, never thrown. Throws TRANSCRIPT_UNREADABLE when the file cannot be opened.
   */
  read(file: string, options?: ReadTranscriptOptions): AsyncIterable<TranscriptBatch>
  /**
   * Files beside a transcript that belong to the same conversation (its sub-agents): read with a cursor of their own,
   * they give no messages, but they do give memory writes. Never throws; empty when there are none.
   */
  companions?(file: string): Promise<readonly string[]>
  /** Our own blocks that the conversation of this transcript was shown. Absent: it is not known. */
  shownBlocks?(transcript: string): readonly ShownBlock[]
}

/** What one `install` or `uninstall` did, or would do. */
export interface WiringChange {
  readonly file: string
  readonly action: 'created' | 'changed' | 'removed' | 'unchanged' | 'restored'
  readonly detail: string
}

export interface WiringOptions {
  /** The user's home folder (where the agent's own settings lie). */
  readonly userHome: string
  /** Environment of the agent, for variables that move its settings. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Keepsake home, for backups and the receipt. */
  readonly keepsakeHome: string
  /** Commands that the agent will run, each as executable + arguments. */
  readonly hookCommand: readonly string[]
  readonly mcpCommand: readonly string[]
  readonly dryRun?: boolean
}

/** Puts Keepsake into one agent's settings and takes it out again, byte-exact. */
export interface AgentWiring {
  install(options: WiringOptions): Promise<readonly WiringChange[]>
  uninstall(options: WiringOptions): Promise<readonly WiringChange[]>
  /** Sentences about what is wrong with the wiring; empty when it is as installed. Never throws. */
  verify(options: WiringOptions): Promise<readonly string[]>
  /** Whether a sentence of `verify` asks the person for a step that nobody else may take; what was installed is as it must be. */
  asksPerson?(problem: string): boolean
}

/** What a hook got on stdin, in our words. */
export interface HookEvent {
  readonly kind: 'session-start' | 'user-prompt' | 'turn-end' | 'before-compaction' | 'session-end' | 'other'
  /** For `session-start`: whether a start block belongs here (startup, clear, compact) or not (resume, fork). */
  readonly fresh: boolean
  /** For `session-start`: the conversation goes on behind a compaction. */
  readonly compacted?: true
  readonly nativeSessionId: string | null
  readonly transcript: string | null
  readonly cwd: string | null
  readonly prompt: string | null
}

/** The hook side of one agent. Pure: no file or process access; small enough for the hook bundle. */
export interface AgentHooks {
  readonly agent: string
  /** Never throws: input that is not as expected gives `other`. */
  parse(eventName: string, stdin: string): HookEvent
  /** What goes to stdout so that the agent sees `text`; empty string for no text. */
  format(event: HookEvent, text: string): string
  /** False for prompts that are no words of the user (slash commands, client tags). */
  isUserPrompt(prompt: string): boolean
  /** Whether a prompt of the user stands in this end of a transcript, other than the one that is being answered. */
  hasEarlierPrompt(transcriptTail: string, prompt: string): boolean
  /**
   * Tools that were used and answered since the user's last message, other than the one that is being answered.
   */
  toolUses(transcriptTail: string, prompt: string): readonly ToolUse[]
  /** Our blocks still visible in the conversation, from the transcript read backwards to the last compaction (at most `maxBytes`). */
  shownBlocks(transcriptTail: string): readonly ShownBlock[]
}
