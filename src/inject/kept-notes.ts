/**
 * What was kept in the background since the last session of this project (spec W22), for the first message of a new one.
 * Nothing is ticked off, because a hook writes nothing: "the last session" is the newest other one that was captured here,
 * and what its own first message could not tell yet is what is told now.
 */
import { isShared, type Layer, layerNameOf } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { safeHead } from '../guard/index.ts'
import { decodeStrictly } from '../store/notes/note-document.ts'
import type { LayerListing, NoteFiles } from '../store/notes/note-files.ts'
import { scanNoteHead } from '../store/notes/note-scan.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import type { KeptNote } from './turn-block.ts'

/** Newest sessions that are looked through for the one before this. */
const MAX_SESSIONS = 10
/** Files that are opened; more changed ones are a restore or a checkout. */
const MAX_READ_FILES = 40
/** A turn may be captured long after it was said, but an old note whose file is new was copied, not kept. */
const LATEST_CAPTURE_MS = 7 * 24 * 60 * 60 * 1_000

export interface KeptSources {
  readonly layers: readonly Layer[]
  readonly files: Pick<NoteFiles, 'read'>
  readonly listingOf: (layer: Layer) => Promise<LayerListing>
  readonly nowMs: number
}

/** Newest first. Never throws for a store that cannot be read: then nothing is told. `session` is the one that begins. */
export async function keptSinceLastSession(
  sources: KeptSources,
  store: SessionStore,
  session: string,
): Promise<readonly KeptNote[]> {
  const project = sources.layers.find(({ name }) => name === 'project')?.key
  // Outside any project, and in one that was never heard of, no session came before.
  if (project === undefined) return []
  try {
    const sinceMs = startOfLast(store, project, { session, nowMs: sources.nowMs })
    return sinceMs === null ? [] : await keptSince(sources, sinceMs, (id) => isFromHere(store, project, session, id))
  } catch (error) {
    if (!MemoryError.isInstance(error)) throw error
    // Locked, damaged, of another version: the notes themselves are shown as ever.
    return []
  }
}

function startOfLast(
  store: SessionStore,
  project: string,
  { session, nowMs }: { readonly session: string; readonly nowMs: number },
): number | null {
  const { sessions } = store.sessions({ projects: [project], limit: MAX_SESSIONS, offset: 0 })
  const starts = sessions.flatMap(({ id, started }) => (id === session || started === null ? [] : Date.parse(started)))
  return starts.find((startMs) => startMs <= nowMs) ?? null
}

/** Said in a conversation of this project, and not in the one that begins. */
function isFromHere(store: SessionStore, project: string, current: string, said: string): boolean {
  return said !== current && store.session(said)?.project === project
}

async function keptSince(sources: KeptSources, sinceMs: number, isFromHere: (session: string) => boolean) {
  const found: { note: KeptNote; mtimeMs: number }[] = []
  for (const layer of sources.layers.filter((each) => !isShared(each))) {
    const { files } = await sources.listingOf(layer)
    const recent = files
      .filter(({ mtimeMs }) => mtimeMs > sinceMs)
      .sort((one, other) => other.mtimeMs - one.mtimeMs)
      .slice(0, MAX_READ_FILES)
    for (const { file, mtimeMs } of recent) {
      const note = await keptNote(sources, layer, file, { sinceMs, isFromHere })
      if (note) found.push({ note, mtimeMs })
    }
  }
  return found.sort((one, other) => other.mtimeMs - one.mtimeMs).map(({ note }) => note)
}

/** Only capture names a session as the source: what a person or an agent wrote was told where it was written. */
async function keptNote(
  { files }: KeptSources,
  layer: Layer,
  file: string,
  { sinceMs, isFromHere }: { readonly sinceMs: number; readonly isFromHere: (session: string) => boolean },
): Promise<KeptNote | null> {
  const read = await files.read(layer, file)
  const text = read && decodeStrictly(read.bytes)
  const fields = text ? scanNoteHead(text, { layer: layer.key, file }) : 'unsure'
  if (fields === 'unsure' || fields.status !== 'active') return null
  const said = fields.source.at(-1)?.session ?? null
  const writtenMs = Date.parse(fields.updated ?? fields.created ?? '')
  if (said === null || !isFromHere(said) || !(writtenMs > sinceMs - LATEST_CAPTURE_MS)) return null
  // A name that may not be shown leaves its id.
  const { name } = safeHead(fields)
  return { id: fields.id, name, type: fields.type, layer: layerNameOf(layer.key) }
}
