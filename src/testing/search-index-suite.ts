/** Contract of the search index: what is found, in which order, from which scopes, and that old words leave no trace. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createQueryParser } from '../recall/index.ts'
import { type IndexedNote, type SearchIndex, sessionScope } from '../store/search-index/search-index.ts'
import { exampleMessage, exampleNote } from './search-index-corpus.ts'
import { testVectors } from './vector-index-suite.ts'

export function testSearchIndex(name: string, create: () => SearchIndex): void {
  describe(name, () => {
    let index: SearchIndex
    beforeEach(() => {
      index = create()
    })
    afterEach(() => index.close())
    const current = () => index

    describe('rows', () => testRows(current))
    describe('words', () => testWords(current))
    describe('order', () => testOrder(current))
    describe('filters', () => testFilters(current))
    describe('notes that could stand before others', () => testSilencers(current))
    describe('notes with aliases', () => testAliased(current))
    describe('old words', () => testOldWords(current))
    describe('scopes', () => testScopes(current))
    describe('generations', () => testGenerations(current))
    describe('messages', () => testMessages(current))
    describe('vectors [R4]', () => testVectors(current))
  })
}

const parseQuery = createQueryParser()

type Current = () => SearchIndex

/** Files found in global, best first. */
function found(index: SearchIndex, text: string, limit = 50): string[] {
  return index.searchNotes(parseQuery(text), ['global'], limit).map((hit) => hit.reference.file)
}

function put(index: SearchIndex, ...notes: readonly IndexedNote[]): void {
  index.putNotes('global', notes, [])
}

function testAliased(current: Current): void {
  const files = (scopes: readonly string[], limit = 10) =>
    current()
      .aliased(scopes, limit)
      .map(({ layer, file, aliases }) => `${layer} ${file} ${aliases.join('|')}`)

  it('are those of these scopes that are active and not withheld, newest first, at most so many [R9] [R10]', () => {
    const note = (file: string, fields: Partial<IndexedNote>) => exampleNote(file, { aliases: ['k8s'], ...fields })
    put(
      current(),
      note('old.md', { updated: '2026-01-01T00:00:00Z' }),
      note('new.md', { updated: '2026-05-01T00:00:00Z', aliases: ['小王', 'wang'] }),
      note('plain.md', { aliases: [] }),
      note('gone.md', { status: 'archived' }),
      note('withheld.md', { withheld: 'threat' }),
    )
    const other = 'projects/x'
    current().putNotes(other, [note('x.md', { layer: other, updated: '2026-03-01T00:00:00Z' })], [])
    expect(files(['global'])).toEqual(['global new.md 小王|wang', 'global old.md k8s'])
    expect(files(['projects/x', 'global'], 2)).toEqual(['global new.md 小王|wang', 'projects/x x.md k8s'])
    expect([files(['projects/y']), files([])]).toEqual([[], []])
  })

  it('follow what a note says now', () => {
    put(current(), exampleNote('a.md', { aliases: ['one'] }))
    put(current(), exampleNote('a.md', { aliases: ['two'] }))
    expect(files(['global'])).toEqual(['global a.md two'])
    put(current(), exampleNote('a.md'))
    expect(files(['global'])).toEqual([])
  })

  it('are found by them', () => {
    put(current(), exampleNote('a.md', { name: 'Cluster', aliases: ['k8s', '集群'] }), exampleNote('b.md'))
    for (const asked of ['k8s', '集群']) {
      const query = createQueryParser()(asked)
      const hits = current().searchNotes(query, ['global'], 5)
      expect(hits.map(({ reference }) => reference.file)).toEqual(['a.md'])
    }
  })
}

function testSilencers(current: Current): void {
  const files = (scopes: readonly string[], names: readonly string[]) =>
    current()
      .silencers(scopes, names)
      .map(({ layer, file }) => `${layer} ${file}`)

  it('are those of the same name and those that mute, of these scopes, active and not withheld [S5]', () => {
    put(
      current(),
      exampleNote('b.md', { name: 'Package  Manager!' }),
      exampleNote('a.md', { name: '构建命令' }),
      exampleNote('mutes.md', { name: 'Other', mutes: ['01J'] }),
      exampleNote('gone.md', { name: 'package manager', status: 'archived' }),
      exampleNote('withheld.md', { name: 'package manager', withheld: 'threat', mutes: ['01J'] }),
      exampleNote('else.md', { name: 'package' }),
    )
    current().putNotes(
      'projects/x/team',
      [exampleNote('t.md', { layer: 'projects/x/team', name: 'package-manager' })],
      [],
    )
    expect(files(['global'], ['Package manager'])).toEqual(['global b.md', 'global mutes.md'])
    expect(files(['global', 'projects/x/team'], ['package manager', '构建命令'])).toEqual([
      'global a.md',
      'global b.md',
      'global mutes.md',
      'projects/x/team t.md',
    ])
    expect(files(['projects/y'], ['package manager'])).toEqual([])
    expect(files(['global'], [])).toEqual(['global mutes.md'])
  })

  it('follow what changes without a change of words', () => {
    put(current(), exampleNote('a.md', { name: 'one' }))
    put(current(), exampleNote('a.md', { name: 'one', mutes: ['01J'] }))
    expect(files(['global'], [])).toEqual(['global a.md'])
    expect(current().silencers(['global'], [])[0]).toMatchObject({ mutes: ['01J'], appliesTo: [], expires: null })
    put(current(), exampleNote('a.md', { name: 'one' }))
    expect(files(['global'], [])).toEqual([])
  })
}

function testRows(current: Current): void {
  it('gives back every field but the body, by file', () => {
    const note = exampleNote('b.md', {
      name: '测试 "quoted" \u0000 💰',
      tags: ['a', '标签'],
      created: null,
      mtimeMs: 1_700_000_000_000.5,
      inode: 2 ** 53 - 1,
      problems: ['value-invalid'],
      body: 'text',
    })
    put(current(), note, exampleNote('a.md'), exampleNote('子/c.md'))
    const { body: _, ...row } = note
    expect(
      current()
        .notesOf('global')
        .map((each) => each.file),
    ).toEqual(['a.md', 'b.md', '子/c.md'])
    expect(current().notesOf('global')[1]).toEqual(row)
    expect(current().notesOf('projects/x')).toEqual([])
  })

  it('replaces and removes in one step', () => {
    put(current(), exampleNote('a.md', { body: 'apple' }), exampleNote('b.md', { body: 'banana' }))
    current().putNotes('global', [exampleNote('a.md', { body: 'cherry' })], ['b.md', 'never-there.md'])
    expect(
      current()
        .notesOf('global')
        .map((each) => each.file),
    ).toEqual(['a.md'])
    expect([found(current(), 'apple'), found(current(), 'banana'), found(current(), 'cherry')]).toEqual([
      [],
      [],
      ['a.md'],
    ])
  })

  it('lists a withheld note and never finds it', () => {
    put(current(), exampleNote('a.md', { body: 'apple', withheld: 'override' }))
    expect(current().notesOf('global')).toHaveLength(1)
    expect(found(current(), 'apple')).toEqual([])
    put(current(), exampleNote('a.md', { body: 'apple', withheld: null }))
    expect(found(current(), 'apple')).toEqual(['a.md'])
  })

  it('updates what is no text without losing the words', () => {
    put(current(), exampleNote('a.md', { body: 'apple' }))
    put(current(), exampleNote('a.md', { body: 'apple', lookedAt: 99, pinned: true }))
    expect(current().notesOf('global')[0]).toMatchObject({ lookedAt: 99, pinned: true })
    expect(found(current(), 'apple')).toEqual(['a.md'])
  })

  it('clears everything', () => {
    put(current(), exampleNote('a.md', { body: 'apple' }))
    current().putMessages([exampleMessage('s', 0, { body: 'apple' })])
    current().clear()
    expect(current().notesOf('global')).toEqual([])
    expect(found(current(), 'apple')).toEqual([])
    expect(current().messageCount('s')).toBe(0)
  })
}

function testWords(current: Current): void {
  it.each([
    ['pre-edit', 'the pre-edit hook is slow'],
    ['20.04', 'runs on ubuntu 20.04 only'],
    ['memory:safe', 'a memory:safe language'],
    ['altic_skill_loader.py', 'see altic_skill_loader.py'],
    ['getUserName', 'call getUserName first'],
    ['getusername', 'call getUserName first'],
    ['utf8', 'always UTF-8'],
    ['vitest', '用vitest写测试'],
    ['C++', 'the C++ part'],
    ['deployment', 'we deploy on Fridays'],
    ['deploys', 'the deployment is green'],
    ['café', 'meet at the cafe'],
    ['ＡＢＣ', 'the abc of it'],
    ['昨晚', '昨晚把中欧红利的守护进程修好了'],
    ['守护', '昨晚把中欧红利的守护进程修好了'],
    ['红利', '昨晚把中欧红利的守护进程修好了'],
    ['守', '昨晚把中欧红利的守护进程修好了'],
    ['数据库', '資料庫就是數據庫'],
    ['數據庫', '数据库很慢'],
    ['しりとり', '今日は成語しりとりをした'],
    ['끝말잇기', '오늘 끝말잇기 게임을 했다'],
    ['deplo*', 'the deployment is green'],
    ['configura*', 'the configuration is long'],
    ['"blue pool"', 'roll back through the blue pool'],
    ['"守护进程"', '昨晚把中欧红利的守护进程修好了'],
    ['容器', 'we run it in Docker'],
    ['docker', '全部放在容器里'],
  ])('%s is found in: %s', (query, body) => {
    put(current(), exampleNote('a.md', { body }), exampleNote('b.md', { body: 'nothing of that kind, 无关' }))
    expect(found(current(), query)).toEqual(['a.md'])
  })

  it.each(['banana', '上海', '护守', 'pool blue cat*', '"pool blue"'])('%s finds nothing where it is not', (query) => {
    put(current(), exampleNote('a.md', { body: '昨晚把守护进程修好了' }))
    expect(found(current(), query)).toEqual([])
  })

  it('a missing word lowers the score and does not empty the answer', () => {
    put(current(), exampleNote('a.md', { body: 'deploys roll back through the blue pool' }), exampleNote('b.md'))
    const [whole] = current().searchNotes(parseQuery('blue pool'), ['global'], 5)
    const [part] = current().searchNotes(parseQuery('blue pool zx00841'), ['global'], 5)
    expect(part?.reference.file).toBe('a.md')
    expect(part?.coverage).toBeLessThan(whole?.coverage ?? 0)
  })

  it('tells coverage, rarity and the number of terms', () => {
    put(current(), exampleNote('a.md', { body: 'apple banana' }), exampleNote('b.md', { body: 'banana' }))
    const [first, second] = current().searchNotes(parseQuery('apple banana'), ['global'], 5)
    expect(first).toMatchObject({ coverage: 1, rarity: 1, matched: 2 })
    expect(second?.coverage).toBeLessThan(0.5)
    expect(second?.matched).toBe(1)
  })

  it('judges a text as if it stood in the index', () => {
    const note = exampleNote('a.md', { name: 'fruit', description: 'apple tree', body: 'banana 守护进程' })
    put(current(), note, exampleNote('b.md', { body: 'banana split' }))
    const query = parseQuery('apple banana 守护')
    const { reference: _, ...hit } = current().searchNotes(query, ['global'], 5)[0]!
    expect(current().judgeNote(query, ['global'], note)).toEqual(hit)
    expect(current().judgeNote(query, ['global'], { ...note, name: 'x', description: '', body: 'else' })).toBeNull()
  })
}

function testOrder(current: Current): void {
  it('a word in the name counts more than in the body, and a short text more than a long one', () => {
    const filler = 'one two three four five six seven eight nine ten '.repeat(4)
    put(
      current(),
      exampleNote('long.md', { name: 'x', body: `apple ${filler}` }),
      exampleNote('short.md', { name: 'x', body: 'apple pie today' }),
      exampleNote('named.md', { name: 'apple', body: filler }),
    )
    expect(found(current(), 'apple')).toEqual(['named.md', 'short.md', 'long.md'])
  })

  it('equal scores stand by newest, then layer, then file', () => {
    const same = { name: 'n', body: 'apple' }
    put(
      current(),
      exampleNote('b.md', same),
      exampleNote('a.md', same),
      exampleNote('\u{1f4b0}.md', same),
      exampleNote('\uffee.md', same),
      exampleNote('old.md', { ...same, updated: '2020-01-01T00:00:00Z' }),
      exampleNote('undated.md', { ...same, updated: null }),
    )
    const order = ['a.md', 'b.md', '\uffee.md', '\u{1f4b0}.md', 'old.md', 'undated.md']
    expect(found(current(), 'apple')).toEqual(order)
    expect(found(current(), 'apple', 2)).toEqual(order.slice(0, 2))
  })
}

function testFilters(current: Current): void {
  it('narrows by status, type and tag before the limit', () => {
    const many = Array.from({ length: 30 }, (_, at) => exampleNote(`n${at}.md`, { body: 'apple' }))
    const body = 'apple and a much longer text than the others have'
    put(
      current(),
      ...many,
      exampleNote('type.md', { body, type: 'reference' }),
      exampleNote('status.md', { body, status: 'archived' }),
      exampleNote('tag.md', { body, tags: ['x', '容器'] }),
    )
    const search = (filter: Parameters<SearchIndex['searchNotes']>[3]) =>
      current()
        .searchNotes(parseQuery('apple'), ['global'], 3, filter)
        .map((hit) => hit.reference.file)
    expect(search({ type: 'reference' })).toEqual(['type.md'])
    expect(search({ status: 'archived' })).toEqual(['status.md'])
    expect(search({ tag: '容器' })).toEqual(['tag.md'])
    expect(search({ tag: '容' })).toEqual([])
    expect(search({ status: 'active', tag: 'x' })).toEqual(['tag.md'])
  })
}

function testOldWords(current: Current): void {
  const steps: [string, (index: SearchIndex) => void][] = [
    ['the text changed', (index) => put(index, exampleNote('a.md', { body: 'pear' }))],
    ['the name changed', (index) => put(index, exampleNote('a.md', { name: 'other', body: '' }))],
    ['the tags changed', (index) => put(index, exampleNote('a.md', { tags: ['new'], body: '' }))],
    ['it was withheld', (index) => put(index, exampleNote('a.md', { body: 'apple', withheld: 'x' }))],
    ['the file went', (index) => index.putNotes('global', [], ['a.md'])],
    [
      'it went and another came in its place',
      (index) => {
        index.putNotes('global', [], ['a.md'])
        put(index, exampleNote('c.md', { body: 'pear' }))
      },
    ],
    ['everything was cleared', (index) => index.clear()],
  ]
  it.each(steps)('BL-47: old words have no hits after %s', (_, change) => {
    const old = { name: 'apple', tags: ['apple'], description: 'apple', body: 'apple 守护' }
    put(current(), exampleNote('a.md', old), exampleNote('b.md', { body: 'other' }))
    expect(found(current(), 'apple')).toEqual(['a.md'])
    change(current())
    expect(found(current(), 'apple')).toEqual([])
    expect(found(current(), '守护')).toEqual([])
  })
}

const hostileKeys = [
  'projects/s1',
  'projects/a" OR "b',
  'projects/a) OR (scope:s2',
  'projects/NEAR(a b)',
  'projects/*',
  "projects/a'; DROP TABLE notes; --",
  'projects/ｓ１',
  'projects/аpple',
  'projects/apple',
  'projects/apple ',
  'projects/p_a-b',
  'projects/p-a_b',
  'projects/3fa9cba',
  'projects/3fa9cbaed',
  'projects/a\u0000b',
  'projects/a',
  'none',
  '',
]

function testScopes(current: Current): void {
  it.each(hostileKeys)('BL-14: a key like %j sees its own notes and global only', (key) => {
    put(current(), exampleNote('g.md', { body: 'apple everywhere' }))
    for (const each of hostileKeys) {
      current().putNotes(each, [exampleNote('own.md', { layer: each, body: `apple of ${each}` })], [])
      current().putMessages([exampleMessage(`m ${each}`, 0, { scope: sessionScope(each), body: 'apple said' })])
    }
    const layers = current()
      .searchNotes(parseQuery('apple everywhere "of s1" s1 scope OR NEAR'), [key, 'global'], 50)
      .map((hit) => hit.reference.layer)
    expect(layers.sort()).toEqual([key, 'global'].sort())
    expect(
      current()
        .searchMessages(parseQuery('apple'), [sessionScope(key)], 50)
        .map((hit) => hit.reference.session),
    ).toEqual([`m ${key}`])
    expect(
      current()
        .notesOf(key)
        .map((row) => row.layer),
    ).toEqual([key])
  })

  it('scores do not depend on other scopes', () => {
    put(current(), exampleNote('a.md', { body: 'apple pie' }), exampleNote('b.md', { body: 'pie' }))
    const before = current().searchNotes(parseQuery('apple pie'), ['global'], 5)
    for (let at = 0; at < 50; at++)
      current().putNotes('projects/p', [exampleNote(`n${at}.md`, { layer: 'projects/p', body: 'apple' })], [])
    expect(current().searchNotes(parseQuery('apple pie'), ['global'], 5)).toEqual(before)
  })

  it.each([[[]], [['projects/unknown']], [['global\ud800']]])('nothing is found in the scopes %j', (scopes) => {
    put(current(), exampleNote('a.md', { body: 'apple' }))
    expect(current().searchNotes(parseQuery('apple'), scopes, 5)).toEqual([])
  })
}

/** What a caller may keep of what it read, it keeps by the generation. */
function testGenerations(current: Current): void {
  it.each<[string, (index: SearchIndex) => void]>([
    ['notes are put', (index) => index.putNotes('global', [exampleNote('b.md')], [])],
    ['a note goes', (index) => index.putNotes('global', [], ['a.md'])],
    ['a message is put', (index) => index.putMessages([exampleMessage('s', 1)])],
    ['a session goes', (index) => index.removeSession('s')],
    ['everything goes', (index) => index.clear()],
  ])('another one when %s', (_, write) => {
    put(current(), exampleNote('a.md'))
    current().putMessages([exampleMessage('s', 0)])
    const before = current().generation()
    write(current())
    expect(current().generation()).not.toBe(before)
  })

  it('the same one after reads', () => {
    put(current(), exampleNote('a.md'))
    const before = current().generation()
    current().searchNotes(parseQuery('apple'), ['global'], 5)
    current().notesOf('global')
    current().messageCount('s')
    expect(current().generation()).toBe(before)
  })
}

function testMessages(current: Current): void {
  const search = (text: string, scope = 'session:none') =>
    current()
      .searchMessages(parseQuery(text), [scope], 50)
      .map(({ reference }) => `${reference.session}#${reference.ordinal}`)

  it('finds by words, by speaker and in Chinese; equal ones by session and place', () => {
    current().putMessages([
      exampleMessage('b', 1, { body: 'apple' }),
      exampleMessage('b', 0, { body: 'apple' }),
      exampleMessage('a', 7, { body: 'apple' }),
      exampleMessage('a', 8, { body: '守护进程', speaker: 'tool Bash' }),
    ])
    expect(search('apple')).toEqual(['a#7', 'b#0', 'b#1'])
    expect(search('守')).toEqual(['a#8'])
    expect(search('bash')).toEqual(['a#8'])
  })

  it('counts, replaces and removes by session', () => {
    current().putMessages([exampleMessage('a', 0, { body: 'apple' }), exampleMessage('b', 0, { body: 'apple' })])
    current().putMessages([exampleMessage('a', 0, { body: 'pear' }), exampleMessage('a', 1, { body: 'plum' })])
    expect([current().messageCount('a'), current().messageCount('b'), current().messageCount('c')]).toEqual([2, 1, 0])
    expect([search('apple'), search('pear')]).toEqual([['b#0'], ['a#0']])
    current().removeSession('a')
    current().removeSession('never-there')
    expect([search('pear'), search('plum'), search('apple')]).toEqual([[], [], ['b#0']])
    expect(current().messageCount('a')).toBe(0)
  })

  it('a session that moved to another project leaves the old one', () => {
    current().putMessages([exampleMessage('a', 0, { body: 'apple', scope: 'session:projects/x' })])
    current().putMessages([exampleMessage('a', 0, { body: 'apple', scope: 'session:projects/y' })])
    expect([search('apple', 'session:projects/x'), search('apple', 'session:projects/y')]).toEqual([[], ['a#0']])
  })
}
