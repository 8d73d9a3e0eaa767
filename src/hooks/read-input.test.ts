import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endFromOutside } from './deadline.ts'
import { readStdin } from './read-input.ts'

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
