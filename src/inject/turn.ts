/**
 * The turn block from its sources: what both composition roots do alike, a hook without a model and the library with one.
 * It decides what is asked and in which order; where notes, news and verdicts come from is handed in.
 */
import {
  type Block,
  type Config,
  EMPTY_BLOCK,
  type Layer,
  languageOf,
  layerNameOf,
  type NoteStatus,
  type NoteType,
  type TurnGate,
  type VerifyNotes,
  type Voice,
  warnFromDays,
} from '../domain/index.ts'
import type { LayerListing } from '../store/notes/note-files.ts'
import type { Tombstones } from '../store/tombstones.ts'
import { lookUp } from './look-up.ts'
import { type Shown, versionOf } from './shown.ts'
import { createTurnBlock, type KeptNote } from './turn-block.ts'
import type { TurnNote } from './turn-entry.ts'

/** A note as recall reads it: masked, and with its words withheld where they attack. */
export interface FoundNote {
  readonly id: string
  readonly hash: string
  /** Key of its layer. */
  readonly layer: string
  readonly name: string
  readonly type: NoteType
  readonly voice: Voice
  readonly status: NoteStatus
  readonly updated: string | null
  readonly body: string
  readonly withheld: string | null
}

export interface TurnSources<Note extends FoundNote> {
  /** Notes above the floor, best first; not asked while the gate for words is closed. */
  readonly recall: () => Promise<{ readonly notes: readonly Note[]; readonly problems: readonly string[] }>
  /** Those that count here. */
  readonly counting: (notes: readonly Note[]) => Promise<readonly Note[]>
  readonly layers: readonly Layer[]
  readonly listingOf: (layer: Layer) => Promise<LayerListing>
  /** Null when it is gone. */
  readonly readNote: (layer: string, file: string) => Promise<Note | null>
  /** Null while nothing was ever forgotten here. */
  readonly tombstones: () => Pick<Tombstones, 'since' | 'nameKey'> | null
  /** Asked at the first message of a conversation. */
  readonly kept: (session: string) => Promise<readonly KeptNote[]>
  /** Null where there is no working tree. */
  readonly verify: VerifyNotes | null
}

export interface TurnAsk {
  readonly prompt: string
  /** Of `closedGate`. */
  readonly closed: TurnGate | null
  readonly shown: Shown
  /** When this conversation began or was last cut, ISO 8601. */
  readonly sessionStart: string | null
  /** Id of the session when this is its first message. */
  readonly begins: string | null
  readonly maxBytes: number
  /** For all anchors together. */
  readonly maxVerifyMs: number
  readonly nowMs: number
  readonly config: Pick<Config, 'inject' | 'freshness'>
  readonly signal?: AbortSignal
}

export async function composeTurn<Note extends FoundNote>(sources: TurnSources<Note>, ask: TurnAsk): Promise<Block> {
  const { closed, shown, begins, config } = ask
  if (closed !== null && closed !== 'few words') return { ...EMPTY_BLOCK, closed }
  const found = closed === null ? await sources.recall() : { notes: [], problems: [] }
  // What the conversation shows already is not given again, so it need not be looked up either.
  const isNew = ({ id, hash }: Note) => !shown.versions.has(versionOf(id, hash))
  const notes = found.notes.filter(isNew)
  const sinceMs = Date.parse(ask.sessionStart ?? shown.startTime ?? '')
  const news = (await changedSince(sources, sinceMs, config.inject.turnNotes)).filter(isNew)
  const changed = news.length === 0 ? [] : await sources.counting(news)
  const verdicts = await lookUp(sources.verify, [...changed, ...notes], { maxMs: ask.maxVerifyMs, signal: ask.signal })
  const toTurnNote = (note: Note): TurnNote => ({
    ...note,
    layer: layerNameOf(note.layer),
    warnFromDays: warnFromDays(config.freshness, note),
    verdicts: verdicts.get(note.id) ?? [],
  })
  const block = createTurnBlock({
    recalled: notes.map(toTurnNote),
    changed: changed.map(toTurnNote),
    forgotten: forgottenSince(sources, sinceMs, shown),
    kept: begins === null ? [] : await sources.kept(begins),
    shown,
    nowMs: ask.nowMs,
    language: languageOf(ask.prompt),
    maxNotes: config.inject.turnNotes,
    maxBytes: Math.min(config.inject.turnBytes, ask.maxBytes),
    maxSessionBytes: config.inject.sessionBytes,
  })
  return { ...block, problems: [...block.problems, ...found.problems], ...(closed === null ? {} : { closed }) }
}

/** Notes whose file changed since then, newest first. */
async function changedSince<Note extends FoundNote>(
  { layers, listingOf, readNote }: TurnSources<Note>,
  sinceMs: number,
  limit: number,
): Promise<Note[]> {
  if (Number.isNaN(sinceMs)) return []
  const found: { note: Note; mtimeMs: number }[] = []
  for (const layer of layers) {
    const { files } = await listingOf(layer)
    const recent = files.filter(({ mtimeMs }) => mtimeMs > sinceMs).sort((one, other) => other.mtimeMs - one.mtimeMs)
    for (const { file, mtimeMs } of recent.slice(0, limit)) {
      const note = await readNote(layer.key, file)
      if (note && note.status === 'active' && note.withheld === null) found.push({ note, mtimeMs })
    }
  }
  return found
    .sort((one, other) => other.mtimeMs - one.mtimeMs)
    .slice(0, limit)
    .map(({ note }) => note)
}

/** Names that this conversation was shown and that were forgotten since; tombstones hold keyed hashes and ids only. */
function forgottenSince<Note extends FoundNote>(
  { tombstones }: Pick<TurnSources<Note>, 'tombstones'>,
  sinceMs: number,
  { names, ids }: Shown,
): string[] {
  const known = Number.isNaN(sinceMs) || names.size + ids.size === 0 ? null : tombstones()
  const forgotten = known?.since(sinceMs) ?? []
  if (known === null || forgotten.length === 0) return []
  const keys = new Set(forgotten.map(({ nameKey }) => nameKey))
  const byId = forgotten.flatMap(({ noteId }) => ids.get(noteId) ?? [])
  return [...new Set([...byId, ...[...names].filter((name) => keys.has(known.nameKey(name)))])]
}
