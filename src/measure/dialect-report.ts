/** The figures of `keepsake eval dialect`. */
import { dialectOf } from '../engine/index.ts'
import { type Discipline, type DisciplineShare, disciplines, type RuleMarks, shareOfMarks } from './dialect-score.ts'
import type { PutTask } from './dialect-task.ts'

export interface MarkedTask extends RuleMarks {
  readonly dialect: string
  readonly rule: string
  /** As it was given, at most 500 characters. */
  readonly answer: string
  /** Why there is no answer; such a task counts for nothing. Null: it was answered, or the model never came to an end. */
  readonly unanswered: string | null
}

export type DialectFigures = Readonly<Record<Discipline, DisciplineShare | null>> & {
  readonly dialect: string
  /** Of its template. */
  readonly version: number
  /** Tasks that were answered. */
  readonly tasks: number
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface DialectReport {
  readonly model: string
  readonly rules: number
  /** Tasks that were put, and how many there are in all. */
  readonly done: number
  readonly of: number
  /** Why not all were put; then the figures are of those that were. */
  readonly stopped: string | null
  /** Some of the tokens are our estimate. */
  readonly estimated: boolean
  readonly dialects: readonly DialectFigures[]
  readonly tasks: readonly MarkedTask[]
}

export function figuresOf(dialect: string, done: readonly PutTask[]): DialectFigures {
  const own = done.filter((task) => task.dialect === dialect)
  const answered = own.filter(({ unanswered }) => unanswered === null)
  const sum = (field: 'calls' | 'inputTokens' | 'outputTokens') => own.reduce((all, { spent }) => all + spent[field], 0)
  // Evidence: every discipline is there.
  const shares = Object.fromEntries(disciplines.map((each) => [each, shareOfMarks(answered, each)])) as Record<
    Discipline,
    DisciplineShare | null
  >
  const spent = { calls: sum('calls'), inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') }
  return { dialect, version: dialectOf(dialect).version, tasks: answered.length, ...shares, ...spent }
}
