/** Contract of the SQLite port: whatever the binding, values, rows, errors and locks behave alike. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MemoryErrorCode } from '../errors.ts'
import type { SqliteDatabase, SqliteDriver, SqliteValue } from '../store/sqlite/sqlite-port.ts'

/** Runs the contract on a driver; `null` skips it and says why. */
export function testSqliteDriver(name: string, driver: SqliteDriver | null, whySkipped = ''): void {
  if (!driver) {
    it.skip(`${name}: ${whySkipped}`, () => undefined)
    return
  }
  describe(name, () => {
    let directory: string
    let open: SqliteDatabase[]
    const opened = (file = ':memory:', options = {}): SqliteDatabase => {
      const database = driver.open(file, options)
      open.push(database)
      return database
    }
    beforeEach(() => {
      directory = mkdtempSync(join(tmpdir(), 'keepsake-sqlite-'))
      open = []
    })
    afterEach(() => {
      for (const database of open) database.close()
      rmSync(directory, { recursive: true, force: true })
    })

    testValues(opened)
    testStatements(opened)
    testTransactions(opened, (file) => join(directory, file))
    testFiles(opened, (file) => join(directory, file))
    testFullText(opened)
  })
}

type Open = (file?: string, options?: object) => SqliteDatabase
type PathOf = (file: string) => string

function testValues(open: Open): void {
  const echo = (value: unknown) =>
    open()
      .prepare('SELECT ? AS value')
      // Evidence: hostile values on purpose; the driver has to refuse what the type forbids.
      .get(value as SqliteValue)?.value

  it.each<[string, SqliteValue]>([
    ['null', null],
    ['text', 'memory'],
    ['Chinese text', '記憶与回忆 🧠'],
    ['empty text', ''],
    ['zero', 0],
    ['a fraction', -0.125],
    ['the largest safe integer', Number.MAX_SAFE_INTEGER],
    ['the smallest safe integer', Number.MIN_SAFE_INTEGER],
    ['infinity', Number.POSITIVE_INFINITY],
    ['an integer beyond 2^53', 2n ** 53n + 1n],
    ['the largest integer', 2n ** 63n - 1n],
    ['the smallest integer', -(2n ** 63n)],
    ['bytes', new Uint8Array([0, 1, 254, 255])],
    ['no bytes', new Uint8Array(0)],
    ['bytes of text with a null byte', new TextEncoder().encode('before\0after')],
  ])('keeps %s', (_, value) => {
    expect(echo(value)).toStrictEqual(value)
  })

  it('gives integers within 2^53 as numbers, however they were bound', () => {
    expect(echo(42n)).toBe(42)
    expect(echo(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('stores whole numbers as INTEGER', () => {
    const database = open()
    expect(database.prepare('SELECT typeof(?) AS a, typeof(?) AS b, typeof(?) AS c').get(5, 2 ** 40, 0.5)).toEqual({
      a: 'integer',
      b: 'integer',
      c: 'real',
    })
  })

  it('makes lone surrogates well formed', () => {
    expect(echo('a\ud800b')).toBe('a\ufffdb')
  })

  it('gives bytes as a plain Uint8Array that later reads do not change', () => {
    const database = open()
    const read = database.prepare('SELECT ? AS value')
    const first = read.get(new Uint8Array([1, 2, 3]))?.value
    read.get(new Uint8Array([9, 9, 9]))
    expect(Object.getPrototypeOf(first)).toBe(Uint8Array.prototype)
    expect(first).toEqual(new Uint8Array([1, 2, 3]))
  })

  it.each([
    ['undefined', undefined],
    ['true', true],
    ['an object', { value: 1 }],
    ['an array', [1]],
    ['a date', new Date(0)],
    ['a function', () => 1],
    ['a symbol', Symbol('value')],
    ['not a number', Number.NaN],
    ['an integer beyond 64 bits', 2n ** 63n],
  ])('refuses %s', (_, value) => {
    expect(() => echo(value)).toThrow(expectedCode('SQLITE_FAILED'))
  })

  it('gives rows as plain objects', () => {
    const database = open()
    const row = database.prepare("SELECT 1 AS a, 'x' AS b").get()
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype)
    expect(database.prepare('SELECT 1 AS a UNION SELECT 2').all()).toStrictEqual([{ a: 1 }, { a: 2 }])
    expect(database.prepare('SELECT 1 AS a WHERE 0').get()).toBeUndefined()
  })
}

function testStatements(open: Open): void {
  it.each([
    ['too few values', 'SELECT ? AS a, ? AS b', [1]],
    ['too many values', 'SELECT ? AS a', [1, 2]],
    ['a value for none', 'SELECT 1 AS a', [1]],
  ])('refuses %s', (_, sql, values) => {
    expect(() =>
      open()
        .prepare(sql)
        .get(...values),
    ).toThrow(expectedCode('SQLITE_FAILED'))
  })

  it.each([
    ['two statements', 'SELECT 1; SELECT 2'],
    ['a second statement after a comment', 'SELECT 1; -- one\n DROP TABLE t'],
    ['no statement', ''],
    ['only a comment', '-- nothing'],
    ['named parameters', 'SELECT :name'],
    ['at parameters', 'SELECT @name'],
    ['dollar parameters', 'SELECT $name'],
    ['numbered parameters', 'SELECT ?1'],
    ['a syntax error', 'SELEC 1'],
    ['an unknown table', 'SELECT * FROM nowhere'],
  ])('prepare refuses %s', (_, sql) => {
    expect(() => open().prepare(sql)).toThrow(expectedCode('SQLITE_FAILED'))
  })

  it.each([
    ['a final semicolon', 'SELECT 1 AS a;'],
    ['a final comment', 'SELECT 1 AS a; -- done; really'],
    ['marks in a string', "SELECT 1 AS a WHERE ';?:x' = ';?:x'"],
    ['marks in a name', 'SELECT 1 AS a FROM (SELECT 2 AS ";?:x")'],
    ['marks in a comment', 'SELECT /* ; ? :x */ 1 AS a'],
    ['quotes in a string', "SELECT 1 AS a WHERE 'it''s; ?' = 'it''s; ?'"],
  ])('prepare takes %s', (_, sql) => {
    expect(open().prepare(sql).get()).toEqual({ a: 1 })
  })

  it('run is for statements without rows, get and all for those with rows', () => {
    const database = open()
    database.exec('CREATE TABLE t (a INTEGER PRIMARY KEY)')
    expect(() => database.prepare('SELECT 1').run()).toThrow(expectedCode('SQLITE_FAILED'))
    expect(() => database.prepare('INSERT INTO t VALUES (1)').all()).toThrow(expectedCode('SQLITE_FAILED'))
    expect(() => database.prepare('INSERT INTO t VALUES (1)').get()).toThrow(expectedCode('SQLITE_FAILED'))
    expect(database.prepare('INSERT INTO t VALUES (7) RETURNING a').get()).toEqual({ a: 7 })
    expect(database.prepare('SELECT count(*) AS n FROM t').get()).toEqual({ n: 1 })
  })

  it('counts changes and names the last row', () => {
    const database = open()
    database.exec('CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t (b) VALUES (1), (2)')
    expect(database.prepare('INSERT INTO t (b) VALUES (?)').run('x')).toEqual({ changes: 1, lastInsertRowid: 3 })
    expect(database.prepare('UPDATE t SET b = ?').run('y').changes).toBe(3)
  })

  it('keeps working with far more different statements than the cache holds', () => {
    const database = open()
    const first = database.prepare('SELECT 0 AS n')
    for (let n = 0; n < 500; n++) expect(database.prepare(`SELECT ${n} AS n`).get()).toEqual({ n })
    expect(first.get()).toEqual({ n: 0 })
  })

  it('refuses work after close, and closes twice without a word', () => {
    const database = open()
    const statement = database.prepare('SELECT 1 AS a')
    database.close()
    database.close()
    expect(() => statement.get()).toThrow(expectedCode('SQLITE_FAILED'))
    expect(() => database.prepare('SELECT 1')).toThrow(expectedCode('SQLITE_FAILED'))
    expect(() => database.exec('SELECT 1')).toThrow(expectedCode('SQLITE_FAILED'))
    expect(() => database.transaction(() => 1)).toThrow(expectedCode('SQLITE_FAILED'))
  })

  it.each([
    ['a repeated key', 'INSERT INTO t (id, name) VALUES (1, 1)'],
    ['a missing value', 'INSERT INTO t (id) VALUES (2)'],
    ['a failed check', "INSERT INTO t (id, name, kind) VALUES (3, 1, 'x')"],
    ['a foreign key', 'INSERT INTO t (id, name, parent) VALUES (4, 1, 99)'],
  ])('maps %s to SQLITE_CONSTRAINT', (_, sql) => {
    const database = open()
    database.exec(
      `CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT CHECK (kind = 'a'), parent REFERENCES t (id));
       INSERT INTO t (id, name) VALUES (1, 'first')`,
    )
    expect(() => database.prepare(sql).run()).toThrow(expectedCode('SQLITE_CONSTRAINT'))
  })
}

function testTransactions(open: Open, path: PathOf): void {
  const withTable = (): SqliteDatabase => {
    const database = open()
    database.exec('CREATE TABLE t (a)')
    return database
  }
  const count = (database: SqliteDatabase) => database.prepare('SELECT count(*) AS n FROM t').get()?.n

  it('commits what work returns, rolls back when it throws', () => {
    const database = withTable()
    const insert = database.prepare('INSERT INTO t VALUES (1)')
    expect(database.transaction(() => insert.run().changes)).toBe(1)
    const fault = new Error('fault in work')
    const failing = () => {
      insert.run()
      throw fault
    }
    expect(() => database.transaction(failing)).toThrow(fault)
    expect(count(database)).toBe(1)
    expect(database.transaction(() => insert.run().changes)).toBe(1)
  })

  it('does not nest, and the outer one is rolled back', () => {
    const database = withTable()
    const nested = () => {
      database.exec('INSERT INTO t VALUES (1)')
      database.transaction(() => 1)
    }
    expect(() => database.transaction(nested)).toThrow(expectedCode('SQLITE_FAILED'))
    expect(count(database)).toBe(0)
  })

  it('refuses work that is not done when it returns', () => {
    const database = withTable()
    const late = async () => database.exec('INSERT INTO t VALUES (1)')
    expect(() => database.transaction(late)).toThrow(expectedCode('SQLITE_FAILED'))
    expect(count(database)).toBe(0)
  })

  it('takes the write lock at its beginning: a second writer gets SQLITE_BUSY within its time-out', () => {
    const file = path('busy.db')
    const [first, second] = [open(file), open(file, { busyTimeoutMs: 30 })]
    first.exec('CREATE TABLE t (a)')
    const started = performance.now()
    first.transaction(() => {
      expect(() => second.transaction(() => 1)).toThrow(expectedCode('SQLITE_BUSY'))
      expect(second.prepare('SELECT count(*) AS n FROM t').get()).toEqual({ n: 0 })
    })
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(second.transaction(() => 1)).toBe(1)
  })

  it('shows another connection what was committed', () => {
    const file = path('shared.db')
    const [first, second] = [open(file), open(file)]
    first.exec('CREATE TABLE t (a)')
    first.transaction(() => first.exec('INSERT INTO t VALUES (1)'))
    expect(count(second)).toBe(1)
  })

  it('is of another generation after any write, by itself or by another connection, and of the same one after reads', () => {
    const file = path('generations.db')
    const [first, second] = [open(file), open(file)]
    const seen: string[] = []
    const isNew = () => {
      const generation = first.generation()
      expect(first.generation()).toBe(generation)
      const known = seen.includes(generation)
      seen.push(generation)
      return !known
    }
    expect(isNew()).toBe(true)
    first.exec('CREATE TABLE t (a)')
    expect(isNew()).toBe(true)
    first.prepare('INSERT INTO t VALUES (?)').run(1)
    expect(isNew()).toBe(true)
    first.transaction(() => first.prepare('DELETE FROM t').run())
    expect(isNew()).toBe(true)
    second.exec('INSERT INTO t VALUES (2)')
    expect(isNew()).toBe(true)
    count(first)
    count(second)
    expect(isNew()).toBe(false)
  })
}

function testFiles(open: Open, path: PathOf): void {
  it('makes the file and its log private, and a public file private', () => {
    const file = path('private.db')
    writeFileSync(file, '', { mode: 0o644 })
    for (const each of [file, path('new.db')]) {
      open(each).exec('CREATE TABLE t (a)')
      for (const suffix of ['', '-wal', '-shm']) expect(statSync(each + suffix).mode & 0o777).toBe(0o600)
    }
  })

  it('BL-66 leaves one whole file when the last connection closes', () => {
    const file = path('closed.db')
    const [first, second] = [open(file), open(file)]
    first.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)')
    second.prepare('SELECT * FROM t').all()
    first.close()
    second.close()
    expect([existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([false, false])
    const copy = path('copy.db')
    writeFileSync(copy, readFileSync(file))
    expect(open(copy).prepare('SELECT a FROM t').all()).toEqual([{ a: 1 }])
  })

  it('writes no log where it must not', () => {
    const file = path('network.db')
    const database = open(file, { wal: false })
    database.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)')
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' })
    expect([existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([false, false])
  })

  it('read-only reads, refuses to write, and never creates', () => {
    const file = path('read.db')
    const writer = open(file)
    writer.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)')
    const reader = open(file, { readOnly: true })
    expect(reader.prepare('SELECT a FROM t').all()).toEqual([{ a: 1 }])
    expect(() => reader.exec('INSERT INTO t VALUES (2)')).toThrow(expectedCode('STORE_READ_ONLY'))
    expect(() => open(path('missing.db'), { readOnly: true })).toThrow(expectedCode('SQLITE_FAILED'))
    expect(existsSync(path('missing.db'))).toBe(false)
  })

  it.each([
    ['text', 'this is no database, but a file of words that is long enough to be looked at as one '.repeat(20)],
    ['a damaged header', `SQLite format 4\0${'x'.repeat(4_080)}`],
    ['noise', Buffer.alloc(4_096, 7).toString('latin1')],
  ])('maps a file of %s to SQLITE_CORRUPT', (_, content) => {
    const file = path('damaged.db')
    writeFileSync(file, content, 'latin1')
    expect(() => open(file).prepare('SELECT count(*) FROM sqlite_schema').get()).toThrow(expectedCode('SQLITE_CORRUPT'))
    expect(readFileSync(file, 'latin1')).toBe(content)
  })

  it.each([
    ['a missing folder', 'nowhere/deep.db'],
    ['a folder', '.'],
  ])('says so when the path is %s', (_, name) => {
    expect(() => open(path(name))).toThrow(expectedCode('SQLITE_FAILED'))
  })
}

function testFullText(open: Open): void {
  it('has FTS5 tables without content that can delete and replace', () => {
    const database = open()
    database.exec("CREATE VIRTUAL TABLE words USING fts5(body, content='', contentless_delete=1)")
    const find = (word: string) => database.prepare('SELECT rowid FROM words WHERE words MATCH ?').all(word)
    database.prepare('INSERT INTO words (rowid, body) VALUES (?, ?)').run(1, 'pnpm workspace')
    database.prepare('INSERT OR REPLACE INTO words (rowid, body) VALUES (?, ?)').run(1, 'npm workspace')
    expect([find('pnpm'), find('npm')]).toEqual([[], [{ rowid: 1 }]])
    database.prepare('DELETE FROM words WHERE rowid = ?').run(1)
    expect(find('workspace')).toEqual([])
    database.prepare("INSERT INTO words (words) VALUES ('integrity-check')").run()
  })
}

function expectedCode(code: MemoryErrorCode) {
  return expect.objectContaining({ name: 'MemoryError', code })
}
