/**
 * A model that works with tools until it has an answer (spec W15). Bounded by its job (calls, tokens, seconds), by turns,
 * and by what one turn may ask for and be answered. What the model does wrong (a tool that does not exist, an input that
 * does not fit) it is told as the result of the call: nothing happens, and nothing is thrown. Must not know what the
 * tools do.
 */
import { MemoryError, throwIfCancelled } from '../errors.ts'
import { escapeFenced, safeText } from '../guard/index.ts'
import type { CompletionStep, ToolCall, ToolDefinition } from './completer.ts'
import type { ModelJob, NoAnswerReason } from './model-jobs.ts'

export interface AgentTool extends ToolDefinition {
  /** `input` is what the model gave, unchecked: what is wrong with it is a result too. Masked and fenced where it quotes. */
  run(input: unknown, signal?: AbortSignal): Promise<string>
}

export interface AgentTask {
  readonly system: string
  readonly prompt: string
  readonly tools: readonly AgentTool[]
  /** Answers of the model, the last one included. */
  readonly maxTurns: number
  readonly signal?: AbortSignal
  /** Before each question, counted from 1. It may throw to stop the run. */
  readonly onTurn?: (turn: number) => void
}

export type AgentResult =
  | { readonly ok: true; readonly text: string; readonly turns: number }
  /** `turns`: it still asked for tools when it had no turn left. `message`: one plain sentence part. */
  | { readonly ok: false; readonly reason: NoAnswerReason | 'turns'; readonly message: string; readonly turns: number }

/** Calls of one turn that are carried out; a model asks for two or three, one that has lost its way for hundreds. */
export const MAX_CALLS_IN_TURN = 12
/** UTF-16 units of the results of one turn: each stands in every later question. */
export const MAX_RESULTS_LENGTH = 40_000
const MAX_SHOWN_NAME = 60

/** Ends at the first answer without a call. Throws CANCELLED, and what a tool throws that is no MemoryError: a fault of ours. */
export async function runAgent(job: ModelJob, task: AgentTask): Promise<AgentResult> {
  const { system, prompt, tools, maxTurns, signal } = task
  const definitions = tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
  const steps: CompletionStep[] = []
  for (let turn = 1; turn <= maxTurns; turn++) {
    throwIfCancelled(signal)
    task.onTurn?.(turn)
    const answer = await job.ask({ system, prompt, steps: [...steps], tools: definitions })
    if (!answer.ok) return { ...answer, turns: turn - 1 }
    if (answer.calls.length === 0) return { ok: true, text: answer.text, turns: turn }
    // Nobody would read what these calls give.
    if (turn < maxTurns) steps.push(await carryOut(answer.text, answer.calls, task))
  }
  return { ok: false, reason: 'turns', message: `it was not done after ${maxTurns} turns`, turns: maxTurns }
}

/** In order, one after the other: a later call may rest on what an earlier one did. */
async function carryOut(text: string, asked: readonly ToolCall[], task: AgentTask): Promise<CompletionStep> {
  const calls = asked.slice(0, MAX_CALLS_IN_TURN)
  const results: CompletionStep['results'][number][] = []
  let left = MAX_RESULTS_LENGTH
  for (const { id, name, input } of calls) {
    throwIfCancelled(task.signal)
    const given = left > 0 ? await resultOf({ name, input }, task) : NO_ROOM
    const result = given.length > Math.max(left, NO_ROOM.length) ? TOO_LONG : given
    left -= result.length
    results.push({ id, name, text: result })
  }
  return { text, calls, results: withLeftOut(results, asked.length - calls.length) }
}

const NO_ROOM = 'Not done: the results of this turn are as long as they may be. Ask again, for less.'
const TOO_LONG = 'The result is too long to be shown. Ask for less of it.'

function withLeftOut(results: CompletionStep['results'], leftOut: number): CompletionStep['results'] {
  if (leftOut === 0) return results
  const told = `\n${leftOut} more calls were not done: at most ${MAX_CALLS_IN_TURN} in one turn.`
  return results.map((each, index) => (index === results.length - 1 ? { ...each, text: each.text + told } : each))
}

async function resultOf({ name, input }: Pick<ToolCall, 'name' | 'input'>, task: AgentTask): Promise<string> {
  const tool = task.tools.find((each) => each.name === name)
  if (!tool) return noSuchTool(name, task.tools)
  try {
    return await tool.run(input, task.signal)
  } catch (error) {
    throwIfCancelled(task.signal)
    if (!MemoryError.isInstance(error)) throw error
    // It may name a file, and that name is somebody's words.
    return `Not done: ${escapeFenced(safeText(`${error.message} ${error.hint ?? ''}`.trim(), 'error').text)}`
  }
}

function noSuchTool(name: string, tools: readonly AgentTool[]): string {
  const names = tools.map((each) => each.name).join(', ')
  return `Refused: there is no tool ${JSON.stringify(name.slice(0, MAX_SHOWN_NAME))}, and nothing was done. There are: ${names || 'none'}.`
}
