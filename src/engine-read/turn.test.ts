/** The turn block where there is no index: a few notes are read, those whose files changed last. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_CONFIG, type VerifyNotes } from '../domain/index.ts'
import { createReadMemory } from '../engine-read.ts'

const COUNT = 400
const root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-turn-')))
const home = join(root, '.keepsake')
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Files of the notes with higher numbers are newer; what they say of their age is the other way round. */
beforeAll(() => {
  mkdirSync(join(home, 'global'), { recursive: true })
  writeFileSync(
    join(home, 'home.json'),
    '{"format":1,"id":"01J00000000000000000000000","created":"2026-11-01T00:00:00Z"}',
  )
  for (let index = 0; index < COUNT; index++) {
    const file = join(home, 'global', `user_beacon-${index}.md`)
    const text = `Beacon${index} is painted cobalt${index} every spring`
    const updated = new Date(Date.UTC(2026, 0, 1) - index * 86_400_000).toISOString().slice(0, 10)
    writeFileSync(
      file,
      `---\nname: Beacon${index}\ndescription: ${text}\ntype: user\nupdated: ${updated}\n---\n\n${text}\n`,
    )
  }
})

it('finds what was written last [R9] (BL-64)', async () => {
  const memory = await createReadMemory({
    home,
    cwd: root,
    config: DEFAULT_CONFIG,
    userHome: root,
    temporaryDirectory: join(root, 'tmp'),
  })
  const newest = COUNT - 1
  const { text } = await memory.turnBlock({
    prompt: `What colour is Beacon${newest} painted in spring?`,
    shown: [],
    sessionStart: null,
    begins: null,
    maxBytes: 9_500,
    signal: new AbortController().signal,
  })
  expect(text).toContain(`cobalt${newest}`)
})

describe('what notes name is looked up [I5]', () => {
  const project = join(root, 'code', 'tidewater')
  const layer = join(home, 'projects', 'tidewater-0a1b2c3d')
  const said = (updated: string, text: string) =>
    `---\nname: ${text.slice(-11)}\ndescription: ${text}\ntype: project\nupdated: ${updated}\n---\n\n${text}\n`

  beforeAll(() => {
    mkdirSync(join(project, '.git', 'objects'), { recursive: true })
    mkdirSync(join(project, '.git', 'refs'), { recursive: true })
    writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n')
    mkdirSync(layer, { recursive: true })
    const roots = [{ path: join(project, '.git'), kind: 'git' }]
    const known = { folder: 'tidewater-0a1b2c3d', name: 'tidewater', roots, remotes: [], rootCommit: null }
    writeFileSync(join(layer, 'project.json'), JSON.stringify({ ...known, created: '2026-11-01T00:00:00Z' }))
    writeFileSync(join(layer, 'project_one.md'), said('2026-08-01', 'The lighthouse lamp is set in src/old.ts'))
    writeFileSync(join(layer, 'project_two.md'), said('2026-11-01', 'The lighthouse lamp is set in src/lamp.ts now'))
    writeFileSync(
      join(home, 'global', 'project_far.md'),
      said('2026-11-02', 'The lighthouse lamp is set in far/away.ts'),
    )
  })

  const blockWith = async (verify: VerifyNotes | null) => {
    const reading = {
      home,
      cwd: project,
      config: DEFAULT_CONFIG,
      userHome: root,
      temporaryDirectory: join(root, 'tmp'),
    }
    const memory = await createReadMemory({ ...reading, verify })
    return memory.turnBlock({
      prompt: 'Where is the lighthouse lamp set?',
      shown: [],
      sessionStart: null,
      begins: null,
      maxBytes: 9_500,
      signal: new AbortController().signal,
    })
  }

  it('for all notes of the project together, within 30 ms and 50 anchors; what is gone stands behind', async () => {
    const asked: unknown[] = []
    const { text } = await blockWith(async (notes, { maxMs, maxAnchors }) => {
      asked.push([notes.map(({ body }) => /src.*ts/.exec(body)?.[0]).toSorted(), maxMs, maxAnchors])
      return new Map(
        notes.map(({ id, body }) => {
          const isOld = body.includes('old.ts')
          const anchor = isOld ? 'src/old.ts' : 'src/lamp.ts'
          return [id, [{ kind: 'path', anchor, verdict: isOld ? 'gone' : 'holds', detail: null }]]
        }),
      )
    })
    expect(asked).toEqual([[['src/lamp.ts', 'src/old.ts'], 30, 50]])
    const at = ['Checked now: src/lamp.ts holds', 'set in far/away.ts', 'Checked now: src/old.ts: gone'].map((words) =>
      text.indexOf(words),
    )
    expect(at.every((place) => place > 0)).toBe(true)
    expect(at[2]).toBe(Math.max(...at))
  })

  it('without a look nothing is said about it', async () => {
    const { text } = await blockWith(null)
    expect(text).toContain('src/old.ts')
    expect(text).not.toContain('Checked now')
  })
})
