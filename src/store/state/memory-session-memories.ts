/** What conversations gave, in memory. */
import { compareUnits } from '../../util/index.ts'
import { CLOSED, FORGOTTEN_PROBLEM, type Pass, type SessionMemories, type SessionRead } from './session-memories.ts'

/** `onWrite`: called with every change. */
export function createMemorySessionMemories(onWrite: () => void = () => undefined): SessionMemories {
  const reads = new Map<string, SessionRead>()
  const passes = new Map<string, Pass>()
  const inOrder = () => [...reads.values()].toSorted((one, other) => one.sequence - other.sequence)
  const watermark = (layer: string) => passes.get(layer)?.sequence ?? 0
  const given = (layer: string, sequence: number) =>
    inOrder().filter((each) => each.layer === layer && each.memory !== null && each.sequence > sequence)
  const nextSequence = () =>
    Math.max(0, ...inOrder().map(({ sequence }) => sequence), ...[...passes.values()].map(({ sequence }) => sequence)) +
    1
  return {
    read: (session) => reads.get(session) ?? null,
    putRead({ session, layer, messages, memory, at }) {
      if (reads.get(session)?.messages === CLOSED) return false
      onWrite()
      reads.set(session, { session, layer, messages, memory, at, sequence: nextSequence(), failure: null })
      return true
    },
    putFailure(session, layer, failure) {
      const known = reads.get(session) ?? { session, layer, messages: 0, memory: null, sequence: 0, at: 0 }
      if (known.messages === CLOSED) return
      onWrite()
      reads.set(session, { ...known, failure })
    },
    memoriesAfter(layer, sequence, limit) {
      const found = given(layer, sequence)
      return { memories: found.slice(0, limit), omitted: Math.max(0, found.length - limit) }
    },
    waitingLayers: () =>
      inOrder()
        .filter(({ layer, memory, sequence }) => memory !== null && sequence > watermark(layer))
        .map(({ layer }) => layer)
        .filter((layer, index, all) => all.indexOf(layer) === index),
    counts() {
      const all = inOrder()
      return {
        memories: all.filter(({ memory }) => memory !== null).length,
        nothing: all.filter(({ memory, messages }) => memory === null && messages > 0).length,
        failed: all.filter(({ failure }) => failure !== null).length,
      }
    },
    remove(session) {
      const known = reads.get(session)
      if (!known) return null
      onWrite()
      reads.delete(session)
      const pass = passes.get(known.layer)
      if (known.memory !== null && pass) passes.set(known.layer, { ...pass, plan: null })
      return known.memory === null ? null : known.layer
    },
    forgetWords(sessions) {
      onWrite()
      for (const session of sessions) {
        const known = reads.get(session) ?? { session, layer: 'global', sequence: 0, at: 0 }
        reads.set(session, { ...known, messages: CLOSED, memory: null, failure: null })
      }
      for (const [layer, pass] of passes) {
        const failure = pass.failure && { ...pass.failure, problem: FORGOTTEN_PROBLEM }
        passes.set(layer, { ...pass, plan: null, failure })
      }
    },
    pass: (layer) => passes.get(layer) ?? null,
    passes: () => [...passes.values()].toSorted((one, other) => compareUnits(one.layer, other.layer)),
    putPass(pass) {
      onWrite()
      passes.set(pass.layer, { ...pass })
    },
  }
}
