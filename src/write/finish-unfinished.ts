/**
 * Carries out, under a layer's lock, what a killed writer had begun and not finished there. A file that somebody changed
 * since is not touched: what it would have become waits for a person.
 */
import type { Layer } from '../domain/index.ts'
import type { NoteHistory } from '../store/notes/history.ts'
import type { LockedLayer, NoteFiles } from '../store/notes/note-files.ts'
import { readNote } from '../store/notes/note-format.ts'
import type { Proposals } from '../store/proposals.ts'
import type { Unfinished, UnfinishedFile, UnfinishedPart } from '../store/unfinished.ts'
import { sha256 } from '../util/index.ts'
import { proposePlan } from './propose.ts'
import { retryWhenChanged } from './retry-when-changed.ts'

export interface FinishDependencies {
  readonly unfinished: Unfinished
  readonly history: Pick<NoteHistory, 'watch'>
  readonly proposals: Pick<Proposals, 'put'>
}

/** The same port; whoever gets a lock first finishes what was left in the layer. */
export function finishingFiles<Files extends NoteFiles>(files: Files, dependencies: FinishDependencies): Files {
  return {
    ...files,
    withLock: (layer, options, work) =>
      files.withLock(layer, options, async (locked) => {
        for (const part of dependencies.unfinished.of(layer.key)) await finishPart(dependencies, locked, part)
        return work(locked)
      }),
  }
}

async function finishPart(dependencies: FinishDependencies, locked: LockedLayer, part: UnfinishedPart): Promise<void> {
  const watch = dependencies.history.watch(locked)
  for (const file of part.files) {
    const isDone = await retryWhenChanged(() => finishFile(watch.locked, file))
    if (!isDone) await propose(dependencies, locked.layer, part, file)
  }
  await watch.commit(part.words)
  dependencies.unfinished.done(part.words.change, locked.layer.key)
}

/** False when the file is neither what it was nor what it should become. */
async function finishFile(locked: LockedLayer, { file, baseHash, bytes }: UnfinishedFile): Promise<boolean> {
  const current = await locked.read(file)
  const hash = current?.hash ?? null
  if (hash === (bytes === null ? null : sha256(bytes))) return true
  if (hash !== baseHash) return false
  if (bytes !== null) await locked.write(file, bytes, baseHash)
  else if (current) await locked.remove(file, current.hash)
  return true
}

async function propose(
  dependencies: FinishDependencies,
  layer: Layer,
  part: UnfinishedPart,
  { file, baseHash, bytes }: UnfinishedFile,
): Promise<void> {
  // A file that should have gone and was changed since stays; there is nothing to propose.
  if (bytes === null) return
  const change = { file, bytes, baseHash }
  const noteId = baseHash === null ? null : readNote(bytes, { layer: layer.key, file }).id
  await proposePlan(dependencies, layer, {
    plan: { kind: baseHash === null ? 'create' : 'patch', change, noteId, also: [] },
    draft: { authorName: part.words.author, evidence: [] },
    reason: 'A change was interrupted here and the file was edited since, so it was not overwritten.',
  })
}
