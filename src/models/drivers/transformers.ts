/**
 * Local models through transformers.js: from a folder, or from what was downloaded before. Nothing is fetched unless the
 * setting says `transformers+download`.
 */
import { basename, dirname, join } from 'node:path'
import { isFolder } from '../../domain/index.ts'
import { sha256 } from '../../util/index.ts'
import type { Embedder } from '../embedder.ts'
import { asEmbedder, functionOf, type LoadPackage, objectOf, once, takePackage, vectorsFrom } from './take-package.ts'

const PACKAGE = '@huggingface/transformers'

export interface TransformersOptions {
  readonly place: string
  readonly download: boolean
  readonly userHome: string
}

export function createTransformers({ place, download, userHome }: TransformersOptions, load: LoadPackage): Embedder {
  const folder = isFolder(place) ? (place.startsWith('~/') ? join(userHome, place.slice(2)) : place) : null
  const name = folder === null ? place : basename(folder)
  // Two folders may hold models of one name; a path of a person is nobody's business.
  const id = folder === null ? `transformers:${name}` : `transformers:${name}@${sha256(folder).slice(0, 8)}`
  const user = asEmbedder(id)
  const prefixes = prefixesOf(name)
  const extractor = once(async () => {
    const loaded = await takePackage(load, PACKAGE, { user, install: [PACKAGE] })
    const env = loaded.env
    if (typeof env === 'object' && env !== null) {
      Object.assign(env, { allowLocalModels: true, allowRemoteModels: download })
      if (folder !== null) Object.assign(env, { localModelPath: dirname(folder) })
    }
    const options = { dtype: 'q8', local_files_only: !download }
    return functionOf(
      { run: await functionOf(loaded, 'pipeline', user)('feature-extraction', name, options) },
      'run',
      user,
    )
  })
  return {
    id,
    async embed(texts, { use, signal }) {
      signal?.throwIfAborted()
      if (texts.length === 0) return []
      const run = await extractor()
      const vectors: Float32Array[] = []
      // One by one: a batch is padded to its longest text, and costs as much.
      for (const text of texts) {
        signal?.throwIfAborted()
        const tensor = objectOf(await run(`${prefixes[use]}${text}`, { pooling: 'mean', normalize: true }))
        vectors.push(...vectorsFrom([tensor.data], 1, id))
      }
      return vectors
    },
  }
}

/** Models of the e5 family were trained with these words before each text, and are worse without. */
function prefixesOf(name: string): Readonly<Record<'query' | 'document', string>> {
  return /(?:^|[\W_])e5(?:$|[\W_])/i.test(name)
    ? { query: 'query: ', document: 'passage: ' }
    : { query: '', document: '' }
}
