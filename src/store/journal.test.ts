import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIdSource, systemClock } from '../util/index.ts'
import { appendJournal, type JournalEntry, readJournal, takeJournal } from './journal.ts'

const ids = createIdSource(systemClock)
let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keepsake-journal-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const entry = (session: string): JournalEntry => ({
  time: '2026-03-01T10:00:00Z',
  event: 'Stop',
  kind: 'turn-end',
  agent: 'claude-code',
  session,
  transcript: `/logs/${session}.jsonl`,
  cwd: '/work',
  size: 1_234,
})
const sessions = (content: { entries: readonly JournalEntry[] }) => content.entries.map(({ session }) => session)
const queue = () => join(home, 'journal', 'queue.jsonl')

describe('the journal', () => {
  it('gives what was appended, in order, and leaves it', () => {
    for (const session of ['a', 'b', '会话']) expect(appendJournal(home, entry(session))).toBe(true)
    expect(readJournal(home)).toEqual({ entries: ['a', 'b', '会话'].map(entry), bad: [] })
    expect(sessions(readJournal(home))).toEqual(['a', 'b', '会话'])
  })

  it('is empty where nothing is, and makes nothing', () => {
    expect(readJournal(home)).toEqual({ entries: [], bad: [] })
    const taken = takeJournal(home, { ids })
    expect(taken.entries).toEqual([])
    taken.done()
    expect(readdirSync(home)).toEqual([])
  })

  it('keeps nulls', () => {
    const bare = { ...entry('a'), session: null, transcript: null, cwd: null, size: null }
    appendJournal(home, bare)
    expect(readJournal(home).entries).toEqual([bare])
  })
})

describe('taking it', () => {
  it('gives each entry once when the drainer says that it is done', () => {
    appendJournal(home, entry('a'))
    const taken = takeJournal(home, { ids })
    appendJournal(home, entry('b'))
    expect(sessions(taken)).toEqual(['a'])
    taken.done()
    expect(sessions(readJournal(home))).toEqual(['b'])
    const next = takeJournal(home, { ids })
    expect(sessions(next)).toEqual(['b'])
    next.done()
    expect(readdirSync(join(home, 'journal'))).toEqual([])
  })

  it('BL-26: gives the entries again when the drainer died', () => {
    appendJournal(home, entry('a'))
    takeJournal(home, { ids })
    appendJournal(home, entry('b'))
    takeJournal(home, { ids })
    expect(sessions(readJournal(home))).toEqual(['a', 'b'])
    const taken = takeJournal(home, { ids })
    expect(sessions(taken)).toEqual(['a', 'b'])
    taken.done()
    expect(sessions(takeJournal(home, { ids }))).toEqual([])
  })

  it('keeps a line that a hook wrote into the moved file after it was read', () => {
    appendJournal(home, entry('a'))
    const taken = takeJournal(home, { ids })
    const [moved = ''] = readdirSync(join(home, 'journal'))
    appendFileSync(join(home, 'journal', moved), `${JSON.stringify({ version: 1, ...entry('late') })}\n`)
    taken.done()
    expect(sessions(takeJournal(home, { ids }))).toEqual(['a', 'late'])
  })
})

describe('BL-75: damage', () => {
  const line = (session: string, version = 1) => JSON.stringify({ version, ...entry(session) })
  it.each([
    ['a truncated last line', `${line('a')}\n${line('b').slice(0, 30)}`, ['a'], 1],
    ['two objects on one line', `${line('a')}${line('b')}\n`, ['a', 'b'], 0],
    ['a blank line', `${line('a')}\n\n${line('b')}\n`, ['a', 'b'], 0],
    ['a byte order mark', `\u{FEFF}${line('a')}\n`, ['a'], 0],
    ['a line of another version', `${line('a', 2)}\n${line('b')}\n`, ['b'], 1],
    ['a line of another kind', `{"hello":1}\n${line('b')}\n`, ['b'], 1],
    ['bytes that are no text', `\u0000\u0001\n${line('b')}\n`, ['b'], 1],
  ])('%s costs only itself and is counted', (_case, text, expected, bad) => {
    appendJournal(home, entry('gone'))
    writeFileSync(queue(), text)
    expect(sessions(readJournal(home))).toEqual(expected)
    expect(readJournal(home).bad).toHaveLength(bad)
    appendJournal(home, entry('next'))
    expect(sessions(takeJournal(home, { ids }))).toEqual([...expected, 'next'])
  })

  it('names file and line', () => {
    appendJournal(home, entry('a'))
    appendFileSync(queue(), 'hello\n')
    expect(readJournal(home).bad).toEqual([{ file: queue(), line: 2, bytes: 5 }])
  })
})

describe('bounds', () => {
  it('a queue that nobody drains stops growing, and says so', () => {
    appendJournal(home, entry('a'))
    appendFileSync(queue(), ' '.repeat(4_194_304))
    const size = readFileSync(queue()).length
    expect(appendJournal(home, entry('b'))).toBe(false)
    expect(readFileSync(queue())).toHaveLength(size)
    expect(existsSync(queue())).toBe(true)
  })
})
