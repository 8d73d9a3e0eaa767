/** An embedder whose vectors are kept in a file, by model and text, so that a second run over the same data is cheap. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { fromFileSystemError } from '../errors.ts'
import type { Embedder } from '../index.ts'
import { sha256 } from '../util/index.ts'

/** One line a vector: `<hash of model, use and text> <base64 of 32-bit floats>`. A line that was cut off is left out. */
export function keepVectors(embedder: Embedder, file: string): Embedder {
  const kept = readKept(file)
  return {
    id: embedder.id,
    async embed(texts, options) {
      const keys = texts.map((text) => sha256(`${embedder.id}\n${options.use}\n${text}`))
      const missing = texts.filter((_, at) => !kept.has(keys[at] ?? ''))
      const made = missing.length === 0 ? [] : await embedder.embed(missing, options)
      const lines: string[] = []
      let next = 0
      const vectors = keys.map((key) => {
        const known = kept.get(key)
        if (known) return known
        const vector = made[next++] ?? new Float32Array()
        lines.push(`${key} ${Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')}\n`)
        return vector
      })
      for (const [at, key] of keys.entries()) kept.set(key, vectors[at] ?? new Float32Array())
      append(file, lines)
      return vectors
    },
  }
}

function readKept(file: string): Map<string, Float32Array> {
  const kept = new Map<string, Float32Array>()
  if (!existsSync(file)) return kept
  for (const line of readText(file).split('\n').slice(0, -1)) {
    const [key = '', text = ''] = line.split(' ')
    const bytes = new Uint8Array(Buffer.from(text, 'base64'))
    if (key.length === 64 && bytes.length > 0 && bytes.length % 4 === 0) kept.set(key, new Float32Array(bytes.buffer))
  }
  return kept
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw fromFileSystemError(error, file)
  }
}

function append(file: string, lines: readonly string[]): void {
  if (lines.length === 0) return
  try {
    appendFileSync(file, lines.join(''), { mode: 0o600 })
  } catch (error) {
    throw fromFileSystemError(error, file)
  }
}
