/** Contract of search by meaning: what is nearest, of which scopes, and that vectors go with the words they stand for. */
import { expect, it } from 'vitest'
import { type SearchIndex, sessionScope } from '../store/search-index/search-index.ts'
import type { VectorModel } from '../store/search-index/vector-index.ts'
import { exampleMessage, exampleNote, seededRandom } from './search-index-corpus.ts'

const MODEL: VectorModel = { name: 'model-a', dimensions: 3, spaced: { mean: 0.2, deviation: 0.1 }, unspaced: null }
const OTHER: VectorModel = { name: 'model-b', dimensions: 4, spaced: null, unspaced: { mean: 0.8, deviation: 0.02 } }
const PROJECT = 'projects/shop-1a2b3c4d'

const vectorOf = (...values: number[]) => Float32Array.from(values)
const note = (file: string, fields: Parameters<typeof exampleNote>[1] = {}) =>
  exampleNote(file, { body: file, ...fields })

type Current = () => SearchIndex

export function testVectors(current: Current): void {
  const begin = (model = MODEL) => current().vectors.beginModel(model)
  const keep = (file: string, vector: Float32Array | null, layer = 'global', model = MODEL.name) => {
    const hash =
      current()
        .notesOf(layer)
        .find((row) => row.file === file)?.hash ?? ''
    current().vectors.putNotes(model, [{ layer, file, hash, vector }])
  }
  const put = (file: string, vector: Float32Array, fields: Parameters<typeof exampleNote>[1] = {}) => {
    current().putNotes(fields.layer ?? 'global', [note(file, fields)], [])
    keep(file, vector, fields.layer)
  }
  const near = (vector: Float32Array, scopes: readonly string[] = ['global'], model = MODEL.name) =>
    current()
      .vectors.searchNotes({ model, vector }, scopes, 10)
      .hits.map(({ reference }) => reference.file)
  const missing = (model = MODEL.name) =>
    current()
      .vectors.missingNotes(model, ['global', PROJECT], 10)
      .map(({ file }) => file)
      .sort()

  it('nearest first, by angle and not by length; equal ones newest first', () => {
    begin()
    put('near.md', vectorOf(9, 1, 0))
    put('far.md', vectorOf(0, 0, 1))
    put('older.md', vectorOf(1, 1, 0), { updated: '2026-01-01T00:00:00Z' })
    put('newer.md', vectorOf(5, 5, 0), { updated: '2026-02-01T00:00:00Z' })
    expect(near(vectorOf(1, 0, 0))).toEqual(['near.md', 'newer.md', 'older.md', 'far.md'])
    const [best] = current().vectors.searchNotes({ model: MODEL.name, vector: vectorOf(2, 0, 0) }, ['global'], 1).hits
    expect(best?.similarity).toBeCloseTo(9 / Math.sqrt(82), 5)
    expect(current().vectors.model(MODEL.name)).toEqual(MODEL)
  })

  it('a row has the vector of its words only: a change of words takes it away, a change beside them does not', () => {
    begin()
    put('a.md', vectorOf(1, 0, 0))
    current().putNotes('global', [note('a.md', { pinned: true, hash: 'hash of another header' })], [])
    expect([near(vectorOf(1, 0, 0)), missing()]).toEqual([['a.md'], []])
    current().putNotes('global', [note('a.md', { body: 'other words', hash: 'hash of other words' })], [])
    expect([near(vectorOf(1, 0, 0)), missing()]).toEqual([[], ['a.md']])
  })

  it.each<[string, (index: SearchIndex) => void]>([
    ['removed', (index) => index.putNotes('global', [], ['a.md'])],
    ['withheld', (index) => index.putNotes('global', [note('a.md', { withheld: 'threat' })], [])],
    [
      'masked anew',
      (index) => index.putNotes('global', [note('a.md', { textKey: 'key of masked', name: '[masked]' })], []),
    ],
    ['cleared', (index) => index.clear()],
  ])('BL-30 %s: the vector is gone at once, also when the note comes back as it was', (_, change) => {
    begin()
    put('a.md', vectorOf(1, 0, 0))
    expect(near(vectorOf(1, 0, 0))).toEqual(['a.md'])
    change(current())
    expect(near(vectorOf(1, 0, 0))).toEqual([])
    current().putNotes('global', [note('a.md')], [])
    expect([near(vectorOf(1, 0, 0)), missing()]).toEqual([[], ['a.md']])
  })

  it('BL-30 a vector that comes late, for words that changed or went, is not taken', () => {
    begin()
    current().putNotes('global', [note('a.md'), note('b.md')], [])
    const places = current().vectors.missingNotes(MODEL.name, ['global'], 10)
    current().putNotes('global', [note('a.md', { body: 'new', hash: 'new' })], ['b.md'])
    current().vectors.putNotes(
      MODEL.name,
      places.map((place) => ({ ...place, vector: vectorOf(1, 0, 0) })),
    )
    expect([near(vectorOf(1, 0, 0)), missing()]).toEqual([[], ['a.md']])
  })

  it.each<[string, VectorModel, Float32Array]>([
    ['of another name', OTHER, vectorOf(1, 0, 0, 0)],
    ['of another name and the same length', { ...MODEL, name: 'model-c' }, vectorOf(1, 0, 0)],
  ])(
    'BL-78 a model %s: nothing is mixed, everything is missing, the old one is replaced row by row',
    (_, next, vector) => {
      begin()
      put('a.md', vectorOf(1, 0, 0))
      put('b.md', vectorOf(1, 1, 0))
      begin(next)
      expect([near(vector, ['global'], next.name), missing(next.name)]).toEqual([[], ['a.md', 'b.md']])
      keep('a.md', vector, 'global', next.name)
      expect([near(vector, ['global'], next.name), near(vectorOf(1, 0, 0))]).toEqual([['a.md'], ['b.md']])
      expect(current().vectors.countNotes(next.name, ['global'])).toEqual({ done: 1, of: 2 })
      expect(current().vectors.countNotes(MODEL.name, ['global'])).toEqual({ done: 1, of: 2 })
    },
  )

  it('BL-78 a model begun anew with another length drops what it made before; a query of another length finds nothing', () => {
    begin()
    put('a.md', vectorOf(1, 0, 0))
    expect(near(vectorOf(1, 0, 0, 0))).toEqual([])
    begin({ ...MODEL, dimensions: 4 })
    expect([near(vectorOf(1, 0, 0)), near(vectorOf(1, 0, 0, 0)), missing()]).toEqual([[], [], ['a.md']])
    keep('a.md', vectorOf(1, 0, 0, 0))
    expect([near(vectorOf(1, 0, 0, 0)), current().vectors.model(MODEL.name)?.dimensions]).toEqual([['a.md'], 4])
    current().vectors.dropModel(MODEL.name)
    expect([near(vectorOf(1, 0, 0, 0)), current().vectors.model(MODEL.name)]).toEqual([[], null])
  })

  it.each<[string, Float32Array | null]>([
    ['none', null],
    ['one that holds no number', vectorOf(Number.NaN, 1, 0)],
    ['one without an end', vectorOf(Number.POSITIVE_INFINITY, 1, 0)],
    ['one that points nowhere', vectorOf(0, 0, 0)],
  ])('BL-78 the model gives %s: the row is never near anything, and not asked again', (_, vector) => {
    begin()
    put('good.md', vectorOf(1, 0, 0))
    current().putNotes('global', [note('bad.md')], [])
    keep('bad.md', vector)
    expect([near(vectorOf(1, 0, 0)), missing()]).toEqual([['good.md'], []])
    expect(near(vectorOf(Number.NaN, 0, 0))).toEqual([])
  })

  it('refuses a vector of another length and a model that was not begun', () => {
    begin()
    current().putNotes('global', [note('a.md')], [])
    expect(() => keep('a.md', vectorOf(1, 0))).toThrow()
    expect(() => keep('a.md', vectorOf(1, 0, 0), 'global', 'unknown')).toThrow()
    expect(missing()).toEqual(['a.md'])
  })

  it('narrows by type, tag and status; an archived note needs none', () => {
    begin()
    put('tagged.md', vectorOf(1, 0, 0), { tags: ['ci'], type: 'project' })
    put('plain.md', vectorOf(1, 0.1, 0))
    put('old.md', vectorOf(1, 0.2, 0), { status: 'archived' })
    const search = (filter: Parameters<SearchIndex['searchNotes']>[3]) =>
      current()
        .vectors.searchNotes({ model: MODEL.name, vector: vectorOf(1, 0, 0) }, ['global'], 1, filter)
        .hits.map(({ reference }) => reference.file)
    expect([
      search({ tag: 'ci' }),
      search({ type: 'feedback', status: 'active' }),
      search({ status: 'archived' }),
    ]).toEqual([['tagged.md'], ['plain.md'], ['old.md']])
    current().putNotes('global', [note('archive.md', { status: 'archived' })], [])
    expect(missing()).toEqual([])
  })

  it('a filter that few pass is answered from far out', () => {
    begin()
    for (let at = 0; at < 300; at++) put(`n${at}.md`, vectorOf(1, at / 1_000, 0))
    put('wanted.md', vectorOf(0, 0, 1), { tags: ['rare'] })
    const hits = current().vectors.searchNotes({ model: MODEL.name, vector: vectorOf(1, 0, 0) }, ['global'], 5, {
      tag: 'rare',
    })
    expect(hits.hits.map(({ reference }) => reference.file)).toEqual(['wanted.md'])
  })

  it('BL-14 [R9] no row of another scope is near, missing or counted, whatever the order of writes', () => {
    begin()
    const random = seededRandom(7)
    const keys = ['global', PROJECT, 'projects/other-9f8e7d6c', 'projects/shop-1a2b3c4d/team', "projects/'; --"]
    for (let at = 0; at < 120; at++) {
      const layer = keys[random(keys.length)] ?? 'global'
      put(`n${random(20)}.md`, vectorOf(random(9) + 1, random(9), random(9)), { layer, body: `${at}` })
      if (random(4) === 0) current().putNotes(layer, [], [`n${random(20)}.md`])
      for (const key of keys) {
        const hits = current().vectors.searchNotes({ model: MODEL.name, vector: vectorOf(1, 1, 1) }, [key], 50)
        expect(hits.hits.every(({ reference }) => reference.layer === key)).toBe(true)
        expect(hits.hits).toHaveLength(current().notesOf(key).length)
      }
    }
    expect(near(vectorOf(1, 1, 1), ['projects/unknown'])).toEqual([])
  })

  describeMessages(current, begin)
}

function describeMessages(current: Current, begin: () => void): void {
  const scope = sessionScope(PROJECT)
  const near = (scopes: readonly string[]) =>
    current()
      .vectors.searchMessages({ model: MODEL.name, vector: vectorOf(1, 0, 0) }, scopes, 10)
      .hits.map(({ reference }) => [reference.session, reference.ordinal])

  it('messages: nearest of their scope; gone with the session, and not back with another of its name', () => {
    begin()
    const messages = [0, 1].map((ordinal) => exampleMessage('s', ordinal, { scope }))
    current().putMessages([...messages, exampleMessage('other', 0, { scope: sessionScope(null) })])
    expect(current().vectors.missingMessages(MODEL.name, [scope], 10)).toEqual([
      { session: 's', ordinal: 0 },
      { session: 's', ordinal: 1 },
    ])
    current().vectors.putMessages(MODEL.name, [
      { session: 's', ordinal: 0, vector: vectorOf(1, 1, 0) },
      { session: 's', ordinal: 1, vector: vectorOf(1, 0, 0) },
      { session: 'other', ordinal: 0, vector: vectorOf(1, 0, 0) },
      { session: 'never', ordinal: 0, vector: vectorOf(1, 0, 0) },
      { session: 's', ordinal: 7, vector: vectorOf(1, 0, 0) },
    ])
    expect(near([scope])).toEqual([
      ['s', 1],
      ['s', 0],
    ])
    expect(current().vectors.countMessages(MODEL.name, [scope])).toEqual({ done: 2, of: 2 })
    current().removeSession('s')
    expect(near([scope])).toEqual([])
    current().putMessages(messages)
    expect([near([scope]), near([sessionScope(null)])]).toEqual([[], [['other', 0]]])
    expect(current().vectors.countMessages(MODEL.name, [scope])).toEqual({ done: 0, of: 2 })
  })
}
