/** Verdicts of each kind against a tree without a disk: notes of a day when the first snapshot stood there. */
import { describe, expect, it } from 'vitest'
import { createAnchorVerifier } from './create-anchor-verifier.ts'
import { createMemoryWorkingTree, type Snapshot } from './memory-working-tree.ts'
import type { WorkingTree } from './working-tree.ts'

const day = (count: number) => Date.UTC(2026, 0, 1) + count * 86_400_000
const lines = (word: string) => Array.from({ length: 9 }, (_, at) => `export const ${word}${at} = ${at}\n`).join('')
const before = {
  'package.json': '{"scripts":{"test":"jest","seed":"node seed.js"},"dependencies":{"zod":"3.22.4","ky":"1.0.0"}}',
  'tsconfig.json': '{"compilerOptions":{"strict":false,"target":"ES2022"}}',
  '.env.example': 'PORT=3000\nHOST=0.0.0.0\n',
  Makefile: 'docs:\n\tmkdocs build\n',
  'src/old.ts': lines('old'),
  'src/a.ts': `${lines('a')}export function openDoor() {\n  return true\n}\n`,
  'src/b.ts': lines('b'),
}
const { 'src/old.ts': _, Makefile: __, ...kept } = before
const now = {
  ...kept,
  'package.json': '{"scripts":{"test":"vitest run"},"dependencies":{"zod":"4.0.0"}}',
  'tsconfig.json': '{"compilerOptions":{"strict":true,"target":"ES2022"}}',
  '.env.example': 'PORT=8080\nHOST=0.0.0.0\n',
  'src/a.ts': `// new\n${lines('a')}`,
  'src/b.ts': `${lines('b')}export function openDoor() {\n  return true\n}\n`,
}
const snapshots: Snapshot[] = [
  { timeMs: day(0), files: before },
  { timeMs: day(60), files: now, tags: ['v1.0.0'], branches: ['main'] },
]
const history = createMemoryWorkingTree(snapshots)

async function verdictsOf(body: string, { tree = history, updated = day(10), maxMs = 20_000 } = {}) {
  const note = { id: 'a', body, updated: new Date(updated).toISOString() }
  const found = await createAnchorVerifier({ root: '/tree', tree })([note], { maxMs })
  return (found.get('a') ?? []).map(({ anchor, verdict, detail }) => [anchor, verdict, detail])
}

describe('a note of 120 days ago against what is there now [I5] (BL-56)', () => {
  it.each([
    ['a file that is gone', 'Doors are in src/old.ts', [['src/old.ts', 'gone', null]]],
    ['a script that is gone', '`npm run seed` fills it', [['npm run seed', 'gone', null]]],
    ['a script that runs another program', '`npm test` runs jest', [['npm test', 'changed', 'now: vitest run']]],
    ['a target that is gone', '`make docs` builds them', [['make docs', 'gone', null]]],
    ['a version', 'zod 3.22 only', [['zod 3.22', 'changed', '4.0.0 now']]],
    ['a dependency that is gone', 'ky@1.0.0 is pinned', [['ky@1.0.0', 'gone', 'no longer a dependency']]],
    [
      'a setting',
      'PORT=3000 in .env.example',
      [
        ['PORT=3000', 'changed', '8080 now'],
        ['.env.example', 'holds', 'changed since, in 1 commit'],
      ],
    ],
    [
      'a setting without its value',
      '`strict` in tsconfig.json stays as it is',
      [
        ['strict', 'changed', 'true now'],
        ['tsconfig.json', 'changed', 'rewritten since, in 1 commit'],
      ],
    ],
    [
      'a symbol that moved',
      'openDoor() in src/a.ts',
      [
        ['openDoor()', 'changed', 'now in src/b.ts'],
        ['src/a.ts', 'holds', 'changed since, in 1 commit'],
      ],
    ],
    ['a line', 'src/a.ts:3 is wrong', [['src/a.ts:3', 'changed', 'line 4 now']]],
    [
      'a line of a text that went',
      'src/a.ts:10 opens it',
      [['src/a.ts:10', 'changed', 'what stood there was changed']],
    ],
    ['a branch', 'branch spike/doors has it', [['spike/doors', 'gone', null]]],
    ['a line in Chinese', 'src/a.ts 第 3 行有错', [['src/a.ts 第 3 行', 'changed', 'line 4 now']]],
    ['a file in Chinese', '逻辑在src/old.ts里', [['src/old.ts', 'gone', null]]],
  ])('%s', async (_, body, expected) => {
    expect(await verdictsOf(body)).toEqual(expected)
  })
})

describe('the value of a constant, told beside its name [I5] (BL-56)', () => {
  const source = (retries: number, algorithm: string) =>
    `const MAX_RETRIES = ${retries}\nexport const algorithm = '${algorithm}'\n` +
    'export class Box {\n  get(id: string) { return this.map.get(id) }\n  put: (id) => void\n}\n'
  const tree = createMemoryWorkingTree([
    { timeMs: day(0), files: { 'src/c.ts': source(3, 'HS256') } },
    { timeMs: day(60), files: { 'src/c.ts': source(5_000, 'RS256') } },
  ])
  const changed = 'now: const MAX_RETRIES = 5000'
  it.each([
    ['MAX_RETRIES is 3.', 'changed', changed],
    ['MAX_RETRIES = 3 in src/c.ts', 'changed', changed],
    ['重试上限 MAX_RETRIES 是3次', 'changed', changed],
    ['src/c.ts 里的 MAX_RETRIES 是 3。', 'changed', changed],
    ['`MAX_RETRIES` went from 3 to 5,000.', 'holds', null],
    ['MAX_RETRIES guards 12 calls.', 'holds', null],
    ['MAX_RETRIES stays as it is.', 'holds', null],
    ['The constant `algorithm` is HS256.', 'changed', "now: export const algorithm = 'RS256'"],
    ['第 3 行的 MAX_RETRIES 要留着', 'holds', null],
    ['The constant `algorithm` is RS256.', 'holds', null],
    ['`Box.get` may give nothing.', 'holds', null],
    ['`Box.put()` comes first.', 'holds', null],
  ])('%s', async (body, verdict, detail) => {
    const found = (await verdictsOf(body, { tree })).filter(([anchor]) => anchor !== 'src/c.ts')
    expect(found.map(([, ...rest]) => rest)).toEqual([[verdict, detail]])
  })
})

describe('a number that was wrong already when the note was written [I5] (BL-56)', () => {
  const files = {
    'src/c.ts':
      'const MAX_SIZE = 5;\nexport const RATE_LIMIT: number = 10\nconst SUM_MS = 2 * 60\nconst ALL_KINDS = [1, 2]\n',
  }
  const tree = createMemoryWorkingTree([{ timeMs: day(0), files }])
  it.each([
    ['MAX_SIZE is 3 in src/c.ts.', 'changed', 'now: const MAX_SIZE = 5;'],
    ['`RATE_LIMIT` = 8 in src/c.ts', 'changed', 'now: export const RATE_LIMIT: number = 10'],
    ['src/c.ts 里的 RATE_LIMIT 是 8。', 'changed', 'now: export const RATE_LIMIT: number = 10'],
    ['MAX_SIZE is 5 in src/c.ts.', 'holds', null],
    ['RATE_LIMIT is 10.0 in src/c.ts.', 'holds', null],
    ['RATE_LIMIT is 2x what the bank allows in src/c.ts.', 'holds', null],
    ['SUM_MS is 120 in src/c.ts.', 'holds', null],
    ['ALL_KINDS are 2 in src/c.ts.', 'holds', null],
    ['RATE_LIMIT is used 3 times in src/c.ts.', 'holds', null],
  ])('%s', async (body, verdict, detail) => {
    const found = (await verdictsOf(body, { tree })).filter(([anchor]) => !String(anchor).endsWith('c.ts'))
    expect(found.map(([, ...rest]) => rest)).toEqual([[verdict, detail]])
  })

  it('a name of code that there was no time for is said beside what was looked up', async () => {
    const silent: WorkingTree = { ...tree, findWords: () => new Promise(() => {}) }
    const body = 'src/c.ts sets it, and openDoor reads it for client/server.'
    expect(await verdictsOf(body, { tree: silent, updated: day(-10), maxMs: 20 })).toEqual([
      ['src/c.ts', 'holds', null],
      ['openDoor', 'not checked', null],
    ])
  })
})

describe('what a note says is not there, or must not be [I5] (BL-56)', () => {
  const asTold = 'not there, as the note says'
  it.each([
    ['We removed src/old.ts, never bring it back.', 'holds', asTold],
    ['Do not create a file `src/utils.ts`.', 'holds', asTold],
    ['src/old.ts was deleted in spring.', 'holds', asTold],
    ['不要新建 src/utils.ts，放回各自模块。', 'holds', asTold],
    ['src/old.ts 已删除。', 'holds', asTold],
    ['我们删掉了 src/old.ts。', 'holds', asTold],
    ['Never add `npm run seed` again.', 'holds', asTold],
    ['Do not edit src/old.ts.', 'gone', null],
    ['不要修改 src/old.ts。', 'gone', null],
    ['We removed src/b.ts.', 'not checkable', null],
  ])('%s', async (body, verdict, detail) => {
    expect((await verdictsOf(body)).map(([, ...rest]) => rest)).toEqual([[verdict, detail]])
  })
})

describe('the same words of a note that was written since hold [I5]', () => {
  it.each([
    ['src/b.ts', [['src/b.ts', 'holds', null]]],
    ['`npm test` runs vitest', [['npm test', 'holds', null]]],
    ['zod 4.0', [['zod 4.0', 'holds', null]]],
    [
      'PORT=8080 in .env.example',
      [
        ['PORT=8080', 'holds', null],
        ['.env.example', 'holds', null],
      ],
    ],
    [
      'openDoor() in src/b.ts',
      [
        ['openDoor()', 'holds', null],
        ['src/b.ts', 'holds', null],
      ],
    ],
    ['src/a.ts:4', [['src/a.ts:4', 'holds', null]]],
    ['tag v1.0.0', [['v1.0.0', 'holds', null]]],
  ])('%s', async (body, expected) => {
    expect(await verdictsOf(body, { updated: day(70) })).toEqual(expected)
  })
})

describe('without a history [I5]', () => {
  const tree = createMemoryWorkingTree([], { now })
  it.each([
    ['a line number says nothing', 'src/a.ts:3', [['src/a.ts:3', 'not checkable', null]]],
    ['a line behind the end is gone', 'src/a.ts:300', [['src/a.ts:300', 'gone', 'the file has 10 lines']]],
    ['a quoted line holds', 'src/a.ts:3 says `const a1 = 1`', [['src/a.ts:3', 'holds', null]]],
    [
      'a quoted line that stands elsewhere',
      'src/a.ts:2 says `const a1 = 1`',
      [['src/a.ts:2', 'changed', 'line 3 now']],
    ],
    ['a file that is not there is gone', 'src/old.ts', [['src/old.ts', 'gone', null]]],
    [
      'a path without its beginning',
      'lib/x.ts and a.ts',
      [
        ['lib/x.ts', 'gone', null],
        ['a.ts', 'holds', null],
      ],
    ],
  ])('%s', async (_, body, expected) => {
    expect(await verdictsOf(body, { tree })).toEqual(expected)
  })
})

describe('when the time runs out [I5]', () => {
  const never = () => new Promise<never>(() => undefined)
  const silent: WorkingTree = {
    ...history,
    pastAt: never,
    movedSince: never,
    changesSince: never,
    listFiles: never,
    findWords: never,
    stateOfCommit: never,
  }

  it('what a plain look can tell stands, the rest is not checked', async () => {
    const body =
      'src/old.ts, src/a.ts, src/a.ts:3, PORT=3000 in .env.example, `openDoor()`, commit 3f2a91c, client/server'
    expect(await verdictsOf(body, { tree: silent, maxMs: 20 })).toEqual([
      ['src/old.ts', 'gone', null],
      ['src/a.ts', 'not checked', null],
      ['src/a.ts:3', 'not checked', null],
      ['PORT=3000', 'changed', '8080 now'],
      ['.env.example', 'not checked', null],
      ['openDoor()', 'not checked', null],
      ['3f2a91c', 'not checked', null],
    ])
  })

  it('a file that is older than the note needs no history', async () => {
    const tree = { ...silent, changedMsAt: () => day(5) }
    expect(await verdictsOf('src/a.ts and src/a.ts:3', { tree, maxMs: 20 })).toEqual([
      ['src/a.ts', 'holds', null],
      ['src/a.ts:3', 'holds', null],
    ])
  })

  it('a signal of the caller ends it too', async () => {
    const stop = new AbortController()
    const verify = createAnchorVerifier({ root: '/tree', tree: silent })
    const found = verify([{ id: 'a', body: 'src/a.ts', updated: '2026-01-10T00:00:00Z' }], {
      maxMs: 600_000,
      signal: stop.signal,
    })
    stop.abort()
    expect((await found).get('a')?.map(({ verdict }) => verdict)).toEqual(['not checked'])
  })

  it('the clock is looked at, not only waited for', async () => {
    let elapsedMs = 0
    const tree: WorkingTree = {
      ...history,
      entryAt: (path) => {
        elapsedMs += 10
        return history.entryAt(path)
      },
    }
    const body = Array.from({ length: 20 }, (_, at) => `src/gone${at}.ts`).join(' ')
    const verify = createAnchorVerifier({ root: '/tree', tree, elapsedMs: () => elapsedMs })
    const found = await verify([{ id: 'a', body, updated: null }], { maxMs: 50 })
    const said = (found.get('a') ?? []).map(({ verdict }) => verdict)
    expect(said).toHaveLength(20)
    expect(said[0]).toBe('gone')
    expect(said.slice(5)).toEqual(Array.from({ length: 15 }, () => 'not checked'))
  })

  it('a tree in which something breaks says nothing, and does not throw', async () => {
    const broken = new Proxy(history, {
      get: (tree, key) =>
        key === 'root'
          ? tree.root
          : () => {
              throw new Error('broken')
            },
    })
    expect(await verdictsOf('src/a.ts and src/old.ts', { tree: broken })).toEqual([
      ['src/a.ts', 'not checkable', null],
      ['src/old.ts', 'not checkable', null],
    ])
  })
})
