/** Uses of notes in memory. */
import { isoSeconds, type UseCount } from '../../domain/index.ts'
import { compareUnits } from '../../util/index.ts'
import { actOf, type KeptUse, MAX_SESSION_USES, MAX_USES, type NoteUses } from './note-uses.ts'

/** `onWrite`: called with every change. */
export function createMemoryNoteUses(onWrite: () => void = () => undefined): NoteUses {
  const byNote = new Map<string, readonly KeptUse[]>()
  const all = () => [...byNote.values()].flat()
  return {
    record(uses) {
      onWrite()
      const added: KeptUse[] = []
      for (const use of uses) {
        const kept = { ...use, act: actOf(use) }
        const known = byNote.get(kept.note) ?? []
        if (known.some(({ act }) => act === kept.act)) continue
        byNote.set(kept.note, [...known, kept])
        added.push(kept)
      }
      for (const note of new Set(added.map((each) => each.note)))
        byNote.set(note, (byNote.get(note) ?? []).toSorted(newestFirst).slice(0, MAX_USES))
      return added
    },
    of: (notes) =>
      new Map(
        [...new Set(notes)].flatMap((note): [string, UseCount][] => {
          const uses = byNote.get(note) ?? []
          const last = Math.max(...uses.map(({ at }) => at))
          const count = new Set(uses.map(({ session }) => session)).size
          return count === 0 ? [] : [[note, { count, lastUsed: isoSeconds(last) }]]
        }),
      ),
    inSession: (session) =>
      all()
        .filter((use) => use.session === session)
        .toSorted(oldestFirst)
        .slice(0, MAX_SESSION_USES),
    sessionsWithUses: (sessions) =>
      new Set(all().flatMap(({ session }) => (sessions.includes(session) ? [session] : []))),
    remove(notes) {
      onWrite()
      for (const note of notes) byNote.delete(note)
    },
    removeSession(session) {
      onWrite()
      for (const [note, uses] of byNote)
        byNote.set(
          note,
          uses.filter((use) => use.session !== session),
        )
    },
  }
}

function newestFirst(one: KeptUse, other: KeptUse): number {
  return other.at - one.at || compareUnits(one.act, other.act)
}

function oldestFirst(one: KeptUse, other: KeptUse): number {
  return one.at - other.at || compareUnits(one.note, other.note) || compareUnits(one.act, other.act)
}
