/**
 * The turn block: recall over a read-only index, or over note heads where there is none. It is a file of its own so that
 * a session's start loads none of it.
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, homeFiles, type Layer, layerNameOf } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { guardWords } from '../guard/index.ts'
import { createTurnBlock, readShown, type TurnNote } from '../inject/index.ts'
import { createRecall, type RecallNote } from '../recall/index.ts'
import { changedMsOf } from '../store/notes/layer-reader.ts'
import { type ScannedNote, scanLayer } from '../store/notes/layer-scan.ts'
import { bodyOf } from '../store/notes/note-document.ts'
import { createMemorySearchIndex } from '../store/search-index/memory-search-index.ts'
import type { SearchIndex } from '../store/search-index/search-index.ts'
import { openSqliteSearchIndex } from '../store/search-index/sqlite-search-index.ts'
import { findReaderDriver } from '../store/sqlite/find-driver.ts'
import { createTombstones } from '../store/tombstones.ts'
import { createIdSource } from '../util/index.ts'
import { keptSinceLastSession } from './background.ts'
import type { Reading, TurnBlockOptions } from './reading.ts'

/** A hook waits this long for a writer of the index. */
const BUSY_TIMEOUT_MS = 200
/** Without an index a hook reads at most this many notes of a layer; more would not fit into its time. */
const MAX_SCANNED_NOTES = 300

/** The block for one message. The index is opened when it is needed and closed again. */
export async function turnBlock(reading: Reading, input: TurnBlockOptions): Promise<Block> {
  const opened: { index: SearchIndex | null } = { index: null }
  const index = () => {
    opened.index ??= openIndex(reading.home.directory)
    return opened.index
  }
  try {
    return await composeTurn(reading, index, input)
  } finally {
    opened.index?.close()
  }
}

async function composeTurn(reading: Reading, index: () => SearchIndex, input: TurnBlockOptions): Promise<Block> {
  const { options, layers } = reading
  const shown = readShown(input.shown)
  const recall = createRecall({
    index,
    scan: (wanted) => scanFiles(reading, wanted),
    layers: () => layers,
    here: () => reading.here,
    readNote: (key, file) => readNote(reading, key, file),
    clock: options.clock,
  })
  const { turnNotes, turnBytes, sessionBytes } = options.config.inject
  const { prompt, worked, signal } = input
  const hits = await recall.turnHits({ prompt, limit: turnNotes, worked, signal })
  const changed = await changedNotes(reading, input.sessionStart, turnNotes)
  const counting = changed.length === 0 ? [] : await recall.counting(changed, input.prompt)
  return createTurnBlock({
    recalled: hits.map(({ note }) => toTurnNote(note)),
    changed: counting.map(toTurnNote),
    forgotten: forgottenNames(reading, input.sessionStart, shown.names),
    kept: input.begins === null ? [] : await keptSinceLastSession(reading, input.begins),
    shown,
    nowMs: options.clock.now(),
    maxNotes: turnNotes,
    maxBytes: Math.min(turnBytes, input.maxBytes),
    maxSessionBytes: sessionBytes,
  })
}

function openIndex(home: string): SearchIndex {
  const file = join(home, homeFiles.indexDb)
  // Opening a pipe would wait for its other end.
  const driver = statSync(file, { throwIfNoEntry: false })?.isFile() ? findReaderDriver() : null
  if (driver) return openSqliteSearchIndex({ file, driver, readOnly: true, busyTimeoutMs: BUSY_TIMEOUT_MS })
  throw new MemoryError('INDEX_UNAVAILABLE', 'There is no index that can be read', { data: { reason: file } })
}

/** The scan fallback, by note heads, newest files first: what the index would hold, as far as no YAML parser is needed. */
async function scanFiles(reading: Reading, layers: readonly Layer[]): Promise<SearchIndex> {
  const index = createMemorySearchIndex()
  for (const layer of layers) {
    const listing = await reading.listingOf(layer)
    const newest = [...listing.files].sort((one, other) => changedMsOf(other) - changedMsOf(one))
    const { notes } = await scanLayer(reading.files, layer, {
      isToolWritten: reading.isToolWritten,
      listing,
      only: newest.slice(0, MAX_SCANNED_NOTES).map(({ file }) => file),
    })
    for (const note of notes) {
      const whole = await withBody(reading, layer, note)
      if (whole) index.putNotes(layer.key, [{ ...note, ...whole, textKey: '', lookedAt: 0, problems: [] }], [])
    }
  }
  return index
}

async function readNote(reading: Reading, key: string, file: string): Promise<RecallNote | null> {
  const layer = reading.layers.find((each) => each.key === key)
  if (!layer) return null
  const { notes } = await scanLayer(reading.files, layer, {
    isToolWritten: reading.isToolWritten,
    listing: await reading.listingOf(layer),
    only: [file],
  })
  const [note] = notes
  return note ? withBody(reading, layer, note) : null
}

/** Masked; a note in which a threat is found keeps none of its words. */
async function withBody({ files }: Reading, layer: Layer, note: ScannedNote): Promise<RecallNote | null> {
  const bytes = await files.read(layer, note.file)
  if (!bytes) return null
  return { ...note, ...guardWords({ ...note, body: bodyOf(bytes.bytes) }), hash: bytes.hash }
}

/** Notes whose file changed since the session began, newest first. */
async function changedNotes(reading: Reading, sessionStart: string | null, limit: number): Promise<RecallNote[]> {
  const sinceMs = sessionStart === null ? Number.NaN : Date.parse(sessionStart)
  if (Number.isNaN(sinceMs)) return []
  const found: { note: RecallNote; mtimeMs: number }[] = []
  for (const layer of reading.layers) {
    const listing = await reading.listingOf(layer)
    const recent = listing.files
      .filter(({ mtimeMs }) => mtimeMs > sinceMs)
      .sort((one, other) => other.mtimeMs - one.mtimeMs)
    for (const { file, mtimeMs } of recent.slice(0, limit)) {
      const note = await readNote(reading, layer.key, file)
      if (note && note.status === 'active' && note.withheld === null) found.push({ note, mtimeMs })
    }
  }
  return found
    .sort((one, other) => other.mtimeMs - one.mtimeMs)
    .slice(0, limit)
    .map(({ note }) => note)
}

/** Names that this conversation was shown and that were forgotten since; tombstones hold keyed hashes only. */
function forgottenNames({ home, options }: Reading, sessionStart: string | null, names: ReadonlySet<string>): string[] {
  const sinceMs = sessionStart === null ? Number.NaN : Date.parse(sessionStart)
  if (Number.isNaN(sinceMs) || names.size === 0 || !existsSync(join(home.directory, homeFiles.tombstones))) return []
  const tombstones = createTombstones({
    home: home.directory,
    clock: options.clock,
    ids: createIdSource(options.clock),
  })
  const keys = new Set(tombstones.since(sinceMs).map(({ nameKey }) => nameKey))
  return keys.size === 0 ? [] : [...names].filter((name) => keys.has(tombstones.nameKey(name)))
}

function toTurnNote(note: RecallNote): TurnNote {
  const { id, hash, name, type, voice, updated, body } = note
  return { id, hash, name, type, voice, updated, body, layer: layerNameOf(note.layer) }
}
