/**
 * Writes the files of one change, all or none (spec W2). One file is one rename. Several are written down first
 * (`unfinished`): a writer that fails takes back what it wrote, and what a killed one left is finished by the next
 * holder of the lock.
 */
import type { Layer } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import type { ChangeWords } from '../../store/notes/history.ts'
import type { LockedLayer } from '../../store/notes/note-files.ts'
import type { Unfinished, UnfinishedPart } from '../../store/unfinished.ts'
import type { DraftedFile } from './draft-layers.ts'

export interface Writing {
  readonly unfinished: Unfinished
  readonly lockedOf: (layer: Layer) => LockedLayer
  readonly words: ChangeWords & { readonly change: string }
}

/** Throws what a write throws; then every file is as it was, or the change waits to be finished and that is said. */
export async function writeChanges(writing: Writing, changes: readonly DraftedFile[]): Promise<void> {
  const [only, ...more] = changes
  if (!only) return
  if (more.length === 0) {
    await putFile(writing, only)
    return
  }
  // What comes is written before what goes: a reader in between sees a note twice rather than not at all.
  const inOrder = [...changes.filter(({ bytes }) => bytes !== null), ...changes.filter(({ bytes }) => bytes === null)]
  await writing.unfinished.begin(partsOf(writing, inOrder))
  const written: Written[] = []
  try {
    for (const change of inOrder) written.push({ ...change, hash: await putFile(writing, change) })
  } catch (error) {
    await takeBack(writing, written, error)
    finished(writing, inOrder)
    throw error
  }
  finished(writing, inOrder)
}

interface Written extends DraftedFile {
  /** Of the file as it is now; null when it is gone. */
  readonly hash: string | null
}

async function putFile({ lockedOf }: Writing, { layer, file, before, bytes }: DraftedFile): Promise<string | null> {
  const locked = lockedOf(layer)
  if (bytes !== null) return (await locked.write(file, bytes, before?.hash ?? null)).hash
  if (before) await locked.remove(file, before.hash)
  return null
}

async function takeBack(writing: Writing, written: readonly Written[], cause: unknown): Promise<void> {
  try {
    for (const { layer, file, before, hash } of [...written].reverse()) {
      const locked = writing.lockedOf(layer)
      if (before) await locked.write(file, before.bytes, hash)
      else if (hash !== null) await locked.remove(file, hash)
    }
  } catch {
    // The first error says why; what this one changes is only that the change stands written down and will be made.
    const code = MemoryError.isInstance(cause) ? cause.code : 'INTERNAL'
    throw new MemoryError(code, 'The change was begun and could not be ended now', {
      hint: 'The next write or refresh ends it, whole.',
      data: MemoryError.isInstance(cause) ? cause.data : {},
      cause,
    })
  }
}

function partsOf({ words }: Writing, changes: readonly DraftedFile[]): readonly UnfinishedPart[] {
  return distinctLayers(changes).map((key) => ({
    words,
    layer: key,
    files: changes
      .filter(({ layer }) => layer.key === key)
      .map(({ file, before, bytes }) => ({ file, baseHash: before?.hash ?? null, bytes })),
  }))
}

function finished({ unfinished, words }: Writing, changes: readonly DraftedFile[]): void {
  for (const key of distinctLayers(changes)) unfinished.done(words.change, key)
}

function distinctLayers(changes: readonly DraftedFile[]): string[] {
  return [...new Set(changes.map(({ layer }) => layer.key))]
}
