import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endFromOutside } from './deadline.ts'
import { lookAtFile, readStdin, readTail } from './read-input.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keepsake-hook-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

describe('readStdin', () => {
  it('reads to the end', async () => {
    expect(await readStdin(Readable.from([Buffer.from('{"a":'), Buffer.from('"中"}')]))).toBe('{"a":"中"}')
  })

  it.each(['', '{"half":'])('gives what came, %j, when nobody closes the pipe', async (text) => {
    const open = new PassThrough()
    open.write(text)
    expect(await readStdin(open, 20)).toBe(text)
  })

  it('gives what came when the pipe breaks', async () => {
    const broken = new PassThrough()
    const read = readStdin(broken)
    broken.destroy(new Error('broken'))
    expect(await read).toBe('')
  })
})

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

describe('BL-64: a process that hangs in the file system', () => {
  it('is ended from outside, though it cannot leave by itself', async () => {
    const pipe = join(directory, 'pipe')
    execFileSync('mkfifo', [pipe])
    const script = `require('node:fs').promises.open(${JSON.stringify(pipe)}); setTimeout(() => { console.log('leaving'); process.exit(0) }, 50)`
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise<string | number | null>((resolve) =>
      child.on('exit', (code, signal) => resolve(signal ?? code)),
    )
    await new Promise((resolve) => child.stdout.once('data', resolve))
    endFromOutside(child.pid ?? -1)
    expect(await ended).toBe('SIGKILL')
  })
})
