/**
 * Looks up what notes name (spec I5). All anchors are looked at together, what is cheap first: a plain look at files says
 * something about most of them before git has answered. When the time is over each anchor keeps what was said last, and
 * one of which nothing was said is `not checked`. Never throws.
 */
import type { AnchorVerdict, NoteToVerify, VerifyNotes } from '../../domain/index.ts'
import { type Answer, type Check, holds, NO_ANCHOR, notCheckable, notChecked, type Outcome } from './check.ts'
import { checkAnchor } from './check-anchor.ts'
import { findAnchors, type Readings } from './find-anchors.ts'
import { openWorkingTree } from './git-working-tree.ts'
import { createLook, type Look } from './look.ts'
import { sentenceAround } from './sentence.ts'
import { isToldAbsent } from './told-absent.ts'
import type { WorkingTree } from './working-tree.ts'

export interface AnchorVerifierOptions {
  /** The top of the working tree, or the folder of the project. Null: there is none, and nothing is checkable. */
  readonly root: string | null
  /** Default: the folder on disk and its git history. */
  readonly tree?: WorkingTree | null
  /** Milliseconds of any clock that goes forward. Default: the process's. */
  readonly elapsedMs?: () => number
}

/** Of all notes together, when no other number is asked for. */
export const MAX_ANCHORS = 50

/** Of the time that is given: starting a program cannot be broken off, and ending those under way takes time as well. */
const LOOKING_SHARE = 0.7

interface Task {
  readonly note: NoteToVerify
  readonly readings: Readings
  /** The reading that counts so far. */
  anchor: Readings[number]
  outcome: Outcome
}

export function createAnchorVerifier(options: AnchorVerifierOptions): VerifyNotes {
  const { root, elapsedMs = () => performance.now() } = options
  return async (notes, { maxMs, maxAnchors = MAX_ANCHORS, signal }) => {
    const endMs = elapsedMs() + maxMs * LOOKING_SHARE
    const isOver = () => elapsedMs() >= endMs || signal?.aborted === true
    const tree = options.tree !== undefined ? options.tree : root === null || isOver() ? null : openWorkingTree(root)
    const tasks = notes.flatMap((note) =>
      findAnchors(note.body, tree?.root ?? null).map(
        (readings): Task => ({ note, readings, anchor: readings[0], outcome: notChecked }),
      ),
    )
    if (tree === null && !isOver()) for (const task of tasks) task.outcome = notCheckable()
    if (tree !== null) await checkAll(tasks.slice(0, maxAnchors), tree, { isOver, leftMs: endMs - elapsedMs(), signal })
    return new Map(notes.map((note) => [note.id, verdictsOf(tasks, note)]))
  }
}

interface Limits {
  readonly isOver: () => boolean
  readonly leftMs: number
  readonly signal?: AbortSignal | undefined
}

async function checkAll(tasks: readonly Task[], tree: WorkingTree, { isOver, leftMs, signal }: Limits): Promise<void> {
  const stop = new AbortController()
  const end = () => stop.abort()
  const timer = setTimeout(end, Math.max(0, leftMs))
  signal?.addEventListener('abort', end, { once: true })
  try {
    const look = createLook(tree, stop.signal, () => {
      if (isOver()) stop.abort()
    })
    const checks = tasks.map((task) => (isOver() ? null : checkTask(task, look)))
    const stopped = new Promise<void>((resolve) =>
      stop.signal.addEventListener('abort', () => resolve(), { once: true }),
    )
    await Promise.race([Promise.all(checks), stopped])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    // Ends the programs that nobody waits for any more.
    stop.abort()
  }
}

/** One reading after another, until the tree knows something of one. */
async function checkTask(task: Task, look: Look): Promise<void> {
  const past = look.past(timeOf(task.note))
  for (const anchor of task.readings) {
    const isAbsent = isToldAbsent(task.note.body, anchor)
    const say = (outcome: Outcome) => {
      // What was found out while it was being stopped may be half of the truth.
      if (!look.signal.aborted) Object.assign(task, { anchor, outcome: isAbsent ? ofAbsent(outcome) : outcome })
    }
    const check: Check = { look, past, sentence: sentenceAround(task.note.body, anchor), tell: say }
    try {
      say(await checkAnchor(anchor, check))
    } catch {
      // Something in the tree that nobody thought of: nothing here can say.
      say(notCheckable())
    }
    if (look.signal.aborted || task.outcome !== NO_ANCHOR) return
  }
}

/** Of what the note itself says is not there. That it is there may be another thing of that name. */
function ofAbsent(outcome: Outcome): Outcome {
  if (outcome === NO_ANCHOR) return outcome
  if (outcome.verdict === 'gone') return holds('not there, as the note says')
  return outcome.verdict === 'holds' ? notCheckable() : outcome
}

function timeOf({ updated }: NoteToVerify): number | null {
  const timeMs = updated === null ? Number.NaN : Date.parse(updated)
  return Number.isNaN(timeMs) ? null : timeMs
}

function verdictsOf(tasks: readonly Task[], note: NoteToVerify): AnchorVerdict[] {
  const own = tasks.flatMap(({ note: { id }, readings, anchor: { kind, text }, outcome }) => {
    if (id !== note.id || outcome === NO_ANCHOR) return []
    const isOpen = outcome.verdict === 'not checked'
    const said: AnchorVerdict = { ...(isOpen ? certain(readings) : { kind, anchor: text }), ...outcome }
    return [{ said, isGuess: isGuess(readings, outcome) }]
  })
  // Beside what was looked up, a name that there was no time for is said: the note is not confirmed as a whole.
  const isLooked = own.some(({ said }) => said.verdict !== 'not checked' && said.verdict !== 'not checkable')
  return own.flatMap(({ said, isGuess: isLeft }) => (isLeft && !(isLooked && isLikeCode(said)) ? [] : [said]))
}

/** Unlike words with a slash, hardly ever anything else. */
function isLikeCode({ kind, anchor, verdict }: AnchorVerdict): boolean {
  return verdict === 'not checked' && kind === 'symbol' && /[a-z0-9][A-Z]|\w_\w/.test(anchor)
}

/** How the words are read where the tree was not asked. */
function certain(readings: Readings) {
  const { kind, text } = readings.find(({ isSure }) => isSure) ?? readings[0]
  return { kind, anchor: text }
}

/** Words of which nobody could say that they name anything. */
function isGuess(readings: Readings, { verdict }: Answer): boolean {
  return (verdict === 'not checked' || verdict === 'not checkable') && !readings.some(({ isSure }) => isSure)
}
