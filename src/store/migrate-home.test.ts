import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HOME_FORMAT } from '../domain/index.ts'
import { type HomeStep, homeSteps, openCurrentHome } from './migrate-home.ts'

const id = '01JZZZZZZZZZZZZZZZZZZZZZZZ'
let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keepsake-migrate-home-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const write = (format: number) =>
  writeFileSync(join(home, 'home.json'), JSON.stringify({ format, id, created: '2026-01-01T00:00:00Z', note: 'kept' }))
const read = () => JSON.parse(readFileSync(join(home, 'home.json'), 'utf8')) as Record<string, unknown>
const log = () => (existsSync(join(home, 'log')) ? readFileSync(join(home, 'log'), 'utf8') : '')
const step = (name: string): HomeStep => ({
  changes: ['log', 'global'],
  run: (directory) => appendFileSync(join(directory, 'log'), name),
})
const steps = [step('a'), step('b'), step('c')]

describe('openCurrentHome', () => {
  it('the newest format is what the steps make', () => {
    expect(HOME_FORMAT).toBe(1 + homeSteps.length)
  })

  it('runs the missing steps once, in order, and keeps what else home.json says', async () => {
    for (const upTo of [1, 1, 3, 3]) {
      if (upTo === 1 && log() === '') write(1)
      const opened = await openCurrentHome(home, { steps: steps.slice(0, upTo) })
      expect(opened).toMatchObject({ id, format: 1 + upTo, writable: true })
    }
    expect(log()).toBe('abc')
    expect(read()).toEqual({ format: 4, id, created: '2026-01-01T00:00:00Z', note: 'kept' })
    expect(statSync(join(home, 'home.json')).mode & 0o777).toBe(0o600)
  })

  it('copies what the steps change before the first one', async () => {
    write(1)
    mkdirSync(join(home, 'global'))
    writeFileSync(join(home, 'global/user_a.md'), 'I read SQL\n')
    writeFileSync(join(home, 'log'), 'before ')
    await openCurrentHome(home, { steps })
    expect(readdirSync(join(home, 'before-format-2')).sort()).toEqual(['global', 'home.json', 'log'])
    expect(readFileSync(join(home, 'before-format-2/log'), 'utf8')).toBe('before ')
    expect(readFileSync(join(home, 'before-format-2/global/user_a.md'), 'utf8')).toBe('I read SQL\n')
    expect(log()).toBe('before abc')
  })

  it('a step that fails stops there; the next opening goes on with it', async () => {
    write(1)
    const failing = { changes: [], run: () => Promise.reject(new Error('no')) }
    await expect(openCurrentHome(home, { steps: [step('a'), failing] })).rejects.toThrow('no')
    expect([read().format, log()]).toEqual([2, 'a'])
    await openCurrentHome(home, { steps })
    expect([read().format, log()]).toEqual([4, 'abc'])
  })

  it('a newer format and a home that was never written are left alone', async () => {
    expect(await openCurrentHome(home, { steps })).toMatchObject({ id: null, writable: true })
    expect(readdirSync(home)).toEqual([])
    write(9)
    expect(await openCurrentHome(home, { steps })).toMatchObject({ format: 9, writable: false })
    expect(readdirSync(home)).toEqual(['home.json'])
  })

  it('of many at once one migrates', async () => {
    write(1)
    const opened = await Promise.all(Array.from({ length: 6 }, () => openCurrentHome(home, { steps })))
    expect(opened.map(({ format }) => format)).toEqual([4, 4, 4, 4, 4, 4])
    expect(log()).toBe('abc')
  })
})
