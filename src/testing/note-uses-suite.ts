/** Contract of the uses of notes: once per note and session, acts, forgetting, bounds. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { NoteUse } from '../domain/index.ts'
import { MAX_USES, type NoteUses } from '../store/state/note-uses.ts'

export function testNoteUses(name: string, create: () => NoteUses): void {
  describe(name, () => {
    let uses: NoteUses
    const use = (note: string, session: string, fields: Partial<NoteUse> = {}): NoteUse => ({
      ...{ note, session, kind: 'cited', at: 1_700_000_000_000 },
      ...fields,
    })
    const counted = (...notes: readonly string[]) => [...uses.of(notes)].map(([note, { count }]) => `${note} ${count}`)
    beforeEach(() => {
      uses = create()
    })

    it('[I7] counts sessions, not uses, and tells the last time', () => {
      uses.record([
        use('a', 's1', { act: 'm1' }),
        use('a', 's1', { act: 'm2', at: 1_700_000_009_000 }),
        use('a', '会话'),
      ])
      uses.record([use('b', 's1', { kind: 'opened', at: 1_700_000_001_999 })])
      expect(uses.of(['a', 'b', 'a', 'never'])).toEqual(
        new Map([
          ['a', { count: 2, lastUsed: '2023-11-14T22:13:29Z' }],
          ['b', { count: 1, lastUsed: '2023-11-14T22:13:21Z' }],
        ]),
      )
      expect(uses.of([])).toEqual(new Map())
    })

    it('[I7] the same act counts once, whoever tells it again and whenever', () => {
      const first = use('a', 'parent', { act: 'call 1', at: 5_000 })
      expect(uses.record([first, first])).toEqual([first])
      expect(uses.record([first, use('a', 'fork', { act: 'call 1', at: 9_000, kind: 'opened' })])).toEqual([])
      expect(uses.inSession('parent')).toEqual([first])
      expect(uses.inSession('fork')).toEqual([])
      expect(uses.record([use('b', 'fork', { act: 'call 1' })])).toHaveLength(1)
      expect(counted('a', 'b')).toEqual(['a 1', 'b 1'])
    })

    it('without an act the session is one', () => {
      expect(uses.record([use('a', 's1', { at: 3 }), use('a', 's1', { at: 7 }), use('a', 's2')])).toEqual([
        use('a', 's1', { at: 3, act: 's1' }),
        use('a', 's2', { act: 's2' }),
      ])
    })

    it('gives the uses of a session by time', () => {
      uses.record([use('b', 's1', { at: 2 }), use('c', 's1', { at: 1 }), use('a', 's1', { at: 2 }), use('a', 's2')])
      expect(uses.inSession('s1').map(({ note, at }) => `${note} ${at}`)).toEqual(['c 1', 'a 2', 'b 2'])
      expect(uses.inSession('unknown')).toEqual([])
    })

    it('tells which sessions used some note', () => {
      uses.record([use('a', 's1'), use('b', '会话'), use('b', 's3')])
      expect([...uses.sessionsWithUses(['s2', 's1', '会话', 's1'])].sort()).toEqual(['s1', '会话'])
      expect(uses.sessionsWithUses([])).toEqual(new Set())
    })

    it('goes for the notes and the session that are named, and for no other', () => {
      uses.record([use('a', 's1'), use('a', 's2'), use('笔记', 's1'), use('c', 's1'), use('c', 's2')])
      uses.remove(['笔记', 'c', 'never there'])
      expect(counted('a', '笔记', 'c')).toEqual(['a 2'])
      uses.removeSession('s1')
      uses.removeSession('never there')
      expect(counted('a')).toEqual(['a 1'])
      uses.removeSession('s2')
      expect(counted('a')).toEqual([])
      expect(uses.record([use('a', 's1')])).toHaveLength(1)
    })

    it('keeps a bounded number for each note: the oldest go', () => {
      uses.record(Array.from({ length: MAX_USES + 3 }, (_, at) => use('a', `s${at}`, { at: at * 1_000 })))
      uses.record([use('b', 's0', { at: 0 })])
      expect(counted('a', 'b')).toEqual([`a ${MAX_USES}`, 'b 1'])
      expect(uses.sessionsWithUses(['s2', 's3'])).toEqual(new Set(['s3']))
      expect(uses.record([use('a', 'older than all', { at: -1 })])).toHaveLength(1)
      expect(counted('a')).toEqual([`a ${MAX_USES}`])
    })
  })
}
