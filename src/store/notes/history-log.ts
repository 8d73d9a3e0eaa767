/**
 * Changes as people see them: the commits of several layers in one order, the halves of one change as one, and which of
 * them were taken back. Reads only.
 */
import { join } from 'node:path'
import { type HistoryChange, isoSeconds, type Layer } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import { type NoteHistory, SHOWN_ID_LENGTH } from './history.ts'
import type { Commit, CommitQuery } from './history-port.ts'

/** One part of a change: what it did in one layer. */
export interface ChangePart {
  readonly layer: Layer
  readonly commit: Commit
}

export interface PlacedChange {
  readonly change: HistoryChange
  readonly parts: readonly ChangePart[]
}

/** Newest commits of each layer in which undos are looked for. */
const WINDOW = 1_000

export interface ChangeQuery {
  /** By layer; default: everything. */
  readonly of?: (layer: Layer) => Omit<CommitQuery, 'limit'>
  readonly limit: number
}

/** Newest first. The parts of a change in the order in which it names its layers: the first one gives the id. */
export async function readChanges(
  history: NoteHistory,
  layers: readonly Layer[],
  { of = () => ({}), limit }: ChangeQuery,
): Promise<PlacedChange[]> {
  const lists = await Promise.all(layers.map((layer) => partsOf(history, layer, { ...of(layer), limit })))
  return toChanges(history, layers, inOneOrder(lists), limit)
}

/** Throws CHANGE_NOT_FOUND, CHANGE_AMBIGUOUS. */
export async function findChange(
  history: NoteHistory,
  layers: readonly Layer[],
  reference: string,
): Promise<PlacedChange> {
  const found = (await Promise.all(layers.map((layer) => findParts(history, layer, reference)))).flat()
  const ids = [...new Set(found.map(({ commit }) => commit.change))]
  const [change] = ids
  if (change === undefined) throw notFound(reference)
  if (ids.length > 1)
    throw new MemoryError('CHANGE_AMBIGUOUS', `${ids.length} changes begin with ${reference}; nothing was done`, {
      hint: 'Give more of the id.',
      data: { reference, candidates: found.map(({ commit }) => ({ id: shownId(commit), name: commit.why })) },
    })
  // The other half of it may begin with other digits.
  const parts = (await Promise.all(layers.map((layer) => findParts(history, layer, change)))).flat()
  const [placed] = await toChanges(history, layers, parts.length > 0 ? parts : found, 1)
  if (!placed) throw notFound(reference)
  return placed
}

/** The last change made by Keepsake that is no undo and was not taken back. Throws CHANGE_NOT_FOUND. */
export async function lastChange(history: NoteHistory, layers: readonly Layer[]): Promise<PlacedChange> {
  const changes = await readChanges(history, layers, { limit: WINDOW })
  const found = changes.find(({ change: { kind, undone } }) => kind !== 'outside' && kind !== 'undo' && !undone)
  if (found) return found
  throw new MemoryError('CHANGE_NOT_FOUND', 'There is no change here to take back', {
    hint: 'keepsake history shows what there is; name one of them.',
    data: { reference: null },
  })
}

async function partsOf(history: NoteHistory, layer: Layer, query: CommitQuery): Promise<ChangePart[]> {
  return (await history.versions.log(layer, query)).map((commit) => ({ layer, commit }))
}

async function findParts(history: NoteHistory, layer: Layer, reference: string): Promise<ChangePart[]> {
  return (await history.versions.find(layer, reference)).map((commit) => ({ layer, commit }))
}

/** Each list keeps its own order, which is that of its branch; between lists the time decides. */
function inOneOrder(lists: readonly ChangePart[][]): ChangePart[] {
  const waiting = lists.map((list) => [...list])
  const merged: ChangePart[] = []
  for (;;) {
    const [next] = waiting.filter((list) => list.length > 0).sort(([one], [other]) => newerFirst(one, other))
    const part = next?.shift()
    if (!part) return merged
    merged.push(part)
  }
}

function newerFirst(one: ChangePart | undefined, other: ChangePart | undefined): number {
  if (!one || !other) return 0
  if (one.commit.timeMs !== other.commit.timeMs) return other.commit.timeMs - one.commit.timeMs
  return one.commit.change < other.commit.change ? 1 : -1
}

async function toChanges(
  history: NoteHistory,
  layers: readonly Layer[],
  parts: readonly ChangePart[],
  limit: number,
): Promise<PlacedChange[]> {
  const grouped = new Map<string, ChangePart[]>()
  for (const part of parts) grouped.set(part.commit.change, [...(grouped.get(part.commit.change) ?? []), part])
  const undone = await undoneIn(history, layers)
  return [...grouped.values()].slice(0, limit).flatMap((each) => {
    const order = each[0]?.commit.layers ?? []
    const ordered = each.toSorted((one, other) => order.indexOf(one.layer.key) - order.indexOf(other.layer.key))
    const [first] = ordered
    return first ? [{ change: changeOf(first.commit, ordered, undone), parts: ordered }] : []
  })
}

function changeOf(first: Commit, parts: readonly ChangePart[], undone: ReadonlySet<string>): HistoryChange {
  return {
    id: shownId(first),
    time: isoSeconds(first.timeMs),
    author: first.author,
    kind: first.kind,
    why: first.why,
    notes: [...new Set(parts.flatMap(({ commit }) => commit.noteIds))],
    files: parts.flatMap(({ layer, commit }) =>
      commit.files.map(({ file, change }) => ({ layer: layer.name, file: join(layer.directory, file), change })),
    ),
    omittedFiles: parts.reduce((sum, { commit }) => sum + commit.omittedFiles, 0),
    undoes: first.undoes?.id ?? null,
    undone: undone.has(first.change),
  }
}

/** An undo that was itself taken back undoes nothing. An undo is always newer than what it takes back. */
async function undoneIn(history: NoteHistory, layers: readonly Layer[]): Promise<ReadonlySet<string>> {
  const undone = new Set<string>()
  const lists = await Promise.all(layers.map((layer) => partsOf(history, layer, { limit: WINDOW })))
  for (const { commit } of inOneOrder(lists))
    if (commit.undoes && !undone.has(commit.change)) undone.add(commit.undoes.change)
  return undone
}

export function shownId(commit: Pick<Commit, 'id'>): string {
  return commit.id.slice(0, SHOWN_ID_LENGTH)
}

function notFound(reference: string): MemoryError {
  return new MemoryError('CHANGE_NOT_FOUND', `No change is called ${JSON.stringify(reference.slice(0, 100))}`, {
    hint: 'keepsake history shows the changes of here. Nothing was changed.',
    data: { reference },
  })
}
