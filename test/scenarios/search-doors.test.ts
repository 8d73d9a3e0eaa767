/**
 * Any text on every door that searches: nothing throws but what the interface names, and nothing of another project
 * is in an answer. The seed of a failing run is printed by fast-check; give it to `fc.assert` to see it again.
 */
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'
import { createReadMemory } from '../../src/engine-read.ts'
import { DEFAULT_CONFIG, type Memory, MemoryError, noteTypes, readableLayerNames } from '../../src/index.ts'
import { createMcpServer } from '../../src/mcp/index.ts'
import { anyQuestion, common, leaksIn, secretOf } from '../../src/testing/any-question.ts'
import { type CrowdedHome, createCrowdedHome } from '../support/crowded-home.ts'
import { contextOf } from '../support/doors.ts'

const PROJECTS = 100
/** Texts for each of the quick doors; a command and a hook open what they need each time, so they get fewer. */
const RUNS = Number(process.env.KEEPSAKE_FUZZ_RUNS ?? 1_000)
const SLOW_RUNS = Math.ceil(RUNS / 10)

let crowd: CrowdedHome
beforeAll(async () => {
  crowd = await createCrowdedHome(PROJECTS)
}, 120_000)
afterAll(() => crowd.close())

const place = fc.nat(PROJECTS - 1)
const question = anyQuestion(PROJECTS)
const optional = <Value>(values: readonly Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
const filters = fc.record({
  in: optional(['notes', 'sessions', 'all'] as const),
  layer: optional(readableLayerNames),
  type: optional(noteTypes),
  tag: optional(['crowd', 'none', '\u0000"']),
  limit: optional([0, 1, 7, 50, 1_000, Number.NaN]),
  explain: optional([true, false]),
})

const memoryOf = (index: number): Memory => crowd.memories[index] as Memory
const check = (runs: number, ask: (asked: string, index: number) => Promise<unknown>) =>
  fc.assert(
    fc.asyncProperty(place, question, async (index, asked) => {
      expect(leaksIn(await ask(asked, index), asked, index)).toEqual([])
    }),
    { numRuns: runs },
  )

describe('any text on every door of searching [R9] (BL-14) (BL-38)', () => {
  it('the doors do find: the own word of each place, by what all places share', async () => {
    for (const index of [0, 41, 99]) {
      for (const target of ['notes', 'sessions', 'all'] as const) {
        const { results } = await memoryOf(index).recall({ query: common.join(' '), in: target })
        expect(JSON.stringify(results)).toContain(secretOf(index))
      }
      const { sessions } = await memoryOf(index).sessions.search({ query: common.join(' ') })
      expect(JSON.stringify(sessions)).toContain(secretOf(index))
    }
  })

  it('recall, with every filter', async () => {
    await fc.assert(
      fc.asyncProperty(place, question, filters, async (index, query, more) => {
        const found = await memoryOf(index).recall({ query, ...more })
        expect(found.searched).toBe('ok')
        expect(leaksIn(found, query, index)).toEqual([])
      }),
      { numRuns: RUNS },
    )
  }, 120_000)

  it('sessions.search', async () => {
    await check(RUNS, (query, index) => memoryOf(index).sessions.search({ query }))
  }, 120_000)

  it('read: any text, and ids, beginnings of ids, names and files of other places', async () => {
    await fc.assert(
      fc.asyncProperty(place, question, async (index, reference) => {
        const found = await orExpected(memoryOf(index).read(reference), ['NOTE_AMBIGUOUS'])
        expect(leaksIn(found, reference, index)).toEqual([])
      }),
      { numRuns: SLOW_RUNS },
    )
    for (const kind of ['id', 'prefix', 'name', 'file'] as const) {
      const reference = referenceOf(crowd.notes[7] as CrowdedHome['notes'][number], kind)
      expect((await memoryOf(7).read(reference))?.text).toContain(secretOf(7))
      for (const other of [0, 6, 8, 99]) expect(await memoryOf(other).read(reference)).toBeNull()
    }
  }, 120_000)

  it('sessions.show, sessions.list, list and context', async () => {
    const session = fc.oneof(
      question,
      place.map((index) => crowd.sessions[index] ?? ''),
    )
    await fc.assert(
      fc.asyncProperty(place, session, async (index, id) => {
        const shown = await orExpected(memoryOf(index).sessions.show({ id }), ['SESSION_NOT_FOUND'])
        // The message of a session that is not found repeats what was asked for.
        expect(leaksIn(shown, id, index)).toEqual([])
        if (crowd.sessions.includes(id)) expect('session' in shown).toBe(id === crowd.sessions[index])
      }),
      { numRuns: RUNS },
    )
    for (let index = 0; index < PROJECTS; index += 9) {
      const memory = memoryOf(index)
      const answers = [await memory.sessions.list(), await memory.list({ limit: 500 }), await memory.context()]
      for (const answer of answers) expect(leaksIn(answer, '', index)).toEqual([])
      expect(JSON.stringify(answers)).toContain(secretOf(index))
      expect(answers[0]).toMatchObject({ total: 1 })
    }
  }, 120_000)

  it('MCP: memory_search and memory_get', async () => {
    const index = 23
    const client = new Client({ name: 'fuzz', version: '1' })
    const [near, far] = InMemoryTransport.createLinkedPair()
    await Promise.all([createMcpServer(memoryOf(index), '0.0.0').connect(far), client.connect(near)])
    const call = async (name: string, parameters: Record<string, unknown>) => {
      const { content, isError } = await client.callTool({ name, arguments: parameters })
      return { text: JSON.stringify(content), isError: isError === true }
    }
    const target = optional(['notes', 'sessions', 'all'] as const)
    await fc.assert(
      fc.asyncProperty(question, target, fc.nat(9), async (asked, where, turn) => {
        const found = await call('memory_search', { query: asked, in: where })
        expect(found.isError).toBe(false)
        expect(leaksIn(found.text, asked, index)).toEqual([])
        // A read looks at every file of the layer, so it is asked less often.
        if (turn > 0) return
        const note = fc.sample(place, 1).map((each) => crowd.notes[each]?.id ?? '')[0]
        for (const reference of [asked, note]) {
          const { text } = await call('memory_get', { note: reference })
          expect(text).not.toContain('INTERNAL')
          expect(leaksIn(text, asked, index)).toEqual([])
        }
      }),
      { numRuns: RUNS },
    )
    expect((await call('memory_search', { query: 'deploy', in: 'all' })).text).toContain(secretOf(index))
    await client.close()
  }, 120_000)

  it('the block of a message, as the hook makes it', async () => {
    const blockOf = async (prompt: string, index: number) => {
      const memory = await createReadMemory({
        home: crowd.home,
        cwd: crowd.folders[index] ?? '',
        config: DEFAULT_CONFIG,
        userHome: crowd.root,
        temporaryDirectory: crowd.root,
      })
      const signal = new AbortController().signal
      return memory.turnBlock({ prompt, shown: [], sessionStart: null, begins: null, maxBytes: 10_000, signal })
    }
    await check(SLOW_RUNS, blockOf)
    expect((await blockOf(`the word for ${common.join(', ')}`, 5)).text).toContain(secretOf(5))
  }, 120_000)

  it('the commands recall and sessions search', async () => {
    const run = async (words: readonly string[], index: number) => {
      const printed: string[] = []
      const program = createProgram(contextOf(memoryOf(index), { root: crowd.root, home: crowd.home, printed }))
      await program.parseAsync(['node', 'keepsake', ...words])
      return printed.join('\n')
    }
    await check(SLOW_RUNS, async (asked, index) => {
      // A shell hands no NUL over; everything else reaches the command.
      const text = asked.replaceAll('\u0000', '')
      const plain = await run(['recall', '--', text], index)
      const json = await run(['sessions', 'search', '--json', '--', text], index)
      return [plain, JSON.parse(json)]
    })
    expect(await run(['recall', '--in', 'sessions', '--', ...common], 3)).toContain(secretOf(3))
  }, 120_000)
})

function referenceOf(
  { id, name, file }: CrowdedHome['notes'][number],
  kind: 'id' | 'prefix' | 'name' | 'file',
): string {
  if (kind === 'file') return file.split('/').at(-1) ?? ''
  return kind === 'prefix' ? id.slice(0, 20) : kind === 'id' ? id : name
}

/** The value, or what the interface says it may throw. */
async function orExpected<Value>(
  work: Promise<Value>,
  codes: readonly string[],
): Promise<Value | { readonly message: string; readonly data: unknown }> {
  try {
    return await work
  } catch (error) {
    if (MemoryError.isInstance(error) && codes.includes(error.code)) return { message: error.message, data: error.data }
    throw error
  }
}
