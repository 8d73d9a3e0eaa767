import { describe, expect, it } from 'vitest'
import { createRecallHarness, globalLayer, projectLayer } from '../testing/recall-harness.ts'

const shop = projectLayer.key

function harness() {
  const made = createRecallHarness()
  const { note, conversation } = made
  note('port.md', {
    name: 'port',
    description: 'The port is 8104.',
    body: 'The port is 8104.',
    updated: '2026-11-28T09:00:00Z',
  })
  note('cache.md', {
    name: 'cache',
    description: 'The cache is Redis.',
    body: 'The cache is Redis.',
    updated: '2026-10-02T09:00:00Z',
  })
  note('old.md', {
    name: 'old',
    description: 'Written in May.',
    body: 'Logs go to Loki.',
    updated: '2026-05-20T09:00:00Z',
  })
  note('gone.md', {
    name: 'gone',
    description: 'Gone.',
    body: 'Gone.',
    status: 'archived',
    updated: '2026-11-28T10:00:00Z',
  })
  conversation('claude-code:a', shop, ['Move the cache to Redis', 'Done, it is on Redis now.'])
  conversation('claude-code:b', 'projects/other-99999999', ['Another house', 'Not yours.'])
  return made
}

describe('a time beside what is asked [R5]', () => {
  it.each([
    ['deploy last week', 'deploy 1'],
    ['what did we say about deploy yesterday', 'deploy 0'],
    ['deploy 3 weeks ago', 'deploy 3'],
    ['上周的 deploy', 'deploy 1'],
    ['deploy the week before last', 'deploy 2'],
    ['deploy on Sunday', 'deploy 1'],
  ])('%s: no note lacks words of the time, the one of that time is first', async (query, first) => {
    const { note, recall } = createRecallHarness()
    for (const [at, topic] of ['deploy', 'billing', 'parser', 'search', 'login'].entries())
      for (let weeks = 0; weeks < 8; weeks++) {
        const updated = new Date(Date.parse('2026-11-29T09:00:00Z') - weeks * 7 * 86_400_000).toISOString()
        const text = `The team worked on the ${topic} part.`
        note(`${topic}-${weeks}.md`, { name: `${topic} ${weeks}`, description: text, body: text, updated })
        if (at > 0 && weeks > 5)
          note(`week-${at}-${weeks}.md`, { name: 'week', description: 'A week.', body: 'A week.' })
      }
    const { results } = await recall.recall({ query })
    expect(results.map(({ name }) => name)[0]).toBe(first)
    expect(results.filter(({ name, weak }) => name.startsWith('deploy') && !weak)).toHaveLength(8)
  })
})

describe('questions about a time alone [R5]', () => {
  it.each(['Where did we leave off?', '上次做到哪了？', 'what were we working on', '我们上次在做什么'])(
    '%s: the newest first, whatever the words',
    async (query) => {
      const { recall } = harness()
      const { results, omitted } = await recall.recall({ query, in: 'all' })
      expect(omitted).toBe(0)
      expect(results.filter(({ kind }) => kind === 'note').map(({ name }) => name)).toEqual(['port', 'cache', 'old'])
      expect(results.filter(({ kind }) => kind === 'message').map(({ snippet }) => snippet)).toEqual([
        'Done, it is on Redis now.',
        'Move the cache to Redis',
      ])
      const { sessions } = await recall.searchSessions({ query })
      expect(sessions.map(({ session, foundBy, matches }) => [session.id, foundBy, matches.length])).toEqual([
        ['claude-code:a', 'time', 2],
      ])
    },
  )

  it.each([
    ['What happened yesterday?', ['port']],
    ['昨天做了什么', ['port']],
    ['what did we do in May', ['old']],
    ['五月发生了什么', ['old']],
    ['what did we do in 2019', []],
  ])('%s: only of that time', async (query, names) => {
    const { recall } = harness()
    expect((await recall.recall({ query })).results.map(({ name }) => name)).toEqual(names)
  })

  it('with a subject, words are searched: the time lifts, and asking to go on prefers the newer', async () => {
    const { recall, note } = harness()
    note('one.md', {
      name: 'one',
      description: 'Deploy by hand.',
      body: 'Deploy by hand.',
      updated: '2026-05-03T09:00:00Z',
    })
    note('two.md', {
      name: 'two',
      description: 'Deploy by tag.',
      body: 'Deploy by tag.',
      updated: '2026-11-25T09:00:00Z',
    })
    const names = async (query: string) => (await recall.recall({ query })).results.map(({ name }) => name)
    expect(await names('deploy in May')).toEqual(['one', 'two'])
    expect(await names('how do we deploy')).toEqual(['two', 'one'])
    const { results } = await recall.recall({ query: 'continue where we left off with the deploy', explain: true })
    expect(results.map(({ name }) => name)).toEqual(['two', 'one'])
    expect(results[0]!.score).toBeGreaterThan(results[1]!.score * 1.5)
    expect(results[0]!.explain!.steps.find(({ part }) => part === 'time')!.because).toContain('go on')
  })

  it('a time word that stands alone is a word like any other', async () => {
    const { recall, note } = harness()
    note('night.md', {
      name: 'night',
      description: '昨晚的备份失败了',
      body: '昨晚的备份失败了',
      updated: '2020-01-01T00:00:00Z',
    })
    expect((await recall.recall({ query: '昨晚' })).results.map(({ name }) => name)).toEqual(['night'])
  })

  it('limits and layers hold, and what is left out is counted', async () => {
    const { recall } = harness()
    const { results, omitted } = await recall.recall({ query: 'where were we', limit: 1, layer: 'global' })
    expect(results.map(({ name, layer }) => [name, layer])).toEqual([['port', globalLayer.name]])
    expect(omitted).toBe(2)
    expect((await recall.recall({ query: 'where were we', layer: 'project' })).results).toEqual([])
  })
})
