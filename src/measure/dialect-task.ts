/** One task for one dialect: a conversation of its own, and what the model did in it. */
import { MemoryError, throwIfCancelled } from '../errors.ts'
import { readCitations } from '../guard/index.ts'
import { type AgentTool, type ModelJob, type ModelJobs, runAgent } from '../models/index.ts'
import { readPrompt } from '../util/index.ts'
import type { TaughtRule } from './dialect-data.ts'
import type { DialectHome } from './dialect-home.ts'
import type { MarkedTask } from './dialect-report.ts'
import { type DialectRun, markRun, type ToolUseInRun } from './dialect-score.ts'
import { watched } from './dialect-tools.ts'
import taskPrompt from './prompts/dialect-task.md'

/** Answers of the model to one task; a model that opens, looks and answers needs four. */
const MAX_TURNS = 8
const MAX_SHOWN_ANSWER = 500
const NOTHING_SPENT = { calls: 0, inputTokens: 0, outputTokens: 0, estimated: false }
/** What a block asks for at the end of an answer stands in its guidance. */
const ASKS_FOR_LIST = /<(?:keepsake-cite|oai-mem-citation)>/

export interface TaskSetting {
  readonly home: DialectHome
  readonly blocks: ReadonlyMap<string, string>
  readonly tools: readonly AgentTool[]
}

export interface PutTask extends MarkedTask {
  readonly spent: ReturnType<ModelJob['spent']>
}

interface Task {
  readonly rule: TaughtRule
  readonly dialect: string
  readonly setting: TaskSetting
  readonly signal: AbortSignal | undefined
}

/** Null when the signal said stop. */
export async function putTask(models: ModelJobs, task: Task): Promise<PutTask | null> {
  const { rule, dialect, setting, signal } = task
  const unput = { dialect, rule: rule.id, opened: null, verified: null, cited: null, obeyed: false, answer: '' }
  const begun = models.begin('measure', { signal })
  if (!begun.ok) return { ...unput, unanswered: begun.message, spent: NOTHING_SPENT }
  const uses: ToolUseInRun[] = []
  const block = setting.blocks.get(dialect) ?? ''
  try {
    throwIfCancelled(signal)
    const result = await runAgent(begun.job, {
      system: readPrompt(taskPrompt).text,
      prompt: `${block}\n\n${rule.task}`,
      tools: watched(setting.tools, uses),
      maxTurns: MAX_TURNS,
      signal,
    })
    const spent = begun.job.spent()
    if (!result.ok && result.reason !== 'turns') return { ...unput, unanswered: result.message, spent }
    const given = readCitations(result.ok ? result.text : '')
    const run: DialectRun = { answer: given.text, cited: await notesNamed(setting.home, given.references), uses }
    const note = setting.home.notes.get(rule.id) ?? ''
    const marks = markRun(run, { rule, note, asksForList: ASKS_FOR_LIST.test(block) })
    const answer = (result.ok ? result.text : '').slice(0, MAX_SHOWN_ANSWER).toWellFormed()
    return { dialect, rule: rule.id, ...marks, answer, unanswered: null, spent }
  } catch (error) {
    if (MemoryError.isInstance(error) && error.code === 'CANCELLED') return null
    throw error
  }
}

async function notesNamed({ memory }: DialectHome, references: readonly string[]): Promise<(string | null)[]> {
  const ids: (string | null)[] = []
  for (const reference of references) {
    try {
      ids.push((await memory.read(reference))?.note.id ?? null)
    } catch (error) {
      // What fits more than one note names none.
      if (!MemoryError.isInstance(error)) throw error
      ids.push(null)
    }
  }
  return ids
}
