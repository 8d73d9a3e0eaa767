import { describe, expect, it } from 'vitest'
import { scoreFrom } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { createMemorySearchIndex } from '../store/search-index/memory-search-index.ts'
import { createRecallHarness, globalLayer, projectLayer } from '../testing/recall-harness.ts'

const shop = projectLayer.key
const talk = [
  'How do deploys roll back here?',
  'They go through the blue pool.',
  'And who owns the invoice service?',
  'Mia owns it, ask her before you touch it.',
]

describe('sessions.search [R8]', () => {
  it('groups by conversation, cuts around the matches and says where they stand', async () => {
    const { recall, conversation } = createRecallHarness()
    conversation('claude-code:a', shop, talk, { title: 'Rollback' })
    conversation('claude-code:b', shop, ['What about lunch?', 'The blue cafe.'])
    const { sessions, omitted } = await recall.searchSessions({ query: 'which pool do deploys roll back through' })
    expect(omitted).toBe(0)
    expect(sessions.map(({ session }) => session.id)).toEqual(['claude-code:a'])
    const [question, reply] = ['claude-code:a:0', 'claude-code:a:1']
    const asked = { ordinal: 0, reference: 'claude-code:a#1', message: question, role: 'user', snippet: talk[0] }
    const answer = { ordinal: 1, reference: 'claude-code:a#2', message: reply, role: 'assistant', snippet: talk[1] }
    // As in recall, the answer stands before the question that holds more of the words.
    expect(sessions[0]!.matches.slice(0, 2)).toEqual([
      { ...answer, time: '2026-11-28T10:01:00Z', match: 'word' },
      { ...asked, time: '2026-11-28T10:00:00Z', match: 'near' },
    ])
  })

  it.each([
    ['昨晚', '昨晚把中欧红利的守护进程修好了'],
    ['守', '昨晚把中欧红利的守护进程修好了'],
    ['紅利', '昨晚把中欧红利的守护进程修好了'],
    ['しりとり', '今日は成語しりとりをした'],
    ['끝말잇기', '오늘 끝말잇기 게임을 했다'],
  ])('BL-41: %s is found in conversations', async (query, content) => {
    const { recall, conversation } = createRecallHarness()
    conversation('claude-code:a', shop, [content, '好的'])
    conversation('claude-code:b', shop, ['进程 game today'])
    const { sessions } = await recall.searchSessions({ query })
    expect(sessions.map(({ session }) => session.id)[0]).toBe('claude-code:a')
  })

  it('a conversation with many matches stands before one with a single one', async () => {
    const { recall, conversation } = createRecallHarness()
    conversation('claude-code:one', shop, ['the blue pool is closed today', 'ok', 'fine'])
    conversation('claude-code:many', shop, ['is the blue pool ready', 'the blue pool is ready', 'so use the blue pool'])
    for (let at = 0; at < 8; at++) conversation(`claude-code:${at}`, shop, ['something else', 'yes'])
    const { sessions } = await recall.searchSessions({ query: 'blue pool' })
    expect(sessions.map(({ session }) => session.id)).toEqual(['claude-code:many', 'claude-code:one'])
  })

  it('in a short conversation the word that every message holds is found, marked weak [R7]', async () => {
    const { recall, conversation } = createRecallHarness()
    conversation('claude-code:a', shop, ['我爸爸今年47岁。', '我爸爸是做护士的。', '我爸爸住在杭州。'])
    const { results } = await recall.recall({ query: '我爸爸喜欢的家电是什么', in: 'sessions' })
    expect(results.map(({ weak }) => weak)).toEqual([true, true, true])
  })

  it('R5: a common word is enough for what was said at the time that is asked for, and only there', async () => {
    const { recall, conversation } = createRecallHarness()
    for (let at = 0; at < 8; at++) conversation(`claude-code:${at}`, shop, ['Sam is here', 'Sam waits', 'yes Sam'])
    const found = async (query: string) => (await recall.searchSessions({ query })).sessions.length
    expect(await found('what was Sam doing in November 2026, quietly and mostly')).toBe(8)
    expect(await found('what was Sam doing in June 2026, quietly and mostly')).toBe(0)
  })

  it.each(['', 'of the', '??', 'zx00841', '\u0000', '"', 'NEAR('])(
    '%j finds nothing and does not throw',
    async (query) => {
      const { recall, conversation } = createRecallHarness()
      conversation('claude-code:a', shop, talk)
      expect(await recall.searchSessions({ query })).toMatchObject({ sessions: [], omitted: 0, searched: 'ok' })
    },
  )

  it('is bounded and counts the rest', async () => {
    const { recall, conversation } = createRecallHarness()
    const long = `${'filler words '.repeat(400)} blue pool ${'more words '.repeat(400)}`
    for (let at = 0; at < 60; at++) conversation(`claude-code:${at}`, shop, [long, long, long, long, long])
    const { sessions, omitted } = await recall.searchSessions({ query: 'blue pool', limit: 50 })
    const characters = sessions.flatMap(({ matches }) => matches.map((match) => match.snippet.length))
    expect(characters.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(100_000)
    expect(Math.max(...characters)).toBeLessThan(500)
    expect(sessions.length + omitted).toBeGreaterThanOrEqual(40)
  })

  it('works on a scan when the index is broken', async () => {
    const index = () => {
      throw new MemoryError('SQLITE_CORRUPT', 'damaged')
    }
    const { recall, store, conversation } = createRecallHarness({ index, scan: async () => createMemorySearchIndex() })
    conversation('claude-code:a', shop, talk)
    expect(store.counts().sessions).toBe(1)
    const { sessions } = await recall.searchSessions({ query: 'blue pool' })
    expect(sessions.map(({ session }) => session.id)).toEqual(['claude-code:a'])
  })
})

describe('BL-14: conversations of other projects', () => {
  const others = ['projects/shop-1a2b3c4', 'projects/shop-1a2b3c4d2', 'projects/SHOP-1a2b3c4d', 'projects/s1', null]

  it.each(others)('those of %j are not seen', async (other) => {
    const { recall, conversation } = createRecallHarness()
    conversation('claude-code:mine', shop, ['the blue pool is mine'])
    conversation('claude-code:theirs', other, ['the blue pool is theirs'])
    const { sessions } = await recall.searchSessions({ query: 'blue pool theirs' })
    expect(sessions.map(({ session }) => session.id)).toEqual(['claude-code:mine'])
    const { results } = await recall.recall({ query: 'blue pool theirs', in: 'all' })
    expect(results.map((hit) => hit.session)).toEqual(['claude-code:mine'])
  })

  it('outside any project only those outside any project are seen', async () => {
    const { recall, conversation } = createRecallHarness({ layers: () => [globalLayer] })
    conversation('claude-code:none', null, ['the blue pool'])
    conversation('claude-code:shop', shop, ['the blue pool'])
    const { sessions } = await recall.searchSessions({ query: 'blue pool' })
    expect(sessions.map(({ session }) => session.id)).toEqual(['claude-code:none'])
  })

  it('one that moved to another project, with an index that lags, is not seen', async () => {
    const { recall, store, conversation } = createRecallHarness()
    conversation('claude-code:a', shop, ['the blue pool'])
    const moved = { ...store.session('claude-code:a')!, project: 'projects/other-00000000' }
    store.removeSession('claude-code:a')
    store.putSession(moved)
    expect((await recall.searchSessions({ query: 'blue pool' })).sessions).toEqual([])
  })
})

describe('recall in sessions', () => {
  it('gives single messages, the answer before the question that matched', async () => {
    const { recall, conversation } = createRecallHarness()
    conversation('claude-code:a', shop, talk, { title: 'Rollback' })
    conversation('claude-code:b', shop, ['What about lunch?', 'At noon.'])
    const { results } = await recall.recall({ query: 'who owns the invoice service', in: 'sessions', explain: true })
    expect(results[0]).toMatchObject({
      kind: 'message',
      id: 'claude-code:a:3',
      name: 'Rollback',
      type: null,
      layer: 'session',
      file: null,
      description: 'assistant, message 4',
      age: 'yesterday',
      snippet: talk[3],
      weak: false,
      session: 'claude-code:a',
      role: 'assistant',
    })
    expect(results[1]).toMatchObject({ id: 'claude-code:a:2', snippet: talk[2] })
    expect(scoreFrom(results[0]!.explain!.steps)).toBe(results[0]!.score)
    expect(results.map(({ saidBy }) => saidBy).slice(0, 2)).toEqual(['agent', 'user'])
    expect(results[0]!.source).toEqual({ session: 'claude-code:a', message: 'claude-code:a:3', time: results[0]!.date })
  })

  it('a message that two conversations share is shown once', async () => {
    const { recall, store, index, conversation } = createRecallHarness()
    conversation('claude-code:a', shop, ['the blue pool'])
    const [message] = store.messages('claude-code:a', { limit: 1, offset: 0 }).messages
    store.putSession({ ...store.session('claude-code:a')!, id: 'claude-code:fork', parent: 'claude-code:a' })
    store.addMessages('claude-code:fork', [{ ...message!, idGiven: true }])
    index.putMessages([
      { session: 'claude-code:fork', ordinal: 0, scope: `session:${shop}`, speaker: 'user', body: 'the blue pool' },
    ])
    const { results } = await recall.recall({ query: 'blue pool', in: 'sessions' })
    expect(results.map((hit) => hit.id)).toEqual(['claude-code:a:0'])
  })

  it('mixes notes and messages, and keeps to notes unless asked', async () => {
    const { recall, note, conversation } = createRecallHarness()
    note('a.md', { name: 'pool', body: 'deploys use the blue pool' })
    conversation('claude-code:a', shop, ['the blue pool is closed'])
    const kinds = async (target?: 'notes' | 'sessions' | 'all') =>
      (await recall.recall({ query: 'blue pool', in: target })).results.map((hit) => hit.kind)
    expect(await kinds()).toEqual(['note'])
    expect(await kinds('sessions')).toEqual(['message'])
    expect((await kinds('all')).sort()).toEqual(['message', 'note'])
  })

  it('says that conversations could not be looked at', async () => {
    const { recall, note } = createRecallHarness({ sessions: () => null })
    note('a.md', { name: 'pool', body: 'blue pool' })
    expect(await recall.recall({ query: 'blue pool', in: 'all' })).toMatchObject({
      results: [{ name: 'pool' }],
      searched: 'scan',
      reason: 'conversations cannot be searched here',
    })
    expect(await recall.recall({ query: 'blue pool' })).toMatchObject({ searched: 'ok', reason: null })
    expect(await recall.searchSessions({ query: 'blue pool' })).toMatchObject({
      sessions: [],
      omitted: 0,
      searched: 'ok',
    })
  })

  it.each(['all', 'sessions'] as const)(
    'does not call it a fault that nothing was captured yet: %s',
    async (target) => {
      const { recall } = createRecallHarness({ sessions: () => null, noSessionsYet: () => true })
      const result = await recall.recall({ query: 'blue pool', in: target })
      expect(result).toEqual({ results: [], omitted: 0, searched: 'ok', reason: null })
    },
  )
})
