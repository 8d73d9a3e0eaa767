/**
 * Takes a note to another layer in one step, under one id (spec W21). Both locks are held, taken in the order of their
 * keys. Written first, removed second: a kill in between leaves the note twice under one id, and moving it again
 * finishes the work.
 */
import {
  type EntriesNow,
  type Layer,
  type MoveInput,
  modeOf,
  type NoteSummary,
  type Rejection,
  type RememberResult,
} from '../domain/index.ts'
import { hasCode, MemoryError, throwIfCancelled } from '../errors.ts'
import type { Recorded, Watch } from '../store/notes/history.ts'
import { noteFileName } from '../store/notes/names.ts'
import type { LockedLayer } from '../store/notes/note-files.ts'
import { readNote } from '../store/notes/note-format.ts'
import { toSummary } from '../store/notes/summary.ts'
import { comparableName } from '../util/index.ts'
import { updateIndexFile, updateSearchIndex } from './commit.ts'
import type { WriteContext } from './dependencies.ts'
import { authorNameOf } from './draft.ts'
import { closedLayer } from './layer-mode.ts'
import { type Looked, lookUp, type PlacedNote } from './lookup.ts'
import { overflowOf, profileFull } from './profile/profile-room.ts'
import { approveHint, proposeFile } from './propose.ts'
import { type LoadedNote, type NoteReader, readerOf } from './read-layer.ts'
import { homeNewer, nameTaken } from './rejections.ts'
import { retryWhenChanged } from './retry-when-changed.ts'
import { revise } from './revise.ts'

/** Throws INPUT_INVALID, NOTE_NOT_FOUND, NOTE_AMBIGUOUS, NOTE_FORMAT_INVALID, STORE_BUSY; then nothing was changed. */
export async function move(dependencies: WriteContext, input: MoveInput): Promise<RememberResult> {
  throwIfCancelled(input.signal)
  const source = sourceOf(await lookUp(dependencies, input.reference), input)
  if (!dependencies.writable) return rejected(homeNewer(), [])
  if (source.layer.name === input.layer)
    return { outcome: 'unchanged', note: toSummary(source.scanned, source.layer), ...nothingMore }
  const target = await targetLayer(dependencies, input)
  const layers = [source.layer, target]
  const closed = layers.map((layer) => closedLayer(layer, dependencies.config)).find((each) => each !== null)
  if (closed) return rejected(closed, [])
  if (layers.some((layer) => modeOf(layer, dependencies.config) === 'review'))
    return proposeMove(dependencies, { source, target, author: authorNameOf(input) })
  return moveNow(dependencies, { source, target, author: authorNameOf(input), signal: input.signal })
}

/** After a kill the note stands in both layers: the one that is not in the target is the one to take away. */
function sourceOf({ match, copies }: Looked, input: MoveInput): PlacedNote {
  if (input.layer !== 'global' && input.layer !== 'project')
    throw new MemoryError('INPUT_INVALID', `There is no layer "${String(input.layer)}" to move to`, {
      hint: 'Name global or project.',
      data: { field: 'layer' },
    })
  return [match, ...copies].find(({ layer }) => layer.name !== input.layer) ?? match
}

export async function targetLayer(dependencies: WriteContext, input: Pick<MoveInput, 'layer'>): Promise<Layer> {
  const layer = await dependencies.layerFor(input.layer)
  if (layer) return layer
  throw new MemoryError('INPUT_INVALID', 'There is no project here to move the note to', {
    hint: 'Run it inside the project.',
    data: { field: 'layer' },
  })
}

interface Move {
  readonly source: PlacedNote
  readonly target: Layer
  readonly signal: AbortSignal | undefined
  /** Who asked for it, when a person approved it; default: the person. */
  readonly author?: string
  /** Asked once both locks are held; throws when the move is not wanted any more. */
  readonly approved?: () => Promise<void>
}

/** What is written to the target, or why it is not. `atTarget`: an earlier, interrupted move wrote it already. */
export type MovePlan =
  | { readonly kind: 'clash'; readonly note: NoteSummary }
  /** Pinned, and the profile there has no room. */
  | { readonly kind: 'full'; readonly reason: Rejection; readonly present: EntriesNow }
  | {
      readonly kind: 'move'
      readonly loaded: LoadedNote
      readonly file: string
      readonly bytes: Uint8Array
      readonly atTarget: boolean
    }

/** Under both locks; the search index is the caller's. */
export async function moveLayers(dependencies: WriteContext, move: Move) {
  const { files } = dependencies
  const { source, target, signal } = move
  const [first, second] = source.layer.key < target.key ? [source.layer, target] : [target, source.layer]
  const moved = await files.withLock(first, { signal }, (lockedFirst) =>
    files.withLock(second, { signal }, async (lockedSecond) => {
      const [from, to] = first === target ? [lockedSecond, lockedFirst] : [lockedFirst, lockedSecond]
      await move.approved?.()
      return moveLocked(dependencies, { ...move, from, to })
    }),
  )
  const { plan } = moved
  return { ...moved, clash: plan.kind === 'clash', full: plan.kind === 'full' ? plan.reason.message : null }
}

async function moveNow(dependencies: WriteContext, move: Move): Promise<RememberResult> {
  const { source, target } = move
  const moved = await moveLayers(dependencies, move)
  if (moved.plan.kind === 'clash') return rejected(nameTaken(target.name), [moved.plan.note])
  if (moved.plan.kind === 'full') return { ...rejected(moved.plan.reason, []), ...moved.plan.present }
  const lagging = await updateSearchIndex(dependencies, [target, source.layer])
  const note = summaryOf(moved.plan, target)
  const back = moved.change ? `keepsake undo ${moved.change}` : 'move it again'
  const where = `Moved from ${source.layer.name} to ${target.name}.`
  return {
    outcome: 'written',
    note,
    ...nothingMore,
    notices: [where, `To take it back: ${back}`, ...moved.notices, ...lagging],
  }
}

async function moveLocked(
  dependencies: WriteContext,
  places: Move & { readonly from: LockedLayer; readonly to: LockedLayer },
): Promise<{ readonly plan: MovePlan; readonly change: string | null; readonly notices: readonly string[] }> {
  const { source, target, from, to } = places
  const [watchFrom, watchTo] = [dependencies.history.watch(from), dependencies.history.watch(to)]
  const fromReader = readerOf(from, source.layer, dependencies)
  const toReader = readerOf(to, target, dependencies)
  const plan = await retryWhenChanged(async () => {
    const planned = await fitMove(
      dependencies,
      await planMove({ source, target, fromReader, toReader }),
      target,
      toReader,
    )
    if (planned.kind !== 'move') return planned
    if (!planned.atTarget) await watchTo.locked.write(planned.file, planned.bytes, null)
    await removeSource(watchFrom.locked, watchTo.locked, planned)
    return planned
  })
  if (plan.kind !== 'move') return { plan, change: null, notices: [] }
  const atTarget = await updateIndexFile(dependencies, to, target)
  const atSource = await updateIndexFile(dependencies, from, source.layer)
  const { id, notices } = await recordMove(dependencies, { ...places, watchFrom, watchTo })
  return { plan, change: id, notices: [...atTarget, ...atSource, ...notices] }
}

/** A pinned note takes its place in the profile along, when there is room. */
async function fitMove(
  dependencies: WriteContext,
  plan: MovePlan,
  target: Layer,
  toReader: NoteReader,
): Promise<MovePlan> {
  if (plan.kind !== 'move' || plan.atTarget || !plan.loaded.note.pinned) return plan
  const found = await overflowOf(toReader, target, plan, dependencies.config)
  return found === null ? plan : { kind: 'full', ...profileFull(found.full, found, dependencies.isToolWritten) }
}

/** Two commits, one in each history, that share a change and are taken back together. */
async function recordMove(
  { ids }: WriteContext,
  moved: Move & { readonly watchFrom: Watch; readonly watchTo: Watch },
): Promise<Recorded> {
  const { source, target, author = 'person', approved } = moved
  const words = {
    kind: 'move' as const,
    author,
    why: `Moved a note from ${source.layer.name} to ${target.name}${approved ? ', approved in review' : ''}`,
    change: ids.next(),
    layers: [target.key, source.layer.key],
  }
  const there = await moved.watchTo.commit(words)
  const here = await moved.watchFrom.commit(words)
  return { id: there.id ?? here.id, notices: [...there.notices, ...here.notices] }
}

/** A source that changed after it was copied takes its copy back, so that the newer words are the ones that move. */
async function removeSource(
  from: LockedLayer,
  to: LockedLayer,
  plan: Extract<MovePlan, { kind: 'move' }>,
): Promise<void> {
  try {
    await from.remove(plan.loaded.note.file, plan.loaded.hash)
  } catch (error) {
    const copy = hasCode(error, 'NOTE_CHANGED_ON_DISK') && !plan.atTarget ? await to.read(plan.file) : null
    if (copy) await to.remove(plan.file, copy.hash)
    throw error
  }
}

export async function planMove({
  source,
  target,
  fromReader,
  toReader,
}: {
  readonly source: PlacedNote
  readonly target: Layer
  readonly fromReader: NoteReader
  readonly toReader: NoteReader
}): Promise<Exclude<MovePlan, { kind: 'full' }>> {
  const loaded = await fromReader.load(source.scanned.file)
  if (!loaded)
    throw new MemoryError('NOTE_NOT_FOUND', `${source.scanned.file} is not there any more`, {
      hint: 'keepsake list shows what there is. Nothing was changed.',
      data: { reference: source.scanned.file },
    })
  const there = await toReader.scan()
  const bytes = bytesFor(loaded, source, target)
  const same = there.find((note) => note.id === source.scanned.id)
  const standing = same && (await toReader.load(same.file))
  if (same && standing?.note.body === loaded.note.body)
    return { kind: 'move', loaded, file: same.file, bytes: standing.bytes, atTarget: true }
  const clash = same ?? there.find((note) => comparableName(note.name) === comparableName(source.scanned.name))
  if (clash) return { kind: 'clash', note: toSummary(clash, target) }
  const taken = new Set(there.map((note) => note.file))
  const file = taken.has(source.scanned.file)
    ? noteFileName(source.scanned.type, source.scanned.name, taken)
    : source.scanned.file
  return { kind: 'move', loaded, file, bytes, atTarget: false }
}

/** The same bytes, but with what would be derived otherwise in the new place: id and type. `updated` is not renewed. */
function bytesFor({ note, bytes }: LoadedNote, { scanned }: PlacedNote, target: Layer): Uint8Array {
  const there = readNote(bytes, { layer: target.key, file: note.file })
  const isDifferentType = there.type !== note.type
  if (!note.idDerived && there.id === scanned.id && !isDifferentType) return bytes
  return revise(bytes, { id: scanned.id, ...(isDifferentType ? { type: note.type } : {}) }, note.file)
}

async function proposeMove(
  dependencies: WriteContext,
  { source, target, author }: { readonly source: PlacedNote; readonly target: Layer; readonly author: string },
): Promise<RememberResult> {
  const fromReader = readerOf(dependencies.files, source.layer, dependencies)
  const toReader = readerOf(dependencies.files, target, dependencies)
  const wanted = await planMove({ source, target, fromReader, toReader })
  const plan = await fitMove(dependencies, wanted, target, toReader)
  if (plan.kind === 'clash') return rejected(nameTaken(target.name), [plan.note])
  if (plan.kind === 'full') return { ...rejected(plan.reason, []), ...plan.present }
  const reason = `Asked to move from ${source.layer.name} to ${target.name}; changes there wait for review.`
  const proposal = await proposeFile(dependencies, target, {
    operation: 'move',
    noteId: source.scanned.id,
    baseHash: plan.loaded.hash,
    file: plan.file,
    proposed: plan.bytes,
    from: source.layer,
    author,
    evidence: plan.loaded.note.source,
    reason,
  })
  return { outcome: 'proposed', proposalId: proposal.id, reason, ...nothingMore, notices: [approveHint(proposal.id)] }
}

function summaryOf(plan: Extract<MovePlan, { kind: 'move' }>, target: Layer): NoteSummary {
  return toSummary(readNote(plan.bytes, { layer: target.key, file: plan.file }), target)
}

const nothingMore = { similar: [], masked: [], notices: [] } as const

function rejected(reason: Rejection, similar: readonly NoteSummary[]) {
  return { outcome: 'rejected' as const, reason, ...nothingMore, similar }
}
