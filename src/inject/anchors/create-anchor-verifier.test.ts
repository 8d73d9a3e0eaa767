/** Notes against a real repository: the first look, the history, and the time that runs out. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnchorVerdict } from '../../domain/index.ts'
import { createGitPlaces, type GitPlaces } from '../../testing/git-places.ts'
import { createAnchorVerifier } from './create-anchor-verifier.ts'

let places: GitPlaces
let root: string
const lines = (word: string) => Array.from({ length: 12 }, (_, at) => `export const ${word}${at} = ${at}\n`).join('')

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

beforeAll(() => {
  places = createGitPlaces()
  root = places.repository('shop')
  write('src/cart.ts', lines('cart'))
  write('src/price/tax.ts', lines('tax'))
  write('src/gone.ts', lines('gone'))
  write('src/rewritten.ts', lines('before'))
  write('.gitignore', 'generated/\n')
  places.git('shop', 'add', '--all')
  places.git('shop', 'commit', '--quiet', '--message', 'second')
  mkdirSync(join(root, 'src/money'))
  renameSync(join(root, 'src/price/tax.ts'), join(root, 'src/money/tax.ts'))
  rmSync(join(root, 'src/gone.ts'))
  write('src/rewritten.ts', lines('after'))
  symlinkSync('/etc', join(root, 'outside'))
  places.git('shop', 'add', '--all')
  places.git('shop', 'commit', '--quiet', '--message', 'third', '--date', '2026-05-01T10:00:00Z')
}, 60_000)
afterAll(() => places.dispose())

async function verdictsOf(body: string, options: { maxMs?: number; maxAnchors?: number } = {}) {
  const verify = createAnchorVerifier({ root })
  const found = await verify([{ id: 'a', body, updated: '2026-03-01T10:00:00Z' }], { maxMs: 20_000, ...options })
  return found.get('a') ?? []
}

const said = (verdicts: readonly AnchorVerdict[]) =>
  verdicts.map(({ anchor, verdict, detail }) => [anchor, verdict, detail])

describe('paths [I5]', () => {
  it.each([
    ['a file that is there', 'See src/cart.ts for it', [['src/cart.ts', 'holds', null]]],
    ['a folder', 'Prices live in `src/money/`.', [['src/money/', 'holds', null]]],
    ['one that never was', 'It is in src/never.ts', [['src/never.ts', 'gone', 'never in its history']]],
    [
      'what a build makes',
      'Output goes to `generated/api.ts`',
      [['generated/api.ts', 'not checkable', 'no file of the repository']],
    ],
    ['a link that leads out', 'Look at outside/hosts.txt', [['outside/hosts.txt', 'not checkable', null]]],
    ['words with slashes', 'client/server and/or read/write', []],
    ['an address', 'https://example.org/src/never.ts and ana@example.org', []],
    ['a pattern', 'src/**/*.ts and `src/*.ts`', []],
  ])('%s', async (_, body, expected) => {
    expect(said(await verdictsOf(body))).toEqual(expected)
  })
})

describe('limits [I5]', () => {
  it('no time: everything is not checked', async () => {
    expect(said(await verdictsOf('src/cart.ts and src/never.ts', { maxMs: 0 }))).toEqual([
      ['src/cart.ts', 'not checked', null],
      ['src/never.ts', 'not checked', null],
    ])
  })

  it('more anchors than may be looked at', async () => {
    expect(said(await verdictsOf('src/cart.ts and src/never.ts', { maxAnchors: 1 }))).toEqual([
      ['src/cart.ts', 'holds', null],
      ['src/never.ts', 'not checked', null],
    ])
  })

  it('no folder at all: nothing is checkable', async () => {
    const found = await createAnchorVerifier({ root: null })([{ id: 'a', body: 'src/cart.ts', updated: null }], {
      maxMs: 100,
    })
    expect(said(found.get('a') ?? [])).toEqual([['src/cart.ts', 'not checkable', null]])
  })
})
