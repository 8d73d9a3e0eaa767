import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createUnfinished, type UnfinishedPart } from './unfinished.ts'

let home: string
const clock = { now: () => Date.UTC(2026, 10, 29, 12) }
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keepsake-unfinished-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const part = (change: string, layer: string): UnfinishedPart => ({
  words: { kind: 'remember', author: 'claude-code', why: 'Made 2 edits as one', change, layers: [layer] },
  layer,
  files: [
    { file: 'a.md', baseHash: null, bytes: new Uint8Array([0, 255, 13, 10]) },
    { file: '名.md', baseHash: 'f'.repeat(64), bytes: null },
  ],
})

describe('changes of several files that were begun', () => {
  it('come back as they were put, oldest first, for their layer only', async () => {
    const unfinished = createUnfinished({ home, clock })
    await unfinished.begin([part('01B', 'global'), part('01B', 'projects/x')])
    await unfinished.begin([part('01A', 'global')])
    expect(unfinished.of('global')).toEqual([part('01A', 'global'), part('01B', 'global')])
    expect(createUnfinished({ home, clock }).of('projects/x')).toEqual([part('01B', 'projects/x')])
    expect(unfinished.of('projects/y')).toEqual([])
  })

  it('are gone when the part of every layer is done, in any order and twice', async () => {
    const unfinished = createUnfinished({ home, clock })
    await unfinished.begin([part('01B', 'global'), part('01B', 'projects/x')])
    unfinished.done('01B', 'global')
    expect(unfinished.of('global')).toEqual([])
    expect(unfinished.of('projects/x')).toHaveLength(1)
    unfinished.done('01B', 'projects/x')
    unfinished.done('01B', 'projects/x')
    expect(readdirSync(join(home, 'unfinished'))).toEqual([])
  })

  it('nothing is there before the folder has its name; what a dead writer left goes after an hour', () => {
    const unfinished = createUnfinished({ home, clock })
    for (const [name, minutes] of [
      ['.begun-young', 10],
      ['.begun-old', 61],
    ] as const) {
      const folder = join(home, 'unfinished', name)
      mkdirSync(folder, { recursive: true })
      const at = clock.now() / 1_000 - minutes * 60
      utimesSync(folder, at, at)
    }
    expect(unfinished.of('global')).toEqual([])
    expect(readdirSync(join(home, 'unfinished'))).toEqual(['.begun-young'])
  })

  it.each([
    ['cut off', '{"words":{"change":"01B"},"layer":"glo'],
    ['no JSON', 'hello'],
    ['empty', ''],
    ['no list of files', '{"words":{"change":"01B"},"layer":"global","files":{}}'],
    ['a file without name', '{"words":{"change":"01B"},"layer":"global","files":[{"baseHash":null,"bytes":null}]}'],
    ['no words', '{"layer":"global","files":[]}'],
    ['null', 'null'],
  ])('one that is damaged is set aside, and the others are carried out: %s', async (_, text) => {
    const unfinished = createUnfinished({ home, clock })
    await unfinished.begin([part('01A', 'global')])
    await unfinished.begin([part('01B', 'global')])
    const folder = join(home, 'unfinished', '01A')
    const [file = ''] = readdirSync(folder)
    writeFileSync(join(folder, file), text)
    expect(unfinished.of('global')).toEqual([part('01B', 'global')])
    expect(readFileSync(join(home, 'conflicts', `unfinished-01A-${file}`), 'utf8')).toBe(text)
    expect(unfinished.of('global')).toEqual([part('01B', 'global')])
  })

  it('a home without any costs nothing and gets no folder; what is written is private', async () => {
    const unfinished = createUnfinished({ home, clock })
    expect(unfinished.of('global')).toEqual([])
    await unfinished.begin([])
    expect(existsSync(join(home, 'unfinished'))).toBe(false)
    await unfinished.begin([part('01B', 'global')])
    expect(statSync(join(home, 'unfinished', '01B')).mode & 0o777).toBe(0o700)
  })
})
