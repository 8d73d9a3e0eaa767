import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exampleMessage, exampleSession } from '../../testing/session-store-suite.ts'
import { findSqliteDriver } from '../sqlite/find-driver.ts'
import { checkIntegrity } from '../sqlite/open-checked.ts'
import { openSessionStore, type SqliteSessionStore } from './sqlite-session-store.ts'

const driver = findSqliteDriver()
const clock = { now: () => Date.parse('2026-03-01T10:00:00Z') }
const SET_ASIDE = '.damaged-20260301T100000Z'
const corrupt = expect.objectContaining({ code: 'SQLITE_CORRUPT' })

describe.skipIf(!driver)('sessions.db', () => {
  let directory: string
  let file: string
  const open: SqliteSessionStore[] = []
  const opened = (options = {}) => {
    const store = openSessionStore({ file, driver: driver!, clock, ...options })
    open.push(store)
    return store
  }
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'keepsake-sessions-'))
    file = join(directory, 'sessions.db')
  })
  afterEach(() => {
    for (const store of open.splice(0)) store.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const messages = (count: number) =>
    Array.from({ length: count }, (_, n) => exampleMessage(`m${n}`, `words ${n} `.repeat(50)))
  const fill = (count = 1_000) => {
    const store = opened()
    store.putSession(exampleSession('s'))
    store.addMessages('s', messages(count))
    store.close()
  }
  const damage = () => {
    const content = readFileSync(file)
    content.fill(0x5a, Math.floor(content.length / 8_192) * 4_096, Math.floor(content.length / 8_192) * 4_096 + 40_960)
    writeFileSync(file, content)
    return content
  }

  it('is one private file when closed, and works when copied to another place', () => {
    fill()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect([existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([false, false])
    const copy = join(directory, 'elsewhere.db')
    copyFileSync(file, copy)
    const store = opened({ file: copy })
    expect(store.messages('s', { limit: 1_000, offset: 0 })).toMatchObject({ total: 1_000 })
    expect(store.message('s', 999)?.content).toBe('words 999 '.repeat(50))
    expect(checkIntegrity(store.database)).toEqual([])
  })

  it('joins what two processes add to one session, each message once', () => {
    const [first, second] = [opened(), opened()]
    first.putSession(exampleSession('s'))
    const all = messages(600)
    for (let start = 0; start < 600; start += 60) {
      first.addMessages('s', all.slice(start, start + 90))
      second.addMessages('s', all.slice(start, start + 60))
    }
    expect(first.counts()).toEqual({ sessions: 1, messages: 600 })
    expect(second.messages('s', { limit: 1_000, offset: 0 }).messages.map((message) => message.id)).toEqual(
      all.map((message) => message.id),
    )
  })

  it('a damaged file is named and kept, capture goes on in a new one, the old words are still readable', () => {
    fill()
    const damaged = damage()
    const store = opened({ check: 'signs' })
    const read = () => store.messages('s', { limit: 1_000, offset: 0 })
    expect(read).toThrow(
      expect.objectContaining({ code: 'SQLITE_CORRUPT', hint: expect.stringContaining(file + SET_ASIDE) }),
    )
    expect(() => store.addMessages('s', messages(1))).toThrow(corrupt)
    expect(readFileSync(file + SET_ASIDE).equals(damaged)).toBe(true)
    const anew = opened()
    anew.putSession(exampleSession('s'))
    expect([anew.addMessages('s', messages(3)), anew.counts()]).toEqual([3, { sessions: 1, messages: 3 }])
  })

  it('a file that is no database is named once at opening', () => {
    writeFileSync(file, 'words, no database '.repeat(500))
    expect(() => opened()).toThrow(corrupt)
    expect(readFileSync(file + SET_ASIDE, 'utf8')).toMatch(/^words/)
    expect(opened().counts()).toEqual({ sessions: 0, messages: 0 })
  })

  it('acknowledges nothing in a file that was deleted under it', () => {
    const store = opened()
    store.putSession(exampleSession('s'))
    rmSync(file)
    expect(() => store.addMessages('s', messages(1))).toThrow(expect.objectContaining({ code: 'SQLITE_FAILED' }))
  })

  it('BL-64 a lock of another process is SQLITE_BUSY within the time-out, and nothing is half done', () => {
    fill(10)
    const holder = driver!.open(file)
    const store = opened({ busyTimeoutMs: 40 })
    holder.exec('BEGIN IMMEDIATE')
    const started = performance.now()
    expect(() => store.addMessages('s', messages(20))).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }))
    expect(performance.now() - started).toBeLessThan(1_500)
    expect(store.messages('s', { limit: 1, offset: 0 }).total).toBe(10)
    holder.exec('ROLLBACK')
    holder.close()
    expect(store.addMessages('s', messages(20))).toBe(10)
  })

  it('stores text with a null byte as bytes, which no binding cuts', () => {
    const store = opened()
    store.putSession(exampleSession('s'))
    store.addMessages('s', [exampleMessage('a', 'before\0after'), exampleMessage('b', 'plain')])
    expect(store.database.prepare('SELECT typeof(content) AS kind FROM messages ORDER BY key').all()).toEqual([
      { kind: 'blob' },
      { kind: 'text' },
    ])
  })

  it('reports a row that no code of ours wrote instead of guessing', () => {
    fill(1)
    const raw = driver!.open(file)
    raw.exec("UPDATE sessions SET tags = '{not json'")
    raw.close()
    expect(() => opened().session('s')).toThrow(expect.objectContaining({ code: 'SQLITE_FAILED' }))
  })
})
