/**
 * How the hook's bundle is cut: what every event needs (`hook-base`) and what a block needs besides (`hook-read`); the
 * turn block's own part is left to the bundler. Each file that a hook loads costs a millisecond or two, and so does each
 * that it loads for nothing.
 */
import { join } from 'node:path'

/** What the bundler tells of a module. */
interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

const source = join(import.meta.dirname, '..', 'src')
const entry = join(source, 'hooks/main.ts')
/** Roots of each chunk, in this order: a module belongs to the first chunk from which imports lead to it. */
const chunks = [
  { name: 'hook-base', roots: [join(source, 'hooks/hook-process.ts')] },
  { name: 'hook-read', roots: [join(source, 'engine-read.ts'), join(source, 'guard/index.ts')] },
]

/** Gives the name of the chunk of a module; null leaves it to the bundler. One for each build. */
export function hookChunks(): (id: string, graph: Graph) => string | null {
  const reached = new Map<string, ReadonlySet<string>>()
  const moduleIdsOf = ({ name, roots }: (typeof chunks)[number], graph: Graph) => {
    const found = reached.get(name) ?? below(roots, graph)
    reached.set(name, found)
    return found
  }
  return (id, graph) =>
    id === entry ? null : (chunks.find((chunk) => moduleIdsOf(chunk, graph).has(id))?.name ?? null)
}

/** Modules that are loaded with these: along imports, not along `import()`. */
function below(roots: readonly string[], graph: Graph): ReadonlySet<string> {
  const found = new Set(roots)
  for (const id of found) for (const each of graph.getModuleInfo(id)?.importedIds ?? []) found.add(each)
  return found
}
