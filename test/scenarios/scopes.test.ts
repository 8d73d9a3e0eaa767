/** 200 projects with hostile names: no path of reading ever shows a note of another project. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMemory, type Memory } from '../../src/index.ts'
import { makeRepository } from '../support/cli.ts'

const hostile = [
  'a_b',
  'a-b',
  'a.b',
  'a b',
  'A-B',
  '大明科技',
  '天成企業',
  'Проект',
  'Привет',
  "o'brien",
  '"quoted"',
  's1',
  's1 OR s2',
  'scope:s1',
  '(x)',
  'NEAR(a b)',
  'x*',
  '^x',
  '%',
  '_',
  '100%',
  '..x',
  '.hidden',
  '-dash',
  '#hash',
  '@at',
  '$var',
  '`tick`',
  '{json}',
  '[list]',
  'global',
  'projects',
  'team',
  'null',
  'undefined',
  '0',
  'é',
  'e\u0301',
  '👩‍💻',
  'ＦＵＬＬ',
  'full',
  'ﬁ',
  'fi',
  'ß',
  'SS',
  'İ',
  'i',
  'ı',
  'project:x',
  'projects_x',
  'session:x',
  '; DROP TABLE notes',
  '\\',
  'x\\y',
  'tab\there',
  'long'.repeat(40),
]

const PROJECTS = 200
const QUERIES = 5_000
let root: string
const memories: Memory[] = []

function secretOf(index: number): string {
  return `quokka${index.toString(36)}zebu`
}

/** What the team of a project shares. */
function teamSecretOf(index: number): string {
  return `numbat${index.toString(36)}gnu`
}

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-scopes-')))
  for (let index = 0; index < PROJECTS; index++) {
    const name = index < hostile.length ? (hostile[index] ?? '') : `${hostile[index % hostile.length]}-${index}`
    const cwd = join(root, 'code', String(index % 7), name.replaceAll('/', '∕'))
    mkdirSync(cwd, { recursive: true })
    makeRepository(cwd)
    const memory = await createMemory({ home: join(root, 'home'), cwd })
    memories.push(memory)
    await memory.remember({
      text: `The deploy word of this place is ${secretOf(index)} and 部署口号 number ${index}`,
      type: 'project',
      layer: 'project',
      name: 'deploy word',
    })
    const folder = (await memory.status()).project.folder ?? ''
    const team = join(root, 'home', 'projects', folder, 'team')
    mkdirSync(team)
    writeFileSync(
      join(team, 'project_place.md'),
      `The team of this place says ${teamSecretOf(index)} and 部署口号 number ${index}\n`,
    )
  }
}, 300_000)

afterAll(async () => {
  for (const memory of memories) await memory.close()
  rmSync(root, { recursive: true, force: true })
})

describe('scopes hold on every path (BL-14) (BL-11) [R9] [S6]', () => {
  it('each project has a folder of its own', async () => {
    const folders = new Set<string | null>()
    for (const memory of memories) folders.add((await memory.status()).project.folder)
    expect(folders.size).toBe(PROJECTS)
  }, 300_000)

  it(`${QUERIES} recalls show the own note or nothing`, async () => {
    const words = [
      'deploy word',
      'quokka',
      '部署口号',
      'place',
      'scope:s1 OR deploy',
      '"deploy word"',
      'deploy*',
      'number 7',
    ]
    let foreign = 0
    let own = 0
    for (let turn = 0; turn < QUERIES; turn++) {
      const index = turn % PROJECTS
      const other = (index + 1 + (turn % (PROJECTS - 1))) % PROJECTS
      const query =
        turn % 4 === 0
          ? secretOf(other)
          : turn % 4 === 1
            ? `${words[turn % words.length]} ${secretOf(other)}`
            : turn % 4 === 2
              ? `${teamSecretOf(other)} team`
              : (words[turn % words.length] ?? '')
      const { results } = await (memories[index] as Memory).recall({ query, in: 'notes', limit: 50 })
      for (const hit of results) {
        const secret = hit.layer === 'team' ? teamSecretOf(index) : secretOf(index)
        if (hit.description.includes(secret) || hit.snippet.includes(secret)) own++
        else foreign++
      }
    }
    expect(foreign).toBe(0)
    expect(own).toBeGreaterThan(QUERIES / 4)
  }, 600_000)

  it('and what is private is in no team folder [T1]', () => {
    const projects = join(root, 'home', 'projects')
    const teams = readdirSync(projects).map((folder) => join(projects, folder, 'team'))
    for (const team of teams) {
      expect(readdirSync(team)).toEqual(['project_place.md'])
      expect(readFileSync(join(team, 'project_place.md'), 'utf8')).not.toContain('quokka')
    }
  })

  it('list, read, context and forget neither', async () => {
    for (let index = 0; index < PROJECTS; index += 5) {
      const memory = memories[index] as Memory
      const { notes } = await memory.list({ limit: 100 })
      expect(notes.map(({ layer }) => layer).sort()).toEqual(['project', 'team'])
      const { text } = await memory.context()
      const secrets = new Set(text.match(/quokka\w+zebu|numbat\w+gnu/g))
      expect(secrets).toEqual(new Set([secretOf(index), teamSecretOf(index)]))
      for (const foreign of (await (memories[(index + 1) % PROJECTS] as Memory).list()).notes) {
        expect(await memory.read(foreign.id)).toBeNull()
        await expect(memory.forget(foreign.id)).rejects.toMatchObject({ code: 'NOTE_NOT_FOUND' })
      }
    }
  }, 300_000)
})
