/**
 * `keepsake eval foreign`: what the block of a message does with questions whose answer is not there. Each turn of a
 * conversation is a note of one project; asked are the questions about these conversations and as many about others.
 * Foreign ones should give nothing; own ones should not lose what asking for it would find.
 */

import { DEFAULT_CONFIG } from '../domain/index.ts'
import { createReadMemory } from '../engine-read.ts'
import { MemoryError, throwIfCancelled } from '../errors.ts'
import { createNotesHome, type NotesOfGroup } from './notes-home.ts'
import { type QuestionRow, readQuestions, readTurns } from './retrieval-data.ts'
import { groupsOf, turnKey } from './retrieval-home.ts'

/** Notes in a block; as many results are looked at when the same is asked for. */
const DEPTH = DEFAULT_CONFIG.inject.turnNotes
/** More than any block: what is measured is the floor, not the budget. */
const MAX_BYTES = 1_000_000

export interface EvalForeignOptions {
  readonly turnsFile: string
  readonly questionsFile: string
  /** Questions of another data set as the foreign ones. Default: those about the conversations of the next project. */
  readonly othersFile: string | null
  /** Conversations in one project: null = each alone, 0 = all together (then `othersFile` is needed). */
  readonly pooled: number | null
  readonly without: readonly string[]
  readonly temporaryDirectory: string
  readonly signal?: AbortSignal
  readonly onProgress?: (done: { readonly groups: number; readonly of: number }) => void
}

export interface ForeignReport {
  readonly pooled: number | null
  /** Foreign questions, and the share of them that gives an empty block. */
  readonly foreign: number
  readonly empty: number
  /** Own questions, and those of them for which `recall` finds a gold turn. */
  readonly own: number
  readonly found: number
  /** Of the found ones: the block is empty, or holds no gold turn. Shares. */
  readonly silent: number
  readonly lost: number
}

/** Throws INPUT_INVALID for files that are no data set, or give no foreign questions. */
export async function evalForeign(options: EvalForeignOptions): Promise<ForeignReport> {
  const turns = readTurns(options.turnsFile)
  const isAsked = ({ cat }: QuestionRow) => !options.without.includes(cat)
  const own = readQuestions(options.questionsFile).filter((each) => isAsked(each) && each.gt.length > 0)
  const others = options.othersFile === null ? null : readQuestions(options.othersFile).filter(isAsked)
  const groups = groupsOf([...new Set(turns.map(({ c }) => c))], options.pooled)
  if (own.length === 0 || (others === null && groups.length < 2)) throw noQuestions(options, own.length)
  const home = createNotesHome(turns, options)
  const count = { foreign: 0, empty: 0, own: 0, found: 0, silent: 0, lost: 0 }
  try {
    for (const [at, group] of groups.entries()) {
      const here = questionsOf(own, group)
      const foreign = others ?? questionsOf(own, groups[(at + 1) % groups.length] ?? [])
      if (here.length > 0) {
        const notes = await home.open(group)
        try {
          await askOwn(notes, here, count, options.signal)
          await askForeign(notes, spread(foreign, here.length, at), count, options.signal)
        } finally {
          await notes.memory.close()
        }
      }
      options.onProgress?.({ groups: at + 1, of: groups.length })
    }
  } finally {
    home.close()
  }
  return {
    pooled: options.pooled,
    foreign: count.foreign,
    empty: share(count.empty, count.foreign),
    own: count.own,
    found: count.found,
    silent: share(count.silent, count.found),
    lost: share(count.lost, count.found),
  }
}

type Count = Record<'foreign' | 'empty' | 'own' | 'found' | 'silent' | 'lost', number>

async function askOwn(
  notes: NotesOfGroup,
  questions: readonly QuestionRow[],
  count: Count,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const { q, c, gt } of questions) {
    throwIfCancelled(signal)
    const gold = new Set(gt.map((turn) => turnKey(c, turn)))
    const holdsGold = (ids: readonly string[]) => ids.some((id) => gold.has(notes.turnOf.get(id) ?? ''))
    count.own++
    const { results } = await notes.memory.recall({ query: q, in: 'notes', limit: DEPTH })
    if (!holdsGold(results.map(({ id }) => id))) continue
    const block = await blockFor(notes, q)
    count.found++
    if (block.length === 0) count.silent++
    if (!holdsGold(block)) count.lost++
  }
}

async function askForeign(
  notes: NotesOfGroup,
  questions: readonly QuestionRow[],
  count: Count,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const { q } of questions) {
    throwIfCancelled(signal)
    count.foreign++
    if ((await blockFor(notes, q)).length === 0) count.empty++
  }
}

/** Ids of the notes in the block that the hook would put before the agent. */
async function blockFor({ place }: NotesOfGroup, prompt: string): Promise<string[]> {
  const memory = await createReadMemory({ ...place, config: DEFAULT_CONFIG })
  const signal = new AbortController().signal
  const none = { shown: [], sessionStart: null, begins: null }
  const { entries } = await memory.turnBlock({ prompt, ...none, maxBytes: MAX_BYTES, signal })
  return entries.map(({ id }) => id)
}

function questionsOf(questions: readonly QuestionRow[], group: readonly string[]): QuestionRow[] {
  const wanted = new Set(group)
  return questions.filter(({ c }) => wanted.has(c))
}

/** `most` of them, evenly taken; of another data set each project gets other ones. */
function spread(questions: readonly QuestionRow[], most: number, turn: number): QuestionRow[] {
  if (questions.length <= most) return [...questions]
  const step = questions.length / most
  return Array.from({ length: most }, (_, at) => questions[(Math.floor(at * step) + turn) % questions.length]).flatMap(
    (each) => each ?? [],
  )
}

function noQuestions({ questionsFile, turnsFile }: EvalForeignOptions, own: number): MemoryError {
  return own === 0
    ? new MemoryError('INPUT_INVALID', `${questionsFile} asks for no turn`, {
        hint: 'Questions need gold turns: gt.',
        data: { field: 'gt' },
      })
    : new MemoryError('INPUT_INVALID', `${turnsFile} makes one project only: there is no other one to ask about`, {
        hint: 'Give --others, or a smaller --pooled.',
        data: { field: 'others' },
      })
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000
}
