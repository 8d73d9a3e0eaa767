/**
 * All notes of one layer from their heads: what lists, the index file and the start block need. Reads through the port
 * only, and without YAML unless the caller hands a full parser in. Newest first (spec R1); of two files with one id the
 * first path keeps it.
 */
import { join } from 'node:path'
import type { Layer, Note, NoteProblem, NoteStatus, NoteType, Voice } from '../../domain/index.ts'
import { messageOf } from '../../errors.ts'
import { compareUnits, oneLine } from '../../util/index.ts'
import { boundTo, type LayerReader, onePerId, readInBatches } from './layer-reader.ts'
import { decodeStrictly } from './note-document.ts'
import { fieldsFrom, type NoteFields } from './note-fields.ts'
import type { IgnoredFile, LayerListing, LockedLayer, NoteBytes, NoteFileStat } from './note-files.ts'
import { scanNoteHead } from './note-scan.ts'
import { voiceOf } from './voice.ts'

/** A note as lists need it. Name and description stand on one line. */
export interface ScannedNote {
  readonly id: string
  readonly idDerived: boolean
  /** Layer key. */
  readonly layer: string
  /** Path below the layer's folder. */
  readonly file: string
  readonly name: string
  readonly description: string
  readonly type: NoteType
  readonly pinned: boolean
  readonly status: NoteStatus
  readonly created: string | null
  readonly updated: string | null
  readonly voice: Voice
  readonly confidence: number
  readonly tags: readonly string[]
  readonly aliases: readonly string[]
  readonly appliesTo: readonly string[]
  readonly mutes: readonly string[]
  readonly expires: string | null
  /** True when the front matter needs the full parser and there was none: everything comes from the file name. */
  readonly unsure: boolean
  readonly hash: string
  readonly size: number
  readonly mtimeMs: number
  readonly inode: number
}

export interface LayerProblem {
  readonly file: string
  readonly kind: NoteProblem['kind'] | 'unreadable'
  readonly line: number | null
  readonly message: string
}

export interface LayerScan {
  readonly state: LayerListing['state']
  /** Newest `updated` first, then by id; undated ones last. */
  readonly notes: readonly ScannedNote[]
  /** How many notes `limit` left out. */
  readonly omitted: number
  readonly problems: readonly LayerProblem[]
  readonly ignored: readonly IgnoredFile[]
}

export interface LayerScanOptions {
  /** The full parser (`readNote`), for files that the scanner is unsure of. Hooks leave it out. */
  readonly parse?: (bytes: Uint8Array, place: { layer: string; file: string; hash: string }) => Note
  /** What the layer's listing just said, so that it is not taken twice. */
  readonly listing?: LayerListing
  /** Read only these files. Repeated ids are then seen only among them. */
  readonly only?: readonly string[]
  /** Whether a tool of an agent wrote this absolute path (spec I11). Default: none did. */
  readonly isToolWritten?: (path: string) => boolean
  readonly limit?: number
  readonly signal?: AbortSignal
}

/** Lists and reads a layer. A file that cannot be read is a problem, never the end of the scan. */
export async function scanLayer(reader: LayerReader, layer: Layer, options: LayerScanOptions = {}): Promise<LayerScan> {
  const source = boundTo(layer, reader)
  const listing = options.listing ?? (await source.list())
  const only = options.only && new Set(options.only)
  const wanted = only ? listing.files.filter(({ file }) => only.has(file)) : listing.files
  const read = await readInBatches(wanted, (stat) => scanFile(source, layer, stat, options), options.signal)
  const problems = read.flatMap((file) => file.problems)
  const found = read.flatMap(({ note }) => note ?? [])
  const notes = onePerId(found, (note, holder) => problems.push(idRepeated(note, holder))).sort(newestFirst)
  const limit = options.limit ?? notes.length
  return {
    state: listing.state,
    notes: notes.slice(0, limit),
    omitted: Math.max(0, notes.length - limit),
    problems,
    ignored: listing.ignored,
  }
}

/** Newest `updated` first, undated last, then by id, then by file: one total order. */
export function newestFirst(one: ScannedNote, other: ScannedNote): number {
  return (
    compareUnits(other.updated ?? '', one.updated ?? '') ||
    compareUnits(one.id, other.id) ||
    compareUnits(one.file, other.file)
  )
}

/** A note that was read whole, as a scan gives it. */
export function scannedFrom(note: Note, stat: NoteFileStat, toolWritten: boolean): ScannedNote {
  return scanned(note, { layer: note.layer, hash: note.hash, stat, toolWritten, unsure: false })
}

function idRepeated({ id, file }: ScannedNote, holder: string): LayerProblem {
  const message = `The id ${id} belongs to ${holder}; this file counts as another note`
  return { file, kind: 'id-repeated', line: null, message }
}

interface ScannedFile {
  readonly note: ScannedNote | null
  readonly problems: readonly LayerProblem[]
}

async function scanFile(
  source: Pick<LockedLayer, 'read'>,
  layer: Layer,
  listed: NoteFileStat,
  options: LayerScanOptions,
): Promise<ScannedFile> {
  const { file } = listed
  let read: NoteBytes | null
  try {
    read = await source.read(file)
  } catch (error) {
    const message = messageOf(error)
    return { note: null, problems: [{ file, kind: 'unreadable', line: null, message }] }
  }
  // Gone between listing and reading: not there is not a fault.
  if (read === null) return { note: null, problems: [] }
  const { bytes, hash, ...now } = read
  const stat: NoteFileStat = { file, size: now.size, mtimeMs: now.mtimeMs, inode: now.inode }
  const toolWritten = options.isToolWritten?.(join(layer.directory, file)) ?? false
  const fields = readFields(bytes, { layer: layer.key, file, hash }, options)
  const note = scanned(fields.fields, { layer: layer.key, hash, stat, toolWritten, unsure: fields.unsure })
  return { note, problems: fields.fields.problems.map((problem) => ({ ...problem, file })) }
}

function readFields(
  bytes: Uint8Array,
  place: { layer: string; file: string; hash: string },
  options: LayerScanOptions,
): { fields: NoteFields; unsure: boolean } {
  const text = decodeStrictly(bytes)
  const head = text === null ? 'unsure' : scanNoteHead(text, place)
  if (head !== 'unsure') return { fields: head, unsure: false }
  if (options.parse) return { fields: options.parse(bytes, place), unsure: false }
  return { fields: fieldsFrom(new Map(), '', place, []), unsure: true }
}

function scanned(
  fields: NoteFields,
  place: { layer: string; hash: string; stat: NoteFileStat; toolWritten: boolean; unsure: boolean },
): ScannedNote {
  const { stat, unsure } = place
  return {
    id: fields.id,
    idDerived: fields.idDerived,
    layer: place.layer,
    file: stat.file,
    name: oneLine(fields.name),
    description: oneLine(fields.description),
    type: fields.type,
    pinned: fields.pinned,
    status: fields.status,
    created: fields.created,
    updated: fields.updated,
    // Evidence that was not read may name a tool: an unsure file is never a rule.
    voice: unsure ? 'fact' : voiceOf(fields, place),
    confidence: fields.confidence,
    tags: fields.tags,
    aliases: fields.aliases,
    appliesTo: fields.appliesTo,
    mutes: fields.mutes,
    expires: fields.expires,
    unsure,
    hash: place.hash,
    size: stat.size,
    mtimeMs: stat.mtimeMs,
    inode: stat.inode,
  }
}
