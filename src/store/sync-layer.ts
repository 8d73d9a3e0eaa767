/**
 * One run over one layer: list, read what may have changed, put rows in small transactions, then look at what is gone.
 * A layer that vanished is left alone. Files that cannot be read now keep their rows, and nothing is decided about
 * missing notes in such a run: one of those files may be the note that seems gone.
 */
import { join } from 'node:path'
import { isShared, type Layer, type Note } from '../domain/index.ts'
import { throwIfCancelled } from '../errors.ts'
import { firstSeenOf } from './first-seen.ts'
import type { IgnoredFile, LayerListing, NoteBytes, NoteFileStat } from './notes/note-files.ts'
import { readNote } from './notes/note-format.ts'
import type { IndexedNote, IndexedNoteRow, SearchIndex } from './search-index/search-index.ts'
import type { NoteKeys, StateStore } from './state/state-store.ts'
import { batchesOf, chunksOf } from './sync-batches.ts'
import type { KnownLayers } from './sync-known.ts'
import { type LiveNotes, recordMissing, settleMissing } from './sync-removed.ts'
import {
  emptyTally,
  type LayerSyncOptions,
  reportOf,
  type SyncDependencies,
  type SyncReport,
  type Tally,
  toFailure,
} from './sync-report.ts'
import {
  createIdOwners,
  type IdOwners,
  isChanged,
  mustPut,
  mustRead,
  type RowTools,
  toIndexedNote,
  toNoteKeys,
} from './sync-rows.ts'

/** Files of one run for which the history is asked. */
const MAX_ASKED_HISTORY = 10

type LayerDependencies = SyncDependencies & { readonly knownLayers: KnownLayers }

/** One run; its tallies end up in the report. */
interface Run {
  readonly dependencies: LayerDependencies
  readonly layer: Layer
  readonly options: LayerSyncOptions
  readonly index: SearchIndex
  readonly state: StateStore | null
  readonly owners: IdOwners
  /** Rows as they are in the index now. */
  readonly rows: Map<string, IndexedNoteRow>
  readonly keyed: ReadonlyMap<string, string> | null
  readonly tally: Tally
  readonly history: { asked: number }
}

export async function syncLayer(
  dependencies: LayerDependencies,
  layer: Layer,
  options: LayerSyncOptions,
): Promise<SyncReport> {
  const tally = emptyTally()
  try {
    const listing = await dependencies.files.list(layer)
    tally.listed = listing.files.length
    if (listing.state === 'vanished') return reportOf(layer.key, tally, { state: 'vanished' })
    const [index, state] = [dependencies.index(), dependencies.state()]
    const { rows: known, keyed } = dependencies.knownLayers(layer.key, index, state)
    // A folder that never held notes while the index has rows of it: gone, not emptied.
    if (listing.state === 'empty') return reportOf(layer.key, tally, { state: known.length > 0 ? 'vanished' : 'empty' })
    const rows = new Map(known.map((row) => [row.file, row]))
    const owners = createIdOwners(layer.key, known)
    const history = { asked: 0 }
    return await runOver(listing, { dependencies, layer, options, index, state, owners, rows, keyed, tally, history })
  } catch (error) {
    return reportOf(layer.key, tally, { state: 'failed', failure: toFailure(error) })
  }
}

async function runOver(listing: LayerListing, run: Run): Promise<SyncReport> {
  const { layer, state, tally, dependencies } = run
  const files = listing.files.toSorted((a, b) => (a.file < b.file ? -1 : 1))
  const present = new Set(files.map((stat) => stat.file))
  removeGone(run, listing.ignored, present)

  const displaced = await readAndPut(run, filesToRead(run, files))
  const again = files.filter((stat) => displaced.has(stat.file))
  await readAndPut(run, again)

  if (state === null || tally.unreadable > 0) return reportOf(layer.key, tally, { state: 'ok' })
  const settled = await settleMissing({
    state,
    layer: layer.key,
    live: liveNotes(run, present),
    now: dependencies.clock.now(),
    tombstones: dependencies.tombstones,
  })
  return reportOf(layer.key, tally, { state: 'ok', ...settled })
}

function filesToRead(
  { dependencies, layer, options, rows, keyed }: Run,
  files: readonly NoteFileStat[],
): NoteFileStat[] {
  return files.filter((stat) => {
    const row = rows.get(stat.file)
    // A person said yes to what was withheld.
    if (row && row.withheld !== null && dependencies.isConfirmed?.(row.hash)) return true
    if (options.hashAll || (keyed && keyed.get(stat.file) !== row?.hash)) return true
    return mustRead(stat, row, () => dependencies.toolWrites.has(join(layer.directory, stat.file)))
  })
}

/** Takes rows without a file out of the index. A file that is there but cannot be read keeps its row. */
function removeGone(run: Run, ignored: readonly IgnoredFile[], present: ReadonlySet<string>): void {
  const { index, layer, state, rows, owners, tally, dependencies } = run
  const gone: IndexedNoteRow[] = []
  const removedByHand: IndexedNoteRow[] = []
  for (const row of rows.values()) {
    if (present.has(row.file)) continue
    const reason = ignored.find((each) => covers(each.file, row.file))?.reason
    if (reason === 'unreadable') continue
    gone.push(row)
    // What still lies there but counts as no note any more (too large, a link outside) was not removed by anybody.
    if (reason === undefined) removedByHand.push(row)
  }
  tally.unreadable += ignored.filter((each) => each.reason === 'unreadable').length
  // What others took out of their notes is not the user's wish to forget.
  if (removedByHand.length > 0 && !isShared(layer)) state && recordMissing(state, removedByHand, dependencies)
  for (const batch of chunksOf(gone)) {
    const files = batch.map((row) => row.file)
    index.putNotes(layer.key, [], files)
    state?.removeNoteKeys(layer.key, files)
    tally.removed += files.length
    for (const file of files) {
      rows.delete(file)
      owners.release(file)
    }
  }
}

/** An ignored folder is listed with a final slash and stands for all that lies in it. */
function covers(ignored: string, file: string): boolean {
  return ignored.endsWith('/') ? file.startsWith(ignored) : ignored === file
}

/** Returns the files that lost their id to an earlier path and must be read again. */
async function readAndPut(run: Run, files: readonly NoteFileStat[]): Promise<Set<string>> {
  const displaced = new Set<string>()
  for (const batch of batchesOf(files)) {
    throwIfCancelled(run.options.signal)
    const read = await Promise.all(batch.map((stat) => readOne(run, stat.file)))
    const fresh: FreshRow[] = []
    for (const each of read) if (each) fresh.push(await freshRow(run, each, displaced))
    // Keys first: a row in the index whose keys are missing is read again, the other way round is not seen.
    run.state?.putNoteKeys(fresh.map((each) => each.keys))
    const toPut = fresh.map((each) => each.row).filter((row) => mustPut(run.rows.get(row.file), row))
    if (toPut.length > 0) run.index.putNotes(run.layer.key, toPut, [])
    for (const row of toPut) record(run, row)
  }
  return displaced
}

interface ReadFile {
  readonly file: string
  readonly bytes: NoteBytes
}

async function readOne({ dependencies, layer, tally }: Run, file: string): Promise<ReadFile | null> {
  try {
    const bytes = await dependencies.files.read(layer, file)
    tally.read++
    // Gone since the listing: the next run sees that it is missing.
    return bytes ? { file, bytes } : null
  } catch (error) {
    tally.unreadable++
    tally.problems.push(`${file}: ${toFailure(error).message}`)
    return null
  }
}

interface FreshRow {
  readonly row: IndexedNote
  readonly keys: NoteKeys
}

async function freshRow(run: Run, { file, bytes }: ReadFile, displaced: Set<string>): Promise<FreshRow> {
  const { dependencies, layer } = run
  const note = readNote(bytes.bytes, { layer: layer.key, file, hash: bytes.hash })
  const seenMs = note.updated === null ? await seenSince(run, note) : null
  const tools: RowTools = { ...dependencies, firstSeen: () => seenMs }
  const claimed = run.owners.claim(toIndexedNote(layer, note, bytes, tools))
  if (claimed.displaced !== null) displaced.add(claimed.displaced)
  displaced.delete(file)
  return { row: claimed.row, keys: toNoteKeys(claimed.row, note, dependencies.tombstones) }
}

async function seenSince({ dependencies, layer, state, history }: Run, note: Note): Promise<number | null> {
  if (state === null) return null
  const lastChange = async () => {
    // A layer full of new files without a date was copied here; its history, if any, is too long to be walked for each.
    if (history.asked >= MAX_ASKED_HISTORY) return null
    history.asked++
    return dependencies.lastChangeMs?.(layer, note) ?? null
  }
  return firstSeenOf(note, { state, layer: layer.key, nowMs: dependencies.clock.now(), lastChange })
}

function record({ rows, tally }: Run, { body: _, ...row }: IndexedNote): void {
  const before = rows.get(row.file)
  rows.set(row.file, row)
  if (!isChanged(before, row)) return
  tally.changed++
  for (const kind of row.problems) tally.problems.push(`${row.file}: ${kind}`)
  if (row.withheld !== null && before?.withheld !== row.withheld)
    tally.withheld.push({ file: row.file, id: row.id, hash: row.hash, reason: row.withheld })
}

/** Ids and texts of other layers are only looked at when something is missing here. */
function liveNotes({ dependencies, index, layer, owners, rows }: Run, present: ReadonlySet<string>): LiveNotes {
  let texts: ReadonlySet<string> | null = null
  const hasText = (textKey: string): boolean => {
    texts ??= new Set([...rows.values()].map((row) => row.textKey))
    return texts.has(textKey)
  }
  let elsewhere: readonly IndexedNoteRow[] | null = null
  const isElsewhere = (note: { id: string; textKey: string }): boolean => {
    const others = dependencies.otherLayers?.().filter((key) => key !== layer.key) ?? []
    elsewhere ??= others.flatMap((key) => index.notesOf(key))
    return elsewhere.some((row) => row.id === note.id || row.textKey === note.textKey)
  }
  return {
    count: rows.size,
    hasFile: (file) => present.has(file),
    has: (note) => owners.has(note.id) || hasText(note.textKey) || isElsewhere(note),
  }
}
