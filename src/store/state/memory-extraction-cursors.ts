/** Extraction cursors in memory: for tests, and where no SQLite works. */
import { compareUnits } from '../../util/index.ts'
import { type ExtractionCursor, type ExtractionCursors, MAX_CURSORS } from './extraction-cursors.ts'

/** `onWrite` is called before anything changes. */
export function createMemoryExtractionCursors(onWrite: () => void): ExtractionCursors {
  const cursors = new Map<string, ExtractionCursor>()
  const newest = (limit: number) =>
    [...cursors.values()]
      .toSorted((a, b) => b.touchedAt - a.touchedAt || compareUnits(a.session, b.session))
      .slice(0, limit)
  return {
    newest,
    get: (session) => cursors.get(session) ?? null,
    change(session, change) {
      const known = cursors.get(session) ?? null
      const changed = change(known)
      if (!changed) return known
      onWrite()
      cursors.set(session, changed)
      if (cursors.size > MAX_CURSORS)
        for (const each of [...newest(cursors.size)].slice(MAX_CURSORS)) cursors.delete(each.session)
      return changed
    },
    remove(session) {
      onWrite()
      cursors.delete(session)
    },
  }
}
