/** BL-14 at size: 200 projects with hostile keys, thousands of queries on every path of both drivers. */
import { describe, expect, it } from 'vitest'
import { createQueryParser } from '../../recall/index.ts'
import { exampleMessage, exampleNote, randomText, seededRandom } from '../../testing/search-index-corpus.ts'
import { findSqliteDriver } from '../sqlite/find-driver.ts'
import { createMemorySearchIndex } from './memory-search-index.ts'
import { type SearchIndex, sessionScope } from './search-index.ts'
import { openSqliteSearchIndex } from './sqlite-search-index.ts'

const PROJECTS = 200
const QUERIES = 2_500

const shapes: ((at: number) => string)[] = [
  (at) => `projects/s${at}`,
  (at) => `projects/a" OR scope:"s${at}`,
  (at) => `projects/x) OR (scope : s${at}`,
  (at) => `projects/NEAR(s${at} s1, 5)`,
  (at) => `projects/ｓ${at}`,
  (at) => `projects/'; DELETE FROM notes; -- ${at}`,
  (at) => `projects/app-${at}`,
  (at) => `projects/app_${at}`,
  (at) => `projects/APP-${at}`,
  (at) => `projects/${'deep/'.repeat(20)}${at}`,
  (at) => `projects/项目-${at}*`,
  (at) => `projects/${at}\u0000`,
  (at) => `projects/ ${at}`,
  (at) => `projects/${at}`,
]
const keys = Array.from({ length: PROJECTS }, (_, at) => shapes[at % shapes.length]!(at))

/** Questions that try to leave the scope: operators, column names, keys of others. */
function hostileQuery(random: (below: number) => number): string {
  const tricks = [
    'OR',
    'AND scope:',
    'NOT',
    'NEAR(',
    '")',
    '{scope}:',
    '*',
    '^',
    's1',
    's200',
    `"${keys[random(PROJECTS)]}"`,
  ]
  return `${randomText(random, 1 + random(4))} ${tricks[random(tricks.length)]} ${keys[random(PROJECTS)]}`
}

const parseQuery = createQueryParser()
const driver = findSqliteDriver()
const drivers: [string, () => SearchIndex][] = [
  ['memory', createMemorySearchIndex],
  ...(driver
    ? [['sqlite', () => openSqliteSearchIndex({ file: ':memory:', driver })] as [string, () => SearchIndex]]
    : []),
]

describe.each(drivers)('BL-14: %s search index', (_, create) => {
  it(`${PROJECTS} projects, ${QUERIES} queries on every path: no foreign row`, () => {
    const random = seededRandom(41)
    const index = create()
    index.putNotes('global', [exampleNote('g.md', { body: randomText(random, 40) })], [])
    for (const key of keys) {
      const body = `${randomText(random, 12)} ${key}`
      index.putNotes(key, [exampleNote('a.md', { layer: key, name: key, body })], [])
      index.putMessages([exampleMessage(`session of ${key}`, 0, { scope: sessionScope(key), body })])
    }
    let hits = 0
    for (let at = 0; at < QUERIES; at++) {
      const key = keys[random(PROJECTS)] ?? ''
      const query = parseQuery(hostileQuery(random))
      const notes = index.searchNotes(query, [key, 'global'], 20)
      const messages = index.searchMessages(query, [sessionScope(key)], 20)
      hits += notes.length + messages.length
      const foreign = [
        ...notes.filter(({ reference }) => reference.layer !== key && reference.layer !== 'global'),
        ...messages.filter(({ reference }) => reference.session !== `session of ${key}`),
        ...index.notesOf(key).filter((row) => row.layer !== key),
      ]
      if (foreign.length > 0) expect(foreign).toEqual([])
    }
    expect(hits).toBeGreaterThan(QUERIES)
    index.close()
  })
})
