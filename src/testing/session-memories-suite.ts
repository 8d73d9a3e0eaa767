/** Contract of what conversations gave: readings, failures, watermarks. */
import { beforeEach, describe, expect, it } from 'vitest'
import { CLOSED, FORGOTTEN_PROBLEM, type SessionMemories } from '../store/state/session-memories.ts'

const memory = { rawMemory: '# 部署 🙂\n\nDeploys on Tuesday.', summary: 'They deployed.', slug: 'deploys' }
const PROJECT = 'projects/tide-1'

export function testSessionMemories(name: string, create: () => SessionMemories): void {
  describe(name, () => {
    let store: SessionMemories
    const read = (session: string, fields: Partial<Parameters<SessionMemories['putRead']>[0]> = {}) =>
      store.putRead({ session, layer: PROJECT, messages: 4, memory, at: 7, ...fields })
    const names = (layer = PROJECT, sequence = 0, limit = 10) =>
      store.memoriesAfter(layer, sequence, limit).memories.map(({ session }) => session)
    const pass = (sequence: number, layer = PROJECT) => ({
      ...{ layer, sequence, base: null, plan: null, succeededAt: 9, failure: null },
    })
    const failure = { tries: 2, retryAt: 99, problem: 'no answer' }
    beforeEach(() => {
      store = create()
    })

    it('gives back what was read, and nothing as a success', () => {
      expect(store.read('a:1')).toBeNull()
      read('a:1')
      read('a:2', { memory: null, layer: 'global', messages: 2 })
      const known = { session: 'a:1', layer: PROJECT, messages: 4, memory, sequence: 1, at: 7, failure: null }
      expect(store.read('a:1')).toEqual(known)
      expect(store.read('a:2')).toMatchObject({ memory: null, layer: 'global', messages: 2, failure: null })
      expect(store.counts()).toEqual({ memories: 1, nothing: 1, failed: 0 })
    })

    it('lists what lies beyond a sequence, in its order, and says what it left out; a session read again is new', () => {
      for (const session of ['a:1', 'a:2', 'a:3']) read(session)
      read('a:4', { memory: null })
      read('a:5', { layer: 'global' })
      expect(names()).toEqual(['a:1', 'a:2', 'a:3'])
      expect(names(PROJECT, 1)).toEqual(['a:2', 'a:3'])
      expect(store.memoriesAfter(PROJECT, 0, 2)).toMatchObject({ omitted: 1 })
      read('a:1', { messages: 9 })
      expect(names()).toEqual(['a:2', 'a:3', 'a:1'])
    })

    it('a failure keeps what an earlier reading gave; a success clears it', () => {
      store.putFailure('a:1', PROJECT, failure)
      expect(store.read('a:1')).toMatchObject({ messages: 0, memory: null, failure })
      expect(store.counts()).toEqual({ memories: 0, nothing: 0, failed: 1 })
      read('a:1')
      expect(store.read('a:1')?.failure).toBeNull()
      store.putFailure('a:1', PROJECT, failure)
      expect(store.read('a:1')).toMatchObject({ messages: 4, memory, failure })
    })

    it('tells which layers wait, the oldest first', () => {
      read('a:1', { layer: 'global' })
      read('a:2')
      read('a:3', { layer: 'projects/none', memory: null })
      expect(store.waitingLayers()).toEqual(['global', PROJECT])
      store.putPass(pass(1, 'global'))
      expect(store.waitingLayers()).toEqual([PROJECT])
      read('a:1', { layer: 'global' })
      expect(store.waitingLayers()).toEqual([PROJECT, 'global'])
    })

    it('a sequence that a pass has seen is never given again, also when its row is gone', () => {
      read('a:1')
      store.putPass(pass(1))
      expect([store.remove('a:1'), store.remove('a:1')]).toEqual([PROJECT, null])
      read('a:2')
      expect(names(PROJECT, 1)).toEqual(['a:2'])
      read('a:3', { memory: null })
      store.putPass({ ...pass(2), plan: '[1]' })
      expect(store.remove('a:3')).toBeNull()
      expect(store.pass(PROJECT)?.plan).toBe('[1]')
      store.remove('a:2')
      expect(store.pass(PROJECT)).toEqual(pass(2))
    })

    it('what a forgotten note rests on is closed: its words go, and nothing is recorded of it again', () => {
      for (const session of ['a:1', 'a:2']) read(session)
      store.putFailure('a:1', PROJECT, failure)
      store.putPass({ ...pass(0), plan: '[1]', failure })
      store.putPass({ ...pass(0, 'global'), plan: '[2]' })
      store.forgetWords(['a:1', 'a:new'])
      expect(names()).toEqual(['a:2'])
      for (const session of ['a:1', 'a:new']) {
        expect(store.putRead({ session, layer: PROJECT, messages: 9, memory, at: 8 })).toBe(false)
        store.putFailure(session, PROJECT, failure)
        expect(store.read(session)).toMatchObject({ messages: CLOSED, memory: null, failure: null })
      }
      expect(store.pass(PROJECT)).toEqual({ ...pass(0), failure: { ...failure, problem: FORGOTTEN_PROBLEM } })
      expect(store.pass('global')).toEqual(pass(0, 'global'))
      expect(store.putRead({ session: 'a:2', layer: PROJECT, messages: 9, memory, at: 8 })).toBe(true)
      expect(store.remove('a:1')).toBeNull()
    })

    it('gives back passes as they were put', () => {
      expect(store.pass(PROJECT)).toBeNull()
      const first = { ...pass(3), base: '{"a":1}', plan: '[1]', succeededAt: null, failure }
      store.putPass(first)
      store.putPass(pass(0, 'global'))
      expect(store.pass(PROJECT)).toEqual(first)
      store.putPass(pass(4))
      expect(store.passes()).toEqual([pass(0, 'global'), pass(4)])
    })
  })
}
