/** Contract of the session store: every message once, word for word, in order, whatever is replayed or forked. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '../domain/index.ts'
import { MAX_ROWS, type NewMessage, type SessionFilter, type SessionStore } from '../store/sessions/session-store.ts'
import { sha256 } from '../util/index.ts'

export function testSessionStore(name: string, create: () => SessionStore): void {
  describe(name, () => {
    let store: SessionStore
    beforeEach(() => {
      store = create()
    })
    afterEach(() => store.close())
    const current = () => store

    describe('sessions', () => testSessions(current))
    describe('messages', () => testMessages(current))
    describe('lists', () => testLists(current))
    describe('removal', () => testRemoval(current))
    testAnyHistory(create)
  })
}

/** An invented session; everything that is not given is empty. */
export function exampleSession(id: string, fields: Partial<Session> = {}): Session {
  const empty = { project: null, title: null, branch: null, cwd: null, started: null, ended: null, summary: null }
  return { id, agent: 'claude-code', tags: [], parent: null, ...empty, ...fields }
}

export function exampleMessage(id: string, content = `words of ${id}`, fields: Partial<NewMessage> = {}): NewMessage {
  const time = '2026-03-01T10:00:00Z'
  return { id, role: 'user', content, toolName: null, time, hash: sha256(content), idGiven: true, ...fields }
}

type Current = () => SessionStore

const everything = { limit: MAX_ROWS, offset: 0 }
const idsOf = (store: SessionStore, session: string) =>
  store.messages(session, everything).messages.map((message) => message.id)

function testSessions(current: Current): void {
  it('gives back what was put, and null for an unknown one', () => {
    const full = exampleSession('claude-code:a', {
      project: 'projects/shop-1a2b3c4d',
      title: '修复结账流程',
      tags: ['checkout', '結帳'],
      branch: 'main',
      cwd: '/home/ada/shop',
      started: '2026-03-01T10:00:00.123Z',
      ended: '2026-03-01T11:00:00+02:00',
      summary: 'fixed it',
      parent: 'claude-code:z',
    })
    current().putSession(full)
    expect(current().session('claude-code:a')).toEqual(full)
    expect(current().session('claude-code:b')).toBeNull()
  })

  const early = exampleSession('s', { started: '2026-03-01T10:00:00Z', ended: '2026-03-01T10:10:00Z' })
  it.each<[string, Partial<Session>, Partial<Session>, Partial<Session>]>([
    [
      'fills empty fields',
      {},
      { project: 'projects/p', cwd: '/w', parent: 'x' },
      { project: 'projects/p', cwd: '/w', parent: 'x' },
    ],
    [
      'never empties a field',
      { title: 'T', branch: 'b', tags: ['t'], summary: 's' },
      {},
      { title: 'T', branch: 'b', tags: ['t'], summary: 's' },
    ],
    [
      'takes the newest title and branch',
      { title: 'old', branch: 'old' },
      { title: 'new', branch: 'new' },
      { title: 'new', branch: 'new' },
    ],
    [
      'keeps project, start and summary',
      { project: 'projects/p', summary: 'a' },
      { project: 'projects/q', summary: 'b', started: '2020-01-01T00:00:00Z' },
      { project: 'projects/p', summary: 'a', started: early.started },
    ],
    ['moves the end forward', {}, { ended: '2026-03-01T10:20:00Z' }, { ended: '2026-03-01T10:20:00Z' }],
    ['never moves the end back', {}, { ended: '2026-03-01T10:05:00Z' }, { ended: early.ended }],
    [
      'compares ends as times, not as texts',
      {},
      { ended: '2026-03-01T11:11:00+01:00' },
      { ended: '2026-03-01T11:11:00+01:00' },
    ],
  ])('put again: %s', (_, first, second, expected) => {
    current().putSession({ ...early, ...first })
    current().putSession(exampleSession('s', second))
    expect(current().session('s')).toMatchObject(expected)
    expect(current().counts().sessions).toBe(1)
  })
}

function testMessages(current: Current): void {
  beforeEach(() => current().putSession(exampleSession('s')))

  it.each<[string, string]>([
    ['plain words', 'use pnpm, not npm'],
    ['line breaks of all kinds', 'a\r\nb\nc\rd\u2028e'],
    ['Chinese and emoji', '用 pnpm，不要用 npm 🧠👩‍👩‍👧 繁體字'],
    ['a null byte', 'before\0after'],
    ['a byte order mark', '\u{feff}words'],
    ['a null byte after a byte order mark', '\u{feff}words\0'],
    ['nothing', ''],
    ['spaces', '  \t '],
    ['quotes and SQL', `'; DROP TABLE messages; -- "`],
    ['a long text', 'memory '.repeat(200_000)],
  ])('keeps %s word for word', (_, content) => {
    const message = exampleMessage('m', content, { role: 'tool', toolName: 'Bash', time: null })
    expect(current().addMessages('s', [message])).toBe(1)
    const { idGiven: _given, ...stored } = message
    expect(current().messages('s', everything)).toEqual({ messages: [stored], total: 1 })
    expect(current().message('s', 0)).toEqual(stored)
  })

  it('adds only what is new, at the end, however often it is replayed', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => exampleMessage(id))
    expect(current().addMessages('s', [a!, b!])).toBe(2)
    expect(current().addMessages('s', [a!, b!, c!])).toBe(1)
    expect(current().addMessages('s', [c!, a!, c!])).toBe(0)
    expect(idsOf(current(), 's')).toEqual(['a', 'b', 'c'])
    expect([0, 1, 2, 3].map((ordinal) => current().message('s', ordinal)?.id ?? null)).toEqual(['a', 'b', 'c', null])
  })

  it('reads many places at once, each of them as one by one, and leaves out what is not there', () => {
    current().putSession(exampleSession('t'))
    current().addMessages('s', [exampleMessage('a', 'first'), exampleMessage('b', 'ends ?')])
    current().addMessages('t', [exampleMessage('b', 'ends ?'), exampleMessage('c', '第三')])
    const places = [
      { session: 't', ordinal: 1 },
      { session: 's', ordinal: 0 },
      { session: 's', ordinal: 1 },
      { session: 't', ordinal: 0 },
    ]
    const nowhere = [
      { session: 's', ordinal: 2 },
      { session: 's', ordinal: -1 },
      { session: "gone'; --", ordinal: 0 },
    ]
    const found = current().messagesAt([...places, ...nowhere])
    expect(found).toHaveLength(places.length)
    for (const { session, ordinal, message } of found) expect(message).toEqual(current().message(session, ordinal))
    expect(new Set(found.map(({ session, ordinal }) => `${session} ${ordinal}`))).toEqual(
      new Set(places.map(({ session, ordinal }) => `${session} ${ordinal}`)),
    )
    expect(current().messagesAt([])).toEqual([])
  })

  it('takes a summary away, and nothing else', () => {
    const told = exampleSession('t', { summary: 'They chose the heron pier' })
    current().putSession(told)
    current().removeSummary('t')
    current().removeSummary('gone')
    expect(current().session('t')).toEqual({ ...told, summary: null })
    expect(current().session('gone')).toBeNull()
  })

  it('reads many sessions at once, and leaves out what is not there', () => {
    current().putSession(exampleSession('t', { title: '第二' }))
    const found = current().sessionsOf(['t', 's', 'gone', 't'])
    expect(found.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual(
      ['s', 't'].map((id) => current().session(id)),
    )
    expect(current().sessionsOf([])).toEqual([])
  })

  it('takes one id once within one call', () => {
    expect(current().addMessages('s', [exampleMessage('a', 'first'), exampleMessage('a', 'second')])).toBe(1)
    expect(current().message('s', 0)?.content).toBe('first')
  })

  it('keeps the first words of an id', () => {
    current().addMessages('s', [exampleMessage('a', 'first')])
    current().addMessages('s', [exampleMessage('a', 'other words')])
    expect(
      current()
        .messages('s', everything)
        .messages.map((message) => message.content),
    ).toEqual(['first'])
  })

  it('keeps the same words twice when they were said twice', () => {
    current().addMessages('s', [exampleMessage('a', 'yes'), exampleMessage('b', 'yes')])
    expect(idsOf(current(), 's')).toEqual(['a', 'b'])
  })

  it('lets a fork share its first part', () => {
    current().putSession(exampleSession('fork', { parent: 's' }))
    current().addMessages(
      's',
      ['a', 'b', 'c'].map((id) => exampleMessage(id)),
    )
    expect(
      current().addMessages(
        'fork',
        ['a', 'b', 'x'].map((id) => exampleMessage(id)),
      ),
    ).toBe(3)
    current().addMessages('s', [exampleMessage('d')])
    expect([idsOf(current(), 's'), idsOf(current(), 'fork')]).toEqual([
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'x'],
    ])
    expect(current().counts()).toEqual({ sessions: 2, messages: 5 })
  })

  it('says which ids are known, by any session', () => {
    current().addMessages('s', [exampleMessage('a'), exampleMessage('b\'"')])
    expect(current().knownMessages(['a', 'x', 'b\'"', 'a'])).toEqual(new Set(['a', 'b\'"']))
    expect(current().knownMessages([])).toEqual(new Set())
  })

  it('says SESSION_NOT_FOUND for a session that was never put, even with nothing to add', () => {
    const expected = expect.objectContaining({ code: 'SESSION_NOT_FOUND', data: { reference: 'nobody' } })
    expect(() => current().addMessages('nobody', [exampleMessage('a')])).toThrow(expected)
    expect(() => current().addMessages('nobody', [])).toThrow(expected)
    expect(current().counts().messages).toBe(0)
  })

  it('reads on and back from a place, with and without what tools answered', () => {
    const roles = ['user', 'tool', 'tool', 'assistant', 'tool', 'user'] as const
    const said = roles.map((role, at) => exampleMessage(`m${at}`, `words ${at}`, { role }))
    current().addMessages('s', said.slice(0, 4))
    const read = (ordinal: number, direction: 'on' | 'back', limit: number, tools: boolean) =>
      current()
        .messagesFrom('s', { ordinal, direction, limit, tools })
        .map((each) => `${each.ordinal}${each.message.id}`)
    expect(read(0, 'on', 2, false)).toEqual(['0m0', '3m3'])
    expect(read(3, 'back', 5, false)).toEqual(['0m0'])
    current().addMessages('s', said)
    expect(read(4, 'on', 5, false)).toEqual(['5m5'])
    expect(read(5, 'back', 2, true)).toEqual(['3m3', '4m4'])
    expect(read(1, 'on', 2, true)).toEqual(['1m1', '2m2'])
    expect([read(6, 'on', 5, true), read(0, 'back', 5, true), read(2, 'on', 0, true)]).toEqual([[], [], []])
    expect(current().messagesFrom('nobody', { ordinal: 0, direction: 'on', limit: 5, tools: true })).toEqual([])
  })

  it('says where a message stands, the newest session first', () => {
    current().putSession(exampleSession('fork', { parent: 's' }))
    current().addMessages('s', [exampleMessage('a'), exampleMessage('b')])
    current().addMessages('fork', [exampleMessage('b')])
    expect(current().placesOf('b')).toEqual([
      { session: 'fork', ordinal: 0 },
      { session: 's', ordinal: 1 },
    ])
    expect(current().placesOf('nobody')).toEqual([])
  })

  it('keeps thousands in order and pages through them', () => {
    const many = Array.from({ length: 2_345 }, (_, n) => exampleMessage(`m${n}`))
    expect(current().addMessages('s', many)).toBe(2_345)
    const pages = [0, 1_000, 2_000, 3_000].flatMap(
      (offset) => current().messages('s', { limit: 1_000, offset }).messages,
    )
    expect(pages.map((message) => message.id)).toEqual(many.map((message) => message.id))
    expect(current().messages('s', { limit: 5_000, offset: 0 }).messages).toHaveLength(MAX_ROWS)
    expect(current().messages('s', { limit: 2, offset: 2_344 })).toMatchObject({
      messages: [{ id: 'm2344' }],
      total: 2_345,
    })
    expect(current().messages('s', { limit: -1, offset: -5 }).messages).toEqual([])
  })
}

function testLists(current: Current): void {
  beforeEach(() => {
    for (const [id, project, started] of [
      ['none-started', 'projects/a', null],
      ['old', 'projects/a', '2026-01-01T00:00:00Z'],
      ['offset', 'projects/b', '2026-02-01T01:00:00+02:00'],
      ['same-day', null, '2026-01-31T23:30:00Z'],
      ['same-time-later-stored', null, '2026-01-31T23:30:00.000Z'],
    ] as const)
      current().putSession(exampleSession(id, { project, started }))
  })
  const listed = (projects?: readonly (string | null)[], limit = 10, offset = 0) => {
    const { sessions, total } = current().sessions({ projects, limit, offset })
    return { ids: sessions.map((session) => session.id), total }
  }

  it('lists newest first, by time, then by storing', () => {
    const order = ['same-time-later-stored', 'same-day', 'offset', 'old', 'none-started']
    expect(listed()).toEqual({ ids: order, total: 5 })
    expect(listed(undefined, 2, 1)).toEqual({ ids: ['same-day', 'offset'], total: 5 })
    expect(listed(undefined, 2, 10)).toEqual({ ids: [], total: 5 })
  })

  it.each<[string, readonly (string | null)[], string[]]>([
    ['one project', ['projects/a'], ['old', 'none-started']],
    ['two projects', ['projects/b', 'projects/a'], ['offset', 'old', 'none-started']],
    ['outside any project', [null], ['same-time-later-stored', 'same-day']],
    ['a project and outside', [null, 'projects/b'], ['same-time-later-stored', 'same-day', 'offset']],
    ['an unknown project', ['projects/A'], []],
    ['a pattern', ['projects/%'], []],
    ['no project at all', [], []],
  ])('lists only %s', (_, projects, ids) => {
    expect(listed(projects)).toEqual({ ids, total: ids.length })
  })

  it.each<[string, SessionFilter, string[]]>([
    ['an agent', { agent: 'codex' }, []],
    ['a branch', { branch: 'main' }, ['old']],
    ['a tag', { tag: 'tide' }, ['offset', 'old']],
    ['a part of a tag', { tag: 'tid' }, []],
    ['a time', { sinceMs: Date.parse('2026-01-31T23:00:00Z') }, ['same-time-later-stored', 'same-day', 'offset']],
    ['a time before', { untilMs: Date.parse('2026-01-31T23:00:00Z') }, ['old']],
    ['a tag and a project', { tag: 'tide', projects: ['projects/a'] }, ['old']],
    ['all but some', { without: ['old', 'offset', 'nobody'] }, ['same-time-later-stored', 'same-day', 'none-started']],
  ])('narrows to %s', (_, filter, ids) => {
    current().putSession(exampleSession('old', { branch: 'main' }))
    for (const id of ['old', 'offset']) current().changeTags(id, (tags) => [...tags, 'tide', '潮汐'])
    const { sessions, total } = current().sessions({ ...filter, limit: 10 })
    expect([sessions.map(({ id }) => id), total]).toEqual([ids, ids.length])
  })

  it('pages by place: what is stored or removed meanwhile moves nothing', () => {
    const first = current().sessions({ limit: 2 })
    expect([first.omitted, first.total]).toEqual([3, 5])
    current().putSession(exampleSession('newer', { started: '2026-06-01T00:00:00Z' }))
    current().removeSession('same-day')
    const second = current().sessions({ limit: 2, after: first.last! })
    expect(second.sessions.map(({ id }) => id)).toEqual(['offset', 'old'])
    expect([second.omitted, second.total]).toEqual([1, 5])
    const third = current().sessions({ limit: 2, after: second.last! })
    expect([third.sessions.map(({ id }) => id), third.omitted]).toEqual([['none-started'], 0])
    expect(current().sessions({ limit: 2, after: third.last! })).toMatchObject({ sessions: [], omitted: 0, last: null })
  })

  it('changes tags in one step, keeps them when the session is put again, and drops them with it', () => {
    expect(current().changeTags('old', (tags) => [...tags, 'b', 'a'])).toEqual(['b', 'a'])
    current().putSession(exampleSession('old', { title: 'later', tags: [] }))
    expect(current().changeTags('old', (tags) => tags.filter((tag) => tag !== 'b'))).toEqual(['a'])
    const refuse = () => {
      throw new Error('too many')
    }
    expect(() => current().changeTags('old', refuse)).toThrow('too many')
    expect(current().session('old')?.tags).toEqual(['a'])
    expect(() => current().changeTags('nobody', () => [])).toThrow(
      expect.objectContaining({ code: 'SESSION_NOT_FOUND' }),
    )
    current().removeSession('old')
    current().putSession(exampleSession('old'))
    expect(current().session('old')?.tags).toEqual([])
  })

  it('counts messages of known sessions', () => {
    current().addMessages('old', [exampleMessage('a'), exampleMessage('b')])
    expect(current().messageCounts(['old', 'offset', 'nobody'])).toEqual(
      new Map([
        ['old', 2],
        ['offset', 0],
      ]),
    )
  })
}

function testRemoval(current: Current): void {
  it('is of another generation after every write, and of the same one after reads', () => {
    const writes = [
      () => current().putSession(exampleSession('g')),
      () => void current().addMessages('g', [exampleMessage('g1')]),
      () => current().removeSession('g'),
    ]
    for (const write of writes) {
      const before = current().generation()
      current().sessions({ limit: 5, offset: 0 })
      expect(current().generation()).toBe(before)
      write()
      expect(current().generation()).not.toBe(before)
    }
  })

  it('removes a session and its own messages, not those of others', () => {
    for (const id of ['s', 'fork']) current().putSession(exampleSession(id))
    current().addMessages(
      's',
      ['a', 'b', 'own'].map((id) => exampleMessage(id)),
    )
    current().addMessages(
      'fork',
      ['a', 'b', 'x'].map((id) => exampleMessage(id)),
    )
    current().removeSession('s')
    current().removeSession('nobody')
    expect(current().session('s')).toBeNull()
    expect(current().messages('s', everything)).toEqual({ messages: [], total: 0 })
    expect(idsOf(current(), 'fork')).toEqual(['a', 'b', 'x'])
    expect(current().knownMessages(['a', 'b', 'own', 'x'])).toEqual(new Set(['a', 'b', 'x']))
    current().removeSession('fork')
    expect(current().counts()).toEqual({ sessions: 0, messages: 0 })
  })

  it('takes a removed session again from the beginning', () => {
    current().putSession(exampleSession('s', { title: 'first' }))
    current().addMessages('s', [exampleMessage('a')])
    current().removeSession('s')
    current().putSession(exampleSession('s'))
    expect(current().session('s')?.title).toBeNull()
    expect(current().addMessages('s', [exampleMessage('b'), exampleMessage('a')])).toBe(2)
    expect(idsOf(current(), 's')).toEqual(['b', 'a'])
  })
}

/** Any order of replays, resumes and forks gives each session its messages once, in the order in which they first came. */
function testAnyHistory(create: () => SessionStore): void {
  it('replays in any pieces keep each message once and in order', () => {
    const piece = fc.record({
      session: fc.constantFrom('s', 'fork', 'resumed'),
      ids: fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 8 }),
    })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const store = create()
        const expected = new Map<string, string[]>()
        for (const { session, ids } of pieces) {
          store.putSession(exampleSession(session))
          const names = ids.map((id) => `m${id}`)
          const before = expected.get(session) ?? []
          const after = [...new Set([...before, ...names])]
          expected.set(session, after)
          expect(
            store.addMessages(
              session,
              names.map((name) => exampleMessage(name)),
            ),
          ).toBe(after.length - before.length)
        }
        for (const [session, ids] of expected) expect(idsOf(store, session)).toEqual(ids)
        expect(store.counts().messages).toBe(new Set([...expected.values()].flat()).size)
        store.close()
      }),
      { numRuns: 60 },
    )
  })
}
