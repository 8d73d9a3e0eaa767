import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { built } from './requirements.ts'

const root = resolve(import.meta.dirname, '../..')

function testsBelow(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name)
    if (statSync(path).isDirectory()) return testsBelow(path)
    return /(?:\.test|-suite)\.ts$/.test(name) ? [path] : []
  })
}

const texts = [...testsBelow(join(root, 'test')), ...testsBelow(join(root, 'src'))].map((path) =>
  readFileSync(path, 'utf8'),
)

describe('requirements', () => {
  it.each([...built])('%s is shown by a test', (id) => {
    expect(texts.some((text) => text.includes(`[${id}]`))).toBe(true)
  })

  /** The cases this release answers for, each a table of its kind. */
  const cases = [
    1, 10, 11, 12, 14, 15, 17, 20, 22, 24, 32, 33, 36, 37, 38, 40, 41, 44, 45, 47, 49, 64, 66, 70, 71, 73, 76, 82, 83,
    84,
  ]
  it.each(cases.map((number) => `BL-${String(number).padStart(2, '0')}`))('%s is a test named by its id', (id) => {
    expect(
      texts.some((text) =>
        new RegExp(`(?:describe|it|test)(?:\\.\\w+)*(?:\\([^)]*\\))?\\(\\s*['"\`][^'"\`]*${id}`).test(text),
      ),
    ).toBe(true)
  })
})
