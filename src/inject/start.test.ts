/** Of a large layer only the notes that can stand in the block are read; the block is the one that all of them would give. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Block, DEFAULT_CONFIG, type Layer } from '../domain/index.ts'
import { renderIndex } from '../store/notes/index-file.ts'
import { listOnce } from '../store/notes/layer-reader.ts'
import { scanLayer } from '../store/notes/layer-scan.ts'
import { createMemoryNoteFiles } from '../store/notes/memory-note-files.ts'
import { ANYWHERE, type Here } from '../store/notes/precedence.ts'
import { sharedIndexFile } from '../store/notes/shared-index.ts'
import { readStartBlock } from './start.ts'

const project: Layer = { name: 'project', key: 'projects/tidewater-0a1b2c3d', directory: '/nowhere/tidewater' }
const global: Layer = { name: 'global', key: 'global', directory: '/nowhere/global' }
const COUNT = 500

interface Planted {
  readonly name?: string
  readonly description?: string
  readonly type?: string
  readonly more?: string
}

const idOf = (index: number) => `01J${String(index).padStart(23, '0')}`
const dateOf = (index: number) => new Date(Date.UTC(2026, 0, 1) - index * 86_400_000).toISOString().slice(0, 10)

/** Note 0 is the newest. */
function noteText(index: number, { name, description, type = 'project', more = '' }: Planted = {}): Uint8Array {
  const words = description ?? `灯塔 lamp ${index} blinks every ${index} seconds while the fog lies on the harbour`
  const head = `name: ${name ?? `Lamp ${index}`}\ndescription: ${words}\ntype: ${type}\nid: ${idOf(index)}\nupdated: ${dateOf(index)}\n`
  return new TextEncoder().encode(`---\n${head}${more}---\n\n${words}\n`)
}

/** A layer of `COUNT` notes with the index that Keepsake writes of it. */
async function shop(planted: (index: number) => Planted = () => ({})) {
  const files = createMemoryNoteFiles()
  for (let index = 0; index < COUNT; index++)
    files.person.put(project, `project_lamp-${index}.md`, noteText(index, planted(index)))
  const { notes } = await scanLayer(files, project)
  files.person.put(project, 'MEMORY.md', new TextEncoder().encode(renderIndex(null, notes).text))
  const opened = new Set<string>()
  const counting = {
    ...files,
    read: (layer: Layer, file: string) => {
      opened.add(file)
      return files.read(layer, file)
    },
  }
  const block = (here: Here = ANYWHERE): Promise<Block> =>
    readStartBlock({
      agent: 'plain',
      files: counting,
      listingOf: listOnce(files), // Anew for each block, as for each hook.
      layers: [project, global],
      isToolWritten: () => false,
      home: '/nowhere',
      config: DEFAULT_CONFIG,
      projectName: 'tidewater',
      here,
    })
  const put = (file: string, bytes: Uint8Array, layer = project) => files.person.put(layer, file, bytes)
  return { files, put, block, opened }
}

const namesOf = (block: Pick<Block, 'entries'>) => block.entries.map(({ name }) => name)

describe('the notes of a large layer that are read when a session starts [I1]', () => {
  it('are hardly more than stand in the block', async () => {
    const { block, opened } = await shop()
    const { text, entries } = await block()
    expect(entries.length).toBeGreaterThan(50)
    expect(namesOf({ entries })).toEqual(entries.map((_, index) => `Lamp ${index}`))
    expect(text).toContain(`${entries.length} of ${COUNT} notes are listed`)
    expect(opened.size).toBeLessThan(120)
  })

  it('are all of the index when their lines are so short that more of them fit', async () => {
    const { block } = await shop((index) => ({ name: `L${index}`, description: `L${index}` }))
    const { entries } = await block()
    expect(entries.length).toBeGreaterThan(120)
    expect(namesOf({ entries })).toEqual(entries.map((_, index) => `L${index}`))
  })

  it('are all of the index when the first ones hold elsewhere', async () => {
    const { block } = await shop((index) => (index < 150 ? { more: 'applies_to: [packages/web]\n' } : {}))
    const { entries } = await block({ within: ['packages', 'api'], day: null })
    expect(namesOf({ entries })[0]).toBe('Lamp 150')
  })

  it.each<[string, Planted, string]>([
    ['was pinned', { more: 'pinned: true\n' }, '- Lamp 160: 灯塔'],
    ['became a rule', { type: 'feedback', description: 'Never sail past the pier' }, 'Never sail past the pier'],
    ['was written anew', { more: 'modified: 2026-11-20\n' }, '- Lamp 160: 灯塔'],
  ])('hold one far behind that %s since the index was written', async (_, change, shown) => {
    const { block, put } = await shop()
    expect((await block()).text).not.toContain('Lamp 160')
    put('project_lamp-160.md', noteText(160, change))
    expect((await block()).text).toContain(shown)
  })

  it('hold one whose file came from elsewhere with an old time', async () => {
    const { files, block, put } = await shop()
    put('project_old.md', noteText(900, { name: 'Old heron', more: 'pinned: true\n' }))
    const list = files.list
    files.list = async (layer) => {
      const listing = await list(layer)
      const moved = listing.files.map((stat) =>
        stat.file === 'project_old.md' ? { ...stat, mtimeMs: 0, changedMs: stat.mtimeMs } : stat,
      )
      return { ...listing, files: moved }
    }
    expect((await block()).text).toContain('Old heron')
  })

  it('do not hold one that was archived or removed since, and the count knows it', async () => {
    const { files, block, put } = await shop()
    put('project_lamp-0.md', noteText(0, { more: 'status: archived\n' }))
    put('project_lamp-160.md', noteText(160, { more: 'status: archived\n' }))
    files.person.remove(project, 'project_lamp-1.md')
    const { text, entries } = await block()
    expect(namesOf({ entries })[0]).toBe('Lamp 2')
    expect(text).toContain(` of ${COUNT - 3} notes are listed`)
  })

  it('hold the one far behind that a farther note is called like [S5]', async () => {
    const { block, put } = await shop((index) => (index === 160 ? { name: 'Pier colour' } : {}))
    put('user_anything.md', noteText(901, { name: 'Pier colour', more: 'pinned: true\n' }), global)
    put('user_other.md', noteText(902, { name: 'Lamp oil', more: 'pinned: true\n' }), global)
    const { text } = await block()
    expect(text).toContain('Lamp oil')
    expect(text).not.toContain('Pier colour')
  })

  it('hold the one behind many rules that mutes a farther note [S5]', async () => {
    const { block, put } = await shop((index) => {
      if (index < 130) return { type: 'feedback' }
      return index === 200 ? { more: `mutes: [${idOf(903)}]\n` } : {}
    })
    put('user_muted.md', noteText(903, { name: 'Muted heron', type: 'user', more: 'pinned: true\n' }), global)
    const { text } = await block()
    expect(text).toContain('Lamp 0')
    expect(text).not.toContain('Muted heron')
  })

  it('are those that a person listed too, wherever they stand', async () => {
    const { files, block } = await shop((index) => (index === 250 ? { more: 'pinned: true\n' } : {}))
    const index = await files.readIndex(project)
    const lines = new TextDecoder().decode(index?.bytes).split('\n')
    const moved = lines.filter((line) => line.includes('project_lamp-250.md'))
    const rest = lines.filter((line) => !line.includes('project_lamp-250.md'))
    files.person.put(project, 'MEMORY.md', new TextEncoder().encode([...rest, ...moved, ''].join('\n')))
    expect((await block()).text).toContain('Lamp 250')
  })

  it('hold one that changed after the index of its team, although ours of the team is newer [T1]', async () => {
    const home = mkdtempSync(join(tmpdir(), 'keepsake-start-'))
    const team: Layer = { name: 'team', key: `${project.key}/team`, directory: '/nowhere/tidewater/team' }
    const files = createMemoryNoteFiles()
    const put = (file: string, bytes: Uint8Array) => files.person.put(team, file, bytes)
    for (let index = 0; index < COUNT; index++) put(`project_lamp-${index}.md`, noteText(index))
    const index = new TextEncoder().encode(renderIndex(null, (await scanLayer(files, team)).notes).text)
    put('MEMORY.md', index)
    const ours = sharedIndexFile(home, team)
    mkdirSync(dirname(ours), { recursive: true })
    writeFileSync(ours, index)
    put('project_lamp-160.md', noteText(160, { more: 'pinned: true\n' }))
    const block = await readStartBlock({
      agent: 'plain',
      files,
      listingOf: listOnce(files),
      layers: [team],
      isToolWritten: () => false,
      home,
      config: DEFAULT_CONFIG,
      projectName: 'tidewater',
      here: ANYWHERE,
    })
    rmSync(home, { recursive: true, force: true })
    expect(block.text).toContain('Lamp 160')
  })
})
