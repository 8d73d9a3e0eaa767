/** A backup of a home that others write to: whole, sound, and it holds what was acknowledged before it began. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backupHome, createMemory, restoreHome } from '../../src/index.ts'
import { type BuiltChild, buildChild } from '../support/build-child.ts'
import { makeRepository } from '../support/cli.ts'

const WRITERS = 4
const NOTES_BEFORE = 16
const BACKUPS = 3

let child: BuiltChild
let root: string
const running: { stop(): void }[] = []
beforeAll(async () => {
  child = await buildChild('test/concurrency/backup-child.ts')
  root = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-live-')))
})
afterAll(() => {
  for (const { stop } of running) stop()
  child?.dispose()
  rmSync(root, { recursive: true, force: true })
})

interface Seen {
  readonly acknowledged: Set<string>
  readonly forgotten: Set<string>
}

describe('backup of a living home [S9]', () => {
  it(`${BACKUPS} backups under ${WRITERS} writers: each restores to a sound home with all that was acknowledged before`, async () => {
    const home = join(root, 'home')
    const cwd = join(root, 'code', 'tidewater')
    makeRepository(cwd)
    mkdirSync(home)
    writeFileSync(join(home, 'config.json'), '{"worker": false}')
    const seen: Seen = { acknowledged: new Set(), forgotten: new Set() }
    const writers = Array.from({ length: WRITERS }, (_, index) => startWriter([home, cwd, `w${index}`], seen))
    const surroundings = {
      environment: { PATH: process.env.PATH ?? '' },
      userHome: join(root, 'nobody'),
      temporaryDirectory: '/tmp/keepsake-none',
    }
    running.push(...writers)
    await until(() => seen.acknowledged.size > NOTES_BEFORE)
    for (let index = 0; index < BACKUPS; index++) {
      const before = new Set(seen.acknowledged)
      const result = await backupHome({ home, target: join(root, `${index}.tar.gz`), surroundings })
      expect(result.leftOut).toEqual([])
      const to = join(root, `restored-${index}`)
      await restoreHome({ file: result.file, home: to, surroundings })
      const memory = await createMemory({ home: to, cwd, surroundings })
      const report = await memory.doctor()
      expect(report.checks.filter(({ state }) => state !== 'ok')).toEqual([])
      const { notes, total } = await memory.list({ limit: 500 })
      expect(total).toBe(result.notes)
      const kept = new Set(notes.map(({ name }) => name))
      const lost = [...before].filter((name) => !kept.has(name) && !seen.forgotten.has(name))
      expect(lost).toEqual([])
      await everyWordIsThere(memory)
      await memory.close()
    }
    for (const { stop } of writers) stop()
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual(writers.map(() => 0))
    console.log(`${seen.acknowledged.size} notes acknowledged, ${seen.forgotten.size} forgotten meanwhile`)
  })
})

/** What the restored cursors point past is in the restored conversations: nothing would be believed read and is not. */
async function everyWordIsThere(memory: Awaited<ReturnType<typeof createMemory>>): Promise<void> {
  await memory.refresh()
  const { sessions } = await memory.sessions.list({ limit: 50 })
  for (const { id } of sessions) {
    const { messages } = await memory.sessions.show({ id, limit: 500, tools: true })
    const numbers = messages.map(({ content }) => Number(/^word (\d+)/.exec(content)?.[1]))
    expect(numbers).toEqual(numbers.map((_, index) => index))
  }
}

function startWriter(words: readonly string[], seen: Seen) {
  const started = spawn(process.execPath, [child.file, ...words], { stdio: ['pipe', 'pipe', 'inherit'] })
  let rest = ''
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) (line.startsWith('+') ? seen.acknowledged : seen.forgotten).add(line.slice(1))
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    started.on('error', reject)
    started.on('close', resolve)
  })
  return { ended, stop: () => void started.stdin.end() }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20))
}
