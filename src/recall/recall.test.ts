import { describe, expect, it } from 'vitest'
import { scoreFrom } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { createMemorySearchIndex } from '../store/search-index/memory-search-index.ts'
import { createRecallHarness, globalLayer, projectLayer } from '../testing/recall-harness.ts'

const names = (result: { results: readonly { name: string }[] }) => result.results.map((hit) => hit.name)

describe('recall of notes', () => {
  it('gives every field of a hit', async () => {
    const { recall, note } = createRecallHarness()
    note('feedback_deploy.md', {
      name: 'Deploy ways',
      description: 'How deploys roll back',
      body: 'Deploys roll back through the blue pool.\n\n**Why:** it is fast.',
      updated: '2026-11-17T00:00:00Z',
    })
    const result = await recall.recall({
      query: 'why did the deployment rollback not happen yesterday?',
      explain: true,
    })
    expect(result).toMatchObject({ omitted: 0, searched: 'ok', reason: null })
    const [hit] = result.results
    expect(hit).toMatchObject({
      kind: 'note',
      id: 'id-feedback_deploy.md',
      name: 'Deploy ways',
      type: 'feedback',
      layer: 'global',
      file: '/home/user/.keepsake/global/feedback_deploy.md',
      description: 'How deploys roll back',
      age: '12 days ago',
      date: '2026-11-17T00:00:00Z',
      saidBy: 'user',
      source: null,
      verdicts: [],
      snippet: 'Deploys roll back through the blue pool. **Why:** it is fast.',
      session: null,
      role: null,
    })
    expect(hit!.score).toBe(scoreFrom(hit!.explain!.steps))
  })

  it('explains only when asked', async () => {
    const { recall, note } = createRecallHarness()
    note('a.md', { body: 'apple' })
    expect((await recall.recall({ query: 'apple' })).results[0]).not.toHaveProperty('explain')
  })

  it.each([
    ['a missing word', 'zx00841 blue pool'],
    ['a natural question', 'why did the rollback of the blue pool not happen yesterday?'],
    ['other forms of the words', 'deploying rolls pools'],
    ['a quoted phrase', '"blue pool"'],
    ['a trailing star', 'deplo*'],
    ['a Chinese word for it', '回滚 部署'],
    ['a traditional one', '回滾 部署'],
    ['glued scripts', '用deploy吗'],
  ])('BL-40: the right note is first for %s', async (_, query) => {
    const { recall, note } = createRecallHarness()
    note('deploy.md', { name: 'deploy', body: 'deploys roll back through the blue pool' })
    note('lunch.md', { name: 'lunch', body: 'the team eats at noon on fridays' })
    note('paint.md', { name: 'paint', body: 'the fence was painted white' })
    expect(names(await recall.recall({ query }))[0]).toBe('deploy')
  })

  it.each(['the of and what', 'what is it?', '的了吗', '', '   ', '??', 'zx00841 qqq', '广西 OR 桂林'])(
    'BL-40: %j gives nothing, and says that it searched',
    async (query) => {
      const { recall, note } = createRecallHarness()
      note('deploy.md', { body: 'deploys roll back through the blue pool, what is it of and the 部署' })
      expect(await recall.recall({ query })).toEqual({ results: [], omitted: 0, searched: 'ok', reason: null })
    },
  )

  it.each([
    ['昨晚', 'zh'],
    ['守护', 'zh'],
    ['红利', 'zh'],
    ['守', 'zh'],
    ['紅利', 'zh'],
    ['广西 OR 桂林', 'guilin'],
    ['しりとり', 'ja'],
    ['끝말잇기', 'ko'],
  ])('BL-41: %s is found first, also when others hit too', async (query, name) => {
    const { recall, note } = createRecallHarness()
    note('zh.md', { name: 'zh', body: '昨晚把中欧红利的守护进程修好了' })
    note('guilin.md', { name: 'guilin', body: '去年在广西桂林住了一个月' })
    note('ja.md', { name: 'ja', body: '今日は成語しりとりをした' })
    note('ko.md', { name: 'ko', body: '오늘 끝말잇기 게임을 했다' })
    note('other.md', { name: 'other', body: '修好了进程，今天在广州，昨天下雨 OR sun' })
    expect(names(await recall.recall({ query }))[0]).toBe(name)
  })

  it('the words of a phrase together stand before the same words apart', async () => {
    const { recall, note } = createRecallHarness()
    note('apart.md', { name: 'x', body: 'the pool is blue today and cold' })
    note('together.md', { name: 'y', body: 'today the blue pool is so cold' })
    note('other.md', { name: 'z', body: 'else' })
    expect(names(await recall.recall({ query: 'blue pool' }))).toEqual(['y', 'x'])
  })

  it('newer and surer notes stand first among equals, and neither outweighs the words', async () => {
    const { recall, note } = createRecallHarness()
    note('old.md', { name: 'old', body: 'apple pie', updated: '2020-01-01T00:00:00Z' })
    note('new.md', { name: 'new', body: 'apple pie', updated: '2026-11-28T00:00:00Z' })
    note('sure.md', { name: 'sure', body: 'apple pie', updated: '2026-11-28T00:00:00Z', confidence: 0.9 })
    note('exact.md', { name: 'exact', body: 'apple pie recipe', updated: null, confidence: 0 })
    expect(names(await recall.recall({ query: 'apple pie' }))).toEqual(['sure', 'new', 'old', 'exact'])
    expect(names(await recall.recall({ query: 'apple pie recipe' }))[0]).toBe('exact')
  })

  it('marks what matched one rare word only as weak, after the strong ones', async () => {
    const { recall, note } = createRecallHarness()
    note('a.md', { name: 'whole', body: 'migrate billing invoices from legacy gateway before december' })
    note('b.md', { name: 'part', body: 'december party' })
    for (let at = 0; at < 30; at++) note(`n${at}.md`, { body: `filler number ${at}` })
    const { results } = await recall.recall({
      query: 'migrate billing invoices legacy gateway quarterly statements december',
    })
    expect(results.map((hit) => [hit.name, hit.weak])).toEqual([
      ['whole', false],
      ['part', true],
    ])
  })

  it('filters by layer, type and tag', async () => {
    const { recall, note } = createRecallHarness()
    note('a.md', { name: 'a', body: 'apple', type: 'user' })
    note('b.md', { name: 'b', body: 'apple', type: 'project', tags: ['x'] }, projectLayer)
    expect(names(await recall.recall({ query: 'apple', layer: 'project' }))).toEqual(['b'])
    expect(names(await recall.recall({ query: 'apple', layer: 'global' }))).toEqual(['a'])
    expect(names(await recall.recall({ query: 'apple', type: 'user' }))).toEqual(['a'])
    expect(names(await recall.recall({ query: 'apple', tag: 'x' }))).toEqual(['b'])
    expect(names(await recall.recall({ query: 'apple', tag: 'y' }))).toEqual([])
  })

  it.each([
    [undefined, 10],
    [3, 3],
    [0, 1],
    [-5, 1],
    [10_000, 50],
    [Number.NaN, 10],
  ])('a limit of %s returns %i and counts the rest', async (limit, count) => {
    const { recall, note } = createRecallHarness()
    for (let at = 0; at < 60; at++) note(`n${at}.md`, { body: 'apple' })
    const result = await recall.recall({ query: 'apple', limit })
    expect(result.results).toHaveLength(count)
    expect(result.omitted).toBe(60 - count)
  })
})

describe('what is on disk is what is served', () => {
  it.each([
    ['deleted', null],
    ['archived', { status: 'archived' as const }],
    ['withheld', { withheld: 'override' }],
    ['edited to something else', { body: 'pear', hash: 'other' }],
  ])('a note that was %s is not returned', async (_, change) => {
    const { recall, note, files } = createRecallHarness()
    const old = note('a.md', { name: 'a', body: 'apple pie' })
    note('b.md', { name: 'b', body: 'apple' })
    if (change === null) files.delete('global a.md')
    else files.set('global a.md', { ...old, ...change })
    expect(names(await recall.recall({ query: 'apple pie' }))).toEqual(['b'])
  })

  it('an edited note is shown and judged by its new text', async () => {
    const { recall, note, files } = createRecallHarness()
    const old = note('a.md', { name: 'a', body: 'sugar' })
    note('b.md', { name: 'b', body: 'apple pie with cream' })
    files.set('global a.md', { ...old, body: 'apple pie with cream and sugar', hash: 'new' })
    const { results } = await recall.recall({ query: 'apple pie cream sugar' })
    expect(results.map((hit) => hit.name)).toEqual(['a', 'b'])
    expect(results[0]).toMatchObject({ snippet: 'apple pie with cream and sugar', weak: false })
  })

  it('one unreadable file does not hide the others', async () => {
    const whole = createRecallHarness()
    const { recall } = createRecallHarness({
      index: () => whole.index,
      readNote: async (layer, file) => {
        if (file === 'a.md') throw new MemoryError('STORE_UNREADABLE', 'no')
        return whole.files.get(`${layer} ${file}`) ?? null
      },
    })
    whole.note('a.md', { name: 'a', body: 'apple' })
    whole.note('b.md', { name: 'b', body: 'apple' })
    expect(names(await recall.recall({ query: 'apple' }))).toEqual(['b'])
  })

  it('reads no more files than it needs', async () => {
    const { recall, note, reads } = createRecallHarness()
    for (let at = 0; at < 100; at++) note(`n${at}.md`, { body: 'apple' })
    await recall.recall({ query: 'apple', limit: 2 })
    expect(reads.length).toBeLessThanOrEqual(10)
  })
})

describe('a broken index is not "no match"', () => {
  const broken = new MemoryError('SQLITE_CORRUPT', 'damaged', { data: { file: 'index.db' } })
  const breaks: [string, () => never][] = [
    [
      'throws when opened',
      () => {
        throw new MemoryError('INDEX_UNAVAILABLE', 'gone', { data: { reason: 'no FTS5' } })
      },
    ],
    [
      'is damaged',
      () => {
        throw broken
      },
    ],
    [
      'is locked',
      () => {
        throw new MemoryError('SQLITE_BUSY', 'locked')
      },
    ],
  ]

  it.each(breaks)('BL-40: recall scans and says why when it %s', async (_, index) => {
    const whole = createRecallHarness()
    whole.note('a.md', { name: 'a', body: 'apple' })
    const { recall } = createRecallHarness({
      index,
      scan: async () => whole.index,
      readNote: async (layer, file) => whole.files.get(`${layer} ${file}`) ?? null,
    })
    const result = await recall.recall({ query: 'apple' })
    expect(names(result)).toEqual(['a'])
    expect(result.searched).toBe('scan')
    expect(result.reason).toMatch(/gone: no FTS5|damaged|locked/)
    expect(await recall.recall({ query: 'banana' })).toMatchObject({ results: [], searched: 'scan' })
  })

  it.each(breaks)('recall throws INDEX_UNAVAILABLE when it %s and nothing can be scanned', async (_, index) => {
    const { recall } = createRecallHarness({ index })
    await expect(recall.recall({ query: 'apple' })).rejects.toMatchObject({ code: 'INDEX_UNAVAILABLE' })
  })

  it('an index that breaks in the middle is scanned too', async () => {
    const whole = createRecallHarness()
    whole.note('a.md', { name: 'a', body: 'apple' })
    const index = {
      ...createMemorySearchIndex(),
      searchNotes: () => {
        throw broken
      },
    }
    const { recall } = createRecallHarness({
      index: () => index,
      scan: async () => whole.index,
      readNote: async (layer, file) => whole.files.get(`${layer} ${file}`) ?? null,
    })
    expect(await recall.recall({ query: 'apple' })).toMatchObject({ searched: 'scan', results: [{ name: 'a' }] })
  })

  it('faults that are not of the index pass through', async () => {
    const { recall } = createRecallHarness({
      index: () => {
        throw new TypeError('bug')
      },
      scan: async () => createMemorySearchIndex(),
    })
    await expect(recall.recall({ query: 'apple' })).rejects.toThrow(TypeError)
  })

  it('stops when the caller cancels', async () => {
    const { recall } = createRecallHarness()
    const signal = AbortSignal.abort(new Error('stop'))
    const cancelled = { code: 'CANCELLED', cause: new Error('stop') }
    await expect(recall.recall({ query: 'apple', signal })).rejects.toMatchObject(cancelled)
    await expect(recall.searchSessions({ query: 'apple', signal })).rejects.toMatchObject(cancelled)
  })
})

describe('nearest', () => {
  it('gives notes that share the rare words of a text, best first', () => {
    const { recall, note } = createRecallHarness()
    note('vitest.md', { name: 'Test runner', body: 'Use vitest, never jest, for unit tests.' })
    note('lunch.md', { name: 'Lunch', body: 'The team eats at noon.' })
    note('zh.md', { name: '测试', body: '单元测试用 vitest' })
    const near = recall.nearest('From now on run unit tests with vitest', [globalLayer.key], 5)
    expect(near.map((row) => row.file)).toEqual(['vitest.md', 'zh.md'])
    expect(recall.nearest('the weather is fine', [globalLayer.key], 5)).toEqual([])
    expect(recall.nearest('unit tests with vitest', [projectLayer.key], 5)).toEqual([])
  })
})
