import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Layer, RecallInput, RecallResult } from '../domain/index.ts'
import type { IndexedNote } from '../store/search-index/search-index.ts'
import { createRecallHarness, globalLayer, projectLayer, type RecallHarness } from '../testing/recall-harness.ts'
import { createFullRecall, type RecallDependencies } from './index.ts'

function harnessOf(notes: Readonly<Record<string, Partial<IndexedNote>>>, more: Partial<RecallDependencies> = {}) {
  const harness = createRecallHarness()
  for (const [file, fields] of Object.entries(notes)) harness.note(file, { type: 'project', ...fields })
  return { harness, ...fullOf(harness, more) }
}

function fullOf(harness: RecallHarness, more: Partial<RecallDependencies> = {}) {
  const recall = createFullRecall({
    index: () => harness.index,
    layers: () => [globalLayer, projectLayer],
    readNote: async (layer, file) => {
      harness.reads.push(file)
      return harness.files.get(`${layer} ${file}`) ?? null
    },
    sessions: () => harness.store,
    clock: { now: () => Date.parse('2026-11-29T12:00:00Z') },
    ...more,
  })
  const ask = (input: RecallInput): Promise<RecallResult> => recall.recall(input)
  const names = async (input: RecallInput) => (await ask(input)).results.map(({ name }) => name)
  return { ask, names }
}

const people: Readonly<Record<string, Partial<IndexedNote>>> = {
  'people/ana.md': {
    name: 'Ana Souza',
    aliases: ['Ana', '阿娜'],
    tags: ['person:ana'],
    body: 'Leads the parser work.',
    updated: '2026-01-01T00:00:00Z',
  },
  'old.md': { name: 'Reviews', body: 'Ana reviews the billing changes', updated: '2026-02-01T00:00:00Z' },
  'new.md': { name: '周会', body: '周会由阿娜主持，小王记录', updated: '2026-10-01T00:00:00Z', type: 'feedback' },
  'both.md': { name: 'Pairing', body: 'Ana Souza pairs with 小王 on the exporter', updated: '2026-05-01T00:00:00Z' },
  'else.md': { name: 'Fruit', body: 'The banana analysis is in Anatolia', updated: '2026-11-01T00:00:00Z' },
  'prince.md': { name: '书', body: '《小王子》在书架上', updated: '2026-11-02T00:00:00Z' },
  'gone.md': { name: 'Left', body: 'Ana left the guild', status: 'archived', updated: '2026-11-03T00:00:00Z' },
  'evil.md': { name: 'Bad', body: 'Ana says ignore it', withheld: 'threat', updated: '2026-11-04T00:00:00Z' },
}

describe('recall about [R10]', () => {
  it.each<[string, string[]]>([
    ['Ana', ['周会', 'Pairing', 'Reviews', 'Ana Souza']],
    ['ana souza', ['周会', 'Pairing', 'Reviews', 'Ana Souza']],
    ['@Ana', ['周会', 'Pairing', 'Reviews', 'Ana Souza']],
    ['阿娜', ['周会', 'Pairing', 'Reviews', 'Ana Souza']],
    ['小王', ['周会', 'Pairing']],
    ['Nobody', []],
    ['', []],
    ['王', []],
  ])('%j: all under all its names, newest first', async (about, expected) => {
    expect(await harnessOf(people).names({ about })).toEqual(expected)
  })

  it('says what it looked for, and what the tags say it is', async () => {
    const { ask } = harnessOf(people)
    expect((await ask({ about: 'ana' })).entities).toEqual([
      { asked: 'ana', names: ['ana', 'Ana Souza', '阿娜'], kind: 'person' },
    ])
    expect((await ask({ about: '小王' })).entities).toEqual([{ asked: '小王', names: ['小王'], kind: null }])
  })

  it.each([
    ['person', 'person:bo'],
    ['person', '人:bo'],
    ['project', 'project:Bo'],
    ['tool', '工具：bo'],
    [null, 'bo'],
  ])('a note that is tagged is about it: %s by %s', async (kind, tag) => {
    const { ask } = harnessOf({ 'a.md': { name: 'note', body: 'Likes tea', tags: [tag] } })
    const found = await ask({ about: 'Bo' })
    expect([found.results.length, found.entities?.[0]?.kind]).toEqual([1, kind])
  })

  it('two people of one name keep their other names apart', async () => {
    const { names } = harnessOf({
      'souza.md': { name: 'Ana Souza', aliases: ['Ana'], body: 'x' },
      'lima.md': { name: 'Ana Lima', aliases: ['Ana'], body: 'x' },
      'one.md': { name: 'one', body: 'Ana Souza likes tea' },
      'two.md': { name: 'two', body: 'Ana Lima likes tea' },
    })
    expect((await names({ about: 'Ana Souza' })).sort()).toEqual(['Ana Souza', 'one'])
    expect((await names({ about: 'Ana' })).sort()).toEqual(['Ana Lima', 'Ana Souza', 'one', 'two'])
  })

  it('a shipped pair is a name too', async () => {
    const { names } = harnessOf({ 'a.md': { name: 'db', body: 'The Postgres of the shop is in Frankfurt' } })
    expect(await names({ about: 'PostgreSQL' })).toEqual(['db'])
  })

  it('is bounded and says what it left out; it reads no more than it gives', async () => {
    const notes = Object.fromEntries(
      Array.from({ length: 70 }, (_, at) => [`n${at}.md`, { name: `n${at}`, body: `Ana did ${at}` }]),
    )
    const { ask, harness } = harnessOf(notes)
    const found = await ask({ about: 'Ana', limit: 20 })
    expect([found.results.length, found.omitted, harness.reads.length]).toEqual([20, 50, 20])
    expect((await ask({ about: 'Ana', limit: 500 })).results).toHaveLength(50)
  })

  it('reads the file: what was deleted or says something else meanwhile is not told', async () => {
    const { names, harness } = harnessOf(people)
    harness.files.delete('global old.md')
    const changed = harness.files.get('global both.md')
    if (changed) harness.files.set('global both.md', { ...changed, body: 'Bo pairs with Cleo', hash: 'new' })
    expect(await names({ about: 'Ana' })).toEqual(['周会', 'Ana Souza'])
  })

  it('with a question it narrows the search', async () => {
    const { names } = harnessOf(people)
    expect(await names({ about: 'Ana', query: 'who reviews billing' })).toEqual(['Reviews'])
    expect(await names({ about: '小王', query: 'who reviews billing' })).toEqual([])
  })

  it.each(['what do we know about Ana Souza', '关于阿娜我们知道什么'])(
    '%s: a plain question finds it too',
    async (query) => {
      expect(await harnessOf(people).names({ query })).toEqual(expect.arrayContaining(['Ana Souza', '周会', 'Pairing']))
    },
  )
})

describe('recall together [R10]', () => {
  it.each<[string, string, string[]]>([
    ['Ana', '小王', ['周会', 'Pairing']],
    ['小王', 'ana souza', ['周会', 'Pairing']],
    ['Ana', 'exporter', ['Pairing']],
    ['Ana', 'Nobody', []],
  ])('%s and %s', async (about, together, expected) => {
    const { ask, names } = harnessOf(people)
    expect(await names({ about, together })).toEqual(expected)
    expect((await ask({ about, together })).entities).toHaveLength(2)
    expect(await names({ together })).toEqual(await names({ about: together }))
  })
})

describe('recall contradicts [R10]', () => {
  const homes: Readonly<Record<string, Partial<IndexedNote>>> = {
    'old.md': { name: 'Home of Ana', body: 'Ana lives in Lisbon.', updated: '2026-01-01T00:00:00Z' },
    'new.md': { name: 'Ana moved', body: 'Ana now lives in Porto.', updated: '2026-05-01T00:00:00Z' },
    'job.md': { name: '值班', body: '日志服务由小王负责。', updated: '2026-02-01T00:00:00Z' },
    'job2.md': { name: '值班换人', body: '日志服务改由阿芙负责。', updated: '2026-03-01T00:00:00Z' },
  }

  it('names the newer one and quotes both; about narrows it', async () => {
    const { ask } = harnessOf(homes)
    const all = await ask({ contradicts: true })
    expect(all.contradictions).toEqual([
      {
        newer: 'id-new.md',
        older: 'id-old.md',
        kind: 'value',
        newerQuote: 'Ana now lives in Porto',
        olderQuote: 'Ana lives in Lisbon',
      },
      expect.objectContaining({ newer: 'id-job2.md', older: 'id-job.md' }),
    ])
    expect(all.results.map(({ id }) => id).sort()).toEqual(['id-job.md', 'id-job2.md', 'id-new.md', 'id-old.md'])
    expect((await ask({ contradicts: true, about: 'Ana' })).contradictions).toHaveLength(1)
    expect((await ask({ contradicts: true, about: '日志服务' })).contradictions).toHaveLength(1)
    expect((await ask({ contradicts: true, about: '小王' })).contradictions).toEqual([])
    const one = await ask({ contradicts: true, limit: 1 })
    expect([one.contradictions?.length, one.omitted, one.notCompared]).toEqual([1, 1, 0])
  })

  it.each<[string, Partial<IndexedNote> & { supersedes?: string[] }]>([
    ['is archived', { status: 'archived' }],
    ['is superseded', { status: 'superseded' }],
    ['expired', { expires: '2026-11-28' }],
    ['is withheld', { withheld: 'threat' }],
    ['is overridden by a nearer note of its name', { name: 'ana-moved' }],
    ['supersedes the other by id', { supersedes: ['id-old.md'] }],
    ['supersedes the other by name', { supersedes: ['Home of Ana'] }],
  ])('no pair when the other %s', async (_, fields) => {
    const { ask, harness } = harnessOf({ ...homes, 'new.md': { ...homes['new.md'], ...fields } })
    harness.note('near.md', { name: 'Ana moved', body: 'See the wiki.' }, projectLayer)
    if (fields.name === undefined) harness.note('near.md', { name: 'free', body: 'See the wiki.' }, projectLayer)
    if (fields.name !== undefined) harness.note('near.md', { name: fields.name, body: 'See the wiki.' }, projectLayer)
    expect((await ask({ contradicts: true, about: 'Ana' })).contradictions).toEqual([])
  })

  it('a note that expires today still holds', async () => {
    const { ask } = harnessOf({ ...homes, 'new.md': { ...homes['new.md'], expires: '2026-11-29' } })
    expect((await ask({ contradicts: true, about: 'Ana' })).contradictions).toHaveLength(1)
  })
})

describe('filters of recall [R9]', () => {
  const notes: Readonly<Record<string, Partial<IndexedNote>>> = {
    'a.md': { name: 'a', body: 'deploy blue', type: 'feedback', tags: ['ci'], updated: '2026-11-28T00:00:00Z' },
    'b.md': { name: 'b', body: 'deploy green', type: 'project', updated: '2026-11-10T00:00:00Z' },
    'c.md': { name: 'c', body: 'deploy red', status: 'superseded', updated: '2026-06-01T00:00:00Z' },
    'd.md': { name: 'd', body: 'deploy by Ana', updated: null },
  }
  const trustOf = () =>
    new Map([
      ['id-a.md', 0.4],
      ['id-b.md', 0.8],
    ])

  it.each<[string, Partial<RecallInput>, string[]]>([
    ['type', { type: 'feedback' }, ['a']],
    ['tag', { tag: 'ci' }, ['a']],
    ['status', { status: 'superseded' }, ['c']],
    ['every status', { status: 'all' }, ['a', 'b', 'c', 'd']],
    ['since', { since: '7d' }, ['a']],
    ['until', { until: '2026-11-10' }, ['b']],
    ['since and until', { since: '2026-05', until: '2026-07', status: 'all' }, ['c']],
    ['since in Chinese', { since: '昨天' }, ['a']],
    ['least trust', { minTrust: 0.5 }, ['b', 'd']],
    ['more trust than any', { minTrust: 0.9 }, []],
    ['about', { about: 'Ana' }, ['d']],
    ['layer', { layer: 'project' }, []],
    ['several', { type: 'project', minTrust: 0.6, since: '30d' }, ['b']],
  ])('%s', async (_, input, expected) => {
    const { names } = harnessOf(notes, { trustOf })
    expect((await names({ query: 'deploy', ...input })).sort()).toEqual(expected)
  })

  it.each([{ since: 'soon' }, { until: '' }, { minTrust: 2 }, { minTrust: Number.NaN }])(
    '%j is refused',
    async (input) => {
      const { ask } = harnessOf(notes)
      for (const query of ['deploy', undefined])
        await expect(ask({ query, about: 'Ana', ...input })).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    },
  )

  it('messages are narrowed by time, and have none of the properties of notes', async () => {
    const { ask, harness } = harnessOf({})
    harness.conversation('c', projectLayer.key, ['deploy the exporter', 'done'])
    const found = async (input: RecallInput) =>
      (await ask({ in: 'sessions', query: 'deploy exporter', ...input })).results
    expect(await found({ since: '2026-11-28' })).not.toEqual([])
    for (const input of [{ until: '2026-11-27' }, { since: '2026-11-29' }, { about: 'exporter' }, { minTrust: 0.1 }])
      expect(await found(input)).toEqual([])
  })
})

describe('entities of many projects [R9] [R10]', () => {
  it('no name, alias, note or pair of one project shows in another', async () => {
    const word = fc.constantFrom('Ana', 'Bo', '小王', '阿芙', 'Harrow', 'k8s', 'Kubernetes', 'blueberry')
    const noteArbitrary = fc.record({
      name: fc.oneof(
        word,
        fc.tuple(word, word).map((pair) => pair.join(' ')),
      ),
      aliases: fc.array(word, { maxLength: 3 }),
      body: fc
        .tuple(word, fc.constantFrom('lives in Lisbon', 'lives in Porto', '由小王负责', '由阿芙负责'))
        .map((parts) => parts.join(' ')),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(noteArbitrary, { maxLength: 4 }), { minLength: 2, maxLength: 8 }),
        word,
        word,
        async (projects, about, together) => {
          const harness = createRecallHarness()
          const layers = projects.map(
            (_, at): Layer => ({ name: 'project', key: `projects/p${at}`, directory: `/h/p${at}` }),
          )
          for (const [at, notes] of projects.entries())
            for (const [which, fields] of notes.entries())
              harness.note(`n${which}.md`, { ...fields, id: `p${at}-${which}`, type: 'project' }, layers[at])
          for (const [at, layer] of layers.entries()) {
            const inside = fullOf(harness, { layers: () => [globalLayer, layer] })
            const alone = createRecallHarness()
            for (const [which, fields] of (projects[at] ?? []).entries())
              alone.note(`n${which}.md`, { ...fields, id: `p${at}-${which}`, type: 'project' }, layer)
            const apart = fullOf(alone, { layers: () => [globalLayer, layer] })
            for (const input of [
              { about },
              { about, together },
              { contradicts: true },
              { contradicts: true, about },
              { query: `${about} ${together}`, about },
              { query: about },
            ])
              expect(await inside.ask(input)).toEqual(await apart.ask(input))
          }
        },
      ),
      { numRuns: Number(process.env.KEEPSAKE_RUNS ?? 25) },
    )
  })
})
