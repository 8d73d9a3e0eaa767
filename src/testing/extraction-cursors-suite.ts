/** Contract of the extraction cursors: one for each conversation, changed in one step, bounded. */
import { beforeEach, describe, expect, it } from 'vitest'
import { type ExtractionCursor, type ExtractionCursors, MAX_CURSORS } from '../store/state/extraction-cursors.ts'

/** `create` gives an empty store. */
export function testExtractionCursors(name: string, create: () => ExtractionCursors): void {
  describe(name, () => {
    let cursors: ExtractionCursors
    beforeEach(() => {
      cursors = create()
    })

    const cursor = (session: string, fields: Partial<ExtractionCursor> = {}): ExtractionCursor => ({
      session,
      ordinal: 4,
      message: 'claude-code:消息',
      skipped: [
        { from: 7, to: 9 },
        { from: 12, to: 12 },
      ],
      seen: 12,
      readAt: 5,
      touchedAt: 100,
      ...fields,
    })

    it('gives back what was put, and null before', () => {
      expect(cursors.get('claude-code:一')).toBeNull()
      for (const each of [
        cursor('claude-code:一'),
        cursor('b', { ordinal: -1, message: null, skipped: [], readAt: null }),
      ]) {
        expect(cursors.change(each.session, () => each)).toEqual(each)
        expect(cursors.get(each.session)).toEqual(each)
      }
    })

    it('changes what is there; null leaves it', () => {
      cursors.change('a', () => cursor('a'))
      expect(cursors.change('a', (known) => known && { ...known, ordinal: known.ordinal + 1 })?.ordinal).toBe(5)
      expect(cursors.change('a', () => null)?.ordinal).toBe(5)
      expect(cursors.change('b', () => null)).toBeNull()
      expect([cursors.get('a')?.ordinal, cursors.get('b')]).toEqual([5, null])
    })

    it('what fails in between changes nothing', () => {
      cursors.change('a', () => cursor('a'))
      const fails = () =>
        cursors.change('a', () => {
          throw new Error('stopped')
        })
      expect(fails).toThrow('stopped')
      expect(cursors.get('a')).toEqual(cursor('a'))
    })

    it('lists those touched last, and removes one', () => {
      for (const [session, touchedAt] of [
        ['a', 3],
        ['c', 9],
        ['b', 9],
        ['d', 1],
      ] as const)
        cursors.change(session, () => cursor(session, { touchedAt }))
      expect(cursors.newest(3).map(({ session }) => session)).toEqual(['b', 'c', 'a'])
      cursors.remove('c')
      expect(cursors.newest(10).map(({ session }) => session)).toEqual(['b', 'a', 'd'])
    })

    it('of too many those go that were left alone for longest', () => {
      for (let at = 0; at < MAX_CURSORS + 3; at++) cursors.change(`s${at}`, () => cursor(`s${at}`, { touchedAt: at }))
      expect([cursors.get('s2'), cursors.get('s3')?.touchedAt]).toEqual([null, 3])
      expect(cursors.newest(MAX_CURSORS + 10)).toHaveLength(MAX_CURSORS)
    })
  })
}
