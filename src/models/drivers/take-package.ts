/** Optional packages: loaded when first used, with a sentence that says how to get them. */
import { MemoryError, messageOf, systemCode } from '../../errors.ts'

/** As `import()` does; tests hand in another one. */
export type LoadPackage = (name: string) => Promise<unknown>

export const loadPackage: LoadPackage = (name) => import(name)

/** Who wants the package, for what is said when it is not there. */
export interface PackageUser {
  readonly code: 'EMBEDDER_UNAVAILABLE' | 'MODEL_UNAVAILABLE'
  readonly noun: 'embedder' | 'model'
  readonly id: string
  readonly meanwhile: string
}

export function asEmbedder(id: string): PackageUser {
  return { code: 'EMBEDDER_UNAVAILABLE', noun: 'embedder', id, meanwhile: 'Until then recall goes by words.' }
}

export function asModel(id: string): PackageUser {
  return { code: 'MODEL_UNAVAILABLE', noun: 'model', id, meanwhile: 'Until then notes are made by rules alone.' }
}

/** Throws the code of the user: the package is missing or does not load. `install`: all that this driver needs. */
export async function takePackage(
  load: LoadPackage,
  name: string,
  { user, install }: { readonly user: PackageUser; readonly install: readonly string[] },
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const loaded = await load(name)
    // A CommonJS package has its exports below `default` too, and in some bundles only there.
    return { ...objectOf(objectOf(loaded).default), ...objectOf(loaded) }
  } catch (error) {
    const isMissing = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(systemCode(error) ?? '')
    throw new MemoryError(
      user.code,
      isMissing
        ? `The ${user.noun} ${user.id} needs the package ${name}, which is not installed`
        : `The package ${name} does not load: ${messageOf(error)}`,
      {
        hint: `Beside Keepsake: npm install ${install.join(' ')} (with -g when Keepsake is installed so). ${user.meanwhile}`,
        data: { [user.noun]: user.id, package: name },
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

/** A function of a loaded package. Throws the code of the user for a version that has none of this name. */
export function functionOf(
  holder: Readonly<Record<string, unknown>>,
  name: string,
  user: PackageUser,
): (...values: readonly unknown[]) => unknown {
  const found = holder[name]
  if (typeof found !== 'function')
    throw new MemoryError(user.code, `The installed packages of ${user.id} have no ${name}`, {
      hint: 'Install the versions that docs/dev/dependencies.md names.',
      data: { [user.noun]: user.id },
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
