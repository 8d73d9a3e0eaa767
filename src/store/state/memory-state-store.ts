/** State store in memory: for tests, and where no SQLite works (then it lives as long as the process). */
import { type TrustStep, worseSignal } from '../../domain/index.ts'
import { createMemoryCallLedger } from './memory-call-ledger.ts'
import { createMemoryCandidateStore } from './memory-candidate-store.ts'
import { createMemoryExtractionCursors } from './memory-extraction-cursors.ts'
import { createMemoryJobQueue } from './memory-job-queue.ts'
import { createMemoryNoteUses } from './memory-note-uses.ts'
import { createMemorySessionMemories } from './memory-session-memories.ts'
import {
  type Cursor,
  isLeaseAlive,
  MAX_TRUST_STEPS,
  type MissingNote,
  type NoteKeys,
  type StateStore,
} from './state-store.ts'

interface Lease {
  readonly owner: string
  readonly renewedAt: number
  readonly ttlMs: number
}

export function createMemoryStateStore(): StateStore {
  const cursors = new Map<string, Cursor>()
  const leases = new Map<string, Lease>()
  const seen = new Map<string, number>()
  const missing = new Map<string, MissingNote>()
  const keys = new Map<string, NoteKeys>()
  const trust = new Map<string, readonly TrustStep[]>()
  let writes = 0
  const onWrite = () => void writes++

  return {
    sessionMemories: createMemorySessionMemories(onWrite),
    candidates: createMemoryCandidateStore(onWrite),
    uses: createMemoryNoteUses(onWrite),
    queue: createMemoryJobQueue(onWrite),
    extractions: createMemoryExtractionCursors(onWrite),
    ledger: createMemoryCallLedger(onWrite),
    cursor: (transcript) => cursors.get(transcript) ?? null,
    putCursor(cursor) {
      writes++
      cursors.set(cursor.transcript, { ...cursor })
    },
    cursors: () => [...cursors.values()].toSorted((a, b) => compare(a.transcript, b.transcript)),
    acquireLease(name, owner, now, ttlMs) {
      writes++
      const held = leases.get(name)
      if (held && held.owner !== owner && isLeaseAlive(held, now)) return false
      leases.set(name, { owner, renewedAt: now, ttlMs })
      return true
    },
    releaseLease(name, owner) {
      writes++
      if (leases.get(name)?.owner === owner) leases.delete(name)
    },
    leaseOwner(name, now) {
      const held = leases.get(name)
      return held && isLeaseAlive(held, now) ? held.owner : null
    },
    firstSeen(layer, file, hash, now) {
      writes++
      const key = keyOf(layer, file, hash)
      const time = seen.get(key) ?? now
      seen.set(key, time)
      return time
    },
    peekFirstSeen: (layer, file, hash) => seen.get(keyOf(layer, file, hash)) ?? null,
    putNoteKeys(added) {
      writes++
      for (const each of added) keys.set(keyOf(each.layer, each.file), { ...each })
    },
    keyedFiles: (layer) =>
      new Map([...keys.values()].filter((each) => each.layer === layer).map((each) => [each.file, each.hash])),
    noteKeys: (layer, file) => keys.get(keyOf(layer, file)) ?? null,
    removeNoteKeys(layer, files) {
      writes++
      for (const file of files) keys.delete(keyOf(layer, file))
    },
    missing: (layer) =>
      [...missing.values()].filter((note) => note.layer === layer).toSorted((a, b) => compare(a.file, b.file)),
    putMissing(notes) {
      writes++
      for (const note of notes) {
        const key = keyOf(note.layer, note.file)
        missing.set(key, { ...note, missedAt: missing.get(key)?.missedAt ?? note.missedAt })
      }
    },
    removeMissing(layer, file) {
      writes++
      missing.delete(keyOf(layer, file))
    },
    putTrustStep(step) {
      writes++
      const steps = trust.get(step.note) ?? []
      const known = steps.find(({ session }) => session === step.session)
      const kept = known
        ? { ...step, signal: worseSignal(known.signal, step.signal), at: Math.max(known.at, step.at) }
        : { ...step }
      const others = steps.filter((each) => each !== known)
      trust.set(step.note, [...others, kept].toSorted(newestStep).slice(0, MAX_TRUST_STEPS))
    },
    trustSteps: (notes) => [...new Set(notes)].flatMap((note) => trust.get(note) ?? []).toSorted(newestStep),
    removeTrust(notes) {
      writes++
      for (const note of notes) trust.delete(note)
    },
    generation: () => String(writes),
    close: () => undefined,
  }
}

function newestStep(one: TrustStep, other: TrustStep): number {
  return other.at - one.at || compare(one.session, other.session) || compare(one.note, other.note)
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts)
}

/** UTF-8 order, as SQLite's BINARY collation has it. */
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
