import { describe, expect, it } from 'vitest'
import type { IndexedNote } from '../store/search-index/search-index.ts'
import { createRecallHarness, type RecallHarness } from '../testing/recall-harness.ts'

/** A small store as one developer has it. */
const store: [string, Partial<IndexedNote>][] = [
  [
    'user_role.md',
    {
      type: 'user',
      name: 'user role',
      description: '资深后端工程师',
      body: '用户是资深后端工程师，主要写 Go 和 TypeScript。',
    },
  ],
  [
    'feedback_testing.md',
    {
      name: 'feedback testing',
      description: '测试框架偏好',
      body: '写测试时用 vitest，不要用 jest。\n\n**Why:** 启动快。',
    },
  ],
  [
    'reference_linear.md',
    {
      type: 'reference',
      name: 'reference linear',
      description: 'Linear 项目看板',
      body: '任务都在 Linear 的 INGEST 项目里跟踪。',
    },
  ],
  [
    'feedback_commits.md',
    {
      name: 'commit messages',
      description: 'Imperative mood',
      body: 'Commit messages in imperative mood, at most 50 characters.',
    },
  ],
  [
    'project_payment.md',
    {
      type: 'project',
      name: 'payment gateway',
      description: 'Stripe replaces Adyen',
      body: 'We move from Adyen to Stripe by March because of refund fees.',
    },
  ],
  [
    'reference_dashboard.md',
    {
      type: 'reference',
      name: 'latency dashboard',
      description: 'Grafana board',
      body: 'Request latency is on the Grafana board api-latency.',
    },
  ],
  [
    'feedback_database.md',
    {
      name: 'database in tests',
      description: 'No mocks',
      body: 'Integration tests must hit a real Postgres database, never mocks.',
    },
  ],
  [
    'project_release.md',
    {
      type: 'project',
      name: 'release freeze',
      description: 'Mobile release',
      body: 'Merge freeze begins on 2026-12-05 for the mobile release branch.',
    },
  ],
]

function fill(harness: RecallHarness): RecallHarness {
  for (const [file, fields] of store) harness.note(file, fields)
  return harness
}

const found = async (prompt: string, limit?: number) => {
  const hits = await fill(createRecallHarness()).recall.turnHits({ prompt, limit })
  return hits.map((hit) => hit.note.file)
}

describe('turnHits [R7]', () => {
  it.each([
    ['帮我写单元测试', ['feedback_testing.md']],
    ['幫我寫單元測試', ['feedback_testing.md']],
    ['write the commit message for this', ['feedback_commits.md']],
    ['why do we move from Adyen to Stripe?', ['project_payment.md']],
    ['where can I see the request latency', ['reference_dashboard.md']],
    ['can I use mocks for the database in integration tests?', ['feedback_database.md']],
    ['when does the merge freeze begin', ['project_release.md']],
  ])('%s finds %j first, and nothing that is foreign to it', async (prompt, files) => {
    const hits = await found(prompt)
    expect(hits[0]).toBe(files[0])
    expect(hits).not.toContain('reference_linear.md')
  })

  it('a seed experiment: 帮我写单元测试 finds the notes about tests, and neither the role nor the Linear one', async () => {
    expect(await found('帮我写单元测试')).toEqual(['feedback_testing.md', 'feedback_database.md'])
  })

  it.each([
    'what is the capital of France?',
    'make the button blue',
    'explain monads to me',
    'continue',
    'ok thanks',
    'yes please do it',
    '今天天气怎么样',
    '好的，继续',
    '帮我翻译这句话',
    '明天提醒我买牛奶',
    'refactor the parser into smaller functions',
    'The sky over the harbour was grey. Nobody spoke. A gull cried.',
    '/compact',
    '',
    '\u0000',
    '👩‍💻',
  ])('%j gives nothing', async (prompt) => {
    expect(await found(prompt)).toEqual([])
  })

  it('a pasted log does not drown what the person wrote', async () => {
    const log = Array.from(
      { length: 300 },
      (_, at) => `at Module.${at} (internal/loader:${at}:13) code=${at * 7}`,
    ).join('\n')
    expect(await found(`Write the commit message, please.\n${log}`)).toEqual(['feedback_commits.md'])
    expect(await found(`${log}\nWhy do we move from Adyen to Stripe?`)).toEqual(['project_payment.md'])
  })

  it('gives the text of the file, the layer and at most the limit', async () => {
    const harness = fill(createRecallHarness())
    const [hit, ...others] = await harness.recall.turnHits({
      prompt: 'integration tests and unit tests with a database',
      limit: 1,
    })
    expect(others).toEqual([])
    expect(hit).toMatchObject({ layer: 'global', note: { file: 'feedback_database.md', hash: expect.any(String) } })
    expect(hit!.coverage).toBeGreaterThan(0.3)
  })

  it('usage notes of tools that just worked are left out, gotchas stay [R2]', async () => {
    const harness = createRecallHarness()
    const body = 'Open pull requests through the github tool.'
    harness.note('usage.md', { name: 'usage', tags: ['tool:github', 'usage'], body })
    harness.note('gotcha.md', { name: 'gotcha', tags: ['tool:github', 'gotcha'], body })
    const files = async (worked: readonly string[]) => {
      const hits = await harness.recall.turnHits({ prompt: 'open a pull request on github', worked: () => worked })
      return hits.map(({ note }) => note.file).sort()
    }
    expect(await files([])).toEqual(['gotcha.md', 'usage.md'])
    expect(await files(['mcp__github__create_pr'])).toEqual(['gotcha.md'])
    expect(await files(['Bash'])).toEqual(['gotcha.md', 'usage.md'])
  })

  it('never serves a note that is gone', async () => {
    const harness = fill(createRecallHarness())
    harness.files.clear()
    expect(await harness.recall.turnHits({ prompt: '帮我写单元测试' })).toEqual([])
  })

  it('10 KB of anything is answered', async () => {
    for (const prompt of ['x '.repeat(5_000), '守'.repeat(10_000), '"'.repeat(10_000), 'a. '.repeat(4_000)])
      expect(await found(prompt)).toEqual([])
  })
})
