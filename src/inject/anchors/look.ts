/**
 * One look at the working tree for all notes together: each file is read once, and what many anchors ask git is asked in
 * one go. Null: it cannot be known now.
 */
import { createBatch } from './batch.ts'
import type { Found, PastEntry, WorkingTree } from './working-tree.ts'

export interface Then {
  readonly commit: string
  readonly entry: PastEntry | null
}

/** What was there when a note was written. */
export interface PastLook {
  /** Null: not known. */
  readonly timeMs: number | null
  /** Null: there was no commit yet, or it is not known. */
  at(path: string): Promise<Then | null>
  commit(): Promise<string | null>
}

export interface Look {
  readonly tree: WorkingTree
  readonly signal: AbortSignal
  textNow(path: string): string | null
  past(timeMs: number | null): PastLook
  newPlaceOf(commit: string, path: string): Promise<string | null>
  changesSince(commit: string, path: string): Promise<number | null>
  files(commit: string | null): Promise<readonly string[] | null>
  linesWith(word: string, commit: string | null): Promise<Found | null>
}

/** `expire` stops the signal when the time is over: a busy process hears of it late otherwise. */
export function createLook(given: WorkingTree, signal: AbortSignal, expire: () => void): Look {
  const tree = timed(given, expire)
  const texts = new Map<string, string | null>()
  const textNow = (path: string) => {
    const known = texts.get(path)
    const text = known === undefined ? tree.read(path) : known
    texts.set(path, text)
    return text
  }
  const newPlaces = memoised((commit: string) =>
    createBatch(async (paths) => {
      const found = await tree.movedSince(commit, paths, signal)
      return (path) => found?.get(path) ?? null
    }),
  )
  const counts = memoised((commit: string) =>
    createBatch(async (paths) => {
      const found = await tree.changesSince(commit, paths, signal)
      return (path) => found?.get(path) ?? null
    }),
  )
  const lines = memoised((commit: string) =>
    createBatch<Found | null>(async (words) => {
      const found = await tree.findWords(words, commit === NOW ? null : commit, signal)
      return (word) => found && linesOf(word, found)
    }),
  )
  const files = memoised((commit: string) => tree.listFiles(commit === NOW ? null : commit, signal))
  const pasts = memoised((timeMs: number | null) => pastLook(tree, timeMs, signal))
  return {
    tree,
    signal,
    textNow,
    past: pasts,
    newPlaceOf: (commit, path) => newPlaces(commit)(path),
    changesSince: (commit, path) => counts(commit)(path),
    files: (commit) => files(commit ?? NOW),
    linesWith: (word, commit) => lines(commit ?? NOW)(word),
  }
}

const NOW = ''
/** A word on more lines is everywhere: what defines it may not be among those that are looked at. */
const MAX_LINES_OF_WORD = 2_000

/** Looks at the clock before each question to git. */
function timed(tree: WorkingTree, expire: () => void): WorkingTree {
  const before = <Given extends unknown[], Value>(ask: (...given: Given) => Value) => {
    return (...given: Given): Value => {
      expire()
      return ask(...given)
    }
  }
  return {
    ...tree,
    pastAt: before(tree.pastAt),
    movedSince: before(tree.movedSince),
    changesSince: before(tree.changesSince),
    listFiles: before(tree.listFiles),
    findWords: before(tree.findWords),
    stateOfCommit: before(tree.stateOfCommit),
  }
}

function pastLook(tree: WorkingTree, timeMs: number | null, signal: AbortSignal): PastLook {
  const entries = createBatch<Then | null>(async (paths) => {
    const past = await tree.pastAt(timeMs, paths.filter(Boolean), signal)
    return (path) => past && { commit: past.commit, entry: past.entries.get(path) ?? null }
  })
  return { timeMs, at: entries, commit: async () => (await entries(''))?.commit ?? null }
}

/** Words are looked for together; each gets the lines that may hold it. */
function linesOf(word: string, { lines, isComplete }: Found): Found {
  const own = lines.filter(({ text }) => text.includes(word))
  return { lines: own.slice(0, MAX_LINES_OF_WORD), isComplete: isComplete && own.length <= MAX_LINES_OF_WORD }
}

function memoised<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}
