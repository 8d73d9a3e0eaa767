/** Many processes write with history on: every change is one commit, and the repository is sound. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltChild, buildChild } from '../support/build-child.ts'

const WRITERS = 4
const NOTES_EACH = 12
const FORGOTTEN_EACH = NOTES_EACH / 4

let child: BuiltChild
let root: string
beforeAll(async () => {
  child = await buildChild('test/concurrency/history-child.ts')
  root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-many-')))
})
afterAll(() => {
  child?.dispose()
  rmSync(root, { recursive: true, force: true })
})

describe('processes on one history', () => {
  it(`${WRITERS} writers: all commits there, none twice, none of somebody else, fsck is clean [S12]`, async () => {
    const home = join(root, 'home')
    mkdirSync(home)
    writeFileSync(join(home, 'config.json'), '{"worker": false}')
    const names = Array.from({ length: WRITERS }, (_, index) => `writer ${index}`)
    const started = performance.now()
    const outcomes = await Promise.all(names.map((name) => run([child.file, home, root, name, String(NOTES_EACH)])))
    const tookMs = performance.now() - started
    const expected = { forgotten: FORGOTTEN_EACH, written: NOTES_EACH }
    for (const output of outcomes) expect(countsOf(JSON.parse(output) as string[])).toEqual(expected)
    const git = (...words: string[]) =>
      execFileSync('git', ['--git-dir', join(home, 'history/global.git'), ...words], { encoding: 'utf8' })
    expect(git('fsck', '--strict', '--no-dangling', '--no-progress')).toBe('')
    const subjects = git('log', '--format=%s', 'main').trim().split('\n')
    expect(countsOf(subjects)).toEqual({
      'Forgot a note': WRITERS * FORGOTTEN_EACH,
      'Remembered a new note': WRITERS * NOTES_EACH,
    })
    const changed = git('log', '--name-only', '--format=', 'main').trim().split('\n')
    expect(changed).toHaveLength(WRITERS * (NOTES_EACH + FORGOTTEN_EACH))
    const changes = WRITERS * (NOTES_EACH + FORGOTTEN_EACH)
    console.log(`${changes} changes by ${WRITERS} processes, ${Math.round(tookMs / changes)} ms each`)
  }, 120_000)
})

function countsOf(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of [...words].sort()) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

function run(command: readonly string[]): Promise<string> {
  const started = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  started.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  return new Promise((resolve, reject) => {
    started.on('error', reject)
    started.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`ended with ${code}`))))
  })
}
