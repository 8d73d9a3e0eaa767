/**
 * Takes one recorded change back (spec S12): every file as it was before, bytes and permissions. Judged as a whole under
 * the locks of all its layers: where a file has later words that cannot stand beside it, nothing is done. A note that
 * comes back loses its tombstone; one that goes gets one, so that it does not come back by itself.
 */
import { join } from 'node:path'
import type { HistoryFile, Layer, UndoOptions, UndoResult } from '../domain/index.ts'
import { MemoryError, throwIfCancelled } from '../errors.ts'
import type { Watch } from '../store/notes/history.ts'
import { reverseChange } from '../store/notes/history-diff.ts'
import { findChange, lastChange, type PlacedChange } from '../store/notes/history-log.ts'
import type { ChangedFile, Version } from '../store/notes/history-port.ts'
import type { LockedLayer, NoteBytes } from '../store/notes/note-files.ts'
import { readNote } from '../store/notes/note-format.ts'
import { updateIndexFile, updateSearchIndex } from './commit.ts'
import type { WriteContext } from './dependencies.ts'
import { tombstoneOf } from './forget.ts'
import { holdLayers } from './hold-layers.ts'
import { closedLayer } from './layer-mode.ts'
import { homeNewer } from './rejections.ts'
import { retryWhenChanged } from './retry-when-changed.ts'

/** Files that an error names. */
const MAX_NAMED = 10

/** Throws what `HistoryAccess.undo` names; in each case nothing was done. */
export async function undo(
  dependencies: WriteContext,
  reference: string | undefined,
  options: UndoOptions = {},
): Promise<UndoResult> {
  throwIfCancelled(options.signal)
  const placed = await changeToUndo(dependencies, reference)
  const refusal = refusalOf(dependencies, placed)
  if (refusal !== null) return { outcome: 'rejected', change: placed.change, files: [], notices: [refusal] }
  const layers = placed.parts.map(({ layer }) => layer)
  const done = await holdLayers(dependencies.files, layers, { signal: options.signal }, (locked) =>
    undoLocked(dependencies, { placed, locked, options }),
  )
  const { steps, notices } = done
  const files = steps.map(({ layer, file, target, current }): HistoryFile => {
    const change = target === null ? 'removed' : current === null ? 'added' : 'changed'
    return { layer: layer.name, file: join(layer.directory, file), change }
  })
  const outcome = steps.length === 0 ? 'unchanged' : 'undone'
  if (options.dryRun)
    return { outcome, change: placed.change, files, notices: ['Nothing was changed: this was a dry run.'] }
  const lagging = await updateSearchIndex(dependencies, outcome === 'undone' ? layers : [])
  return { outcome, change: placed.change, files, notices: [...notices, ...lagging] }
}

async function changeToUndo(dependencies: WriteContext, reference: string | undefined): Promise<PlacedChange> {
  const { history } = dependencies
  const reason = history.unavailable()
  if (reason !== null)
    throw new MemoryError('HISTORY_UNAVAILABLE', `Nothing can be taken back: ${reason}`, {
      hint: 'Install git, or set `history` to true; changes are kept from then on.',
      data: { reason },
    })
  const { global, project } = await dependencies.currentLayers()
  const layers = project ? [project, global] : [global]
  return reference === undefined ? lastChange(history, layers) : findChange(history, layers, reference)
}

function refusalOf({ writable, config }: WriteContext, { parts }: PlacedChange): string | null {
  if (!writable) return homeNewer().message
  const closed = parts.map(({ layer }) => closedLayer(layer, config)).find((each) => each !== null)
  if (closed) return closed.message
  const here = new Set(parts.map(({ layer }) => layer.key))
  const elsewhere = parts.flatMap(({ commit }) => commit.layers).find((key) => !here.has(key))
  if (elsewhere === undefined) return null
  return `A part of this change lies in ${elsewhere} and cannot be reached from here. Nothing was changed.`
}

/** One file that differs from what it was before the change. */
interface Step {
  readonly layer: Layer
  readonly file: string
  readonly current: NoteBytes | null
  /** Null: the file goes. */
  readonly target: Uint8Array | null
  /** Permission bits to give it, or null to leave them. */
  readonly mode: number | null
  /** True when later words stay in it. */
  readonly isMerged: boolean
}

interface Undoing {
  readonly placed: PlacedChange
  readonly locked: readonly LockedLayer[]
  readonly options: UndoOptions
}

async function undoLocked(dependencies: WriteContext, { placed, locked, options }: Undoing) {
  const { history } = dependencies
  const watches = new Map(locked.map((each) => [each.layer.key, history.watch(each)]))
  const parts = await Promise.all(
    placed.parts.map(async ({ layer, commit }) => ({
      layer,
      changed: await history.versions.versions(layer, commit.id),
    })),
  )
  const steps = await retryWhenChanged(async () => {
    const planned: Step[] = []
    for (const { layer, changed } of parts)
      planned.push(...(await planSteps(dependencies, watchOf(watches, layer).locked, changed)))
    if (!options.dryRun) await takeSteps(dependencies, watches, planned)
    return planned
  })
  if (options.dryRun) return { steps, notices: [] }
  await liftTombstones(dependencies, parts)
  return { steps, notices: await finish(dependencies, { placed, watches, locked, steps }) }
}

/** Throws NOTE_CHANGED_ON_DISK when a file cannot be taken back without losing later words. */
async function planSteps(
  { history }: WriteContext,
  locked: LockedLayer,
  changed: readonly ChangedFile[],
): Promise<Step[]> {
  const steps: Step[] = []
  const conflicts: string[] = []
  for (const each of changed) {
    const current = await locked.read(each.file)
    const mode = current && history.modes.of(locked.layer, each.file)
    const step = stepFor(each, current, mode)
    if (step === 'conflict') conflicts.push(each.file)
    else if (step !== 'done') steps.push({ layer: locked.layer, file: each.file, current, ...step })
  }
  if (conflicts.length > 0) throw changedSince(conflicts)
  return steps
}

function stepFor(
  { before, after }: ChangedFile,
  current: NoteBytes | null,
  mode: number | null,
): Pick<Step, 'target' | 'mode' | 'isMerged'> | 'done' | 'conflict' {
  const isAsBefore = hasBytes(current, before)
  if (hasBytes(current, after)) {
    // Bits that a person set since are later words too.
    const restored = before && (!after || mode === after.mode) && mode !== before.mode ? before.mode : null
    return isAsBefore && restored === null ? 'done' : { target: before?.bytes ?? null, mode: restored, isMerged: false }
  }
  if (isAsBefore) return 'done'
  if (!current || !before || !after) return 'conflict'
  const merged = reverseChange({ current: current.bytes, after: after.bytes, before: before.bytes })
  return merged ? { target: merged, mode: null, isMerged: true } : 'conflict'
}

function hasBytes(current: NoteBytes | null, version: Version | null): boolean {
  if (!current || !version) return !current && !version
  return Buffer.compare(current.bytes, version.bytes) === 0
}

/** What comes back first, what goes last; a tombstone stands before its note goes, as in `forget`. */
async function takeSteps(
  dependencies: WriteContext,
  watches: ReadonlyMap<string, Watch>,
  steps: readonly Step[],
): Promise<void> {
  for (const { layer, file, current, target, mode } of steps) {
    if (target === null) continue
    await watchOf(watches, layer).locked.write(file, target, current?.hash ?? null)
    if (mode !== null) dependencies.history.modes.set(layer, file, mode)
  }
  const back = new Set(
    steps.flatMap(({ layer, file, target }) => (target ? keysOf(dependencies, layer, file, target) : [])),
  )
  for (const { layer, file, current, target } of steps) {
    if (target !== null || current === null) continue
    const isElsewhere = keysOf(dependencies, layer, file, current.bytes).some((key) => back.has(key))
    const note = readNote(current.bytes, { layer: layer.key, file })
    const tombstone = isElsewhere ? null : await dependencies.tombstones.add(tombstoneOf(dependencies, note))
    try {
      await watchOf(watches, layer).locked.remove(file, current.hash)
    } catch (error) {
      if (tombstone) await dependencies.tombstones.lift(tombstone.id)
      throw error
    }
  }
}

/** By id or by words: a note that moved or was renamed is the same one. */
function keysOf({ tombstones }: WriteContext, layer: Layer, file: string, bytes: Uint8Array): string[] {
  const { id, body } = readNote(bytes, { layer: layer.key, file })
  return [id, tombstones.textKey(body)]
}

/** Also when nothing was left to do: an earlier undo may have died before it. */
async function liftTombstones(
  dependencies: WriteContext,
  parts: readonly { readonly layer: Layer; readonly changed: readonly ChangedFile[] }[],
): Promise<void> {
  const { tombstones } = dependencies
  const back = new Set(
    parts.flatMap(({ layer, changed }) =>
      changed.flatMap(({ file, before, after }) =>
        before && !after ? keysOf(dependencies, layer, file, before.bytes) : [],
      ),
    ),
  )
  for (const { id, noteId, textKey } of back.size > 0 ? tombstones.since(0) : [])
    if (back.has(noteId) || back.has(textKey)) await tombstones.lift(id)
}

/** MEMORY.md, then the history. Both may lag; what they could not do is told. */
async function finish(
  dependencies: WriteContext,
  {
    placed: { change, parts },
    watches,
    locked,
    steps,
  }: Pick<Undoing, 'placed' | 'locked'> & {
    readonly watches: ReadonlyMap<string, Watch>
    readonly steps: readonly Step[]
  },
): Promise<readonly string[]> {
  if (steps.length === 0) return ['Everything is as it was before that change.']
  const notices: string[] = []
  for (const each of locked) notices.push(...(await updateIndexFile(dependencies, each, each.layer)))
  const words = {
    kind: 'undo' as const,
    author: 'person',
    why: 'Took an earlier change back',
    change: dependencies.ids.next(),
    layers: locked.map(({ layer }) => layer.key),
    undoes: { change: parts[0]?.commit.change ?? change.id, id: change.id },
  }
  const recorded = []
  for (const each of locked) recorded.push(await watchOf(watches, each.layer).commit(words))
  const id = recorded.find((each) => each.id !== null)?.id
  const merged = steps.filter(({ isMerged }) => isMerged).length
  return [
    ...(merged > 0 ? [`Later words stay in ${merged === 1 ? 'one file' : `${merged} files`}.`] : []),
    ...(id ? [`To have it again: keepsake undo ${id}`] : []),
    ...notices,
    ...recorded.flatMap((each) => each.notices),
  ]
}

function watchOf(watches: ReadonlyMap<string, Watch>, layer: Layer): Watch {
  const watch = watches.get(layer.key)
  if (watch) return watch
  throw new MemoryError('INTERNAL', `The layer ${layer.key} was not locked`)
}

function changedSince(files: readonly string[]): MemoryError {
  const named = files.slice(0, MAX_NAMED).join(', ')
  const more = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : ''
  return new MemoryError('NOTE_CHANGED_ON_DISK', `Changed since, so nothing was taken back: ${named}${more}`, {
    hint: 'Take the later changes back first (keepsake history), or edit the file yourself.',
    data: { file: files[0], files: files.slice(0, MAX_NAMED) },
  })
}
