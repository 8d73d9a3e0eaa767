import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createQueryParser } from '../../recall/index.ts'
import { exampleMessage, exampleNote, randomNote, randomText, seededRandom } from '../../testing/search-index-corpus.ts'
import { findSqliteDriver } from '../sqlite/find-driver.ts'
import { createMemorySearchIndex } from './memory-search-index.ts'
import { type IndexedMessage, type IndexedNote, type SearchIndex, sessionScope } from './search-index.ts'
import { openSqliteSearchIndex } from './sqlite-search-index.ts'

const parseQuery = createQueryParser()
const driver = findSqliteDriver()
const folder = mkdtempSync(join(tmpdir(), 'keepsake-index-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const layers = ['global', 'projects/a', 'projects/b']

/** Puts, edits and removals as an index sees them over its life. */
function liveLife(
  index: SearchIndex,
  steps: number,
  seed: number,
): { notes: IndexedNote[]; messages: IndexedMessage[] } {
  const random = seededRandom(seed)
  const notes = new Map<string, IndexedNote>()
  const messages = new Map<string, IndexedMessage>()
  for (let step = 0; step < steps; step++) {
    const layer = layers[random(layers.length)] ?? 'global'
    const file = `note-${random(120)}.md`
    if (random(4) === 0) {
      index.putNotes(layer, [], [file])
      notes.delete(`${layer} ${file}`)
    } else {
      const note = randomNote(random, layer, file)
      index.putNotes(layer, [note], [])
      notes.set(`${layer} ${file}`, note)
    }
    if (random(3) === 0) {
      const message = exampleMessage(`session ${random(9)}`, random(40), {
        scope: `session:${layers[random(3)]}`,
        body: randomText(random, random(30)),
      })
      index.putMessages([message])
      messages.set(`${message.session} ${message.ordinal}`, message)
    }
    if (random(150) === 0) {
      const session = `session ${random(9)}`
      index.removeSession(session)
      for (const [key, message] of messages) if (message.session === session) messages.delete(key)
    }
  }
  return { notes: [...notes.values()], messages: [...messages.values()] }
}

function fill(index: SearchIndex, notes: readonly IndexedNote[], messages: readonly IndexedMessage[]): SearchIndex {
  // In another order than they came: an answer must not depend on row numbers.
  for (const layer of layers)
    index.putNotes(
      layer,
      [...notes].reverse().filter((note) => note.layer === layer),
      [],
    )
  index.putMessages([...messages].reverse())
  return index
}

/** Questions that have hits, with every answer to them. */
function answers(index: SearchIndex, count: number, seed: number): unknown[] {
  const random = seededRandom(seed)
  const all: unknown[] = []
  while (all.length < count) {
    const query = parseQuery(randomText(random, 1 + random(6)))
    const scopes = random(2) === 0 ? ['global', 'projects/a'] : ['global', 'projects/b']
    const notes = index.searchNotes(query, scopes, 1 + random(30), random(3) === 0 ? { type: 'project' } : {})
    const messages = index.searchMessages(query, ['session:projects/a'], 20)
    if (notes.length + messages.length > 0) all.push({ query, notes, messages })
  }
  return all
}

describe.skipIf(!driver)('sqlite search index', () => {
  const open = (name: string, readOnly = false) =>
    openSqliteSearchIndex({ file: join(folder, name), driver: driver!, readOnly })

  it('after 1,000 writes, edits and removals a rebuilt index gives the same ids, order and scores for 500 queries', () => {
    const lived = open('lived.db')
    const { notes, messages } = liveLife(lived, 1_000, 7)
    const before = answers(lived, 500, 11)
    lived.close()
    rmSync(join(folder, 'lived.db'))
    const rebuilt = fill(open('lived.db'), notes, messages)
    expect(answers(rebuilt, 500, 11)).toEqual(before)
    expect(answers(fill(createMemorySearchIndex(), notes, messages), 500, 11)).toEqual(before)
    rebuilt.close()
  })

  it.each([1, 2, 3, 4, 5])('gives the answers of the memory driver over a whole life (%i)', (seed) => {
    const [ours, theirs] = [open(`life-${seed}.db`), createMemorySearchIndex()]
    liveLife(ours, 150, seed)
    liveLife(theirs, 150, seed)
    for (const layer of layers) expect(ours.notesOf(layer)).toEqual(theirs.notesOf(layer))
    expect(answers(ours, 40, seed)).toEqual(answers(theirs, 40, seed))
    ours.close()
  })

  it('of thousands of rows that hold the same words the shortest come first, as in memory', () => {
    const lived = open('large-group.db')
    const memory = createMemorySearchIndex()
    const random = seededRandom(11)
    // Few different lengths, and sessions that were not stored in the order of their names: ties are what may go wrong.
    const messages = Array.from({ length: 4_000 }, (_, at) =>
      exampleMessage(`session ${(at * 37) % 50}`, Math.floor(at / 50), {
        scope: sessionScope(at % 5 === 0 ? 'projects/b' : 'projects/a'),
        speaker: 'user',
        body: `${random(4) === 0 ? 'pear' : 'apple'}${' filler'.repeat(1 + random(6))}`,
      }),
    )
    for (const index of [lived, memory]) index.putMessages(messages)
    for (const scopes of [['projects/a'], ['projects/a', 'projects/b'], ['projects/b']]) {
      for (const [query, limit] of [
        ['apple', 20],
        ['user', 7],
        ['apple filler', 200],
        ['pear apple', 1],
      ] as const) {
        const asked = [parseQuery(query), scopes.map(sessionScope), limit] as const
        expect(lived.searchMessages(...asked)).toEqual(memory.searchMessages(...asked))
      }
    }
    lived.close()
  })

  it('BL-47: stays flat under rewrites, under three times the text, and passes the integrity check', () => {
    const name = 'flat.db'
    const random = seededRandom(3)
    const index = open(name)
    const notes = Array.from({ length: 100 }, (_, at) => randomNote(random, 'global', `n${at}.md`)).map((note) => ({
      ...note,
      body: randomText(random, 400),
    }))
    const rewrite = (round: number) => {
      const edited = notes.map((note) => ({ ...note, hash: `${note.file} ${round}`, body: `${note.body} ${round}` }))
      for (let at = 0; at < edited.length; at += 10) index.putNotes('global', edited.slice(at, at + 10), [])
    }
    const sizeAfter = (rounds: number) => {
      for (let round = 0; round < rounds; round++) rewrite(round)
      return pages(name)
    }
    const first = sizeAfter(5)
    const later = sizeAfter(20)
    index.close()
    expect(later).toBeLessThan(first * 1.5)
    const text = notes.reduce((sum, note) => sum + Buffer.byteLength(note.name + note.description + note.body), 0)
    expect(later).toBeLessThan(text * 3)
    expect(() => check(name)).not.toThrow()
  })

  it('BL-47: a thousand reads write nothing', () => {
    const index = open('read.db')
    liveLife(index, 60, 5)
    index.close()
    const before = readFileSync(join(folder, 'read.db'))
    const reader = open('read.db')
    answers(reader, 1_000, 5)
    for (const layer of layers) reader.notesOf(layer)
    reader.close()
    expect(readFileSync(join(folder, 'read.db')).equals(before)).toBe(true)
  })

  it('empties a file of another version, and refuses it read-only', () => {
    const index = open('version.db')
    index.putNotes('global', [exampleNote('a.md', { body: 'apple' })], [])
    index.close()
    const raw = driver!.open(join(folder, 'version.db'))
    raw.exec('PRAGMA user_version = 999')
    raw.close()
    expect(() => open('version.db', true)).toThrow(expect.objectContaining({ code: 'INDEX_UNAVAILABLE' }))
    const again = open('version.db')
    expect(again.notesOf('global')).toEqual([])
    again.putNotes('global', [exampleNote('a.md', { body: 'apple' })], [])
    expect(again.searchNotes(parseQuery('apple'), ['global'], 5)).toHaveLength(1)
    again.close()
  })

  it('begins anew when the file is no database', () => {
    writeFileSync(join(folder, 'broken.db'), 'this is no database at all, '.repeat(400))
    const index = open('broken.db')
    expect(index.notesOf('global')).toEqual([])
    index.putNotes('global', [exampleNote('a.md', { body: 'apple' })], [])
    expect(index.searchNotes(parseQuery('apple'), ['global'], 5)).toHaveLength(1)
    index.close()
  })

  it('two connections see the same rows, and a reader sees what a writer put', () => {
    const writer = open('two.db')
    const reader = open('two.db', true)
    writer.putNotes('global', [exampleNote('a.md', { body: 'apple' })], [])
    expect(reader.searchNotes(parseQuery('apple'), ['global'], 5)).toHaveLength(1)
    expect(() => reader.putNotes('global', [exampleNote('b.md')], [])).toThrow()
    reader.close()
    writer.close()
  })

  function pages(name: string): number {
    const raw = driver!.open(join(folder, name))
    raw.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    raw.close()
    return statSync(join(folder, name)).size
  }

  function check(name: string): void {
    const raw = driver!.open(join(folder, name))
    raw.exec(`INSERT INTO notes_fts (notes_fts) VALUES ('integrity-check')`)
    raw.exec(`INSERT INTO messages_fts (messages_fts) VALUES ('integrity-check')`)
    raw.close()
  }
})
