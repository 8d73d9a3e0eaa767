/** Optional packages: loaded when first used, with a sentence that says how to get them. */
import { MemoryError, messageOf, systemCode } from '../../errors.ts'

/** As `import()` does; tests hand in another one. */
export type LoadPackage = (name: string) => Promise<unknown>

export const loadPackage: LoadPackage = (name) => import(name)

/** Throws EMBEDDER_UNAVAILABLE: the package is missing or does not load. `install`: all that this driver needs. */
export async function takePackage(
  load: LoadPackage,
  name: string,
  { embedder, install }: { readonly embedder: string; readonly install: readonly string[] },
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const loaded = await load(name)
    // A CommonJS package has its exports below `default` too, and in some bundles only there.
    return { ...objectOf(objectOf(loaded).default), ...objectOf(loaded) }
  } catch (error) {
    const isMissing = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(systemCode(error) ?? '')
    throw new MemoryError(
      'EMBEDDER_UNAVAILABLE',
      isMissing
        ? `The embedder ${embedder} needs the package ${name}, which is not installed`
        : `The package ${name} does not load: ${messageOf(error)}`,
      {
        hint: `Beside Keepsake: npm install ${install.join(' ')} (with -g when Keepsake is installed so). Until then recall goes by words.`,
        data: { embedder, package: name },
        cause: error,
      },
    )
  }
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  // Evidence: what is no object or function has no members to read.
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? (value as Readonly<Record<string, unknown>>)
    : {}
}

/** A function of a loaded package. Throws EMBEDDER_UNAVAILABLE for a version that has none of this name. */
export function functionOf(
  holder: Readonly<Record<string, unknown>>,
  name: string,
  embedder: string,
): (...values: readonly unknown[]) => unknown {
  const found = holder[name]
  if (typeof found !== 'function')
    throw new MemoryError('EMBEDDER_UNAVAILABLE', `The installed packages of ${embedder} have no ${name}`, {
      hint: 'Install the versions that docs/dev/dependencies.md names.',
      data: { embedder },
    })
  return (...values) => found.apply(holder, values)
}

/** Lists of numbers as vectors. Throws EMBEDDER_UNAVAILABLE when they are not one list for each text. */
export function vectorsFrom(lists: unknown, count: number, embedder: string): Float32Array[] {
  const vectors = Array.isArray(lists)
    ? lists.map((list) => (list instanceof Float32Array ? list : Array.isArray(list) ? Float32Array.from(list) : null))
    : []
  if (vectors.length !== count || vectors.includes(null))
    throw new MemoryError('EMBEDDER_UNAVAILABLE', `${embedder} gave no vector for each text`, { data: { embedder } })
  return vectors.flatMap((vector) => vector ?? [])
}

/** Made at the first use and kept; what failed is tried again the next time. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
}
