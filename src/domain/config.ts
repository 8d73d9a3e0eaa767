/** Typed configuration (spec S7) and its defaults. Loading lives in src/config.ts. */
import type { DayBudget } from './call-ledger.ts'
import { DAY_BUDGET, type JobBudget, type JobKind, type ModelPrice } from './job.ts'
import type { Language } from './language.ts'
import { folderOfLayer, type Layer } from './layer.ts'
import type { NoteType } from './note.ts'

/** From the freest to the strictest. */
export const layerModes = ['auto', 'review', 'read-only', 'off'] as const
export type LayerMode = (typeof layerModes)[number]

export function isLayerMode(value: unknown): value is LayerMode {
  return layerModes.some((mode) => mode === value)
}

/** Of two that both hold. */
export function stricterMode(one: LayerMode, other: LayerMode): LayerMode {
  return layerModes.indexOf(one) > layerModes.indexOf(other) ? one : other
}

export interface Config {
  readonly modes: { readonly global: LayerMode; readonly project: LayerMode; readonly team: LayerMode }
  /** Of this session (spec W11): it narrows the modes of all layers. */
  readonly session: { readonly mode: LayerMode }
  readonly inject: {
    /** tokenx tokens of the start block. */
    readonly startTokens: number
    /** UTF-8 bytes of the start block. */
    readonly startBytes: number
    /** Whether a message calls up notes (turn block, prefetch). */
    readonly turn: boolean
    readonly turnNotes: number
    readonly turnBytes: number
    readonly sessionBytes: number
    /** `auto`: as the user writes. */
    readonly language: 'auto' | Language
  }
  /** Whole days from which on a note is told to be checked first, 1-30 (spec I4). */
  readonly freshness: {
    readonly fromDays: number
    readonly byType: Readonly<Partial<Record<NoteType, number>>>
    /** By project folder: for all its notes, or by type. */
    readonly byProject: Readonly<Record<string, number | Readonly<Partial<Record<NoteType, number>>>>>
  }
  /** Code points. */
  readonly profile: { readonly userChars: number; readonly memoryChars: number }
  readonly capture: { readonly sessions: boolean; readonly keepDays: number }
  /** What is taken out of idle conversations, where a model is set up. */
  readonly deferred: {
    readonly idleHours: number
    readonly maxAgeDays: number
    /** Conversations read by one run of the worker; 0 switches the reading off. */
    readonly perStart: number
    readonly atOnce: number
    readonly coolDownHours: number
  }
  /** Whether a model puts the results of asked searches into order, where one is set up. */
  readonly recall: { readonly rerank: boolean }
  readonly history: boolean
  readonly sensitive: 'refuse' | 'mask' | 'allow'
  readonly models: {
    readonly small: string | null
    readonly large: string | null
    /** By the name of the model. */
    readonly prices: Readonly<Record<string, ModelPrice>>
  }
  readonly embedder: string | null
  readonly budget: {
    /** What differs from JOB_BUDGETS. */
    readonly perJob: Readonly<Partial<Record<JobKind, Partial<JobBudget>>>>
    readonly perDay: Pick<DayBudget, 'calls' | 'tokens' | 'money'>
  }
  readonly worker: boolean
  /** By project folder (`<slug>-<key>`). */
  readonly projects: Readonly<
    Record<string, { readonly dir?: string; readonly mode?: LayerMode; readonly overlay?: boolean }>
  >
  /** By agent name. */
  readonly agents: Readonly<
    Record<string, { readonly native?: 'leave' | 'read' | 'store'; readonly layers?: readonly string[] }>
  >
}

export const DEFAULT_CONFIG: Config = {
  modes: { global: 'auto', project: 'auto', team: 'auto' },
  session: { mode: 'auto' },
  inject: {
    startTokens: 2_500,
    startBytes: 9_500,
    turn: true,
    turnNotes: 5,
    turnBytes: 20_000,
    sessionBytes: 60_000,
    language: 'auto',
  },
  freshness: { fromDays: 1, byType: {}, byProject: {} },
  profile: { userChars: 1_375, memoryChars: 2_200 },
  capture: { sessions: true, keepDays: 90 },
  deferred: { idleHours: 6, maxAgeDays: 10, perStart: 2, atOnce: 8, coolDownHours: 6 },
  recall: { rerank: false },
  history: true,
  sensitive: 'refuse',
  models: { small: null, large: null, prices: {} },
  embedder: null,
  budget: { perJob: {}, perDay: { calls: DAY_BUDGET.calls, tokens: DAY_BUDGET.tokens, money: DAY_BUDGET.money } },
  worker: true,
  projects: {},
  agents: {},
}

/**
 * What may happen to a layer (spec W11): a project may have a mode of its own; else the mode of its kind of layer. Where
 * a project is switched off, what its team shares is not read either.
 */
export function modeOf(
  layer: Pick<Layer, 'name' | 'key'>,
  config: Pick<Config, 'modes' | 'projects'> & Partial<Pick<Config, 'session'>>,
): LayerMode {
  return stricterMode(ownModeOf(layer, config), config.session?.mode ?? 'auto')
}

function ownModeOf(layer: Pick<Layer, 'name' | 'key'>, config: Pick<Config, 'modes' | 'projects'>): LayerMode {
  if (layer.name === 'global') return config.modes.global
  const folder = folderOfLayer(layer.key) ?? layer.key
  const own = Object.hasOwn(config.projects, folder) ? config.projects[folder]?.mode : undefined
  if (layer.name === 'team') return own === 'off' ? 'off' : config.modes.team
  return own ?? config.modes.project
}
