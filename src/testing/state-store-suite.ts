/** Contract of the state store: cursors, leases, first-seen times, keys of notes, missing notes. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TrustStep } from '../domain/index.ts'
import {
  type Cursor,
  MAX_TRUST_STEPS,
  type MissingNote,
  type NoteKeys,
  type StateStore,
} from '../store/state/state-store.ts'

export function testStateStore(name: string, create: () => StateStore): void {
  describe(name, () => {
    let store: StateStore
    beforeEach(() => {
      store = create()
    })
    afterEach(() => store.close())
    const current = () => store

    describe('cursors', () => testCursors(current))
    describe('leases', () => testLeases(current))
    describe('first seen', () => testFirstSeen(current))
    describe('note keys', () => testNoteKeys(current))
    describe('missing notes', () => testMissing(current))
    describe('trust', () => testTrust(current))
  })
}

type Current = () => StateStore

export function exampleKeys(file: string, fields: Partial<NoteKeys> = {}): NoteKeys {
  const keys = { nameKey: `name ${file}`, textKey: `text ${file}`, evidenceKeys: [`evidence ${file}`, '证据'] }
  return { layer: 'global', file, hash: `hash ${file}`, id: `id ${file}`, ...keys, ...fields }
}

function testCursors(current: Current): void {
  const cursor: Cursor = { transcript: '/t/ä 会话.jsonl', agent: 'claude-code', offset: 2 ** 40, head: 'aa', readAt: 5 }

  it('gives back the last one put', () => {
    expect(current().cursor(cursor.transcript)).toBeNull()
    current().putCursor(cursor)
    current().putCursor({ ...cursor, offset: 7, head: 'bb' })
    expect(current().cursor(cursor.transcript)).toEqual({ ...cursor, offset: 7, head: 'bb' })
  })

  it('lists all by transcript', () => {
    for (const transcript of ['/b', '/a', '/c/会话', '/Z']) current().putCursor({ ...cursor, transcript })
    expect(
      current()
        .cursors()
        .map((each) => each.transcript),
    ).toEqual(['/Z', '/a', '/b', '/c/会话'])
  })
}

function testLeases(current: Current): void {
  const take = (owner: string, now: number, ttlMs = 120_000) => current().acquireLease('worker', owner, now, ttlMs)

  it.each<[string, number, boolean]>([
    ['at once', 0, false],
    ['just before it is lost', 119_999, false],
    ['when it is lost', 120_000, true],
    ['a day later', 86_400_000, true],
    ['after the clock went back a little', -60_000, false],
    ['after the clock went back a day', -86_400_000, true],
  ])('another owner %s', (_, later, expected) => {
    const now = 1_700_000_000_000
    expect(take('first', now)).toBe(true)
    expect(take('second', now + later)).toBe(expected)
    expect(current().leaseOwner('worker', now + later)).toBe(expected ? 'second' : 'first')
  })

  it('renewal by its owner counts from the renewal', () => {
    expect(take('first', 0)).toBe(true)
    expect(take('first', 100_000)).toBe(true)
    expect(take('second', 200_000)).toBe(false)
    expect(take('second', 220_000)).toBe(true)
    expect(take('first', 220_001)).toBe(false)
  })

  it('is released by its owner only', () => {
    take('first', 0)
    current().releaseLease('worker', 'second')
    expect(current().leaseOwner('worker', 1)).toBe('first')
    current().releaseLease('worker', 'first')
    expect(current().leaseOwner('worker', 1)).toBeNull()
    expect(take('second', 1)).toBe(true)
  })

  it('has one owner for each name', () => {
    take('first', 0)
    expect(current().acquireLease('dream', 'second', 0, 1_000)).toBe(true)
    expect(current().leaseOwner('worker', 1)).toBe('first')
    expect(current().leaseOwner('nothing', 1)).toBeNull()
  })
}

function testFirstSeen(current: Current): void {
  it('keeps the first time of each content of each file', () => {
    expect(current().peekFirstSeen('global', 'a.md', 'h1')).toBeNull()
    expect(current().firstSeen('global', 'a.md', 'h1', 100)).toBe(100)
    expect(current().firstSeen('global', 'a.md', 'h1', 900)).toBe(100)
    expect(current().firstSeen('global', 'a.md', 'h2', 900)).toBe(900)
    expect(current().firstSeen('global', 'b.md', 'h1', 901)).toBe(901)
    expect(current().firstSeen('projects/p', 'a.md', 'h1', 902)).toBe(902)
    expect(current().firstSeen('global', 'a.md', 'h1', 50)).toBe(100)
    expect(current().peekFirstSeen('global', 'a.md', 'h1')).toBe(100)
    expect(current().peekFirstSeen('global', 'a.md', 'h3')).toBeNull()
  })
}

function testNoteKeys(current: Current): void {
  it('is of another generation when keys come or go, and of the same one after reads', () => {
    const writes = [
      () => current().putNoteKeys([exampleKeys('a.md')]),
      () => current().removeNoteKeys('global', ['a.md']),
    ]
    for (const write of writes) {
      const before = current().generation()
      current().keyedFiles('global')
      expect(current().generation()).toBe(before)
      write()
      expect(current().generation()).not.toBe(before)
    }
  })

  it('replaces keys by file and keeps layers apart', () => {
    current().putNoteKeys([exampleKeys('a.md'), exampleKeys('b.md'), exampleKeys('a.md', { layer: 'projects/p' })])
    current().putNoteKeys([exampleKeys('a.md', { hash: 'new', evidenceKeys: [] })])
    current().putNoteKeys([])
    expect(current().keyedFiles('global')).toEqual(
      new Map([
        ['a.md', 'new'],
        ['b.md', 'hash b.md'],
      ]),
    )
    expect(current().noteKeys('global', 'a.md')).toEqual(exampleKeys('a.md', { hash: 'new', evidenceKeys: [] }))
    expect(current().noteKeys('projects/p', 'a.md')).toEqual(exampleKeys('a.md', { layer: 'projects/p' }))
    expect(current().noteKeys('global', 'c.md')).toBeNull()
  })

  it('removes only what is named', () => {
    current().putNoteKeys([exampleKeys('a.md'), exampleKeys("b'.md"), exampleKeys('c.md')])
    current().removeNoteKeys('global', ['a.md', "b'.md", 'unknown.md'])
    current().removeNoteKeys('projects/p', ['c.md'])
    current().removeNoteKeys('global', [])
    expect([...current().keyedFiles('global').keys()]).toEqual(['c.md'])
  })
}

function testMissing(current: Current): void {
  const missing = (file: string, missedAt: number, fields: Partial<MissingNote> = {}): MissingNote => ({
    ...exampleKeys(file),
    missedAt,
    ...fields,
  })

  it('keeps the time of the first look that missed a file', () => {
    current().putMissing([missing('b.md', 10), missing('a.md', 10)])
    current().putMissing([missing('a.md', 99, { id: 'other', textKey: 'changed' }), missing('c.md', 99)])
    expect(current().missing('global')).toEqual([
      missing('a.md', 10, { id: 'other', textKey: 'changed' }),
      missing('b.md', 10),
      missing('c.md', 99),
    ])
  })

  it('removes one, and counts anew when it goes missing again', () => {
    current().putMissing([missing('a.md', 10), missing('b.md', 10)])
    current().removeMissing('global', 'a.md')
    current().removeMissing('projects/p', 'b.md')
    expect(current().missing('global')).toEqual([missing('b.md', 10)])
    current().putMissing([missing('a.md', 77)])
    expect(current().missing('global')).toEqual([missing('a.md', 77), missing('b.md', 10)])
    expect(current().missing('projects/p')).toEqual([])
  })
}

function testTrust(current: Current): void {
  const step = (note: string, session: string, fields: Partial<TrustStep> = {}): TrustStep => ({
    note,
    session,
    signal: 'helped',
    at: 1_000,
    ...fields,
  })
  const kept = (...notes: readonly string[]) =>
    current()
      .trustSteps(notes)
      .map(({ note, session, signal, at }) => `${note} ${session} ${signal} ${at}`)

  it('gives the steps of the notes asked for, newest first, and knows no others', () => {
    for (const each of [step('a', '会话', { at: 3 }), step('a', 's2', { at: 5 }), step('b', 's1', { at: 4 })])
      current().putTrustStep(each)
    expect(kept('a', 'b', 'a')).toEqual(['a s2 helped 5', 'b s1 helped 4', 'a 会话 helped 3'])
    expect([kept('c'), kept()]).toEqual([[], []])
  })

  it('[R10] one step for each note and session: the worse signal stays, in whatever order they come', () => {
    const [good, bad] = [step('a', 's1', { at: 9 }), step('a', 's1', { signal: 'misled', at: 4 })]
    for (const order of [
      [good, bad],
      [bad, good],
      [good, bad, good],
    ]) {
      current().removeTrust(['a'])
      for (const each of order) current().putTrustStep(each)
      expect(kept('a')).toEqual(['a s1 misled 9'])
    }
  })

  it('keeps a bounded number for each note: the oldest go', () => {
    for (let at = 0; at < MAX_TRUST_STEPS + 3; at++) current().putTrustStep(step('a', `s${at}`, { at }))
    current().putTrustStep(step('b', 's', { at: 0 }))
    expect(kept('a')).toHaveLength(MAX_TRUST_STEPS)
    expect(kept('a').at(-1)).toBe('a s3 helped 3')
    expect(kept('b')).toHaveLength(1)
  })

  it('goes for the notes that are named, and for no other', () => {
    for (const note of ['a', 'b', '笔记']) current().putTrustStep(step(note, 's'))
    current().removeTrust(['a', '笔记', 'never there'])
    expect(kept('a', 'b', '笔记')).toEqual(['b s helped 1000'])
  })
}
