/**
 * Keepsake as a library.
 *
 *     import { createMemory } from 'keepsake'
 *     const memory = await createMemory({ cwd: process.cwd() })
 *     await memory.remember({ text: 'Use pnpm, never npm, in this repository' })
 *     const { results } = await memory.recall({ query: 'package manager' })
 *     await memory.close()
 *
 * The `Memory` interface is the table of contents; every effect can be handed in.
 */
import { agentHooks } from './adapters/hot.ts'
import { agents } from './adapters/index.ts'
import { homeDirectory, type LoadedConfig, loadConfig, type Surroundings, surroundings } from './config.ts'
import type { Clock, IdSource, Memory, TranscriptReader } from './domain/index.ts'
import {
  type BackupResult,
  createEngine,
  backupHome as engineBackup,
  restoreHome as engineRestore,
  type RestoreResult,
} from './engine/index.ts'
import type { Completer, Embedder } from './models/index.ts'
import { createIdSource, systemClock } from './util/index.ts'

export * from './domain/index.ts'
export { errorCodes, MemoryError, type MemoryErrorCode } from './errors.ts'

export interface MemoryOptions {
  /** Absolute path of the home. Default: `KEEPSAKE_HOME`, else `~/.keepsake`. */
  readonly home?: string
  /** The folder whose project is meant. Default: the current folder. */
  readonly cwd?: string
  /** Default: what the home's config.json and `KEEPSAKE_*` say. */
  readonly config?: LoadedConfig
  readonly clock?: Clock
  readonly ids?: IdSource
  /**
   * Finds by meaning beside words: any object with `id` and `embed` (type `Embedder`). Default: the one that the setting
   * `embedder` names, if any; null switches it off. `refresh` shows it what was written since.
   */
  readonly embedder?: Embedder | null
  /** Readers of transcripts beside those of the known agents, by agent name: for an agent of your own. */
  readonly readers?: Readonly<Record<string, TranscriptReader>>
  /**
   * A language model of yours, for everything that asks one. Default: those that the settings `models.small` and
   * `models.large` name, if any; null switches them off.
   */
  readonly completer?: Completer | null
  /** Another one for consolidation, which wants the better of two. Default: `completer`. */
  readonly largeCompleter?: Completer
  /** Environment, user home and temporary folder. Default: those of this process. */
  readonly surroundings?: Surroundings
}

/** Opens memory. Creates nothing: the first write does. Throws HOME_INVALID, INPUT_INVALID. Close it when done. */
export async function createMemory(options: MemoryOptions = {}): Promise<Memory> {
  const around = options.surroundings ?? surroundings()
  const home = homeDirectory(options.home, around)
  const clock = options.clock ?? systemClock
  return createEngine({
    home,
    cwd: options.cwd ?? process.cwd(),
    loaded: options.config ?? loadConfig(home, around.environment),
    userHome: around.userHome,
    temporaryDirectory: around.temporaryDirectory,
    gitSearchPath: around.environment.PATH,
    environment: around.environment,
    embedder: options.embedder,
    clock,
    ids: options.ids ?? createIdSource(clock),
    completer: options.completer,
    largeCompleter: options.largeCompleter,
    readers: {
      ...options.readers,
      ...Object.fromEntries(
        Object.entries(agents).map(([name, { reader }]) => [name, { ...reader, ...shownBlocksOf(name) }]),
      ),
    },
  })
}

/** What a hook knows of our blocks in a transcript, for capture. */
function shownBlocksOf(agent: string): Pick<TranscriptReader, 'shownBlocks'> {
  const hooks = Object.hasOwn(agentHooks, agent) ? agentHooks[agent] : undefined
  return hooks ? { shownBlocks: hooks.shownBlocks } : {}
}

export {
  createPrefetch,
  type Prefetch,
  type PrefetchMessage,
  type PrefetchOptions,
  type PrefetchState,
} from './engine/index.ts'
export { type CitationReader, createCitationReader, stripCitations } from './guard/index.ts'
export type { Completer, Completion, CompletionRequest, Embedder, EmbedOptions } from './models/index.ts'
export { createCompleter, createEmbedder } from './models/index.ts'
export type { BackupResult, RestoreResult }

export interface HomeCopyOptions {
  /** Absolute path of the home. Default: `KEEPSAKE_HOME`, else `~/.keepsake`. */
  readonly home?: string
  readonly clock?: Clock
  readonly surroundings?: Surroundings
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: { readonly bytes: number; readonly totalBytes: number }) => void
}

/**
 * Writes the whole memory into one file (mode 0600) while others may write to it. `target` is a file that does not exist
 * yet, or a folder. `leftOut` of the result names what could not be read; nothing is left out silently.
 */
export function backupHome(options: HomeCopyOptions & { readonly target: string }): Promise<BackupResult> {
  return engineBackup({ ...options, ...effectsOf(options) })
}

/**
 * Makes a home from a backup; it is checked whole before anything is touched. A home that holds something is refused
 * (HOME_NOT_EMPTY), or with `replace` moved aside; it is never deleted.
 */
export function restoreHome(
  options: HomeCopyOptions & { readonly file: string; readonly replace?: boolean },
): Promise<RestoreResult> {
  return engineRestore({ ...options, ...effectsOf(options) })
}

function effectsOf({ clock, surroundings: around }: HomeCopyOptions) {
  return { clock: clock ?? systemClock, surroundings: around ?? surroundings() }
}
