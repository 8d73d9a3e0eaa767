/** What both blocks read from: the home, its layers for this folder, and what one look at each layer said. */
import type { Block, Clock, Config, Home, Layer, ShownBlock, VerifyNotes } from '../domain/index.ts'
import type { LayerListing, NoteFiles } from '../store/notes/note-files.ts'
import type { Here } from '../store/notes/precedence.ts'

export interface ReadMemoryOptions {
  readonly home: string
  readonly cwd: string
  readonly config: Config
  readonly userHome: string
  readonly temporaryDirectory: string
  /** Default: the system's. */
  readonly clock?: Clock
  /** Looks up what notes name. Default: the working tree of the folder. Null: nothing is looked up. */
  readonly verify?: VerifyNotes | null
}

export interface TurnBlockOptions {
  readonly prompt: string
  /** Our blocks that the conversation still shows. */
  readonly shown: readonly ShownBlock[]
  /** When this conversation began or was last cut, UTC ISO 8601. */
  readonly sessionStart: string | null
  /** Id of the session when this is its first message; else null. */
  readonly begins: string | null
  /** Tools that just worked; asked when a note is about tools. Default: none. */
  readonly worked?: () => readonly string[]
  /** The host's own cap on one block, UTF-8 bytes. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

export interface ReadMemory {
  /** `agent`: whose dialect. `compacted`: the conversation (`<agent>:<native id>`) that goes on behind a compaction. */
  startBlock(options: {
    readonly agent: string
    readonly compacted?: string | null
    readonly signal?: AbortSignal
  }): Promise<Block>
  turnBlock(options: TurnBlockOptions): Promise<Block>
}

export interface Reading {
  readonly options: ReadMemoryOptions & { readonly clock: Clock }
  readonly home: Home
  readonly files: NoteFiles
  readonly layers: readonly Layer[]
  readonly projectName: string | null
  /** Null outside any project. */
  readonly workingTree: string | null
  readonly here: Here
  /** Taken once: a hook lives for milliseconds. */
  readonly listingOf: (layer: Layer) => Promise<LayerListing>
  readonly isToolWritten: (path: string) => boolean
}
