/** Under the locks of the layers that the edits touch: judged again, written all or none, recorded as one change. */
import type { Edit, EditInput, Layer } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import type { LockedLayer } from '../../store/notes/note-files.ts'
import { updateIndexFile, updateSearchIndex } from '../commit.ts'
import type { WriteContext } from '../dependencies.ts'
import { authorNameOf } from '../draft.ts'
import { holdLayers } from '../hold-layers.ts'
import { retryWhenChanged } from '../retry-when-changed.ts'
import { type EditPlan, planEdits } from './plan-edits.ts'
import { writeChanges } from './write-changes.ts'

/** A second look may touch a layer that the first did not; a third one has nothing left to find. */
const MAX_LOOKS = 3

export interface CommittedEdits {
  readonly plan: EditPlan
  readonly notices: readonly string[]
}

/** Throws STORE_BUSY, NOTE_CHANGED_ON_DISK and what a broken store throws. */
export async function commitEdits(
  context: WriteContext,
  input: EditInput,
  layers: readonly Layer[],
): Promise<CommittedEdits> {
  let held = layers
  for (let look = 1; look <= MAX_LOOKS; look++) {
    const result = await holdLayers(context.files, held, { signal: input.signal }, (locked) =>
      commitLocked(context, input, locked),
    )
    if (!('missing' in result)) {
      const lagging = await updateSearchIndex(context, result.changed)
      return { plan: result.plan, notices: [...result.notices, ...lagging] }
    }
    held = [...new Map([...held, ...result.missing].map((layer) => [layer.key, layer])).values()]
  }
  throw new MemoryError('STORE_BUSY', 'The notes kept changing while they were edited', {
    hint: 'Nothing was changed; try again.',
    data: { layer: held[0]?.key },
  })
}

type Locked = CommittedEdits & { readonly changed: readonly Layer[] }

async function commitLocked(
  context: WriteContext,
  input: EditInput,
  locked: readonly LockedLayer[],
): Promise<Locked | { readonly missing: readonly Layer[] }> {
  const watches = new Map(locked.map((each) => [each.layer.key, context.history.watch(each)]))
  const lockedOf = (layer: Layer) => watches.get(layer.key)?.locked
  const words = {
    kind: input.edits.every(({ action }) => action === 'move') ? ('move' as const) : ('remember' as const),
    author: authorNameOf(input),
    why: whyOf(input.edits),
    change: context.ids.next(),
    layers: locked.map(({ layer }) => layer.key),
  }
  const done = await retryWhenChanged(async () => {
    const plan = await planEdits(context, input, (layer) => lockedOf(layer) ?? context.files)
    if (plan.kind === 'refused') return { plan, missing: [] }
    const missing = plan.changes.map(({ layer }) => layer).filter((layer) => !lockedOf(layer))
    if (missing.length === 0)
      await writeChanges({ unfinished: context.unfinished, lockedOf: heldLayer(lockedOf), words }, plan.changes)
    return { plan, missing }
  })
  if (done.missing.length > 0) return { missing: done.missing }
  const { plan } = done
  if (plan.kind === 'refused') return { plan, notices: [], changed: [] }
  const changed = locked.filter(({ layer }) => plan.changes.some((change) => change.layer.key === layer.key))
  const notices: string[] = []
  for (const each of changed) notices.push(...(await updateIndexFile(context, each, each.layer)))
  const recorded = []
  for (const { layer } of changed) recorded.push(await watches.get(layer.key)?.commit(words))
  const id = recorded.find((each) => each?.id)?.id
  return {
    plan,
    notices: [
      ...(id ? [`To take it back: keepsake undo ${id}`] : []),
      ...notices,
      ...recorded.flatMap((each) => each?.notices ?? []),
    ],
    changed: changed.map(({ layer }) => layer),
  }
}

function heldLayer(lockedOf: (layer: Layer) => LockedLayer | undefined) {
  return (layer: Layer): LockedLayer => {
    const found = lockedOf(layer)
    if (found) return found
    throw new MemoryError('INTERNAL', `The layer ${layer.key} was not locked`)
  }
}

const reasons: Readonly<Record<Edit['action'], string>> = {
  add: 'Remembered a note',
  replace: 'Replaced words of an entry',
  remove: 'Removed an entry',
  move: 'Moved an entry',
}

function whyOf(edits: readonly Edit[]): string {
  const [only, ...more] = edits
  return only && more.length === 0 ? reasons[only.action] : `Made ${edits.length} edits as one`
}
