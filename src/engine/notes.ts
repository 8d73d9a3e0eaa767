/** Lists and reads: files are asked, never the index, so what is shown is what is on disk now. */
import { join } from 'node:path'
import {
  ageOf,
  type Clock,
  type Config,
  DEFAULT_CONFIG,
  freshnessWarning,
  isoSeconds,
  type Layer,
  type ListInput,
  type ListResult,
  type Note,
  type ReadResult,
  STANDS,
  type Standing,
  type Trust,
  UNTRIED,
  UNUSED,
  type UseCount,
  type VerifyNotes,
  warnFromDays,
  workaroundWarning,
} from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { confirmedText, guardWords, safeText } from '../guard/index.ts'
import { lookUp } from '../inject/index.ts'
import { type Entity, entityOf, isNamedIn, isWanted, thingOf, wantedFrom } from '../recall/index.ts'
import type { Answers } from '../store/answers.ts'
import { newestFirst, type ScannedNote, scanLayer } from '../store/notes/layer-scan.ts'
import { findNotes } from '../store/notes/lookup.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import { readNote } from '../store/notes/note-format.ts'
import { type Here, standingsOf } from '../store/notes/precedence.ts'
import { toSummary } from '../store/notes/summary.ts'
import { voiceOf } from '../store/notes/voice.ts'
import { oneLine } from '../util/index.ts'
import { shown, shownError, shownNote } from './shown.ts'
import type { TrustBook } from './trust.ts'
import type { Uses } from './uses.ts'
import { MAX_VERIFY_MS, shownVerdicts } from './verify.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 500
const CURSOR = /^o(\d{1,9})$/

export interface NotesDependencies {
  readonly files: NoteFiles
  readonly layers: () => readonly Layer[]
  readonly here: () => Here
  readonly isToolWritten: (path: string) => boolean
  readonly clock: Clock
  /** Of `read`. Default: of a fresh configuration. */
  readonly freshness?: Config['freshness']
  /** Of `read`; null where there is no working tree. Default: nothing is looked up. */
  readonly verify?: () => VerifyNotes | null
  readonly answers: Pick<Answers, 'answerTo'>
  readonly trust: Pick<TrustBook, 'of'>
  readonly uses: Pick<Uses, 'of'>
  /** Milliseconds; null when it was never looked at. */
  readonly firstSeenMs: (layer: string, file: string, hash: string) => number | null
}

export interface PlacedNote {
  readonly note: ScannedNote
  readonly layer: Layer
}

export interface JudgedNote extends PlacedNote {
  readonly standing: Standing
}

export interface Notes {
  scan(): Promise<readonly PlacedNote[]>
  list(input: ListInput): Promise<ListResult>
  /** The one note that is meant; of one name in several layers the one that counts. Throws NOTE_AMBIGUOUS. */
  find(reference: string): Promise<JudgedNote | null>
  /** The same among these notes (of `scan`), for many references. */
  finder(scanned: readonly PlacedNote[]): (reference: string) => JudgedNote | null
  read(reference: string): Promise<ReadResult | null>
}

export function createNotes(dependencies: NotesDependencies): Notes {
  const { files, layers, isToolWritten } = dependencies
  const scan = async () => {
    const found: PlacedNote[] = []
    for (const layer of layers()) {
      const { notes } = await scanLayer(files, layer, { parse: readNote, isToolWritten })
      found.push(...notes.map((note) => ({ note, layer })))
    }
    return found.sort((one, other) => newestFirst(one.note, other.note))
  }
  const judged = (found: readonly PlacedNote[]): JudgedNote[] => {
    const standings = standingsOf(
      found.map(({ note }) => note),
      dependencies.here(),
    )
    return found.map((each) => ({ ...each, standing: standings.get(each.note) ?? STANDS }))
  }
  const finder = (scanned: readonly PlacedNote[]) => {
    const findable = judged(scanned).map((each) => ({ ...each.note, each }))
    return (reference: string): JudgedNote | null => {
      const found = findNotes(reference, findable)
      if (found === null) return null
      const meant = 'match' in found ? found.match : theOneThatCounts(found.candidates)
      if (meant) return meant.each
      throw shownError(ambiguous(reference, 'candidates' in found ? found.candidates : []), layers())
    }
  }
  const find = async (reference: string) => finder(await scan())(reference)
  return {
    scan,
    find,
    finder,
    async list(input) {
      const wanted = await narrowed(judged(await scan()), input, dependencies)
      const start = offsetOf(input.cursor)
      const end = start + boundedLimit(input.limit)
      const page = wanted.slice(start, end)
      const ids = page.map(({ note }) => note.id)
      const [trust, uses] = [dependencies.trust.of(ids), dependencies.uses.of(ids)]
      const notes = page.map(({ note, layer, standing }) =>
        shown({ ...toSummary(note, layer), standing, ...earned(note.id, trust, uses) }, layers()),
      )
      return { notes, nextCursor: end < wanted.length ? `o${end}` : null, total: wanted.length }
    },
    async read(reference) {
      const meant = await find(reference)
      if (meant === null) return null
      const { note: scanned, layer, standing } = meant
      const bytes = await files.read(layer, scanned.file)
      if (!bytes) return null
      const note = readNote(bytes.bytes, { layer: layer.key, file: scanned.file, hash: bytes.hash })
      return present({ ...note, id: scanned.id }, { layer, standing }, dependencies)
    },
  }
}

function earned(id: string, trust: ReadonlyMap<string, Trust>, uses: ReadonlyMap<string, UseCount>) {
  return { trust: (trust.get(id) ?? UNTRIED).value, uses: uses.get(id) ?? UNUSED }
}

/** Of one note in several layers, the one that stands before all the others. Null when more than one counts. */
function theOneThatCounts<Found extends { readonly each: JudgedNote }>(candidates: readonly Found[]): Found | null {
  const [first, ...others] = candidates.filter(({ each }) => each.standing.state === 'stands')
  if (!first || others.length > 0) return null
  const isBehind = ({ each: { note, standing } }: Found) =>
    note.id === first.each.note.id || (standing.state === 'overridden' && standing.by.id === first.each.note.id)
  return candidates.every((candidate) => candidate === first || isBehind(candidate)) ? first : null
}

async function present(
  note: Note,
  { layer, standing }: Pick<JudgedNote, 'layer' | 'standing'>,
  dependencies: NotesDependencies,
): Promise<ReadResult> {
  const { clock, isToolWritten, answers, freshness = DEFAULT_CONFIG.freshness } = dependencies
  const { id, type } = note
  const trust = dependencies.trust.of([id]).get(id) ?? UNTRIED
  const uses = dependencies.uses.of([id]).get(id) ?? UNUSED
  const nowMs = clock.now()
  const isConfirmed = answers.answerTo({ asks: 'withheld', hash: note.hash }) === 'yes'
  const confirmed = isConfirmed ? confirmedText(note.body) : null
  const text = confirmed ?? safeText(note.body, `note ${oneLine(note.name)}`).text
  const updated = note.updated ?? firstSeen({ ...note, layer: layer.key }, dependencies)
  const looked = { id, body: text, updated, layer: layer.key }
  const found = await lookUp(dependencies.verify?.() ?? null, [looked], { maxMs: MAX_VERIFY_MS })
  const verdicts = shownVerdicts(found.get(id) ?? [])
  const voice = isConfirmed
    ? 'quoted'
    : voiceOf(note, { toolWritten: isToolWritten(join(layer.directory, note.file)), layer: layer.key })
  const fromDays = warnFromDays(freshness, { layer: layer.key, type })
  return {
    note: { ...shownNote(note), body: text },
    summary: shown({ ...toSummary(note, layer), standing, trust: trust.value, uses }, [layer]),
    text,
    age: ageOf(updated, nowMs),
    warning: voice === 'rule' ? null : freshnessWarning(updated, nowMs, { fromDays }),
    workaround: workaroundWarning({ text, updated, verdicts }, nowMs),
    verdicts,
    voice,
    trust,
    uses,
  }
}

/** `about` needs the words, so files are read again; only then, and only those that everything else leaves. */
async function narrowed(
  found: readonly JudgedNote[],
  input: ListInput,
  dependencies: NotesDependencies,
): Promise<readonly JudgedNote[]> {
  const wanted = wantedFrom(input, dependencies.clock.now())
  const fitting = found.filter(
    ({ note, layer }) =>
      (input.layer === undefined || layer.name === input.layer) &&
      isWanted({ ...note, updated: note.updated ?? firstSeen(note, dependencies) }, wanted),
  )
  const trust = wanted.minTrust > 0 ? dependencies.trust.of(fitting.map(({ note }) => note.id)) : null
  const trusted = trust
    ? fitting.filter(({ note }) => (trust.get(note.id) ?? UNTRIED).value >= wanted.minTrust)
    : fitting
  const asked = [input.about, input.together].filter((each) => each !== undefined)
  if (asked.length === 0) return trusted
  const things = found.filter(({ note }) => note.status === 'active' && note.aliases.length > 0)
  const entities = asked.map((each) =>
    entityOf(
      each,
      things.map(({ note }) => thingOf(note)),
    ),
  )
  const naming: JudgedNote[] = []
  for (const each of trusted) if (await isNamed(each, entities, dependencies)) naming.push(each)
  return naming
}

async function isNamed({ note, layer }: JudgedNote, entities: readonly Entity[], { files }: NotesDependencies) {
  const read = await files.read(layer, note.file)
  if (!read) return false
  const words = readNote(read.bytes, { layer: layer.key, file: note.file, hash: read.hash })
  // What is withheld from prompts says nothing about anybody either.
  return entities.every((entity) => isNamedIn(entity, words)) && guardWords(words).withheld === null
}

/** A bare file is as old as the time at which Keepsake first saw it (spec I4). */
function firstSeen(
  { layer, file, hash }: Pick<ScannedNote, 'layer' | 'file' | 'hash'>,
  { firstSeenMs }: NotesDependencies,
): string | null {
  const ms = firstSeenMs(layer, file, hash)
  return ms === null ? null : isoSeconds(ms)
}

/** What is no number counts as not given. */
export function boundedLimit(limit: number | undefined): number {
  const wanted = limit === undefined || Number.isNaN(limit) ? DEFAULT_LIMIT : limit
  return Math.min(MAX_LIMIT, Math.max(1, Math.trunc(wanted)))
}

export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const match = CURSOR.exec(cursor)
  if (match) return Number(match[1])
  throw new MemoryError('INPUT_INVALID', `The cursor ${JSON.stringify(cursor)} is not one of ours`, {
    hint: 'Take nextCursor from the last page, or leave it out to begin at the start.',
    data: { field: 'cursor' },
  })
}

function ambiguous(reference: string, candidates: readonly ScannedNote[]): MemoryError {
  return new MemoryError(
    'NOTE_AMBIGUOUS',
    `${candidates.length} notes match ${JSON.stringify(reference)}; nothing was done`,
    {
      hint: 'Use the id.',
      data: { reference, candidates: candidates.slice(0, 10).map(({ id, name, file }) => ({ id, name, file })) },
    },
  )
}
