/**
 * `keepsake eval dialect`: rules are taught through `remember`; then a model is given the start block of each dialect and,
 * in conversations of their own, tasks that call for the rules. Scored is what it did: opened the note, verified what the
 * note names, cited it where the dialect asks for that, obeyed it.
 */
import { type Clock, type Config, type IdSource, JOB_BUDGETS } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import type { Completer } from '../index.ts'
import { type AgentTool, createModelJobs, type ModelJobs } from '../models/index.ts'
import { createMemoryCallLedger } from '../store/state/memory-call-ledger.ts'
import { createIdSource, systemClock } from '../util/index.ts'
import { readTaughtRules, type TaughtRule } from './dialect-data.ts'
import { type DialectHome, openDialectHome } from './dialect-home.ts'
import { type DialectReport, figuresOf } from './dialect-report.ts'
import { type PutTask, putTask, type TaskSetting } from './dialect-task.ts'
import { treeTools } from './dialect-tools.ts'

/** Tools as the MCP server gives them; those that change memory are left out. */
export interface MemoryTools {
  readonly tools: readonly (Omit<AgentTool, 'run'> & { run(input: unknown): Promise<string> })[]
  close(): Promise<void>
}

export interface EvalDialectOptions {
  /** Null: the rules that ship. */
  readonly rulesFile: string | null
  readonly dialects: readonly string[]
  readonly completer: Completer
  /** Ceilings of one task (kind `measure`), prices and, where it is limited, the money of the whole run. */
  readonly settings: Pick<Config, 'models' | 'budget'>
  /** The home is filled below it, and is removed. */
  readonly temporaryDirectory: string
  readonly openTools: (memory: DialectHome['memory']) => Promise<MemoryTools>
  readonly signal?: AbortSignal
  readonly onProgress?: (done: { readonly tasks: number; readonly of: number }) => void
  readonly clock?: Clock
  readonly ids?: IdSource
}

/** As many tasks without an answer in a row mean that there will be none. */
const MAX_UNANSWERED = 3

/**
 * Throws INPUT_INVALID for rules that are none, AGENT_UNKNOWN, MODEL_UNAVAILABLE when not one task was answered. Stopped by
 * the signal it gives what it has.
 */
export async function evalDialect(options: EvalDialectOptions): Promise<DialectReport> {
  const taught = readTaughtRules(options.rulesFile)
  const home = await openDialectHome(taught, options.temporaryDirectory)
  try {
    const blocks = new Map<string, string>()
    for (const dialect of options.dialects) blocks.set(dialect, (await home.memory.context({ agent: dialect })).text)
    const tools = await options.openTools(home.memory)
    try {
      const memoryTools = tools.tools.filter(({ name }) => name === 'memory_search' || name === 'memory_get')
      const setting = { home, blocks, tools: [...memoryTools, ...treeTools(taught.tree)] }
      return await putTasks(taught.rules, setting, options)
    } finally {
      await tools.close()
    }
  } finally {
    await home.close()
  }
}

/** Rule by rule through all dialects, so that a run that is stopped early compares them on the same rules. */
async function putTasks(
  rules: readonly TaughtRule[],
  setting: TaskSetting,
  options: EvalDialectOptions,
): Promise<DialectReport> {
  const all = rules.flatMap((rule) => options.dialects.map((dialect) => ({ rule, dialect })))
  const models = modelsFor(options, all.length)
  const done: PutTask[] = []
  let stopped: string | null = null
  for (const { rule, dialect } of all) {
    const put = await putTask(models, { rule, dialect, setting, signal: options.signal })
    if (put === null) {
      stopped = 'it was stopped'
      break
    }
    done.push(put)
    options.onProgress?.({ tasks: done.length, of: all.length })
    const last = done.slice(-MAX_UNANSWERED)
    if (last.length === MAX_UNANSWERED && last.every(({ unanswered }) => unanswered !== null)) {
      stopped = put.unanswered
      break
    }
  }
  if (done.length > 0 && done.every(({ unanswered }) => unanswered !== null))
    throw new MemoryError('MODEL_UNAVAILABLE', `No task was answered: ${done.at(-1)?.unanswered}`, {
      hint: "See 'keepsake doctor --ask-models'.",
    })
  return {
    model: options.completer.id,
    rules: rules.length,
    done: done.length,
    of: all.length,
    stopped,
    estimated: done.some(({ spent }) => spent.estimated),
    dialects: options.dialects.map((dialect) => figuresOf(dialect, done)),
    tasks: done.map(({ spent: _, ...task }) => task),
  }
}

/** A ledger of its own: the run is bounded by its tasks, and takes nothing from the day of the user's memory. */
function modelsFor({ completer, settings, clock = systemClock, ids }: EvalDialectOptions, tasks: number): ModelJobs {
  const ledger = createMemoryCallLedger()
  const measure = { ...JOB_BUDGETS.measure, ...settings.budget.perJob.measure }
  return createModelJobs({
    small: completer,
    large: null,
    ledger: () => ledger,
    clock,
    ids: ids ?? createIdSource(clock),
    budget: {
      perJob: { ...JOB_BUDGETS, measure },
      perDay: {
        calls: tasks * measure.calls,
        tokens: tasks * (measure.inputTokens + measure.outputTokens),
        money: settings.budget.perDay.money ?? null,
        shareOfOneKind: 1,
      },
      prices: settings.models.prices,
    },
  })
}
