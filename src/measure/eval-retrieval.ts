/** `keepsake eval retrieval`: how well recall finds the gold turns or sessions of a data set, through the doors of everybody. */
import type { Memory } from '../domain/index.ts'
import { MemoryError, throwIfCancelled } from '../errors.ts'
import type { Embedder } from '../index.ts'
import { type QuestionRow, readQuestions, readTurns } from './retrieval-data.ts'
import { createRetrievalHome, keyOf, turnKey } from './retrieval-home.ts'
import { type Answered, type RetrievalScore, scoreAnswers } from './retrieval-score.ts'

/** The deepest that is scored. */
const DEPTH = 10

export interface EvalRetrievalOptions {
  readonly turnsFile: string
  readonly questionsFile: string
  readonly unit: 'turn' | 'session'
  /** Conversations in one project: null = each alone, 0 = all together. */
  readonly pooled: number | null
  /** Questions of these categories are not asked. */
  readonly without: readonly string[]
  /** Meaning beside words; null: words alone. */
  readonly embedder: Embedder | null
  /** The home that is filled lies below it, and is removed at the end. */
  readonly temporaryDirectory: string
  readonly signal?: AbortSignal
  readonly onProgress?: (done: { readonly groups: number; readonly of: number }) => void
}

export interface RetrievalReport extends RetrievalScore {
  readonly unit: 'turn' | 'session'
  readonly pooled: number | null
  /** Id of the embedder. */
  readonly embedder: string | null
  /** Questions without a gold item of this unit, or of a category that was left out. */
  readonly skipped: number
}

/** Throws INPUT_INVALID for files that are no data set. Stops between two questions when the signal says so. */
export async function evalRetrieval(options: EvalRetrievalOptions): Promise<RetrievalReport> {
  const turns = readTurns(options.turnsFile)
  const questions = readQuestions(options.questionsFile)
  const asked = questions.filter((each) => !options.without.includes(each.cat) && goldOf(each, options.unit).length > 0)
  if (asked.length === 0)
    throw new MemoryError('INPUT_INVALID', `${options.questionsFile} asks for no ${options.unit}`, {
      hint: 'Questions need gold items: gt for turns, gs for sessions.',
      data: { field: 'gt' },
    })
  const home = createRetrievalHome(turns, options)
  try {
    const answers: Answered[] = []
    for (const [at, group] of home.groups.entries()) {
      const wanted = new Set(group)
      const here = asked.filter(({ c }) => wanted.has(c))
      if (here.length > 0) answers.push(...(await answersIn(await home.open(group, options.signal), here, options)))
      options.onProgress?.({ groups: at + 1, of: home.groups.length })
    }
    const { unit, pooled, embedder } = options
    return {
      unit,
      pooled,
      embedder: embedder?.id ?? null,
      skipped: questions.length - asked.length,
      ...scoreAnswers(answers),
    }
  } finally {
    home.close()
  }
}

async function answersIn(
  memory: Memory,
  questions: readonly QuestionRow[],
  { unit, signal }: EvalRetrievalOptions,
): Promise<Answered[]> {
  const answers: Answered[] = []
  try {
    // The first search of a home brings the index up to date; that is not what is timed.
    await memory.recall({ query: 'warm up', in: 'sessions', limit: 1 })
    for (const question of questions) {
      throwIfCancelled(signal)
      const started = performance.now()
      const returned = await (unit === 'turn' ? turnsFor(memory, question.q) : sessionsFor(memory, question.q))
      const milliseconds = performance.now() - started
      answers.push({ category: question.cat, gold: goldOf(question, unit), returned, milliseconds })
    }
  } finally {
    await memory.close()
  }
  return answers
}

async function turnsFor(memory: Memory, query: string): Promise<string[]> {
  const { results } = await memory.recall({ query, in: 'sessions', limit: DEPTH })
  return results.map(({ id }) => keyOf(id))
}

async function sessionsFor(memory: Memory, query: string): Promise<string[]> {
  const { sessions } = await memory.sessions.search({ query, limit: DEPTH })
  return sessions.map(({ session }) => keyOf(session.id))
}

function goldOf({ c, gt, gs }: QuestionRow, unit: 'turn' | 'session'): string[] {
  return (unit === 'turn' ? gt : gs).map((each) => turnKey(c, each))
}
