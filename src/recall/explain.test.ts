import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scoreFrom } from '../domain/index.ts'
import { createRecallHarness, projectLayer } from '../testing/recall-harness.ts'

const word = fc.constantFrom('blue', 'pool', 'deploy', 'invoice', 'docker', '部署', '容器', '测试', 'Mia', 'x9')
const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))
const note = fc.record({
  body: text,
  name: text,
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  updated: fc.constantFrom(null, '2026-11-28T00:00:00Z', '2020-01-01T00:00:00Z'),
})
const world = fc.record({
  notes: fc.array(note, { minLength: 1, maxLength: 8 }),
  talk: fc.array(text, { minLength: 1, maxLength: 8 }),
  query: text,
  trust: fc.double({ min: 0, max: 1, noNaN: true }),
  near: fc.double({ min: 0, max: 1, noNaN: true }),
})

function fill({
  notes,
  talk,
  trust,
  near,
}: Omit<typeof world extends fc.Arbitrary<infer World> ? World : never, 'query'>) {
  const step = async <Row extends object>(rows: readonly Row[]) => rows.map((row) => ({ ...row, semantic: near }))
  const harness = createRecallHarness({
    trustOf: (ids) => new Map(ids.map((id) => [id, trust])),
    semantic: () => ({ notes: step, messages: step }),
  })
  for (const [at, fields] of notes.entries()) harness.note(`n${at}.md`, { description: '', ...fields })
  harness.conversation('claude-code:a', projectLayer.key, talk)
  return harness.recall
}

describe('what is explained [R6]', () => {
  it('leads to the score, part by part, and results stand by their scores', async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ query, ...rest }) => {
        const { results } = await fill(rest).recall({ query, in: 'all', limit: 50, explain: true })
        for (const { score, explain, weak } of results) {
          expect(scoreFrom(explain!.steps)).toBe(score)
          expect(score).toBeGreaterThan(0)
          expect(score).toBeLessThan(1)
          expect(score >= 0.2).toBe(!weak)
          const points = explain!.found.reduce((sum, each) => sum + each.points, 0)
          expect(points).toBeCloseTo(explain!.steps.find(({ part }) => part === 'words')!.value, 8)
          for (const { part, value } of explain!.steps)
            if (['recency', 'confidence', 'trust'].includes(part)) expect(value >= 0.9 && value <= 1).toBe(true)
        }
        const scores = results.map(({ score }) => score)
        expect(scores).toEqual([...scores].sort((one, other) => other - one))
      }),
      { numRuns: 60 },
    )
  })

  it('names the words as they were asked, found and missing, in any script', async () => {
    const { recall, note } = createRecallHarness()
    note('a.md', { name: 'Rollbacks', description: 'How we deploy', body: 'The blue pool. Docker 部署流程' })
    note('b.md', { name: 'Other', description: '', body: 'nothing of it' })
    const [hit] = (
      await recall.recall({ query: 'deploying the blue pools quickly, 容器的部署流程 "blue pools"', explain: true })
    ).results
    const found = hit!.explain!.found
    expect(found.map((each) => each.word).sort()).toEqual(
      ['"blue pools"', 'blue', 'deploying', 'docker', 'pools', '部署流程'].sort(),
    )
    expect(found.find((each) => each.word === 'deploying')).toMatchObject({ where: 'title', alias: false })
    expect(found.find((each) => each.word === 'docker')).toMatchObject({ where: 'text', alias: true })
    expect(hit!.explain!.missing).toEqual(['quickly'])
  })

  it('a message beside the words has its neighbours to thank, and says so', async () => {
    const { recall, conversation } = createRecallHarness()
    conversation('claude-code:a', projectLayer.key, ['Who owns the invoice service?', 'Mia does.'])
    const { results } = await recall.recall({ query: 'who owns the invoice service', in: 'sessions', explain: true })
    const answer = results.find(({ role }) => role === 'assistant')!
    const pointsOf = (part: string) => answer.explain!.steps.find((step) => step.part === part)!.value
    expect(pointsOf('words')).toBe(0)
    expect(answer.explain!.found).toEqual([])
    expect(pointsOf('neighbours')).toBeGreaterThan(0)
    expect(pointsOf('session')).toBeGreaterThan(0)
  })

  it('what was said at the time that is asked for says so', async () => {
    const { recall, conversation } = createRecallHarness()
    conversation('claude-code:a', projectLayer.key, ['We moved the invoice service.'])
    const explained = async (query: string) =>
      (await recall.recall({ query, in: 'sessions', explain: true })).results[0]!.explain!.steps.map(({ part }) => part)
    expect(await explained('invoice service in November')).toContain('time')
    expect(await explained('invoice service in March')).not.toContain('time')
  })
})

describe('one scale for notes and messages [R6]', () => {
  it.each([
    ['the note holds all, the message a part', 'the invoice service moved to Mia', 'the invoice came', 'note'],
    ['the message holds all, the note a part', 'the invoice came', 'the invoice service moved to Mia', 'message'],
    ['both hold all', 'the invoice service moved to Mia', 'the invoice service moved to Mia', 'note'],
    ['both hold all, in Chinese', '发票服务交给了小林', '发票服务交给了小林', 'note'],
    ['the message holds all, in Chinese', '发票来了', '发票服务交给了小林', 'message'],
  ])('%s', async (_, body, said, first) => {
    const { recall, note, conversation } = createRecallHarness()
    note('a.md', { name: 'a', description: '', body, updated: '2026-11-28T00:00:00Z' })
    for (let at = 0; at < 6; at++) note(`n${at}.md`, { name: `n${at}`, description: '', body: `filler ${at} 其他内容` })
    conversation('claude-code:a', projectLayer.key, [said, 'ok', 'filler 其他', 'more of it', 'and so on', 'else'])
    const query = /\p{Script=Han}/u.test(body) ? '发票服务交给了谁' : 'who did the invoice service move to, Mia?'
    const { results } = await recall.recall({ query, in: 'all' })
    expect(results[0]!.kind).toBe(first)
    expect(new Set(results.map(({ kind }) => kind)).size).toBe(2)
  })
})
