import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGitPlaces, type GitPlaces } from '../../testing/git-places.ts'
import { findRepository, hasObject, repositoryName } from './git-repository.ts'
import { isSamePlace } from './match-project.ts'

let places: GitPlaces
beforeEach(() => {
  places = createGitPlaces()
})
afterEach(() => places.dispose())
const at = (path: string) => join(places.root, path)

describe('finding an object by reading files', () => {
  const absent = '0123456789012345678901234567890123456789'
  const packed = (...options: string[]) => {
    places.git('app', 'repack', '-a', '-d', '--quiet')
    if (options.length > 0) {
      const packs = at('app/.git/objects/pack')
      const pack = readdirSync(packs).find((name) => name.endsWith('.pack')) ?? ''
      rmSync(join(packs, pack.replace(/pack$/, 'idx')))
      places.git('app', 'index-pack', ...options, join(packs, pack))
    }
    places.git('app', 'prune-packed', '--quiet')
  }
  it.each([
    ['loose', () => undefined],
    ['packed', () => packed()],
    ['packed with the old index', () => packed('--index-version=1')],
  ])('%s: every object is found, and none that is not there', (_case, arrange) => {
    places.repository('app')
    for (let index = 0; index < 20; index++) {
      writeFileSync(at('app/README'), `text ${index}`)
      places.git('app', 'commit', '--quiet', '--all', '--message', `commit ${index}`)
    }
    arrange()
    const names = places
      .git('app', 'rev-list', '--all', '--objects')
      .split('\n')
      .map((line) => line.slice(0, 40))
    const found = names.filter((name) => name !== '').map((name) => hasObject(at('app/.git'), name))
    expect(found).toEqual(Array.from({ length: 60 + 3 }, () => true))
    for (const name of names.filter((each) => each !== '')) {
      const near = `${name.slice(0, 39)}${name[39] === '0' ? '1' : '0'}`
      expect(hasObject(at('app/.git'), near)).toBe(false)
    }
    expect(hasObject(at('app/.git'), absent)).toBe(false)
  })

  it.each([
    ['a damaged index', (packs: string) => writeFileSync(join(packs, 'pack-x.idx'), 'short'), null],
    ['an empty index', (packs: string) => writeFileSync(join(packs, 'pack-x.idx'), new Uint8Array(1_100)), false],
  ])('%s', (_case, arrange, expected) => {
    places.repository('app')
    arrange(at('app/.git/objects/pack'))
    expect(hasObject(at('app/.git'), absent)).toBe(expected)
  })

  it.each(['', 'HEAD', '../x', 'ABCDEF', absent.slice(1), `${absent}0`])('%j is no name of an object', (name) => {
    places.repository('app')
    expect(hasObject(at('app/.git'), name)).toBeNull()
  })

  it('does not go round in circles of borrowed stores', () => {
    places.repository('app')
    writeFileSync(at('app/.git/objects/info/alternates'), `${at('app/.git/objects')}\n`)
    expect(hasObject(at('app/.git'), absent)).toBeNull()
  })
})

describe('looking upwards', () => {
  it('finds nothing where nothing is', () => {
    places.folder('a/b')
    expect(findRepository(at('a/b'))).toEqual({ kind: 'none' })
  })

  it.each([
    ['nonsense', 'hello'],
    ['an empty pointer', 'gitdir: '],
    ['a pointer to nowhere', 'gitdir: ../nowhere'],
    ['a pointer to a folder that is none', 'gitdir: ..'],
    ['a null byte', 'gitdir: a\0b'],
    ['a very long file', `gitdir: ${'x'.repeat(5_000)}`],
  ])('a `.git` file with %s is broken', (_case, text) => {
    places.folder('a/b')
    writeFileSync(at('a/.git'), text)
    expect(findRepository(at('a/b'))).toMatchObject({ kind: 'broken', directory: at('a') })
  })
})

it.each([
  ['/x/app/.git', 'app'],
  ['/x/app.git', 'app'],
  ['/x/app/.bare', 'app'],
  ['/x/.git/modules/library', 'library'],
  ['/x/项目/.git', '项目'],
])('the repository %s is called %s', (path, name) => {
  expect(repositoryName(path)).toBe(name)
})

describe('one place in two spellings', () => {
  it('is one if the disk says so, and two if not', () => {
    places.folder('app')
    places.folder('caf\u00e9')
    // What a disk that folds case or Unicode forms does by itself, a link does here.
    symlinkSync(at('app'), at('APP'))
    symlinkSync(at('caf\u00e9'), at('cafe\u0301'))
    expect(isSamePlace(at('app'), at('APP'))).toBe(true)
    expect(isSamePlace(at('caf\u00e9'), at('cafe\u0301'))).toBe(true)
    places.folder('other')
    places.folder('OTHER')
    expect(isSamePlace(at('other'), at('OTHER'))).toBe(
      readdirSync(places.root).filter((name) => /^other$/i.test(name)).length === 1,
    )
    expect(isSamePlace(at('gone'), at('GONE'))).toBe(false)
    expect(isSamePlace(at('gone'), at('gone'))).toBe(true)
    expect(isSamePlace(at('app'), at('other'))).toBe(false)
  })
})
