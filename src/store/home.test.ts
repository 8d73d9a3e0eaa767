import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIdSource } from '../util/index.ts'
import { ensureHome, openHome } from './home.ts'

const clock = { now: () => Date.UTC(2026, 10, 29, 20, 24) }
const effects = { clock, ids: createIdSource(clock) }
const id = '01KB8YV0000000000000000000'
let directory: string
let home: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keepsake-home-'))
  home = join(directory, 'deep', 'home')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const putHomeJson = (text: string) => {
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'home.json'), text)
}

describe('opening', () => {
  it('creates nothing', async () => {
    expect(await openHome(home)).toEqual({ directory: home, id: null, format: 1, writable: true })
    expect(readdirSync(directory)).toEqual([])
  })

  it('takes a folder without home.json as a home that is not yet written', async () => {
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'config.json'), '{}')
    expect(await openHome(home)).toMatchObject({ id: null, writable: true })
    expect(readdirSync(home)).toEqual(['config.json'])
  })

  it('opens a newer format for reading only', async () => {
    putHomeJson(JSON.stringify({ format: 2, id: 'named another way', created: 'later' }))
    const opened = await openHome(home)
    expect(opened).toEqual({ directory: home, id: 'named another way', format: 2, writable: false })
    await expect(ensureHome(opened, effects)).rejects.toMatchObject({ code: 'HOME_FORMAT_NEWER' })
  })

  it.each([
    ['empty', ''],
    ['torn', '{"format": 1, "id": "01K'],
    ['not an object', '[]'],
    ['null', 'null'],
    ['of another program', '{"name": "home", "version": 3}'],
    ['without an id', '{"format": 1}'],
    ['with an id that is none', '{"format": 1, "id": "x"}'],
    ['with a format that is no number', `{"format": "1", "id": "${id}"}`],
    ['with a format of 0', `{"format": 0, "id": "${id}"}`],
    ['with half a format', `{"format": 1.5, "id": "${id}"}`],
  ])('refuses a home.json that is %s, with a hint, and leaves it', async (_case, text) => {
    putHomeJson(text)
    await expect(openHome(home)).rejects.toMatchObject({
      code: 'HOME_INVALID',
      hint: expect.any(String),
      data: { home },
    })
    expect(readFileSync(join(home, 'home.json'), 'utf8')).toBe(text)
  })

  it.each([
    ['a file', (path: string) => writeFileSync(path, 'x')],
    ['a link to a file', (path: string) => symlinkSync('/etc/hostname', path)],
  ])('refuses %s in its place', async (_case, put) => {
    put(join(directory, 'taken'))
    await expect(openHome(join(directory, 'taken'))).rejects.toMatchObject({ code: 'HOME_INVALID' })
    await expect(openHome(join(directory, 'taken', 'below'))).rejects.toMatchObject({ code: 'HOME_INVALID' })
  })
})

describe('the first write', () => {
  it('makes a private home with an id, once', async () => {
    const made = await ensureHome(await openHome(home), effects)
    expect(made).toMatchObject({
      directory: home,
      format: 1,
      writable: true,
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
    })
    expect(statSync(home).mode & 0o777).toBe(0o700)
    expect(statSync(join(home, 'home.json')).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(join(home, 'home.json'), 'utf8'))).toEqual({
      format: 1,
      id: made.id,
      created: '2026-11-29T20:24:00Z',
    })
    expect(await openHome(home)).toEqual(made)
    expect(await ensureHome(made, effects)).toBe(made)
    expect(readdirSync(home)).toEqual(['home.json'])
  })

  it('gives one id to all who come at once', async () => {
    const unwritten = await openHome(home)
    const homes = await Promise.all(Array.from({ length: 20 }, () => ensureHome(unwritten, effects)))
    expect(new Set(homes.map((each) => each.id)).size).toBe(1)
    expect(readdirSync(home)).toEqual(['home.json'])
  })

  it('does not write when a newer Keepsake made the home in between', async () => {
    const unwritten = await openHome(home)
    putHomeJson(JSON.stringify({ format: 2, id }))
    await expect(ensureHome(unwritten, effects)).rejects.toMatchObject({ code: 'HOME_FORMAT_NEWER' })
    expect(existsSync(join(home, 'home.json'))).toBe(true)
  })
})
