/** A batch over two layers, killed with SIGKILL at each named crash point: the next writers find all of it or nothing. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CrashPoint } from '../../src/store/notes/crash-points.ts'
import { type BuiltChild, buildChild } from '../support/build-child.ts'
import { createTwoLayers } from './two-layers.ts'

/** The points that a batch comes by, each of them once for every file. */
const points: readonly CrashPoint[] = [
  'lock-taken',
  'displaced-linked',
  'temp-synced',
  'renamed',
  'directory-synced',
  'index-written',
  'before-unlock',
]

let child: BuiltChild
let home: string
beforeAll(async () => {
  child = await buildChild('test/crash/edit-child.ts')
  home = mkdtempSync(join(tmpdir(), 'keepsake-edit-kill-'))
  for (const [folder, file] of [
    ['global', 'far.md'],
    ['projects/tide', 'near.md'],
  ] as const) {
    mkdirSync(join(home, folder), { recursive: true })
    writeFileSync(join(home, folder, file), 'It is at version 0.\n')
  }
})
afterAll(() => {
  child?.dispose()
  rmSync(home, { recursive: true, force: true })
})

function run(
  point: string,
  nth: number,
): Promise<{ readonly isDone: boolean; readonly signal: string | null; readonly errors: string }> {
  const worker = spawn(process.execPath, [child.file, home, point, String(nth)], { stdio: 'pipe' })
  let output = ''
  let errors = ''
  worker.stdout.on('data', (data) => {
    output += data
  })
  worker.stderr.on('data', (data) => {
    errors += data
  })
  return new Promise((done) =>
    worker.on('close', (_code, signal) => done({ isDone: output.includes('done'), signal, errors })),
  )
}

/** Changes that were begun and not ended. */
function left(): string[] {
  const folder = join(home, 'unfinished')
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : []
}

describe('kill -9 in the middle of a batch [W2]', () => {
  it('leaves all of it or nothing, whatever the moment', async () => {
    let killed = 0
    let completed = 0
    for (const point of points) {
      for (const nth of [1, 2, 3]) {
        const next = createTwoLayers(home)
        const before = await next.version('global')
        const { isDone, signal, errors } = await run(point, nth)
        expect(errors).toBe('')
        if (signal !== 'SIGKILL') continue
        killed++
        // Any writer of a layer ends what was begun there.
        for (const layer of ['global', 'project'] as const)
          await next.files.withLock(next.layerOf(layer), {}, async () => undefined)
        const [far, near] = [await next.version('global'), await next.version('project')]
        expect([point, nth, near]).toEqual([point, nth, far])
        expect([before, before + 1]).toContain(far)
        if (isDone) expect(far).toBe(before + 1)
        if (far > before) completed++
        const notes = readdirSync(join(home, 'projects/tide')).filter((file) => file.includes(`note-${before + 1}.md`))
        expect(notes).toHaveLength(far > before ? 1 : 0)
        expect(left()).toEqual([])
      }
    }
    expect(killed).toBeGreaterThan(14)
    expect(completed).toBeGreaterThan(5)
    expect(killed - completed).toBeGreaterThan(1)
  }, 240_000)
})
