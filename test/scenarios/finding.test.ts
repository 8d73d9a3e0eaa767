/** Finding the right note and saying why, through CLI, MCP and library (spec R1, R2, R6, R7). */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMemory, type MemoryOptions, type RecallResult, scoreFrom } from '../../src/index.ts'
import { createFakeCompleter } from '../../src/models/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'
import { callTools } from '../support/mcp.ts'

let shop: Workshop
beforeEach(() => {
  shop = createWorkshop()
})
afterEach(() => shop.remove())

/** A note as a person writes it by hand. */
function put(name: string, fields: string, body: string): void {
  const folder = join(shop.home, 'global')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.md`)
  writeFileSync(file, `---\n${fields}\n---\n\n${body}\n`)
  // Not of this session.
  const then = new Date('2026-01-02T03:04:05Z')
  utimesSync(file, then, then)
}

function seeds(): void {
  put('user_role', 'name: user role\ndescription: 资深后端工程师\ntype: user', '主要写 Go 和 TypeScript。')
  put(
    'feedback_testing',
    'name: testing\ndescription: 测试框架偏好\ntype: feedback',
    '写测试时用 vitest，不要用 jest。',
  )
  put('reference_linear', 'name: linear\ndescription: Linear 项目看板\ntype: reference', '任务都在 Linear 里跟踪。')
}

const open = (options: Partial<MemoryOptions> = {}) => createMemory({ home: shop.home, cwd: shop.project, ...options })

describe('帮我写单元测试 finds the note about tests and not the one about Linear [R2] [R6]', () => {
  beforeEach(seeds)
  const message = '帮我写单元测试'

  it('command line', async () => {
    const { stdout } = await shop.cli(['recall', message])
    expect(stdout).toContain('vitest')
    expect(stdout).not.toContain('Linear')
    const block = await shop.cli(['context', '--prompt', message])
    expect(block.stdout).toContain('### testing')
    expect(block.stdout).not.toContain('linear')
  })

  it('MCP', async () => {
    const [found = ''] = await callTools(shop, [['memory_search', { query: message }]])
    expect(found).toContain('- testing (')
    expect(found).not.toContain('linear')
  })

  it('library, chosen by a model from heads alone [R1]', async () => {
    const completer = createFakeCompleter(({ prompt }) => {
      const id = /^(n\d+) .* testing:/m.exec(prompt)?.[1]
      return `<think>tests…</think> ["${id}"]`
    })
    const memory = await open({ completer })
    const block = await memory.context({ prompt: message })
    expect(block.entries.map(({ name }) => name)).toEqual(['testing'])
    expect(block.text).toContain('vitest')
    expect(completer.requests).toHaveLength(1)
    expect(completer.requests[0]!.prompt).toContain('测试框架偏好')
    expect(completer.requests[0]!.prompt).not.toContain('vitest')
    // What the conversation shows already is neither offered nor given again.
    const shown = [{ kind: 'turn', text: block.text, time: null }] as const
    expect((await memory.context({ prompt: message, shown })).text).toBe('')
    expect(completer.requests[1]!.prompt).not.toContain('测试框架偏好')
    await memory.close()
  })

  it('library, by words where the model fails, and the reason is told', async () => {
    const completer = createFakeCompleter(() => {
      throw new Error('quota is used up')
    })
    const memory = await open({ completer })
    const block = await memory.context({ prompt: message })
    expect(block.entries.map(({ name }) => name)).toEqual(['testing'])
    expect(block.problems).toEqual([expect.stringContaining('quota is used up')])
    await memory.close()
  })
})

describe('usage notes of tools that just worked [R2]', () => {
  const prompt = 'open a pull request on github'
  const row = (fields: object) => `${JSON.stringify(fields)}\n`
  const used = (isError: boolean) =>
    row({ type: 'user', message: { role: 'user', content: 'push it' } }) +
    row({
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id: 'a', name: 'mcp__github__push', input: {} }] },
    }) +
    row({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x', is_error: isError }] },
    })

  beforeEach(() => {
    const body = 'Open a pull request on github through its tool.'
    put('reference_usage', 'name: github usage\ntype: reference\ntags:\n  - tool:github\n  - usage', body)
    put('feedback_gotcha', 'name: github gotcha\ntype: feedback\ntags:\n  - tool:github\n  - gotcha', body)
  })

  it.each([
    ['worked', used(false), false],
    ['failed', used(true), true],
    ['was not used', '', true],
  ])('hook: the tool %s', async (_, transcript, isShown) => {
    const file = join(shop.root, 'session.jsonl')
    writeFileSync(file, transcript)
    await shop.cli(['refresh', '--now'])
    const input = { session_id: 's', transcript_path: file, prompt }
    const { stdout } = await shop.hook('UserPromptSubmit', input)
    expect(stdout).toContain('### github gotcha')
    expect(stdout.includes('### github usage')).toBe(isShown)
  })

  it.each([
    ['worked', [{ name: 'mcp__github__push', failed: false }], false],
    ['failed', [{ name: 'mcp__github__push', failed: true }], true],
    ['was not used', [], true],
  ])('library: the tool %s', async (_, toolUses, isShown) => {
    const memory = await open()
    const { text } = await memory.context({ prompt, toolUses })
    expect(text).toContain('### github gotcha')
    expect(text.includes('### github usage')).toBe(isShown)
    await memory.close()
  })
})

describe('why a result stands where it stands [R6]', () => {
  const quote = 'For unit tests use vitest, never jest.'
  beforeEach(async () => {
    seeds()
    await shop.cli(['remember', quote, '--type', 'feedback'])
  })

  it('the three doors give the same parts, and they lead to the score', async () => {
    const query = 'which runner for unit tests'
    const { results } = (await shop.cli(['recall', query, '--in', 'notes', '--explain', '--json'])).json<RecallResult>()
    expect(results.length).toBeGreaterThan(0)
    for (const { score, explain } of results) expect(scoreFrom(explain!.steps)).toBe(score)
    const memory = await open()
    const library = await memory.recall({ query, explain: true })
    await memory.close()
    const parts = (result: Pick<RecallResult, 'results'>) =>
      result.results.map(({ id, explain }) => [
        id,
        explain!.found,
        explain!.missing,
        explain!.steps.map(({ part }) => part),
      ])
    expect(parts(library)).toEqual(parts({ results }))
    const [told = ''] = await callTools(shop, [['memory_search', { query, explain: true }]])
    const rows = told.split('\n').filter((line) => line.startsWith('{'))
    const overMcp = rows.map((line) => {
      const { id, score, ...explain } = JSON.parse(line)
      expect(scoreFrom(explain.steps)).toBe(score)
      return { id, explain }
    })
    expect(parts({ results: overMcp as unknown as RecallResult['results'] })).toEqual(parts({ results }))
  })

  it('the command line says it in words: found, missing, and every factor', async () => {
    const { stdout } = await shop.cli(['recall', 'which', 'runner', 'for', 'unit tests', '--explain'])
    for (const said of ['found: ', 'not found: runner', 'coverage', 'recency', 'confidence', 'trust', 'place'])
      expect(stdout).toContain(said)
  })

  it('each result has its date, whose words it holds and where they were said; read --why quotes them', async () => {
    const [hit] = (await shop.cli(['recall', 'unit tests', '--json'])).json<RecallResult>().results
    expect(hit).toMatchObject({ saidBy: 'user', date: expect.stringMatching(/^\d{4}-/), source: { session: null } })
    const { stdout } = await shop.cli(['recall', 'unit tests'])
    expect(stdout).toContain(`${hit!.date!.slice(0, 10)}, today, said by the user`)
    const [found = ''] = await callTools(shop, [['memory_search', { query: 'unit tests' }]])
    expect(found).toContain('said by the user')
    const why = await shop.cli(['read', hit!.id, '--why'])
    expect(why.stdout).toContain(`said by person`)
    expect(why.stdout).toContain(quote)
    expect((await shop.cli(['read', 'testing', '--why'])).stdout).toContain('No words are on record')
  })

  it('a model puts results into order where one is handed in, and it is said where none is', async () => {
    const completer = createFakeCompleter(() => '["c2"]')
    const memory = await open({ completer })
    const query = 'vitest jest'
    const plain = await memory.recall({ query })
    const ranked = await memory.recall({ query, rerank: true })
    expect(ranked.results[0]!.id).toBe(plain.results[1]!.id)
    expect(ranked.rerank).toMatchObject({ model: 'fake', named: 1, reason: null })
    await memory.close()
    const { stdout } = await shop.cli(['recall', query, '--rerank'])
    expect(stdout).toContain('The order is that of the words: no model is set up.')
    writeFileSync(join(shop.home, 'config.json'), '{"worker": false, "recall": {"rerank": true}}')
    const configured = await open({ completer })
    expect((await configured.recall({ query })).rerank).toMatchObject({ named: 1 })
    expect(await configured.recall({ query, rerank: false })).not.toHaveProperty('rerank')
    await configured.close()
  })
})

describe('"nothing matches" is not "the index is broken", and a weak match is marked [R6] [R7]', () => {
  beforeEach(seeds)

  /** Where the index should be stands a folder. */
  const breakIndex = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(join(shop.home, `index.db${end}`), { force: true })
    mkdirSync(join(shop.home, 'index.db'))
  }

  it.each<[string, boolean, boolean]>([
    ['a match, a good index', true, false],
    ['a match, a broken index', true, true],
    ['no match, a good index', false, false],
    ['no match, a broken index', false, true],
  ])('%s', async (_, isMatch, isBroken) => {
    const query = isMatch ? 'vitest' : 'kubernetes'
    await shop.cli(['recall', 'warm'])
    if (isBroken) breakIndex()
    const cli = await shop.cli(['recall', query])
    expect(cli.code).toBe(0)
    expect(cli.stdout.includes('Nothing matches.')).toBe(!isMatch)
    expect(cli.stdout.includes('files were scanned')).toBe(isBroken)
    const json = (await shop.cli(['recall', query, '--json'])).json<RecallResult>()
    expect(json).toMatchObject({ searched: isBroken ? 'scan' : 'ok' })
    expect(json.reason === null).toBe(!isBroken)
    expect(json.results.length > 0).toBe(isMatch)
    const [told = ''] = await callTools(shop, [['memory_search', { query }]])
    expect(told.includes('Nothing in memory matches.')).toBe(!isMatch)
    expect(told.includes('files were scanned')).toBe(isBroken)
    const memory = await open()
    expect((await memory.recall({ query })).searched).toBe(isBroken ? 'scan' : 'ok')
    const { problems } = await memory.context({ prompt: `tell me about ${query}` })
    expect(problems.some((problem) => problem.includes('files were scanned'))).toBe(isBroken)
    await memory.close()
  })

  it('conversations: a broken index is said on each door', async () => {
    const transcript = join(shop.root, 'session.jsonl')
    const said = { type: 'user', uuid: 'u1', sessionId: 's1', cwd: shop.project, timestamp: '2026-11-18T10:00:00.000Z' }
    writeFileSync(transcript, `${JSON.stringify({ ...said, message: { role: 'user', content: 'the blue pool' } })}\n`)
    await shop.cli(['capture', transcript, '--agent', 'claude-code'])
    const ask = async (query: string) => {
      const memory = await open()
      const library = await memory.sessions.search({ query })
      await memory.close()
      const [told = ''] = await callTools(shop, [['memory_search', { query, in: 'sessions' }]])
      const { stdout } = await shop.cli(['sessions', 'search', query])
      return { library, said: [told, stdout].map((text) => text.includes('files were scanned')) }
    }
    expect(await ask('kubernetes')).toMatchObject({ library: { sessions: [], searched: 'ok' }, said: [false, false] })
    breakIndex()
    expect(await ask('kubernetes')).toMatchObject({ library: { sessions: [], searched: 'scan' }, said: [true, true] })
    const found = await ask('blue pool')
    expect(found.library.sessions).toHaveLength(1)
    expect(found.said).toEqual([true, true])
  })

  it('a weak match is marked on each door and has less than 0.2', async () => {
    for (let at = 0; at < 40; at++) put(`reference_n${at}`, `name: n${at}\ntype: reference`, `filler number ${at}`)
    put('reference_party', 'name: party\ntype: reference', 'december party')
    const query = 'migrate billing invoices legacy gateway quarterly statements december'
    const [hit] = (await shop.cli(['recall', query, '--json'])).json<RecallResult>().results
    expect(hit).toMatchObject({ name: 'party', weak: true })
    expect(hit!.score).toBeLessThan(0.2)
    expect((await shop.cli(['recall', query])).stdout).toContain('weak')
    const [told = ''] = await callTools(shop, [['memory_search', { query }]])
    expect(told).toContain('weak match')
  })
})
