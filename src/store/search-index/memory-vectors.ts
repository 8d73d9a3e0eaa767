/** Vectors beside the index in memory. They hang on its entries: an entry that is replaced or removed takes its own along. */
import { similarityAt, spreadOf, toUnit, unitFor } from './nearest.ts'
import { compareMessages, compareNotes } from './row-order.ts'
import type { IndexedMessage, IndexedNoteRow, NoteFilter } from './search-index.ts'
import type { Nearest, VectorCount, VectorHit, VectorIndex, VectorModel, VectorQuery } from './vector-index.ts'

interface NoteEntry {
  readonly row: IndexedNoteRow
}

interface MessageEntry {
  readonly message: Omit<IndexedMessage, 'body' | 'speaker'>
}

interface Entries {
  /** Those that are not withheld. */
  readonly notesIn: (layers: readonly string[]) => readonly NoteEntry[]
  readonly noteAt: (layer: string, file: string) => NoteEntry | undefined
  readonly messagesIn: (scopes: readonly string[]) => readonly MessageEntry[]
  readonly messageAt: (session: string, ordinal: number) => MessageEntry | undefined
  readonly passes: (row: IndexedNoteRow, filter: NoteFilter) => boolean
}

interface Stored {
  readonly model: VectorModel
  readonly unit: Float32Array | null
}

export interface MemoryVectors {
  readonly index: VectorIndex
  /** The words stayed: the vector too. */
  keep(before: object, after: object): void
  clear(): void
}

export function createMemoryVectors({ notesIn, noteAt, messagesIn, messageAt, passes }: Entries): MemoryVectors {
  const models = new Map<string, VectorModel>()
  const stored = new WeakMap<object, Stored>()
  // A model that was begun anew is another object, so what it made before counts no more.
  const isMade = (entry: object, name: string) => {
    const made = stored.get(entry)?.model
    return made !== undefined && made === models.get(name)
  }
  const put = (entry: object, name: string, vector: Float32Array | null) =>
    stored.set(entry, unitFor(models.get(name) ?? null, vector))
  const count = (entries: readonly object[], name: string): VectorCount => ({
    done: entries.filter((entry) => isMade(entry, name)).length,
    of: entries.length,
  })
  const activeNotes = (layers: readonly string[]) => notesIn(layers).filter(({ row }) => row.status === 'active')

  const index: VectorIndex = {
    model: (name) => models.get(name) ?? null,
    beginModel: (model) => void models.set(model.name, { ...model }),
    dropModel: (name) => void models.delete(name),
    putNotes(name, vectors) {
      for (const { layer, file, hash, vector } of vectors) {
        const entry = noteAt(layer, file)
        if (entry?.row.hash === hash && entry.row.withheld === null) put(entry, name, vector)
      }
    },
    putMessages(name, vectors) {
      for (const { session, ordinal, vector } of vectors) {
        const entry = messageAt(session, ordinal)
        if (entry) put(entry, name, vector)
      }
    },
    missingNotes: (name, layers, limit) =>
      activeNotes(layers)
        .filter((entry) => !isMade(entry, name))
        .slice(0, limit)
        .map(({ row: { layer, file, hash } }) => ({ layer, file, hash })),
    missingMessages: (name, scopes, limit) =>
      messagesIn(scopes)
        .filter((entry) => !isMade(entry, name))
        .slice(0, limit)
        .map(({ message: { session, ordinal } }) => ({ session, ordinal })),
    countNotes: (name, layers) => count(activeNotes(layers), name),
    countMessages: (name, scopes) => count(messagesIn(scopes), name),
    searchNotes(query, scopes, limit, filter = {}) {
      const compared = compare(query, notesIn(scopes))
      const hits = compared
        .filter(({ entry }) => passes(entry.row, filter))
        .map(({ entry, similarity }) => ({ reference: entry.row, similarity }))
        .sort((left, right) => right.similarity - left.similarity || compareNotes(left.reference, right.reference))
      return nearestOf(hits.slice(0, limit), compared)
    },
    searchMessages(query, scopes, limit) {
      const compared = compare(query, messagesIn(scopes))
      const hits = compared
        .map(({ entry: { message }, similarity }) => ({
          reference: { session: message.session, ordinal: message.ordinal },
          similarity,
        }))
        .sort((left, right) => right.similarity - left.similarity || compareMessages(left.reference, right.reference))
      return nearestOf(hits.slice(0, limit), compared)
    },
  }

  function compare<Entry extends object>({ model, vector }: VectorQuery, entries: readonly Entry[]) {
    const unit = toUnit(vector)
    if (unit === null || models.get(model)?.dimensions !== unit.length) return []
    return entries.flatMap((entry) => {
      const row = isMade(entry, model) ? stored.get(entry)?.unit : null
      return row ? [{ entry, similarity: similarityAt(unit, row, 0) }] : []
    })
  }

  return {
    index,
    keep(before, after) {
      const kept = stored.get(before)
      if (kept) stored.set(after, kept)
    },
    clear: () => models.clear(),
  }
}

function nearestOf<Reference>(
  hits: readonly VectorHit<Reference>[],
  compared: readonly { readonly similarity: number }[],
): Nearest<Reference> {
  return { hits, rows: compared.length, spread: spreadOf(compared.map(({ similarity }) => similarity)) }
}
