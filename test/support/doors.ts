/** One project of a home seen through every door that searches: library, command line, MCP server, hook; in one process. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import type { CliContext } from '../../src/cli/context.ts'
import { createProgram } from '../../src/cli/program.ts'
import { createStores } from '../../src/engine/index.ts'
import { createReadMemory } from '../../src/engine-read.ts'
import { createMemory, DEFAULT_CONFIG, type Memory, type RecallHit, type TranscriptReader } from '../../src/index.ts'
import { createMcpServer } from '../../src/mcp/index.ts'
import type { VectorModel } from '../../src/store/search-index/vector-index.ts'
import { makeRepository } from './cli.ts'

const config = { config: { ...DEFAULT_CONFIG, history: false }, unknownKeys: [], problems: [], usable: true }

export interface Doors {
  readonly root: string
  readonly home: string
  readonly memory: Memory
  keep(name: string, text: string): Promise<void>
  /** Captures one conversation in which these things were said. */
  talk(texts: readonly string[]): Promise<void>
  otherProject(name: string, text: string): Promise<Memory>
  fileOf(name: string): Promise<string>
  /** Name of the note that stands first on library, command and MCP alike; fails when they differ. */
  first(query: string): Promise<string | null>
  /** Words that stand first among the messages, on library and MCP alike. */
  firstSaid(query: string): Promise<string | null>
  /** What library, command, MCP and the block of a message say, as text. */
  answers(query: string): Promise<string[]>
  /** `memory_get`. */
  get(reference: string): Promise<string>
  block(prompt: string): Promise<string>
  breakIndex(): Promise<void>
  plantVectors(model: VectorModel, vector: readonly number[]): void
  dropVectors(model: string): void
  close(): Promise<void>
}

export async function createDoors(): Promise<Doors> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-doors-')))
  const home = join(root, 'home')
  const opened: Memory[] = []
  const open = async (name: string) => {
    const cwd = join(root, 'code', name)
    makeRepository(cwd)
    const memory = await createMemory({ home, cwd, config, readers: { doors: reader(cwd) } })
    opened.push(memory)
    return { memory, cwd }
  }
  const { memory, cwd } = await open('here')
  const client = new Client({ name: 'doors', version: '1' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([createMcpServer(memory, '0.0.0').connect(far), client.connect(near)])
  const tool = async (name: string, parameters: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: parameters })
    return (content as { text: string }[]).map(({ text }) => text).join('\n')
  }
  const command = async (...words: string[]) => {
    const printed: string[] = []
    const program = createProgram(contextOf(memory, { root, home, printed }))
    await program.parseAsync(['node', 'keepsake', ...words])
    return printed.join('\n')
  }
  const block = async (prompt: string) => {
    const place = { home, cwd, config: DEFAULT_CONFIG, userHome: root, temporaryDirectory: root }
    const none = { shown: [], sessionStart: null, begins: null, maxBytes: 10_000 }
    const reading = await createReadMemory(place)
    return (await reading.turnBlock({ prompt, ...none, signal: new AbortController().signal })).text
  }
  const withIndex = (work: (index: ReturnType<ReturnType<typeof createStores>['index']>) => void) => {
    const fail = (error: unknown) => {
      throw error
    }
    const stores = createStores({ home, writable: true, clock: { now: Date.now }, onProblem: fail })
    try {
      work(stores.index())
    } finally {
      stores.close()
    }
  }
  let talks = 0
  return {
    root,
    home,
    memory,
    async keep(name, text) {
      await memory.remember({ name, text, layer: 'project', type: 'project' })
    },
    async talk(texts) {
      const file = join(root, `talk-${talks++}.json`)
      writeFileSync(file, JSON.stringify(texts))
      await memory.capture({ file, agent: 'doors', mode: 'read-only' })
    },
    async otherProject(name, text) {
      const there = (await open('there')).memory
      await there.remember({ name, text, layer: 'project', type: 'project' })
      return there
    },
    async fileOf(name) {
      return (await memory.list({ limit: 100 })).notes.find((note) => note.name === name)?.file ?? ''
    },
    async first(query) {
      const { results } = await memory.recall({ query, in: 'notes' })
      const [name = null] = results.map((hit) => hit.name)
      const json = JSON.parse(await command('recall', '--in', 'notes', '--json', '--', query)) as {
        results: RecallHit[]
      }
      const found = await tool('memory_search', { query, in: 'notes' })
      const [, told = null] = /^- (.+?) \(/m.exec(found) ?? []
      if (json.results[0]?.name !== name && name !== null) throw new Error(`the command says ${json.results[0]?.name}`)
      if (told !== name) throw new Error(`library ${name}, MCP ${told}`)
      return name
    },
    async firstSaid(query) {
      const { results } = await memory.recall({ query, in: 'sessions' })
      const words = results[0]?.snippet ?? null
      if (words !== null && !(await tool('memory_search', { query, in: 'sessions' })).includes(words))
        throw new Error(`MCP does not say ${words}`)
      return words
    },
    async answers(query) {
      const { results } = await memory.recall({ query, in: 'all' })
      return [
        JSON.stringify(results.map(({ name, snippet }) => [name, snippet])),
        await command('recall', '--', query),
        await tool('memory_search', { query, in: 'all' }),
        await block(query),
      ]
    },
    get: (reference) => tool('memory_get', { note: reference }),
    block,
    async breakIndex() {
      rmSync(join(home, 'index.db'), { force: true })
      for (const part of ['-wal', '-shm']) rmSync(join(home, `index.db${part}`), { force: true })
      // A folder where the file belongs can neither be opened nor set aside as a damaged one.
      makeRepository(join(home, 'index.db'))
    },
    plantVectors(model, vector) {
      withIndex(({ vectors }) => {
        vectors.beginModel(model)
        const layers = readdirSync(join(home, 'projects')).map((folder) => `projects/${folder}`)
        const places = vectors.missingNotes(model.name, layers, 100)
        vectors.putNotes(
          model.name,
          places.map((each) => ({ ...each, vector: Float32Array.from(vector) })),
        )
      })
    },
    dropVectors: (model) => withIndex(({ vectors }) => vectors.dropModel(model)),
    async close() {
      await client.close()
      for (const each of opened) await each.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function reader(cwd: string): TranscriptReader {
  return {
    agent: 'doors',
    async *read(file) {
      const texts = JSON.parse(readFileSync(file, 'utf8')) as string[]
      const messages = texts.map((content, at) => ({
        nativeId: `${file} ${at}`,
        role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content,
        toolName: null,
        time: '2026-11-28T10:00:00Z',
      }))
      const rest = { branch: null, title: null, memoryWrites: [], skipped: {}, endOffset: 1, turnEnded: true }
      yield { sessionId: file, cwd, messages, ...rest }
    },
  }
}

/** As the command line has it, in this process: what would be printed is kept in `printed`. */
export function contextOf(
  memory: Memory,
  { root, home, printed }: { readonly root: string; readonly home: string; readonly printed: string[] },
): CliContext {
  return {
    surroundings: { environment: {}, userHome: root, temporaryDirectory: root },
    cwd: root,
    version: '0.0.0',
    distribution: root,
    signal: new AbortController().signal,
    memory: async () => memory,
    home: () => home,
    print: (options, json, text) => void printed.push(options.json ? JSON.stringify(json) : text()),
    remark: () => undefined,
    readInput: async () => '',
    confirm: async () => true,
    isTerminal: () => false,
    exit: (code) => {
      throw new Error(`ended with ${code}`)
    },
  }
}
