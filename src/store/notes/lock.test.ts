import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { acquireFileLock, type FileLockOptions, lockFileName, sweepLocks } from './lock.ts'
import { createLockKeeper } from './lock-keeper.ts'
import { selfAsOwner, systemProcessTable } from './lock-owner.ts'

let directory: string
let file: string
const table = systemProcessTable()
const options = (more: Partial<FileLockOptions> = {}): FileLockOptions => ({
  file,
  label: 'global',
  table,
  waitMs: 0,
  ...more,
})

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keepsake-lock-'))
  file = join(directory, 'global.lock')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** A lock file as a process would leave it that was killed. */
const deadOwner = { ...selfAsOwner(table), start: '1' }
const leaveLock = (path: string, token: string, owner: object = deadOwner) =>
  writeFileSync(path, `${JSON.stringify({ token, ...owner })}\n`)
const age = (path: string, ms: number) => utimesSync(path, (Date.now() - ms) / 1_000, (Date.now() - ms) / 1_000)
const elsewhere = { ...selfAsOwner(table), host: 'another machine' }

describe('a lock', () => {
  it('names its holder and is gone after release, with nothing left behind', async () => {
    const lock = await acquireFileLock(options())
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(selfAsOwner(table))
    expect(lock.isHeld()).toBe(true)
    lock.release()
    expect(readdirSync(directory)).toEqual([])
  })

  it('keeps a second holder out, also one of the same process', async () => {
    const lock = await acquireFileLock(options())
    await expect(acquireFileLock(options({ waitMs: 15 }))).rejects.toMatchObject({
      code: 'STORE_BUSY',
      data: { layer: 'global', holder: process.pid },
    })
    lock.release()
    expect(readdirSync(directory)).toEqual([])
  })

  it('is never released by someone who does not hold it', async () => {
    const lock = await acquireFileLock(options())
    leaveLock(file, '0123456789abcdef', selfAsOwner(table))
    expect(lock.isHeld()).toBe(false)
    lock.release()
    expect(existsSync(file)).toBe(true)
  })

  it('is not taken when the signal was given before', async () => {
    const stopped = acquireFileLock(options({ signal: AbortSignal.abort() }))
    await expect(stopped).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(readdirSync(directory)).toEqual([])
  })

  it('has different file names for different keys', () => {
    const keys = ['global', 'projects/a', 'projects%2Fa', 'projects%252Fa', 'projects', '项目/甲']
    expect(new Set(keys.map(lockFileName)).size).toBe(keys.length)
    for (const key of keys) expect(lockFileName(key)).not.toContain('/')
  })
})

describe('BL-69: a lock that was left', () => {
  it.each([
    ['by a dead process', deadOwner, 0, true],
    ['by a dead process an hour ago', deadOwner, 3_600_000, true],
    ['by a living process an hour ago (never by age)', selfAsOwner(table), 3_600_000, false],
    ['by another machine just now', elsewhere, 0, false],
    ['by another machine 59 s ago', elsewhere, 59_000, false],
    ['by another machine that was silent for 61 s', elsewhere, 61_000, true],
    ['by another pid namespace, silent', { ...selfAsOwner(table), namespace: 'pid:[1]' }, 61_000, true],
    ['by another pid namespace, just now', { ...selfAsOwner(table), namespace: 'pid:[1]' }, 0, false],
  ])('%s', async (_case, owner, silentMs, isTaken) => {
    leaveLock(file, 'feedfacefeedface', owner)
    age(file, silentMs)
    const attempt = acquireFileLock(options())
    if (isTaken) expect((await attempt).isHeld()).toBe(true)
    else await expect(attempt).rejects.toMatchObject({ code: 'STORE_BUSY' })
    expect(readdirSync(directory)).toEqual(['global.lock'])
  })

  it.each([
    ['empty', ''],
    ['half a record', '{"token":"feedface'],
    ['not an object', '[]'],
    ['a token that is a path', JSON.stringify({ token: '../../x', ...deadOwner })],
    ['a pid that is no number', JSON.stringify({ token: 'feedfacefeedface', ...deadOwner, pid: 'all' })],
    ['null', 'null'],
  ])('with content that names nobody (%s) is judged by silence alone', async (_case, content) => {
    writeFileSync(file, content)
    await expect(acquireFileLock(options())).rejects.toMatchObject({ code: 'STORE_BUSY' })
    age(file, 61_000)
    expect((await acquireFileLock(options())).isHeld()).toBe(true)
    expect(readdirSync(directory)).toEqual(['global.lock'])
  })

  it('is taken over by exactly one of many', async () => {
    for (let round = 0; round < 20; round++) {
      leaveLock(file, 'feedfacefeedface')
      const attempts = await Promise.allSettled(Array.from({ length: 12 }, () => acquireFileLock(options())))
      const won = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []))
      expect(won).toHaveLength(1)
      expect(won[0]!.isHeld()).toBe(true)
      won[0]!.release()
      expect(readdirSync(directory)).toEqual([])
    }
  })

  it('is taken over although the last one died while taking it over, and the one before too', async () => {
    leaveLock(file, 'feedfacefeedface')
    leaveLock(join(directory, '.claim-feedfacefeedface'), '1111111111111111')
    leaveLock(join(directory, '.claim-1111111111111111'), '2222222222222222')
    const lock = await acquireFileLock(options())
    expect(lock.isHeld()).toBe(true)
    lock.release()
    expect(readdirSync(directory)).toEqual([])
  })

  it('stays while a living process is just taking it over', async () => {
    leaveLock(file, 'feedfacefeedface')
    leaveLock(join(directory, '.claim-feedfacefeedface'), '1111111111111111', selfAsOwner(table))
    await expect(acquireFileLock(options())).rejects.toMatchObject({ code: 'STORE_BUSY' })
    expect(readFileSync(file, 'utf8')).toContain('feedfacefeedface')
  })

  it('is not replaced when it was released and taken by another between the judgement and the claim', async () => {
    leaveLock(file, 'feedfacefeedface')
    const other = { token: '3333333333333333' }
    const faults = {
      hit(point: string) {
        if (point === 'takeover-claimed') leaveLock(file, other.token, selfAsOwner(table))
      },
    }
    await expect(acquireFileLock(options({ faults }))).rejects.toMatchObject({ code: 'STORE_BUSY' })
    expect(readFileSync(file, 'utf8')).toContain(other.token)
  })
})

describe.each(['EPERM', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])('where links are refused with %s', (code) => {
  const link = () => {
    throw Object.assign(new Error('no links here'), { code })
  }

  it('a lock is made by exclusive create, kept, released and taken over', async () => {
    const lock = await acquireFileLock(options({ link }))
    await expect(acquireFileLock(options({ link }))).rejects.toMatchObject({ code: 'STORE_BUSY' })
    lock.release()
    expect(readdirSync(directory)).toEqual([])
    leaveLock(file, 'feedfacefeedface')
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => acquireFileLock(options({ link }))))
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(readdirSync(directory)).toEqual(['global.lock'])
  })
})

describe('sweeping', () => {
  it('removes what dead processes prepared or claimed, and nothing of the living', async () => {
    leaveLock(join(directory, '.prepared-1111111111111111'), '1111111111111111')
    leaveLock(join(directory, '.prepared-2222222222222222'), '2222222222222222', selfAsOwner(table))
    leaveLock(join(directory, '.claim-3333333333333333'), '4444444444444444')
    leaveLock(file, '5555555555555555')
    leaveLock(join(directory, '.claim-5555555555555555'), '6666666666666666')
    writeFileSync(join(directory, '.prepared-7777777777777777'), '')
    leaveLock(join(directory, '.prepared-8888888888888888'), '8888888888888888', elsewhere)
    sweepLocks(directory, table, Date.now())
    expect(readdirSync(directory).sort()).toEqual([
      '.claim-5555555555555555',
      '.prepared-2222222222222222',
      '.prepared-7777777777777777',
      '.prepared-8888888888888888',
      'global.lock',
    ])
    sweepLocks(directory, table, Date.now() + 601_000)
    expect(readdirSync(directory).sort()).toEqual([
      '.claim-5555555555555555',
      '.prepared-2222222222222222',
      'global.lock',
    ])
  })

  it('is content with a folder that does not exist', () => {
    expect(() => sweepLocks(join(directory, 'none'), table, 0)).not.toThrow()
  })
})

describe('a keeper', () => {
  it('releases when a fault strikes before the release', async () => {
    const faults = {
      hit(point: string) {
        if (point === 'before-unlock') throw new Error('struck')
      },
    }
    const keeper = createLockKeeper({ directory, faults, table })
    await expect(keeper.hold('global', {}, async () => 'in')).rejects.toThrow('struck')
    expect(existsSync(file)).toBe(false)
  })
})
