/**
 * The turn block: recall over a read-only index, or over note heads where there is none. It is a file of its own so that
 * a session's start loads none of it.
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, homeFiles, type Layer, type VerifyNotes } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { guardWords } from '../guard/index.ts'
import { composeTurn, type KeptNote, keptSinceLastSession, readShown } from '../inject/index.ts'
import { closedGate, createRecall, ownWords, type RecallNote } from '../recall/index.ts'
import { changedMsOf } from '../store/notes/layer-reader.ts'
import { type ScannedNote, scanLayer } from '../store/notes/layer-scan.ts'
import { bodyOf } from '../store/notes/note-document.ts'
import { createMemorySearchIndex } from '../store/search-index/memory-search-index.ts'
import type { SearchIndex } from '../store/search-index/search-index.ts'
import { openSqliteSearchIndex } from '../store/search-index/sqlite-search-index.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import { openSessionStore } from '../store/sessions/sqlite-session-store.ts'
import { findReaderDriver } from '../store/sqlite/find-driver.ts'
import { createTombstones, type Tombstones } from '../store/tombstones.ts'
import { createIdSource } from '../util/index.ts'
import type { Reading, TurnBlockOptions } from './reading.ts'

/** A hook waits this long for a writer of a database. */
const BUSY_TIMEOUT_MS = 200
/** Without an index a hook reads at most this many notes of a layer; more would not fit into its time. */
const MAX_SCANNED_NOTES = 300
/** For all anchors of one block (spec I5). */
const MAX_VERIFY_MS = 30

/** The block for one message. The index is opened when it is needed and closed again. */
export async function turnBlock(reading: Reading, input: TurnBlockOptions): Promise<Block> {
  const opened: { index: SearchIndex | null } = { index: null }
  const index = () => {
    opened.index ??= openIndex(reading.home.directory)
    return opened.index
  }
  try {
    return await answerTurn(reading, index, input)
  } finally {
    opened.index?.close()
  }
}

async function answerTurn(reading: Reading, index: () => SearchIndex, input: TurnBlockOptions): Promise<Block> {
  const { options, layers } = reading
  const { config } = options
  const nowMs = options.clock.now()
  const shown = readShown(input.shown)
  const recall = createRecall({
    index,
    scan: (wanted) => scanFiles(reading, wanted),
    layers: () => layers,
    here: () => reading.here,
    readNote: (key, file) => readNote(reading, key, file),
    clock: options.clock,
  })
  const { turn, turnNotes, sessionBytes } = config.inject
  const { worked, signal } = input
  const prompt = ownWords(input.prompt)
  return composeTurn<RecallNote>(
    {
      ...reading,
      readNote: (key, file) => readNote(reading, key, file),
      recall: async () => ({
        notes: (await recall.turnHits({ prompt, limit: turnNotes, worked, signal })).map(({ note }) => note),
        problems: [],
      }),
      counting: (notes) => recall.counting(notes, prompt),
      tombstones: () => tombstonesOf(reading),
      kept: (session) => kept(reading, session, nowMs),
      verify: verifierOf(reading),
    },
    {
      ...input,
      closed: closedGate({ isOn: turn, prompt, spentBytes: shown.turnBytes, maxBytes: sessionBytes }),
      shown,
      maxVerifyMs: MAX_VERIFY_MS,
      nowMs,
      config,
    },
  )
}

function openIndex(home: string): SearchIndex {
  const file = join(home, homeFiles.indexDb)
  const driver = readerOf(file)
  if (driver) return openSqliteSearchIndex({ file, driver, readOnly: true, busyTimeoutMs: BUSY_TIMEOUT_MS })
  throw new MemoryError('INDEX_UNAVAILABLE', 'There is no index that can be read', { data: { reason: file } })
}

/** Null where there is no such database, or nothing that could read it. Opening a pipe would wait for its other end. */
function readerOf(file: string) {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? findReaderDriver() : null
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

/** Loaded when there is something to look up: most messages call up no note of the project. */
function verifierOf({ options, workingTree }: Reading): VerifyNotes | null {
  if (options.verify !== undefined) return options.verify
  if (workingTree === null) return null
  return async (notes, limits) => {
    const { createAnchorVerifier } = await import('../inject/anchors/index.ts')
    return createAnchorVerifier({ root: workingTree })(notes, limits)
  }
}

/** Null while nothing was ever forgotten: then there is no file. */
function tombstonesOf({ home, options }: Reading): Tombstones | null {
  if (!existsSync(join(home.directory, homeFiles.tombstones))) return null
  return createTombstones({ home: home.directory, clock: options.clock, ids: createIdSource(options.clock) })
}

async function kept(reading: Reading, session: string, nowMs: number): Promise<readonly KeptNote[]> {
  const store = openSessions(reading)
  if (store === null) return []
  try {
    return await keptSinceLastSession({ ...reading, nowMs }, store, session)
  } finally {
    store.close()
  }
}

function openSessions({ home, options }: Reading): SessionStore | null {
  const file = join(home.directory, homeFiles.sessionsDb)
  const driver = readerOf(file)
  if (driver === null) return null
  try {
    return openSessionStore({ file, driver, readOnly: true, busyTimeoutMs: BUSY_TIMEOUT_MS, clock: options.clock })
  } catch (error) {
    if (!MemoryError.isInstance(error)) throw error
    // Locked, damaged, of another version: the notes themselves are shown as ever.
    return null
  }
}
