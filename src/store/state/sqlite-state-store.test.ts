import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findSqliteDriver } from '../sqlite/find-driver.ts'
import { openStateStore, type SqliteStateStore } from './sqlite-state-store.ts'

const driver = findSqliteDriver()
const clock = { now: () => Date.parse('2026-03-01T10:00:00Z') }

describe.skipIf(!driver)('state.db', () => {
  let directory: string
  let file: string
  const open: SqliteStateStore[] = []
  const opened = (options = {}) => {
    const store = openStateStore({ file, driver: driver!, clock, ...options })
    open.push(store)
    return store
  }
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'keepsake-state-'))
    file = join(directory, 'state.db')
  })
  afterEach(() => {
    for (const store of open.splice(0)) store.close()
    rmSync(directory, { recursive: true, force: true })
  })

  it('never gives one lease to two connections', () => {
    const owners = ['first', 'second', 'third']
    const stores = owners.map(() => opened())
    for (let round = 0; round < 200; round++) {
      const now = round * 50
      const taken = owners.filter((owner, which) =>
        stores[(which + round) % 3]?.acquireLease('worker', owner, now, 120),
      )
      expect(taken).toHaveLength(1)
      for (const store of stores) expect(store.leaseOwner('worker', now)).toBe(taken[0])
      if (round % 4 === 3) stores[0]?.releaseLease('worker', taken[0]!)
    }
  })

  it('never gives one job to two connections, and a lost one to one of them [W13]', () => {
    const owners = ['first', 'second', 'third']
    const stores = owners.map(() => opened())
    for (let round = 0; round < 50; round++) {
      const now = round * 1_000_000
      stores[round % 3]?.queue.put({
        id: `${round}`,
        kind: 'extraction',
        key: `${round}`,
        dueAt: now,
        signals: [],
        now,
      })
      for (const later of [now, now + 120_000]) {
        const taken = owners.flatMap(
          (owner, at) => stores[(at + round) % 3]?.queue.take({ owner, now: later, kinds: ['extraction'] }) ?? [],
        )
        expect(taken.map(({ key }) => key)).toEqual([`${round}`])
      }
      expect(stores[2]?.queue.finish(`${round}`, 'first', null)).toBe(true)
    }
  })

  it('takes a lease under the write lock: while another decides, it waits and then gives up', () => {
    const [first, second] = [opened(), opened({ busyTimeoutMs: 30 })]
    first.database.transaction(() => {
      expect(() => second.acquireLease('worker', 'second', 0, 1_000)).toThrow(
        expect.objectContaining({ code: 'SQLITE_BUSY' }),
      )
    })
    expect(second.acquireLease('worker', 'second', 0, 1_000)).toBe(true)
    expect(first.acquireLease('worker', 'first', 0, 1_000)).toBe(false)
  })

  it('[W16] connections that count calls at once share one ceiling; one that died leaves its call counted', () => {
    const stores = [opened(), opened(), opened()]
    const ceilings = { calls: 20, tokens: 1_000, money: null, shareOfOneKind: 1 }
    const call = { job: 'j', kind: 'extraction', model: 'm', at: 0, inputTokens: 9, outputTokens: 1, money: 0 } as const
    const taken = Array.from({ length: 60 }, (_, at) => {
      const { ledger } = stores[at % 3]!
      const refusal = ledger.reserve({ ...call, id: `${at}` }, ceilings)
      if (refusal === null && at % 2 === 0)
        ledger.settle(`${at}`, { inputTokens: 2, outputTokens: 1, money: 0, estimated: false })
      return refusal
    }).filter((refusal) => refusal === null)
    expect(taken).toHaveLength(20)
    for (const store of stores.splice(0, 2)) store.close()
    const spent = { kind: 'extraction', calls: 20, inputTokens: 110, outputTokens: 20, money: 0, estimated: true }
    expect(opened().ledger.spendOf(0)).toEqual([spent])
    expect(opened().ledger.reserve({ ...call, id: 'one more' }, ceilings)).toMatchObject({ used: 20 })
  })

  it('[W16] while another connection counts, a call waits and is then not made', () => {
    const [first, second] = [opened(), opened({ busyTimeoutMs: 30 })]
    const call = {
      id: 'one',
      job: 'j',
      kind: 'probe',
      model: 'm',
      at: 0,
      inputTokens: 1,
      outputTokens: 1,
      money: 0,
    } as const
    first.database.transaction(() => {
      expect(() => second.ledger.reserve(call, { calls: 9, tokens: 99, money: null, shareOfOneKind: 1 })).toThrow(
        expect.objectContaining({ code: 'SQLITE_BUSY' }),
      )
    })
    expect(second.ledger.spendOf(0)).toEqual([])
  })

  it('a damaged file is set aside and a new one begun', () => {
    writeFileSync(file, 'words, no database '.repeat(500))
    const store = opened()
    expect(store.database.quarantined).toBe(`${file}.damaged-20260301T100000Z`)
    expect(existsSync(`${file}.damaged-20260301T100000Z`)).toBe(true)
    expect(store.acquireLease('worker', 'first', 0, 1_000)).toBe(true)
  })

  it('keeps what it holds over a restart, and leaves one file', () => {
    const cursor = { transcript: '/t', agent: 'claude-code', offset: 12, head: 'aa', readAt: 5 }
    const store = opened()
    store.putCursor(cursor)
    store.firstSeen('global', 'a.md', 'h', 77)
    store.close()
    expect(readdirSync(directory)).toEqual(['state.db'])
    expect([opened().cursor('/t'), opened().peekFirstSeen('global', 'a.md', 'h')]).toEqual([cursor, 77])
  })
})
