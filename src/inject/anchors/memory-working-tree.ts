/** A working tree without a disk: snapshots in the order of time, the last of which is what stands there now. For tests. */
import { isRefName } from './git-refs.ts'
import { isRewritten } from './similar.ts'
import type { CommitState, Entry, Found, PastEntry, WorkingTree } from './working-tree.ts'

export interface Snapshot {
  readonly timeMs: number
  readonly files: Readonly<Record<string, string>>
  readonly branches?: readonly string[]
  readonly tags?: readonly string[]
}

export interface MemoryTreeOptions {
  readonly root?: string
  /** Not in a commit yet; default: what the last snapshot holds. */
  readonly now?: Readonly<Record<string, string>>
  /** When each file was last written; default: after every note. */
  readonly changedMs?: number
  /** Default: there is one as soon as there is a snapshot. */
  readonly hasHistory?: boolean
}

/** Names of commits are the numbers of the snapshots, from 1, as forty digits. */
export function createMemoryWorkingTree(snapshots: readonly Snapshot[], options: MemoryTreeOptions = {}): WorkingTree {
  const last = snapshots.at(-1)
  const now = options.now ?? last?.files ?? {}
  const hasHistory = options.hasHistory ?? snapshots.length > 0
  const filesOf = (commit: string): Readonly<Record<string, string>> => snapshots[Number(commit) - 1]?.files ?? {}
  const asked = <Value>(signal: AbortSignal, answer: () => Value): Promise<Value | null> =>
    Promise.resolve(signal.aborted || !hasHistory ? null : answer())
  return {
    root: options.root ?? '/tree',
    hasHistory,
    entryAt: (path) => entryIn(now, path),
    changedMsAt: (path) => (now[path] === undefined ? null : (options.changedMs ?? Number.MAX_SAFE_INTEGER)),
    read: (path) => now[path] ?? null,
    pastAt: (timeMs, paths, signal) =>
      asked(signal, () => {
        const at = snapshots.findLastIndex((each) => timeMs === null || each.timeMs <= timeMs)
        const commit = nameOf(at)
        return at < 0
          ? null
          : { commit, entries: new Map(paths.map((path) => [path, pastEntry(filesOf(commit), path)])) }
      }),
    movedSince: (commit, paths, signal) =>
      asked(signal, () => new Map(paths.map((path) => [path, newPlaceOf(snapshots, Number(commit), path)]))),
    changesSince: (commit, paths, signal) =>
      asked(signal, () => {
        const since = snapshots.slice(Number(commit) - 1)
        const count = (path: string) =>
          since.filter((each, at) => at > 0 && each.files[path] !== since[at - 1]?.files[path]).length
        return new Map(paths.map((path) => [path, count(path)]))
      }),
    listFiles: (commit, signal) => asked(signal, () => Object.keys(commit === null ? now : filesOf(commit)).sort()),
    findWords: (words, commit, signal) =>
      asked(signal, () => linesWith(words, commit === null ? now : filesOf(commit))),
    hasRef: (kind, name) => {
      if (!isRefName(name) || !hasHistory) return null
      return ((kind === 'tag' ? last?.tags : last?.branches) ?? []).includes(name)
    },
    stateOfCommit: async (hex, signal) => (await asked(signal, () => stateOf(snapshots, hex))) ?? 'unknown',
  }
}

function nameOf(at: number): string {
  return String(at + 1).padStart(40, '0')
}

function entryIn(files: Readonly<Record<string, string>>, path: string): Entry {
  if (/(?:^|\/)\.\.?(?:\/|$)|^\/|\\|\0|^$/.test(path)) return 'refused'
  if (files[path] !== undefined) return 'file'
  return Object.keys(files).some((each) => each.startsWith(`${path}/`)) ? 'folder' : 'absent'
}

function pastEntry(files: Readonly<Record<string, string>>, path: string): PastEntry | null {
  const entry = entryIn(files, path)
  return entry === 'file' ? { kind: 'file', text: files[path] ?? '' } : entry === 'folder' ? { kind: 'folder' } : null
}

/** From one snapshot to the next: a file that went, and one that came and is still much like it. */
function newPlaceOf(snapshots: readonly Snapshot[], from: number, path: string): string | null {
  const [before, ...later] = snapshots.slice(from - 1).map(({ files }) => files)
  const first = before === undefined ? undefined : entryIn(before, path)
  if (before === undefined || first === undefined) return null
  if (first === 'folder') return newFolder(snapshots, from, path, before)
  let [place, text, files] = [path, before[path], before]
  for (const next of later) {
    if (text !== undefined && next[place] === undefined) {
      const came = Object.keys(next).filter((each) => files[each] === undefined)
      const found =
        came.find((each) => next[each] === text) ?? came.find((each) => !isRewritten(text ?? '', next[each] ?? ''))
      if (found === undefined) return null
      place = found
    }
    text = next[place]
    files = next
  }
  return place === path ? null : place
}

function newFolder(
  snapshots: readonly Snapshot[],
  from: number,
  path: string,
  files: Readonly<Record<string, string>>,
) {
  const [inside] = Object.keys(files).filter((each) => each.startsWith(`${path}/`))
  const rest = inside?.slice(path.length)
  const place = inside === undefined ? null : newPlaceOf(snapshots, from, inside)
  return rest !== undefined && place?.endsWith(rest) ? place.slice(0, -rest.length) : null
}

function linesWith(words: readonly string[], files: Readonly<Record<string, string>>): Found {
  const isWord = (line: string, word: string) => line.split(/[^\w$]+/).includes(word)
  const lines = Object.entries(files).flatMap(([path, text]) =>
    text.split('\n').flatMap((line) => (words.some((word) => isWord(line, word)) ? [{ path, text: line }] : [])),
  )
  return { lines, isComplete: true }
}

function stateOf(snapshots: readonly Snapshot[], hex: string): CommitState {
  return snapshots.some((_, at) => nameOf(at).startsWith(hex)) ? 'there' : 'gone'
}
