/**
 * The laws of docs/dev/architecture.md, enforced: arrows between rooms, doors, third-party homes, sizes.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const source = join(root, 'src')

interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name)
    if (statSync(path).isDirectory()) return filesBelow(path)
    return path.endsWith('.ts') && !path.endsWith('.d.ts') ? [path] : []
  })
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8')
  const found: Import[] = []
  const pattern =
    /(?:^|\n)\s*(import|export)\s+(type\s)?([^'"]*?)from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import\s+'([^']+)'/g
  for (const match of text.matchAll(pattern)) {
    const to = match[4] ?? match[5] ?? match[6]
    if (to) found.push({ from: file, to, typeOnly: Boolean(match[2]) })
  }
  return found
}

const all = filesBelow(source)
const production = all.filter((file) => !file.endsWith('.test.ts'))
const imports = production.flatMap(importsOf)

/** Text of a file without comments and strings. */
function codeOf(file: string): string {
  return readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|"[^"\n]*"|`[^`]*`/g, '')
}

/** Room of a file: first folder below src, or the file itself for those at the top. */
function roomOf(file: string): string {
  const [first = ''] = relative(source, file).split('/')
  return first.replace(/\.ts$/, '')
}

function internal(edge: Import): string | null {
  return edge.to.startsWith('.') ? resolve(dirname(edge.from), edge.to) : null
}

/** Who may import whom. Lifecycle rooms do not import each other; `testing` holds suites and in-memory drivers. */
const below = ['util', 'errors', 'domain', 'guard']
const lower = [...below, 'store', 'models']
const lifecycle = ['write', 'recall', 'inject', 'refresh', 'share']
const engines = ['engine', 'engine-read']
const allowed: Record<string, string[]> = {
  util: ['domain'],
  errors: [],
  domain: [],
  guard: ['domain', 'util', 'errors'],
  config: below,
  store: below,
  models: below,
  write: lower,
  recall: lower,
  inject: lower,
  refresh: lower,
  share: lower,
  engine: [...lower, ...lifecycle, 'config'],
  'engine-read': [...lower, 'recall', 'inject', 'config'],
  adapters: [...below, ...engines, 'config'],
  worker: [...below, ...engines, 'adapters', 'config', 'index', 'hooks'],
  // A hook enters the plain-file doors of the store itself (journal, failures, home): the engine would cost too much.
  hooks: [...below, ...engines, 'adapters', 'config', 'store'],
  // A model that is measured is asked through jobs, under a ledger of its own.
  measure: [...lower, ...engines, 'adapters', 'config', 'index'],
  cli: [...below, ...engines, 'adapters', 'config', 'index', 'measure', 'mcp', 'worker', 'hooks'],
  mcp: [...below, ...engines, 'adapters', 'config', 'index'],
  web: [...below, ...engines, 'adapters', 'config', 'index'],
  // The ports to models are handed in by who uses the library.
  index: [...below, ...engines, 'adapters', 'config', 'models'],
  tools: [...below, ...engines, 'adapters', 'config', 'cli', 'mcp', 'worker', 'write', 'recall'],
  testing: [...lower, ...lifecycle, ...engines, 'adapters', 'config'],
}

describe('arrows', () => {
  it('every import between rooms is allowed', () => {
    const turned = imports.flatMap((edge) => {
      const target = internal(edge)
      if (!target) return []
      const [from, to] = [roomOf(edge.from), roomOf(target)]
      if (from === to || allowed[from]?.includes(to)) return []
      return [`${relative(root, edge.from)} -> ${relative(root, target)}`]
    })
    expect(turned).toEqual([])
  })

  it('every room is known', () => {
    const unknown = [...new Set(production.map(roomOf))].filter((room) => room !== 'markdown' && !(room in allowed))
    expect(unknown).toEqual([])
  })

  it('other rooms enter by the door, or by the file that is the door of its folder', () => {
    const lifecycleDoors = ['write', 'recall', 'inject', 'refresh', 'share']
    const doors = new Set(['util', 'domain', 'guard', ...lifecycleDoors, 'engine', 'adapters', 'mcp', 'measure'])
    const sideways = imports.flatMap((edge) => {
      const target = internal(edge)
      if (!target || roomOf(edge.from) === roomOf(target) || !doors.has(roomOf(target))) return []
      if (roomOf(edge.from) === 'testing') return []
      const path = relative(source, target)
      // The second, lighter doors that the hook bundle takes.
      const isDoor = path.endsWith('/index.ts') || ['adapters/hot.ts', 'guard/hot.ts'].includes(path)
      return isDoor ? [] : [`${relative(root, edge.from)} -> ${path}`]
    })
    expect(sideways).toEqual([])
  })

  it('has no import cycles', () => {
    const graph = new Map<string, string[]>()
    for (const edge of imports) {
      const target = internal(edge)
      if (target && !edge.typeOnly) graph.set(edge.from, [...(graph.get(edge.from) ?? []), target])
    }
    const cycles: string[] = []
    const done = new Set<string>()
    const visit = (file: string, path: string[]): void => {
      if (path.includes(file)) {
        cycles.push([...path.slice(path.indexOf(file)), file].map((each) => relative(root, each)).join(' -> '))
        return
      }
      if (done.has(file)) return
      for (const next of graph.get(file) ?? []) visit(next, [...path, file])
      done.add(file)
    }
    for (const file of graph.keys()) visit(file, [])
    expect(cycles).toEqual([])
  })
})

describe('third parties', () => {
  const homes: Record<string, string[]> = {
    'better-sqlite3': ['store/sqlite/'],
    'node:sqlite': ['store/sqlite/'],
    '@modelcontextprotocol/': ['mcp/'],
    yaml: ['store/notes/'],
    commander: ['cli/'],
    'modern-tar': ['store/backup/'],
    ulid: ['util/ids.ts'],
    zod: ['mcp/', 'cli/', 'models/', 'store/notes/', 'write/', 'worker/'],
    'node:child_process': [
      'store/notes/',
      'hooks/',
      'inject/anchors/',
      'measure/history-repository.ts',
      'models/drivers/',
      'testing/',
      'adapters/agents/codex/hook-trust.ts',
      'cli/new-text.ts',
    ],
    'jsonc-parser': ['adapters/'],
  }

  it('live behind one folder each', () => {
    const strays = imports.flatMap((edge) => {
      const home = Object.entries(homes).find(
        ([name]) => edge.to === name || (edge.to.startsWith(name) && name.endsWith('/')),
      )
      if (!home) return []
      const path = relative(source, edge.from)
      return home[1].some((folder) => path.startsWith(folder)) ? [] : [`${path} -> ${edge.to}`]
    })
    expect(strays).toEqual([])
  })

  it('guard is pure and domain has no runtime imports of the outside', () => {
    const outside = imports.filter(
      (edge) =>
        ['guard', 'domain'].includes(roomOf(edge.from)) &&
        !edge.to.startsWith('.') &&
        !allowedPure.includes(`${roomOf(edge.from)} ${edge.to}`),
    )
    expect(outside.map((edge) => `${relative(source, edge.from)} -> ${edge.to}`)).toEqual([])
  })
})

/** The path guard has to look at links on disk: the one impure file of the guard room. */
const allowedPure = ['guard node:fs', 'guard node:path']

describe('environment and state', () => {
  it('only entry files and config read the environment', () => {
    const reads = (file: string) => {
      const code = codeOf(file)
      // Harnesses of tests make folders of their own.
      return /process\.env\b/.test(code) || (roomOf(file) !== 'testing' && /\b(?:homedir|tmpdir)\(/.test(code))
    }
    const readers = production.filter(reads).map((file) => relative(source, file))
    const entries = ['config.ts', 'hooks/main.ts', 'worker/main.ts', 'cli/main.ts', 'mcp/main.ts']
    expect(readers.filter((file) => !entries.includes(file))).toEqual([])
  })

  it('no module keeps mutable state', () => {
    const mutable = production.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^(?:export )?(?:let|var) .*/gm)].map(
        (match) => `${relative(source, file)}: ${match[0]}`,
      ),
    )
    expect(mutable).toEqual([])
  })
})

describe('records of decisions', () => {
  const folder = join(root, 'docs', 'decisions')
  const numbers = readdirSync(folder)
    .map((name) => name.slice(0, 4))
    .toSorted()

  it('are numbered one after the other', () => {
    expect(numbers).toEqual(numbers.map((_, at) => String(at + 1).padStart(4, '0')))
  })

  it('say their number', () => {
    const heads = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8').split('\n')[0]])
    expect(heads.filter(([name, head]) => !head?.startsWith(`# ${name?.slice(0, 4)} `))).toEqual([])
  })
})
