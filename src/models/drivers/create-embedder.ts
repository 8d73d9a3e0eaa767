/** From the setting `embedder` to its driver. Nothing is loaded before the first text. */
import { parseEmbedderName } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import type { Embedder } from '../embedder.ts'
import { createProvider } from './provider.ts'
import { type LoadPackage, loadPackage } from './take-package.ts'
import { createTransformers } from './transformers.ts'
import { createUseLite } from './use-lite.ts'

export interface EmbedderSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly userHome: string
  /** For tests. */
  readonly load?: LoadPackage
}

/** Throws CONFIG_INVALID for a text that names none. */
export function createEmbedder(text: string, { environment, userHome, load }: EmbedderSurroundings): Embedder {
  const name = parseEmbedderName(text)
  const take = load ?? loadPackage
  switch (name?.kind) {
    case 'use-lite':
      return createUseLite(take)
    case 'transformers':
      return createTransformers({ ...name, userHome }, take)
    case 'openai':
    case 'ollama':
    case 'openai-compatible':
      return createProvider({ ...name, environment }, take)
    case undefined:
      throw new MemoryError('CONFIG_INVALID', `${JSON.stringify(text)} names no embedder`, {
        hint: "See 'keepsake config'.",
        data: { key: 'embedder' },
      })
  }
}
