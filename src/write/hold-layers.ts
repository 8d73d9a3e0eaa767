import type { Layer } from '../domain/index.ts'
import type { LockedLayer, LockOptions, NoteFiles } from '../store/notes/note-files.ts'

/** Holds the locks of several layers, always taken in the order of their keys, so that two holders never wait for each other. */
export async function holdLayers<Result>(
  files: Pick<NoteFiles, 'withLock'>,
  layers: readonly Layer[],
  options: LockOptions,
  work: (locked: readonly LockedLayer[]) => Promise<Result>,
): Promise<Result> {
  const inOrder = [...layers].sort((one, other) => (one.key < other.key ? -1 : 1))
  const take = (held: readonly LockedLayer[]): Promise<Result> => {
    const next = inOrder[held.length]
    return next ? files.withLock(next, options, (locked) => take([...held, locked])) : work(held)
  }
  return take([])
}
