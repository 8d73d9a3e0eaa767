/**
 * What other memories got wrong in searching, on all doors: library, command, MCP tool, and the block of a message.
 * Each case stands in notes and in conversations of one project beside another project that says nearly the same.
 */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/index.ts'
import { createDoors, type Doors } from '../support/doors.ts'

const zh = '昨晚把中欧红利的守护进程修好了'
const facts: Record<string, string> = {
  rollback: 'Deploys roll back through the blue pool',
  'pre-edit': 'The pre-edit hook runs the memory:safe check on ubuntu 20.04',
  daemon: zh,
  game: '今日は成語しりとりをした',
  chain: '오늘 끝말잇기 게임을 했다',
  guilin: '去年在广西桂林住了一个月',
  lunch: 'The team eats at noon on Fridays, OR later when it rains; 修好了进程，今天下雨',
}

let doors: Doors
beforeEach(async () => {
  doors = await createDoors()
  for (const [name, text] of Object.entries(facts)) await doors.keep(name, text)
  await doors.talk(Object.values(facts))
})
afterEach(() => doors.close())

describe('BL-38 signs are only signs [R3]', () => {
  const signs = ['pre-edit', 'pre edit', 'preedit', 'PRE-EDIT', '"pre-edit"', 'pre-ed*', 'memory:safe', '20.04']
  const open = [
    'say "pre-edit',
    'pre-edit AND',
    '(pre-edit',
    'NEAR(pre-edit',
    '^pre-edit',
    'pre-edit\u0000',
    'NOT pre-edit',
  ]

  it('each finds pre-edit first, on every door', async () => {
    for (const query of [...signs, ...open]) {
      expect([query, await doors.first(query)]).toEqual([query, 'pre-edit'])
      expect([query, await doors.firstSaid(query)]).toEqual([query, facts['pre-edit']])
    }
  }, 60_000)

  const nothing = ['-', '"', '', '   ', "'", 'AND', '*', ':', '\u0000', '()']
  it.each([
    ...nothing.map((text) => [JSON.stringify(text), text]),
    ['10 KB of one letter', 'x'.repeat(10_240)],
    ['10 KB of quotes', '"'.repeat(10_240)],
  ])('%s throws on no door, and finds nothing', async (_, query = '') => {
    for (const answer of await doors.answers(query)) expect(answer).not.toMatch(/pre-edit|blue pool|守护/)
  })
})

describe('BL-40 a missing word lowers the rank, not to nothing [R3] [R7]', () => {
  it.each([
    'why did the deployment rollback not happen yesterday?',
    'zx00841 blue pool',
    'What were the deploys doing with the pool, according to everybody here?',
    '为什么没有 deploy 到 blue pool 呢',
    'rolling back deploys',
  ])('%s', async (query) => {
    expect(await doors.first(query)).toBe('rollback')
    expect(await doors.firstSaid(query)).toBe(facts.rollback)
  })

  it.each(['the of and what', 'what is it?', '的了吗', 'zx00841 banana', 'so, which one?'])(
    '%s gives nothing, and that is not a broken index',
    async (query) => {
      const { results, searched } = await doors.memory.recall({ query, in: 'all' })
      expect([results, searched]).toEqual([[], 'ok'])
      const [library, command, tool, block] = await doors.answers(query)
      expect(library).toBe('[]')
      expect(command).toContain('Nothing')
      expect(tool).toContain('Nothing in memory matches')
      expect(block).toBe('')
    },
  )

  it('a broken index is told apart: files are scanned, and it is said', async () => {
    await doors.breakIndex()
    const { searched, results } = await doors.memory.recall({ query: 'blue pool' })
    expect([searched, results[0]?.name]).toEqual(['scan', 'rollback'])
    const [, command, tool] = await doors.answers('zx00841')
    expect(`${command}`).toMatch(/scan/)
    expect(tool).toMatch(/scan/)
  })
})

describe('BL-41 scripts without spaces [R3]', () => {
  it.each([
    ['守护', 'daemon'],
    ['守护进程', 'daemon'],
    ['红利', 'daemon'],
    ['紅利', 'daemon'],
    ['守', 'daemon'],
    ['广西 OR 桂林', 'guilin'],
    ['しりとり', 'game'],
    ['끝말잇기', 'chain'],
  ])('%s is found first on every door, also when others hit too', async (query, name) => {
    expect(await doors.first(query)).toBe(name)
    expect(await doors.firstSaid(query)).toBe(facts[name])
  })

  it('昨晚 is found where it was said; a note has the date instead', async () => {
    expect(await doors.firstSaid('昨晚')).toBe(zh)
  })

  it.each([
    ['昨晚修好了哪个守护进程？', '中欧红利'],
    ['中欧红利的守护进程怎么样了', '中欧红利'],
    ['请问中歐紅利修好了没有', '中欧红利'],
    ['去年在桂林住了多久', '广西桂林'],
    ['成語しりとりをした？', 'しりとり'],
    ['끝말잇기 게임', '끝말잇기'],
  ])('%s calls its note up unasked', async (prompt, words) => {
    expect(await doors.block(prompt)).toContain(words)
  })
})

describe('BL-47 old words are gone [S10]', () => {
  const ghost = 'The ghostword lives in the cellar'
  const changes: [string, (file: string, memory: Memory) => Promise<unknown> | unknown][] = [
    ['the text is changed by hand', (file) => rewrite(file, 'ghostword lives', 'cat sleeps')],
    ['the file is removed', (file) => rmSync(file)],
    ['it is forgotten', (_, memory) => memory.forget('ghost')],
    ['it is archived', (file) => rewrite(file, '\ntype: project\n', '\ntype: project\nstatus: archived\n')],
    ['another file takes its place', (file) => writeFileSync(file, '---\nname: ghost\n---\n\nOther words\n')],
    ['it is moved out of the layer', (file) => renameSync(file, join(doors.root, 'elsewhere.md'))],
  ]

  it.each(changes)('when %s', async (_, change) => {
    await doors.keep('ghost', ghost)
    expect(await doors.first('ghostword')).toBe('ghost')
    expect(await doors.block('where does the ghostword live?')).toContain('cellar')
    await change(await doors.fileOf('ghost'), doors.memory)
    // The hook first: it reads the index as it was left, and the file as it is.
    expect(await doors.block('where does the ghostword live?')).not.toMatch(/ghostword/)
    for (const answer of await doors.answers('ghostword')) expect(answer).not.toMatch(/cellar|cat sleeps|Other words/)
    expect(await doors.first('blue pool')).toBe('rollback')
  })

  it('a hundred searches on every door write nothing into the index', async () => {
    // A file that was touched a moment ago is read again later; that is no matter of searching.
    for (const { file } of (await doors.memory.list({ limit: 100 })).notes)
      utimesSync(file, 1_700_000_000, 1_700_000_000)
    await doors.answers('blue pool')
    const index = join(doors.home, 'index.db')
    const before = readFileSync(index)
    const log = statSync(`${index}-wal`, { throwIfNoEntry: false })?.size ?? 0
    for (let turn = 0; turn < 100; turn++) await doors.answers(`blue pool ${turn}`)
    expect(readFileSync(index).equals(before)).toBe(true)
    expect(statSync(`${index}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(log)
  }, 60_000)
})

describe('BL-78 another model in the index [R4]', () => {
  it.each([
    [
      'another length',
      { name: 'model-b', dimensions: 8, spaced: { mean: 0, deviation: 0.1 }, unspaced: null },
      [1, 0, 0, 0, 0, 0, 0, 0],
    ],
    [
      'another name',
      { name: 'model-c', dimensions: 4, spaced: { mean: 0, deviation: 0.1 }, unspaced: null },
      [1, 0, 0, 0],
    ],
    [
      'no numbers',
      { name: 'model-a', dimensions: 4, spaced: { mean: 0, deviation: 0.1 }, unspaced: null },
      [Number.NaN, 0, 0, 0],
    ],
    [
      'the same name begun anew',
      { name: 'model-a', dimensions: 2, spaced: { mean: 0, deviation: 0.1 }, unspaced: null },
      [0, 1],
    ],
    ['no model any more', null, []],
  ] as const)('vectors of %s: words are found on every door as before', async (_, model, vector) => {
    const before = await doors.answers('where do deploys roll back? blue pool')
    doors.plantVectors(
      { name: 'model-a', dimensions: 4, spaced: { mean: 0, deviation: 0.1 }, unspaced: null },
      [1, 0, 0, 0],
    )
    if (model) doors.plantVectors(model, vector)
    else doors.dropVectors('model-a')
    expect(await doors.first('where do deploys roll back? blue pool')).toBe('rollback')
    expect(await doors.answers('where do deploys roll back? blue pool')).toEqual(before)
  })
})

describe('BL-14 the other project [R9]', () => {
  it.each([
    ['words', 'blue pool cellar'],
    ['Chinese', '守护进程 地下室'],
    ['a name', 'undercroft'],
    ['a scope', 'scope:s1 OR scope:s2 cellar'],
    ['a phrase', '"in the cellar"'],
    ['a beginning', 'cell*'],
  ])('by %s shows none of it on any door', async (_, query) => {
    const there = await doors.otherProject('undercroft', 'Deploys of theirs roll back in the cellar, 守护进程在地下室')
    const all = [...(await doors.answers(query)), await doors.block(`tell me about ${query}, please`)]
    for (const answer of all) expect(answer).not.toMatch(/in the cellar, 守护/)
    expect(JSON.stringify(await there.recall({ query, in: 'all' }))).toContain('in the cellar, 守护')
  })

  it('nor by id, beginning of the id, file, link or list', async () => {
    const there = await doors.otherProject('undercroft', 'Deploys of theirs roll back in the cellar')
    const [note] = (await there.list()).notes
    await doors.keep('link', `See [[undercroft]] and ${note?.id}`)
    for (const reference of [note?.id, note?.id.slice(0, 20), note?.name, note?.file.split('/').at(-1)]) {
      expect(await doors.memory.read(reference ?? '')).toBeNull()
      expect(await doors.get(reference ?? '')).toContain('NOTE_NOT_FOUND')
    }
    expect(JSON.stringify(await doors.memory.list({ limit: 500 }))).not.toContain('cellar')
    expect((await doors.memory.context()).text).not.toContain('cellar')
    expect(readdirSync(dirname(note?.file ?? '')).length).toBeGreaterThan(0)
  })
})

function rewrite(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replaceAll(from, to))
}
