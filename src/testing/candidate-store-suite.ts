/** Contract of tentative statements: sightings, forgetting, age, bounds. */
import { beforeEach, describe, expect, it } from 'vitest'
import { type CandidateStore, MAX_CANDIDATES, MAX_SIGHTINGS, type Sighting } from '../store/state/candidate-store.ts'

export function testCandidateStore(name: string, create: () => CandidateStore): void {
  describe(name, () => {
    let store: CandidateStore
    const rust = { id: 'rust', layer: 'global', type: 'user', text: 'I may learn Rust 🦀 学', textKey: 'k1' } as const
    const move = { id: 'move', layer: 'projects/a', type: 'project', text: 'we might move', textKey: 'k2' } as const
    const seen = (at: number, fields: Partial<Sighting> = {}): Sighting => ({
      ...{ session: `s${at}`, day: '2026-05-12', message: `m${at}`, at },
      ...fields,
    })
    const ids = (layers = ['global', 'projects/a']) => store.list(layers, 10).map(({ id }) => id)
    beforeEach(() => {
      store = create()
    })

    it('gives back what was seen, the same message once, with the last words', () => {
      store.see(rust, seen(1))
      store.see(rust, seen(1))
      store.see(rust, seen(1, { session: 'other' }))
      store.removeSession('other')
      store.see({ ...rust, text: 'I might learn Rust' }, seen(2))
      expect(store.list(['global'], 10)).toEqual([
        { ...rust, text: 'I might learn Rust', sightings: [seen(1), seen(2)] },
      ])
    })

    it('lists by layer, seen last first, at most so many', () => {
      store.see(rust, seen(1))
      store.see(move, seen(2))
      expect(ids()).toEqual(['move', 'rust'])
      expect(ids(['projects/a'])).toEqual(['move'])
      store.see(rust, seen(3))
      expect(store.list(['global', 'projects/a'], 1).map(({ id }) => id)).toEqual(['rust'])
    })

    it('removes by id; a new one of the same id starts anew', () => {
      store.see(rust, seen(1))
      store.see(move, seen(2))
      store.remove(['rust', 'unknown'])
      expect(ids()).toEqual(['move'])
      store.see(rust, seen(5))
      expect(store.list(['global'], 1)[0]?.sightings).toEqual([seen(5)])
    })

    it('what is buried goes: by its words, or when no sighting is left', () => {
      store.see(rust, seen(1))
      store.see(rust, seen(2))
      store.see(move, seen(3))
      store.bury({ textKey: 'other', messages: ['m1', 'm3'] })
      expect(ids()).toEqual(['rust'])
      expect(store.list(['global'], 1)[0]?.sightings).toEqual([seen(2)])
      store.bury({ textKey: 'k1', messages: [] })
      expect(ids()).toEqual([])
    })

    it('forgets a session', () => {
      store.see(rust, seen(1, { session: 'a' }))
      store.see(rust, seen(2, { session: 'b' }))
      store.see(move, seen(3, { session: 'a' }))
      store.removeSession('a')
      expect(store.list(['global', 'projects/a'], 5)).toEqual([{ ...rust, sightings: [seen(2, { session: 'b' })] }])
    })

    it('expires by the last sighting', () => {
      store.see(rust, seen(1))
      store.see(rust, seen(10))
      store.see(move, seen(9))
      expect(store.count(0)).toBe(2)
      expect(store.count(10)).toBe(1)
      store.expire(10)
      expect(ids()).toEqual(['rust'])
      store.expire(11)
      expect(store.count(0)).toBe(0)
    })

    it('keeps so many candidates and sightings, the newest', () => {
      for (let at = 0; at <= MAX_CANDIDATES; at++) store.see({ ...rust, id: `c${at}` }, seen(at))
      expect(store.count(0)).toBe(MAX_CANDIDATES)
      expect(store.list(['global'], 1_000).map(({ id }) => id)).not.toContain('c0')
      for (let at = 1_000; at <= 1_000 + MAX_SIGHTINGS; at++) store.see(move, seen(at))
      const [last] = store.list(['projects/a'], 1)
      expect(last?.sightings.map(({ at }) => at)).toEqual(Array.from({ length: MAX_SIGHTINGS }, (_, at) => 1_001 + at))
    })
  })
}
