/**
 * The index in memory: what the scan fallback fills from files, and the double of the contract suite. It looks at
 * every row of the scopes asked for; scores are those of the sqlite driver.
 */
import { comparableName } from '../../util/index.ts'
import { type Atom, atomsOf } from './atoms.ts'
import { findAtoms, judgeRow, type SearchableRow, searchable } from './match-row.ts'
import { createMemoryVectors } from './memory-vectors.ts'
import { compareMessages, compareNotes, compareText } from './row-order.ts'
import { hasSameWords, messageTerms, noteTerms } from './row-terms.ts'
import { NOWHERE, type ScopeStatistics, weighAtoms } from './scoring.ts'
import type {
  IndexedMessage,
  IndexedNote,
  IndexedNoteRow,
  NoteFilter,
  RowJudgement,
  SearchIndex,
} from './search-index.ts'

export interface NoteEntry {
  readonly row: IndexedNoteRow
  readonly terms: SearchableRow
}

export interface MessageEntry {
  readonly message: Omit<IndexedMessage, 'body' | 'speaker'>
  readonly terms: SearchableRow
}

export function createMemorySearchIndex(): SearchIndex {
  const notes = new Map<string, Map<string, NoteEntry>>()
  const sessions = new Map<string, Map<number, MessageEntry>>()
  let writes = 0

  const searchableNotes = (scopes: readonly string[]) =>
    [...new Set(scopes)].flatMap((scope) =>
      [...(notes.get(scope)?.values() ?? [])].filter(({ row }) => row.withheld === null),
    )

  const messagesIn = (scopes: readonly string[]) => {
    const wanted = new Set(scopes)
    return [...sessions.values()].flatMap((each) =>
      [...each.values()].filter(({ message }) => wanted.has(message.scope)),
    )
  }
  const vectors = createMemoryVectors({
    notesIn: searchableNotes,
    noteAt: (layer, file) => notes.get(layer)?.get(file),
    messagesIn,
    messageAt: (session, ordinal) => sessions.get(session)?.get(ordinal),
    passes,
  })

  return {
    putNotes(layer, added, removedFiles) {
      writes++
      const files = notes.get(layer) ?? new Map<string, NoteEntry>()
      notes.set(layer, files)
      for (const file of removedFiles) files.delete(file)
      for (const note of added) {
        const [before, after] = [files.get(note.file), { row: rowOf(note, layer), terms: searchable(noteTerms(note)) }]
        files.set(note.file, after)
        if (before && hasSameWords(before.row, after.row)) vectors.keep(before, after)
      }
    },
    notesOf(layer) {
      const rows = [...(notes.get(layer)?.values() ?? [])].map(({ row }) => row)
      return rows.sort((left, right) => compareText(left.file, right.file))
    },
    searchNotes(query, scopes, limit, filter = {}) {
      const found = search(atomsOf(query), searchableNotes(scopes))
      return found
        .filter(({ entry }) => passes(entry.row, filter))
        .map(({ entry, judgement }) => ({ reference: entry.row, ...judgement }))
        .sort((left, right) => right.score - left.score || compareNotes(left.reference, right.reference))
        .slice(0, limit)
    },
    silencers(scopes, names) {
      const wanted = new Set(names.map(comparableName))
      return searchableNotes(scopes)
        .map(({ row }) => row)
        .filter(
          ({ status, name, mutes }) => status === 'active' && (mutes.length > 0 || wanted.has(comparableName(name))),
        )
        .sort((left, right) => compareText(left.layer, right.layer) || compareText(left.file, right.file))
    },
    aliased: (scopes, limit) =>
      searchableNotes(scopes)
        .map(({ row }) => row)
        .filter(({ status, aliases }) => status === 'active' && aliases.length > 0)
        .sort(compareNotes)
        .slice(0, limit),
    judgeNote(query, scopes, note) {
      const { atoms, statistics } = weigh(atomsOf(query), searchableNotes(scopes))
      return judgeRow(atoms, searchable(noteTerms(note)), statistics)
    },
    putMessages(messages) {
      writes++
      for (const { body, speaker, ...message } of messages) {
        const entries = sessions.get(message.session) ?? new Map<number, MessageEntry>()
        sessions.set(message.session, entries)
        entries.set(message.ordinal, { message, terms: searchable(messageTerms({ body, speaker })) })
      }
    },
    removeSession(session) {
      writes++
      sessions.delete(session)
    },
    searchMessages(query, scopes, limit) {
      const entries = messagesIn(scopes)
      return search(atomsOf(query), entries)
        .map(({ entry, judgement }) => ({
          reference: { session: entry.message.session, ordinal: entry.message.ordinal },
          ...judgement,
        }))
        .sort((left, right) => right.score - left.score || compareMessages(left.reference, right.reference))
        .slice(0, limit)
    },
    vectors: vectors.index,
    messageCount: (session) => sessions.get(session)?.size ?? 0,
    generation: () => String(writes),
    clear() {
      writes++
      notes.clear()
      sessions.clear()
      vectors.clear()
    },
    close() {},
  }
}

function rowOf({ body: _, ...row }: IndexedNote, layer: string): IndexedNoteRow {
  return { ...row, layer }
}

function passes(row: IndexedNoteRow, { status, type, tag, changedFrom, changedBefore }: NoteFilter): boolean {
  const isDated = row.updated !== null
  return (
    (changedFrom === undefined || (isDated && compareText(row.updated, changedFrom) >= 0)) &&
    (changedBefore === undefined || (isDated && compareText(row.updated, changedBefore) < 0)) &&
    (status === undefined || row.status === status) &&
    (type === undefined || row.type === type) &&
    (tag === undefined || row.tags.includes(tag))
  )
}

function weigh(query: readonly Atom[], entries: readonly { readonly terms: SearchableRow }[]) {
  const frequencies = query.map(() => 0)
  for (const { terms } of entries) {
    for (const [place, found] of findAtoms(query, terms).entries())
      if (found !== NOWHERE) frequencies[place] = (frequencies[place] ?? 0) + 1
  }
  const statistics: ScopeStatistics = {
    rows: entries.length,
    totalLength: entries.reduce((sum, { terms }) => sum + terms.length, 0),
  }
  return { atoms: weighAtoms(query, frequencies, entries.length), statistics }
}

function search<Entry extends { readonly terms: SearchableRow }>(
  query: readonly Atom[],
  entries: readonly Entry[],
): { entry: Entry; judgement: RowJudgement }[] {
  if (query.length === 0) return []
  const { atoms, statistics } = weigh(query, entries)
  return entries.flatMap((entry) => {
    const judgement = judgeRow(atoms, entry.terms, statistics)
    return judgement ? [{ entry, judgement }] : []
  })
}
