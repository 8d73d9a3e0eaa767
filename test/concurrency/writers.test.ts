/** Many processes and a person on one folder of notes: everything is there afterwards, exactly once. */
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFsNoteFiles } from '../../src/store/notes/fs-note-files.ts'
import { createFolderHome } from '../../src/testing/folder-home.ts'
import { bytesOf } from '../../src/testing/note-files-suite.ts'
import { systemClock } from '../../src/util/index.ts'
import { type BuiltChild, buildChild } from '../support/build-child.ts'

const WRITERS = 8
const NOTES_EACH = 50
const APPEND_EVERY_MS = 20

let writer: BuiltChild
let person: BuiltChild
beforeAll(async () => {
  writer = await buildChild('test/concurrency/writer-child.ts')
  person = await buildChild('test/concurrency/person-child.ts')
})
afterAll(() => {
  writer?.dispose()
  person?.dispose()
})

describe('BL-01: processes on one store', () => {
  it(`${WRITERS} x ${NOTES_EACH} notes and a person's lines in MEMORY.md and in a note: all, once`, async () => {
    const home = createFolderHome()
    const layer = home.layer('global')
    const paths = [home.path(layer, 'MEMORY.md'), home.path(layer, 'project_diary.md')]
    mkdirSync(layer.directory)
    writeFileSync(paths[0]!, '# Memory\n')
    writeFileSync(paths[1]!, 'revision 0\n')
    try {
      const hand = start(person.file, [String(APPEND_EVERY_MS), ...paths])
      const started = performance.now()
      const names = Array.from({ length: WRITERS }, (_, index) => `writer${index}`)
      const writers = await Promise.all(
        names.map((name) => start(writer.file, [home.directory, name, String(NOTES_EACH)]).ended),
      )
      const tookMs = performance.now() - started
      hand.child.stdin?.end()
      const handLines = Number(/lines (\d+)/.exec((await hand.ended).output)?.[1])
      expect(writers.map(({ code, errors }) => ({ code, errors }))).toEqual(names.map(() => ({ code: 0, errors: '' })))
      await settleTwice(home.directory)
      const notes = readdirSync(layer.directory).filter((name) => name.startsWith('project_writer'))
      expect(notes).toHaveLength(WRITERS * NOTES_EACH)
      for (const file of notes) expect(readFileSync(home.path(layer, file), 'utf8')).toMatch(/^fact \d+ of writer\d\n$/)
      const index = linesOf(paths[0]!)
      expect(onlyOnce(index.filter((line) => line.startsWith('- ['))).sort()).toEqual(
        notes.map((file) => `- [${file}](${file})`).sort(),
      )
      const expected = Array.from({ length: handLines }, (_, at) => `by hand ${at}`)
      for (const path of paths) expect(sortedHand(linesOf(path))).toEqual([...expected].sort())
      expect(linesOf(paths[1]!)[0]).toBe(`revision ${WRITERS * 5}`)
      expect(readdirSync(layer.directory).filter((name) => name.startsWith('.keepsake-'))).toEqual([])
      const retries = writers.map(({ output }) => output.trim())
      console.log(
        `${notes.length} notes, 2 x ${handLines} lines by hand, ${Math.round(tookMs)} ms; ${retries.join(', ')}`,
      )
    } finally {
      home.dispose()
    }
  }, 120_000)

  it('20 drivers of one process, a person in between, and a new driver for each write: all, once', async () => {
    const home = createFolderHome()
    const layer = home.layer('global')
    home.person.put(layer, 'project_log.md', bytesOf('log\n'))
    const add = async (line: string) => {
      const files = createFsNoteFiles({ home: home.directory, clock: systemClock })
      await files.withLock(layer, { waitMs: 60_000 }, async (locked) => {
        for (;;) {
          const before = await locked.read('project_log.md')
          const next = `${new TextDecoder().decode(before?.bytes)}${line}\n`
          const written = await locked.write('project_log.md', bytesOf(next), before?.hash ?? null).catch(() => null)
          if (written) return
        }
      })
      appendFileSync(home.path(layer, 'project_log.md'), `by hand after ${line}\n`)
    }
    const names = Array.from({ length: 20 }, (_, index) => `line ${index}`)
    await Promise.all(names.map(add))
    await settleTwice(home.directory)
    const lines = linesOf(home.path(layer, 'project_log.md')).filter((line) => line !== '')
    const expected = ['log', ...names, ...names.map((name) => `by hand after ${name}`)]
    expect([...lines].sort()).toEqual(expected.sort())
    home.dispose()
  })
})

function start(file: string, argumentList: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [file, ...argumentList], { stdio: 'pipe' })
  let output = ''
  let errors = ''
  child.stdout?.on('data', (data) => {
    output += data
  })
  child.stderr?.on('data', (data) => {
    errors += data
  })
  const ended = new Promise<{ code: number | null; output: string; errors: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, output, errors }))
  })
  return { child, ended }
}

/** As the worker does when the 60 s are over. */
async function settleTwice(home: string): Promise<void> {
  for (const laterMs of [61_000, 122_000]) {
    const files = createFsNoteFiles({ home, clock: { now: () => Date.now() + laterMs } })
    const layer = { name: 'global' as const, key: 'global', directory: join(home, 'global') }
    expect((await files.settle(layer)).conflicts).toEqual([])
  }
}

function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n')
}

function onlyOnce(lines: readonly string[]): string[] {
  expect(new Set(lines).size).toBe(lines.length)
  return [...lines]
}

function sortedHand(lines: readonly string[]): string[] {
  return lines.filter((line) => line.startsWith('by hand')).sort()
}
