import { layerModes } from './config.ts'
import { embedderForms, parseEmbedderName } from './embedder-name.ts'
import { jobKinds } from './job.ts'
import { languages } from './language.ts'
import { modelForms, parseModelName } from './model-name.ts'
import { noteTypes } from './note.ts'

/** Every configuration key once: what it is, what it may hold. `config`, `status` and the docs are made from this table. */

export type ConfigKeyKind =
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'amount-or-null' }
  | { readonly kind: 'embedder' }
  | { readonly kind: 'model' }
  | { readonly kind: 'prices' }
  | { readonly kind: 'job-budgets' }
  | { readonly kind: 'days-by-type' }
  | { readonly kind: 'days-by-project' }
  /** An object whose own keys are free (project folders, agent names). */
  | { readonly kind: 'map' }

export interface ConfigKey {
  readonly key: string
  readonly value: ConfigKeyKind
  readonly about: string
  /** What holds instead of a value that cannot be used; default: the default. */
  readonly whenWrong?: unknown
}

const DAYS = { min: 1, max: 30 }
const modes: ConfigKeyKind = { kind: 'choice', values: [...layerModes].reverse() }

export const configKeys: readonly ConfigKey[] = [
  {
    key: 'modes.global',
    value: modes,
    whenWrong: 'review',
    about: 'what may happen to the global layer: off, read-only, review, auto',
  },
  { key: 'modes.project', value: modes, whenWrong: 'review', about: 'the same for project layers' },
  { key: 'modes.team', value: modes, whenWrong: 'review', about: 'the same for team layers' },
  {
    key: 'session.mode',
    value: modes,
    whenWrong: 'off',
    about:
      'narrows all of them for one session of an agent: start it with KEEPSAKE_SESSION_MODE=off (nothing is kept or shown), read-only or review',
  },
  // Below these the guidance alone would break the cap.
  { key: 'inject.startTokens', value: { kind: 'integer', min: 400, max: 20_000 }, about: 'tokens of the start block' },
  {
    key: 'inject.startBytes',
    value: { kind: 'integer', min: 1_500, max: 100_000 },
    about: 'UTF-8 bytes of the start block',
  },
  {
    key: 'inject.turn',
    value: { kind: 'boolean' },
    about: 'show the notes that bear on a message beside it; false = only the start block',
  },
  { key: 'inject.turnNotes', value: { kind: 'integer', min: 0, max: 20 }, about: 'notes in one turn block' },
  { key: 'inject.turnBytes', value: { kind: 'integer', min: 0, max: 100_000 }, about: 'UTF-8 bytes of one turn block' },
  {
    key: 'inject.sessionBytes',
    value: { kind: 'integer', min: 0, max: 1_000_000 },
    about: 'UTF-8 bytes of all turn blocks that one conversation still shows',
  },
  {
    key: 'inject.language',
    value: { kind: 'choice', values: ['auto', ...languages] },
    about:
      'in which language the start block speaks: en, zh, or auto: Chinese when the last 20 messages of the user are mostly Chinese',
  },
  {
    key: 'freshness.fromDays',
    value: { kind: 'integer', ...DAYS },
    about: 'whole days from which on a note is shown with the word to check it first; rules of yours show their date',
  },
  {
    key: 'freshness.byType',
    value: { kind: 'days-by-type' },
    about: `the same by type of note (${noteTypes.join(', ')}): {"reference": 14}`,
  },
  {
    key: 'freshness.byProject',
    value: { kind: 'days-by-project' },
    about:
      'the same by project folder, for all its notes or by type: {"tidewater-0a1b2c3d": {"project": 3}}; wins over the two above',
  },
  {
    key: 'profile.userChars',
    value: { kind: 'integer', min: 100, max: 20_000 },
    about: 'code points of the user profile',
  },
  {
    key: 'profile.memoryChars',
    value: { kind: 'integer', min: 100, max: 20_000 },
    about: 'code points of the pinned memory',
  },
  {
    key: 'capture.sessions',
    value: { kind: 'boolean' },
    about: 'keep the words of conversations; false keeps notes and cursors only',
  },
  {
    key: 'capture.keepDays',
    value: { kind: 'integer', min: 1, max: 3_650 },
    about: 'days before a conversation is archived',
  },
  {
    key: 'deferred.idleHours',
    value: { kind: 'integer', min: 0, max: 720 },
    about: 'hours without a word before a conversation is read by a model in the background',
  },
  {
    key: 'deferred.maxAgeDays',
    value: { kind: 'integer', min: 1, max: 90 },
    about: 'conversations that ended longer ago are not read any more',
  },
  {
    key: 'deferred.perStart',
    value: { kind: 'integer', min: 0, max: 128 },
    about: 'conversations that one run of the worker reads; 0 = none',
  },
  {
    key: 'deferred.atOnce',
    value: { kind: 'integer', min: 1, max: 32 },
    about: 'conversations that are read at the same time',
  },
  {
    key: 'deferred.coolDownHours',
    value: { kind: 'integer', min: 0, max: 720 },
    about: 'hours between two passes of a model over the notes of one project',
  },
  {
    key: 'recall.rerank',
    value: { kind: 'boolean' },
    about: 'let a model, where one is set up, put the results of recall into order: one call for each search',
  },
  { key: 'history', value: { kind: 'boolean' }, about: 'keep the history of notes in git' },
  {
    key: 'sensitive',
    value: { kind: 'choice', values: ['refuse', 'mask', 'allow'] },
    about: 'health and money statements about a person',
  },
  {
    key: 'models.small',
    value: { kind: 'model' },
    about:
      'language model that reads conversations for notes, chooses and sums up; null = by rules alone. It gets masked text (docs/models.md)',
  },
  {
    key: 'models.large',
    value: { kind: 'model' },
    about: 'language model that consolidates what was gathered; null = the small one',
  },
  {
    key: 'models.prices',
    value: { kind: 'prices' },
    about:
      'by model name: {"input": 1, "output": 5}, the price of a million tokens; only needed where money is limited',
  },
  {
    key: 'embedder',
    value: { kind: 'embedder' },
    about:
      'finds notes and messages by meaning too; null = by words alone. A provider gets their masked text (docs/privacy.md)',
  },
  {
    key: 'budget.perDay.calls',
    value: { kind: 'integer', min: 0, max: 100_000 },
    about: 'calls of models in one UTC day; no kind of work takes more than half',
  },
  {
    key: 'budget.perDay.tokens',
    value: { kind: 'integer', min: 0, max: 1_000_000_000 },
    about: 'tokens of one UTC day, read and written together; no kind of work takes more than half',
  },
  {
    key: 'budget.perDay.money',
    value: { kind: 'amount-or-null' },
    about: 'money of one UTC day, in what models.prices are in; null = not counted',
  },
  {
    key: 'budget.perJob',
    value: { kind: 'job-budgets' },
    about: `ceilings of one job where they should not be the usual ones (docs/models.md): by kind (${jobKinds.join(', ')}) calls, inputTokens, outputTokens, seconds, money`,
  },
  { key: 'worker', value: { kind: 'boolean' }, about: 'let hooks start the background worker' },
  { key: 'projects', value: { kind: 'map' }, about: 'per project folder: dir, mode, overlay' },
  { key: 'agents', value: { kind: 'map' }, about: 'per agent: native (leave, read, store), layers' },
]

/** One sentence when `value` cannot be used for the key, else null. */
export function valueProblem(kind: ConfigKeyKind, value: unknown): string | null {
  switch (kind.kind) {
    case 'choice':
      return typeof value === 'string' && kind.values.includes(value)
        ? null
        : `must be one of ${kind.values.join(', ')}`
    case 'integer':
      return isWhole(value, kind) ? null : `must be a whole number from ${kind.min} to ${kind.max}`
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false'
    case 'amount-or-null':
      return value === null || isAmount(value) ? null : 'must be a number from 0 on, or null'
    case 'embedder':
      return value === null || (typeof value === 'string' && parseEmbedderName(value) !== null)
        ? null
        : `must be null or one of ${embedderForms.join(', ')}`
    case 'model':
      return value === null || (typeof value === 'string' && parseModelName(value) !== null)
        ? null
        : `must be null or one of ${modelForms.join(', ')}`
    case 'prices':
      return isRecord(value) && Object.values(value).every(isPrice)
        ? null
        : 'must be an object of prices by model, such as {"openai:m": {"input": 1, "output": 5}}'
    case 'job-budgets':
      return isRecord(value) && Object.entries(value).every(([kind, limits]) => isJobKind(kind) && isLimits(limits))
        ? null
        : `must be an object by kind of job (${jobKinds.join(', ')}), such as {"extraction": {"calls": 3}}`
    case 'days-by-type':
      return isDaysByType(value) ? null : `must be an object of days (1-30) by type of note, such as {"reference": 14}`
    case 'days-by-project':
      return isRecord(value) && Object.values(value).every((each) => isWhole(each, DAYS) || isDaysByType(each))
        ? null
        : 'must be an object by project folder, each of days (1-30) or of days by type of note'
    case 'map':
      return isRecord(value) ? null : 'must be an object'
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isWhole(value: unknown, { min, max }: { readonly min: number; readonly max: number }): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
}

function isDaysByType(value: unknown): boolean {
  const isType = (name: string) => noteTypes.some((each) => each === name)
  return isRecord(value) && Object.entries(value).every(([type, days]) => isType(type) && isWhole(days, DAYS))
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function isPrice(value: unknown): boolean {
  return isRecord(value) && isAmount(value.input) && isAmount(value.output) && Object.keys(value).length === 2
}

function isJobKind(kind: string): boolean {
  return jobKinds.some((each) => each === kind)
}

const LIMITS = ['calls', 'inputTokens', 'outputTokens', 'seconds', 'money']

function isLimits(value: unknown): boolean {
  return isRecord(value) && Object.entries(value).every(([limit, amount]) => LIMITS.includes(limit) && isAmount(amount))
}
