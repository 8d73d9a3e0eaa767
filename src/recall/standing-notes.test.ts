import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Layer, Voice } from '../domain/index.ts'
import { standingsOf } from '../store/notes/precedence.ts'
import { createRecallHarness, globalLayer, projectLayer } from '../testing/recall-harness.ts'
import { findStandings, pathsIn } from './standing-notes.ts'

const teamLayer: Layer = { name: 'team', key: `${projectLayer.key}/team`, directory: `${projectLayer.directory}/team` }
const layers = [projectLayer, teamLayer, globalLayer]
const ids = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']

const anyNote = fc.record({
  id: fc.constantFrom(...ids),
  layer: fc.constantFrom(...layers),
  name: fc.constantFrom('Indent', 'indent!', '缩进', '缩进。', 'Deploy'),
  voice: fc.constantFrom<Voice>('rule', 'fact', 'quoted'),
  pinned: fc.boolean(),
  status: fc.constantFrom('active' as const, 'archived' as const),
  mutes: fc.subarray(ids),
  appliesTo: fc.constantFrom([], ['packages/**'], ['apps/**']),
})

describe('findStandings [S5]', () => {
  it('of the notes that were found says what the rule says over the whole store', async () => {
    const here = { within: ['packages', 'web'], day: null }
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyNote, { maxLength: 8, selector: ({ id }) => id }),
        fc.subarray(ids),
        async (planted, wanted) => {
          const harness = createRecallHarness()
          const notes = planted.map(({ id, layer, ...fields }) =>
            harness.note(`${id}.md`, { ...fields, id, body: `words of ${id}` }, layer),
          )
          const found = notes.filter(({ id }) => wanted.includes(id))
          const readNote = async (layer: string, file: string) => harness.files.get(`${layer} ${file}`) ?? null
          const tools = { readNote, layers: () => layers, here: () => here }
          const standings = await findStandings(harness.index, tools, found)
          const whole = standingsOf(notes, here)
          for (const note of found) expect(standings.get(note)).toEqual(whole.get(note))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('a note that is gone from disk, or withheld by now, stands before nothing', async () => {
    const harness = createRecallHarness()
    const target = harness.note('a.md', { id: 'A', name: 'Indent' }, globalLayer)
    const other = harness.note('b.md', { id: 'B', name: 'Indent' }, projectLayer)
    const readNote = async (layer: string, file: string) => harness.files.get(`${layer} ${file}`) ?? null
    const stateNow = async () =>
      (await findStandings(harness.index, { readNote, layers: () => layers }, [target])).get(target)?.state
    expect(await stateNow()).toBe('overridden')
    harness.files.set(`${projectLayer.key} b.md`, { ...other, withheld: 'threat' })
    expect(await stateNow()).toBe('stands')
    harness.files.delete(`${projectLayer.key} b.md`)
    expect(await stateNow()).toBe('stands')
  })
})

describe('pathsIn', () => {
  it.each<[string, string[]]>([
    ['Why does packages/api/server.ts fail?', ['packages/api/server.ts']],
    ['看看 文档/部署.md 和 Makefile.am', ['文档/部署.md', 'Makefile.am']],
    ['in ./src/ and `lib/a.go`.', ['src', 'lib/a.go']],
    ['修改src/api/user.ts的逻辑', ['修改src/api/user.ts的逻辑', 'src/api/user.ts']],
    ['把 main.go里的缩进改成制表符，别动packages/web。', ['main.go', '别动packages/web', 'packages/web']],
    ['see packages/größe/a.ts', ['packages/größe/a.ts']],
    ['no path here', []],
    ['this and / or that', []],
    ['', []],
    ['我们把这件事做完'.repeat(3_000), []],
    [`${'a'.repeat(30_000)}/b.ts`, []],
  ])('%s', (prompt, paths) => {
    expect(pathsIn(prompt).map((parts) => parts.join('/'))).toEqual(paths)
  })
})
