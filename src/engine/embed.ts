/**
 * Shows the embedding model what it has not seen: notes, then messages, a bounded part at each refresh. It may stop
 * anywhere and goes on the next time; what a row lacks is seen in the index. Texts are masked before they come here.
 */
import { type Config, type EmbeddingStatus, type Layer, modeOf } from '../domain/index.ts'
import { hasCode } from '../errors.ts'
import { type Embedder, measureLikeness, TooLate, withinTime } from '../models/index.ts'
import type { RecallNote } from '../recall/index.ts'
import { analyseText } from '../store/search-index/analyse.ts'
import { type SearchIndex, sessionScope } from '../store/search-index/search-index.ts'
import type { VectorModel, WithVector } from '../store/search-index/vector-index.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import { chunksOf } from '../store/sync-batches.ts'

/** Texts of one run: under a minute with a small model on a processor; the next run goes on. */
const MAX_TEXTS = 2_000
/** Texts of one call of the model, and of one transaction. */
const BATCH = 16
/** A call takes a second or two; a model that is stuck is left. */
const TIMEOUT_MS = 60_000
/** UTF-16 units of a text that are shown; small models read no more than that. */
const MAX_LENGTH = 1_500
/** Messages of one project: 100 MB of memory at 512 numbers each. */
const MAX_MESSAGES = 50_000

export interface EmbedDependencies {
  readonly embedder: Embedder
  readonly config: Config
  readonly index: () => SearchIndex
  /** A note as it is on disk now, masked; its `withheld` says when it may go nowhere. */
  readonly readNote: (layer: Layer, file: string) => Promise<RecallNote | null>
  readonly sessions: () => SessionStore | null
  readonly everyLayer: () => readonly Layer[]
}

export interface EmbedRun {
  /** False when somebody else took over. */
  readonly mayGoOn: () => boolean
  readonly signal?: AbortSignal
  /** For tests. */
  readonly maxTexts?: number
}

/** Rejects when the model cannot be used; what was done before is kept. Gives how many texts were shown. */
export async function embedMissing(dependencies: EmbedDependencies, run: EmbedRun): Promise<number> {
  const { vectors } = dependencies.index()
  const name = dependencies.embedder.id
  const places = reachOf(dependencies)
  const most = run.maxTexts ?? MAX_TEXTS
  let shown = 0
  const notes = vectors.missingNotes(name, [...places.layers.keys()], most)
  for (const batch of chunksOf(notes, BATCH)) {
    if (!run.mayGoOn()) return shown
    const texts = await Promise.all(batch.map((place) => noteText(dependencies, places.layers, place)))
    await showBatch(dependencies, run, batch, texts, (made) => vectors.putNotes(name, made))
    shown += batch.length
  }
  for (const scope of places.scopes) {
    const room = MAX_MESSAGES - vectors.countMessages(name, [scope]).done
    const messages = vectors.missingMessages(name, [scope], Math.max(0, Math.min(most - shown, room)))
    for (const batch of chunksOf(messages, BATCH)) {
      if (!run.mayGoOn()) return shown
      const store = dependencies.sessions()
      const texts = batch.map(({ session, ordinal }) => {
        const message = store?.message(session, ordinal)
        // What tools wrote is long and seldom meant.
        return message && message.role !== 'tool' ? message.content : null
      })
      await showBatch(dependencies, run, batch, texts, (made) => vectors.putMessages(name, made))
      shown += batch.length
    }
  }
  return shown
}

export function embeddingStatus(dependencies: EmbedDependencies): EmbeddingStatus {
  const { vectors } = dependencies.index()
  const name = dependencies.embedder.id
  const { layers, scopes } = reachOf(dependencies)
  return {
    model: name,
    notes: vectors.countNotes(name, [...layers.keys()]),
    messages: vectors.countMessages(name, scopes),
  }
}

/** What is switched off is shown to nobody. */
function reachOf({ everyLayer, config }: EmbedDependencies) {
  const on = everyLayer().filter((layer) => modeOf(layer, config) !== 'off')
  const projects = on.filter(({ name }) => name === 'project').map(({ key }) => sessionScope(key))
  return {
    layers: new Map(on.map((layer) => [layer.key, layer])),
    scopes: on.some(({ name }) => name === 'global') ? [sessionScope(null), ...projects] : projects,
  }
}

async function noteText(
  { readNote }: EmbedDependencies,
  layers: ReadonlyMap<string, Layer>,
  { layer: key, file, hash }: { readonly layer: string; readonly file: string; readonly hash: string },
): Promise<string | null> {
  const layer = layers.get(key)
  const note = layer ? await readNote(layer, file) : null
  // One that changed has a row of its own once the index knows, and is asked for again then.
  return note && note.hash === hash && note.withheld === null
    ? [note.name, note.description, note.body].join('\n')
    : null
}

async function showBatch<Place>(
  { embedder, index }: EmbedDependencies,
  { signal }: EmbedRun,
  places: readonly Place[],
  texts: readonly (string | null)[],
  put: (made: readonly WithVector<Place>[]) => void,
): Promise<void> {
  const model = await modelOf(embedder, index().vectors, signal)
  const readable = texts.flatMap((text) => (text !== null && isKnown(text, model) ? [text.slice(0, MAX_LENGTH)] : []))
  const made = await embedAll(embedder, readable, signal)
  const lengths = new Set(made.flatMap((vector) => (vector ? [vector.length] : [])))
  if ([...lengths].some((length) => length !== model.dimensions)) {
    // Its server holds another model under the same name now: everything is made anew, from the next run on.
    index().vectors.dropModel(embedder.id)
    throw new Error(`${embedder.id} gives other vectors than before; they are made anew`)
  }
  let next = 0
  put(
    places.map((place, at) => {
      const text = texts[at]
      const isShown = text !== null && text !== undefined && isKnown(text, model)
      return { ...place, vector: isShown ? (made[next++] ?? null) : null }
    }),
  )
}

async function modelOf(
  embedder: Embedder,
  vectors: SearchIndex['vectors'],
  signal: AbortSignal | undefined,
): Promise<VectorModel> {
  const known = vectors.model(embedder.id)
  if (known) return known
  const likeness = await withinTime((stop) => measureLikeness(embedder, stop), { timeoutMs: TIMEOUT_MS, signal })
  const model = { name: embedder.id, ...likeness }
  vectors.beginModel(model)
  return model
}

/** A text in a language that the model does not know would lie near every other one in it. */
function isKnown(text: string, { spaced, unspaced }: VectorModel): boolean {
  const { words, grams } = analyseText(text.slice(0, MAX_LENGTH))
  return (grams.length > 2 * words.length ? unspaced : spaced) !== null && words.length + grams.length > 0
}

/** Null for a text that the model refuses while it takes others. */
async function embedAll(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly (Float32Array | null)[]> {
  if (texts.length === 0) return []
  const embed = (some: readonly string[]) =>
    withinTime((stop) => embedder.embed(some, { use: 'document', signal: stop }), { timeoutMs: TIMEOUT_MS, signal })
  try {
    return await embed(texts)
  } catch (error) {
    if (texts.length === 1 || isOfModel(error)) throw error
    return oneByOne(embed, texts)
  }
}

/** A text is refused for its own sake only when the one before or behind it is taken: else it is the model that fails. */
async function oneByOne(
  embed: (some: readonly string[]) => Promise<readonly Float32Array[]>,
  texts: readonly string[],
): Promise<readonly (Float32Array | null)[]> {
  const made: (Float32Array | null)[] = []
  for (const text of texts) {
    try {
      made.push((await embed([text]))[0] ?? null)
    } catch (error) {
      if (isOfModel(error) || made.at(-1) === null) throw error
      made.push(null)
    }
  }
  return made
}

/** Nothing that another text would change. */
function isOfModel(error: unknown): boolean {
  return error instanceof TooLate || hasCode(error, 'CANCELLED') || hasCode(error, 'EMBEDDER_UNAVAILABLE')
}
