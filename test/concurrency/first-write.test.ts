/** Many processes that all are the first to write: one home, one key, one project, and nothing of anyone lost. */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTombstones } from '../../src/store/tombstones.ts'
import { createGitPlaces } from '../../src/testing/git-places.ts'
import { createIdSource, systemClock } from '../../src/util/index.ts'
import { type BuiltChild, buildChild } from '../support/build-child.ts'

const WRITERS = 8
const ROUNDS = 3
/** Time for all children to be up before the common moment. */
const START_IN_MS = 1_500

let child: BuiltChild
beforeAll(async () => {
  child = await buildChild('test/concurrency/first-write-child.ts')
})
afterAll(() => child?.dispose())

it('BL-01: first writers at the same moment agree on home, key and project', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const places = createGitPlaces()
    const home = join(places.root, 'home')
    const cwd = places.repository('app')
    const startAt = Date.now() + START_IN_MS
    const names = Array.from({ length: WRITERS }, (_, index) => `writer${index}`)
    const answers = await Promise.all(names.map((name) => run([home, cwd, name, String(startAt)])))
    for (const key of ['id', 'folder', 'shared'] as const)
      expect([key, new Set(answers.map((answer) => answer[key])).size]).toEqual([key, 1])
    const tombstones = createTombstones({ home, clock: systemClock, ids: createIdSource(systemClock) })
    for (const name of names)
      expect([name, tombstones.has({ textKey: tombstones.textKey(`fact of ${name}`), evidenceKeys: [] })]).toEqual([
        name,
        true,
      ])
    expect(tombstones.badLines()).toBe(0)
    expect(readdirSync(join(home, 'projects'))).toHaveLength(1)
    expect(readdirSync(home).filter((name) => name.startsWith('.'))).toEqual([])
    places.dispose()
  }
})

function run(argumentList: readonly string[]): Promise<Record<string, string>> {
  const worker = spawn(process.execPath, [child.file, ...argumentList], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  worker.stdout.on('data', (data) => {
    output += data
  })
  worker.stderr.on('data', (data) => {
    errors += data
  })
  return new Promise((resolve, reject) => {
    worker.on('close', (code) => (code === 0 ? resolve(JSON.parse(output)) : reject(new Error(errors))))
  })
}
