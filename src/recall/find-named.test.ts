import { describe, expect, it } from 'vitest'
import { createRecallHarness, projectLayer } from '../testing/recall-harness.ts'

const shop = projectLayer.key

describe('a conversation is found by its name [R8]', () => {
  it('by exact tag, part of a tag, title, branch, summary, then text', async () => {
    const { recall, conversation } = createRecallHarness()
    conversation('claude-code:text', shop, ['what about the tide table?', 'It is printed.'])
    conversation('claude-code:summary', shop, ['hello'], { summary: 'We drew the tide table.' })
    conversation('claude-code:branch', shop, ['hello'], { branch: 'tide table' })
    conversation('claude-code:title', shop, ['hello'], { title: 'A Tide  Table for May' })
    conversation('claude-code:part', shop, ['hello'], { tags: ['old tide tables'] })
    conversation('claude-code:tag', shop, ['hello'], { tags: ['other', 'Tide Table'] })
    const { sessions } = await recall.searchSessions({ query: '"tide table"' })
    expect(sessions.map(({ session, foundBy }) => [session.id, foundBy])).toEqual([
      ['claude-code:tag', 'tag'],
      ['claude-code:part', 'part of a tag'],
      ['claude-code:title', 'title'],
      ['claude-code:branch', 'branch'],
      ['claude-code:summary', 'summary'],
      ['claude-code:text', 'text'],
    ])
    // Each leads to a message, also where only the name was found.
    for (const { matches } of sessions) expect(matches[0]?.reference).toMatch(/^claude-code:\w+#1$/)
  })

  it.each<[string, string, boolean]>([
    ['发布', '讨论发布流程', true],
    ['發布', '讨论发布流程', true],
    ['release', 'The Release of May', true],
    ['lease', 'The Release of May', false],
    ['art', 'Start of the party', false],
    ['a', 'A plan', false],
    ['feature/tide', 'on feature/tide-table', true],
    ['what did we say about the release of may', 'The Release of May', false],
    ['release may', 'The Release of May', false],
  ])('%s in the title %s: %s', async (query, title, isFound) => {
    const { recall, conversation } = createRecallHarness()
    conversation('claude-code:named', shop, ['hello'], { title })
    const { sessions } = await recall.searchSessions({ query })
    expect(sessions.map(({ foundBy }) => foundBy)).toEqual(isFound ? ['title'] : [])
  })

  it('a name and its words together: the passages of the words, first among all', async () => {
    const { recall, conversation } = createRecallHarness()
    conversation('claude-code:often', shop, ['tide table', 'tide table', 'tide table'])
    conversation('claude-code:named', shop, ['hello', 'see the tide table'], { tags: ['tide table'] })
    const { sessions } = await recall.searchSessions({ query: 'tide table' })
    expect(sessions.map(({ session }) => session.id)).toEqual(['claude-code:named', 'claude-code:often'])
    expect(sessions[0]?.matches[0]).toMatchObject({ snippet: 'see the tide table', match: 'phrase' })
  })

  it('BL-14: no name of another project is found', async () => {
    const { recall, conversation } = createRecallHarness()
    for (const project of ['projects/other-00000000', `${shop}2`, null])
      conversation(`claude-code:${project}`, project, ['tide table'], { tags: ['tide table'], title: 'tide table' })
    expect(await recall.searchSessions({ query: 'tide table' })).toMatchObject({
      sessions: [],
      omitted: 0,
      searched: 'ok',
    })
  })
})

describe('passages of one conversation [R8]', () => {
  it('the message with the whole phrase stands first, before one that repeats the words', async () => {
    const { recall, conversation } = createRecallHarness()
    const often = 'pool of blue, blue of pool, pool and blue, blue and pool'
    conversation('claude-code:a', shop, [often, `${'words '.repeat(90)}the blue pool${' words'.repeat(90)}`])
    const { sessions } = await recall.searchSessions({ query: 'blue pool' })
    const [first, second] = sessions[0]?.matches ?? []
    expect([first?.ordinal, first?.match, second?.match]).toEqual([1, 'phrase', 'near'])
    expect(first?.snippet).toContain('the blue pool')
    expect(first?.snippet.length).toBeLessThan(450)
  })
})
