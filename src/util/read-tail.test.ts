import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lookAtFile, readTail } from './read-tail.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keepsake-tail-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

describe('readTail', () => {
  it.each([
    ['a small file whole', 'one\ntwo\n', 100, 'one\ntwo\n'],
    ['from the first whole line on', 'first line\nsecond\nthird\n', 12, 'third\n'],
    ['a character cut in two goes with its line', '中中中\nlast\n', 9, 'last\n'],
    ['a part of one long line', 'x'.repeat(50), 10, 'x'.repeat(10)],
    ['an empty file', '', 10, ''],
  ])('%s', async (_, content, maxBytes, expected) => {
    const file = join(directory, 'tail')
    writeFileSync(file, content)
    expect(await readTail(file, maxBytes)).toBe(expected)
  })

  it('is empty for what is not there and for what is no plain file', async () => {
    expect(await readTail(join(directory, 'none'))).toBe('')
    expect(await readTail(directory)).toBe('')
    const pipe = join(directory, 'pipe')
    execFileSync('mkfifo', [pipe])
    expect(await readTail(pipe)).toBe('')
    expect(await lookAtFile(pipe)).toBeNull()
  })

  it('sees size and age of a file', async () => {
    const file = join(directory, 'file')
    writeFileSync(file, '12345')
    const seen = await lookAtFile(file)
    expect(seen?.size).toBe(5)
    expect(Math.abs(Date.parse(seen?.began ?? '') - Date.now())).toBeLessThan(60_000)
  })
})
