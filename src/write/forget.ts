/**
 * Takes one note away (spec G1). The tombstone is on disk before the file goes, so that a kill in between can only
 * leave a note that is still there, never one that comes back by itself. Never more than the one note that was named.
 */
import { type ForgetOptions, type ForgetResult, modeOf, type Note, type NoteSummary } from '../domain/index.ts'
import { throwIfCancelled } from '../errors.ts'
import type { ChangeWords, Recorded } from '../store/notes/history.ts'
import type { LockedLayer } from '../store/notes/note-files.ts'
import { toSummary } from '../store/notes/summary.ts'
import { updateIndexFile, updateSearchIndex } from './commit.ts'
import type { WriteContext } from './dependencies.ts'
import { utcSeconds } from './evidence.ts'
import { closedLayer } from './layer-mode.ts'
import { lookUp, type PlacedNote } from './lookup.ts'
import { approveHint, proposeFile } from './propose.ts'
import { type LoadedNote, readerOf } from './read-layer.ts'
import { homeNewer } from './rejections.ts'
import { retryWhenChanged } from './retry-when-changed.ts'

/** Throws INPUT_INVALID, NOTE_NOT_FOUND, NOTE_AMBIGUOUS, STORE_BUSY; in each case nothing was done. */
export async function forget(
  dependencies: WriteContext,
  reference: string,
  options: ForgetOptions = {},
): Promise<ForgetResult> {
  throwIfCancelled(options.signal)
  const { match, copies } = await lookUp(dependencies, reference)
  const note = toSummary(match.scanned, match.layer)
  if (!dependencies.writable) return refused(note, homeNewer().message)
  const places = [match, ...copies]
  const closed = places.map(({ layer }) => closedLayer(layer, dependencies.config)).find((each) => each !== null)
  if (closed) return refused(note, closed.message, closed.hint)
  if (options.asProposal !== undefined || places.some(({ layer }) => modeOf(layer, dependencies.config) === 'review'))
    return proposeRemoval(dependencies, match, options)
  if (options.dryRun) return { outcome: 'forgotten', note, notices: ['Nothing was changed: this was a dry run.'] }
  const notices: string[] = []
  const change: ChangeWords = {
    kind: 'forget',
    author: options.agent || 'person',
    why: 'Forgot a note',
    change: dependencies.ids.next(),
    layers: places.map(({ layer }) => layer.key),
  }
  let undoId: string | null = null
  for (const place of places) {
    const removed = await removeNote(dependencies, place, { change, signal: options.signal })
    undoId ??= removed.id
    notices.push(...removed.notices)
  }
  return { outcome: 'forgotten', note, notices: [...takeBack(undoId), ...notices] }
}

async function proposeRemoval(
  dependencies: WriteContext,
  { scanned, layer }: PlacedNote,
  options: ForgetOptions,
): Promise<ForgetResult> {
  const note = toSummary(scanned, layer)
  if (options.dryRun) return { outcome: 'proposed', note, notices: ['It would wait for review; this was a dry run.'] }
  const reader = readerOf(dependencies.files, layer, dependencies)
  const loaded = await reader.load(scanned.file)
  const proposal = await proposeFile(dependencies, layer, {
    operation: 'remove',
    noteId: scanned.id,
    baseHash: loaded?.hash ?? scanned.hash,
    file: scanned.file,
    proposed: null,
    author: options.agent || 'person',
    evidence: [],
    reason: options.asProposal ?? `Asked to forget. Changes of the ${layer.name} layer wait for review.`,
  })
  return { outcome: 'proposed', note, notices: ['The note is still there.', approveHint(proposal.id)] }
}

async function removeNote(
  dependencies: WriteContext,
  { scanned, layer }: PlacedNote,
  { change, signal }: { readonly change: ChangeWords; readonly signal?: AbortSignal },
): Promise<Recorded> {
  const { file } = scanned
  const { id, notices } = await dependencies.files.withLock(layer, { signal }, async (locked) => {
    const watch = dependencies.history.watch(locked)
    const reader = readerOf(locked, layer, dependencies)
    await retryWhenChanged(async () => {
      const loaded = await reader.load(file)
      // Removed by somebody else meanwhile: what was asked for is done.
      if (loaded) await takeAway(dependencies, watch.locked, loaded)
    })
    const problems = await updateIndexFile(dependencies, locked, layer)
    const recorded = await watch.commit(change)
    return { id: recorded.id, notices: [...problems, ...recorded.notices] }
  })
  return { id, notices: [...notices, ...(await updateSearchIndex(dependencies, [layer]))] }
}

/** The file goes; its tombstone stands before, and falls again when the file could not go. */
export async function takeAway(dependencies: WriteContext, locked: LockedLayer, { note, hash }: LoadedNote) {
  const tombstone = await dependencies.tombstones.add(tombstoneOf(dependencies, note))
  try {
    await locked.remove(note.file, hash)
  } catch (error) {
    await dependencies.tombstones.lift(tombstone.id)
    throw error
  }
}

/** Keyed hashes only. */
export function tombstoneOf({ tombstones }: WriteContext, note: Note) {
  const hashes = note.source.flatMap((evidence) => evidence.hash ?? [])
  return {
    noteId: note.id,
    nameKey: tombstones.nameKey(note.name),
    textKey: tombstones.textKey(note.body),
    evidenceKeys: [...new Set(hashes.map((hash) => tombstones.evidenceKey(hash)))],
    saidUntil:
      note.source
        .flatMap(({ time }) => utcSeconds(time) ?? [])
        .sort()
        .at(-1) ?? null,
    sessions: [...new Set(note.source.flatMap(({ session }) => session ?? []))],
  }
}

function refused(note: NoteSummary, ...why: readonly string[]): ForgetResult {
  return { outcome: 'rejected', note, notices: [...why, 'Nothing was changed.'] }
}

/** Names nothing: a file name is somebody else's words. */
const takeBack = (undoId: string | null): readonly string[] => [
  'The note is gone from disk and prompt, and neither its words nor what proved them bring it back by themselves.',
  undoId ? `To have it again: keepsake undo ${undoId}` : 'To have it again, say it again: keepsake remember "…".',
]
