/** The index is derived: delete it and it comes back with the same ids, order and scores. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createMemory, type Memory } from '../../src/index.ts'
import { makeRepository } from '../support/cli.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-rebuild-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A small generator with a seed, so that a failure can be run again. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}

const english =
  'deploy rollback cache index parser token server client schema migration vendor review release branch merge queue worker retry timeout budget invoice customer harbour lantern orchid maple copper violet'.split(
    ' ',
  )
const chinese = [
  '部署',
  '回滚',
  '缓存',
  '索引',
  '解析器',
  '客户端',
  '迁移',
  '评审',
  '发布',
  '分支',
  '队列',
  '重试',
  '超时',
  '预算',
  '发票',
  '客户',
  '港口',
  '灯塔',
]

function sentence(random: (below: number) => number): string {
  const words = Array.from({ length: 5 + random(12) }, () =>
    random(4) === 0 ? chinese[random(chinese.length)] : english[random(english.length)],
  )
  return words.join(' ')
}

async function answers(memory: Memory, queries: readonly string[]) {
  const found = []
  for (const query of queries) {
    const { results } = await memory.recall({ query, in: 'notes', limit: 20, explain: true })
    found.push(results.map(({ id, score, explain }) => ({ id, score, explain })))
  }
  return found
}

describe('the index is deleted and rebuilt [S14] [R3]', () => {
  it('after 1,000 random writes, edits, renames and forgets 500 queries answer the same', async () => {
    const random = randomFrom(20_261_129)
    const project = join(root, 'tidewater')
    makeRepository(project)
    const home = join(root, 'home')
    // Recency is part of a score: time stands still while answers are compared.
    const time: { frozenMs: number | null } = { frozenMs: null }
    const clock = { now: () => time.frozenMs ?? Date.now() }
    const memory = await createMemory({ home, cwd: project, clock })
    const ids: string[] = []
    for (let step = 0; step < 1_000; step++) {
      const choice = random(10)
      const folder = folderOf(home)
      if (choice < 6 || ids.length < 5) {
        const result = await memory.remember({
          text: sentence(random),
          layer: random(3) === 0 ? 'global' : 'project',
          type: 'project',
        })
        if ('note' in result) ids.push(result.note.id)
      } else if (choice < 8) editByHand(folder, random)
      else if (choice === 8) renameByHand(folder, random)
      else {
        const [id] = ids.splice(random(ids.length), 1)
        if (id && (await memory.read(id))) await memory.forget(id)
      }
    }
    const queries = Array.from(
      { length: 700 },
      () => `${english[random(english.length)]} ${chinese[random(chinese.length)]} ${english[random(english.length)]}`,
    )
    time.frozenMs = Date.now()
    const before = await answers(memory, queries)
    const hits = queries.filter((_query, index) => (before[index]?.length ?? 0) > 0).slice(0, 500)
    expect(hits).toHaveLength(500)
    const expected = before.filter((found) => found.length > 0).slice(0, 500)
    await memory.close()

    for (const end of ['', '-wal', '-shm'])
      if (existsSync(join(home, `index.db${end}`))) unlinkSync(join(home, `index.db${end}`))
    const again = await createMemory({ home, cwd: project, clock })
    expect(await answers(again, hits)).toEqual(expected)
    await again.close()
  }, 600_000)
})

function folderOf(home: string): string {
  const projects = join(home, 'projects')
  const [name] = existsSync(projects) ? readdirSync(projects) : []
  return name ? join(projects, name) : join(home, 'global')
}

function notesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'MEMORY.md') : []
}

function editByHand(folder: string, random: (below: number) => number): void {
  const notes = notesIn(folder)
  const name = notes[random(Math.max(1, notes.length))]
  if (name)
    writeFileSync(join(folder, name), `${readFileSync(join(folder, name), 'utf8').trimEnd()}\n\n${sentence(random)}\n`)
}

function renameByHand(folder: string, random: (below: number) => number): void {
  const notes = notesIn(folder)
  const name = notes[random(Math.max(1, notes.length))]
  if (name) renameSync(join(folder, name), join(folder, `project_renamed-${random(1_000_000)}.md`))
}
