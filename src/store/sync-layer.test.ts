import { describe, expect, it } from 'vitest'
import type { Layer, Note } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { createSyncHarness, exampleNote, globalLayer, MASKED_WORD, THREAT_WORDS } from '../testing/sync-harness.ts'
import { sha256 } from '../util/index.ts'
import { derivedId } from './notes/names.ts'
import type { IndexQuery } from './search-index/search-index.ts'
import { createSync } from './sync.ts'

const ID = '01JQ0000000000000000000001'
const OTHER_ID = '01JQ0000000000000000000002'
const long = 10 * 60_000

const words = (...texts: string[]): IndexQuery => ({
  words: texts.map((text) => ({ text, weight: 1 })),
  grams: [],
  phrases: [],
  prefixes: [],
})

describe('sync of a layer', () => {
  it('makes a row of everything the file says', async () => {
    const harness = createSyncHarness()
    const evidence = '\n  - {session: "claude-code:s", role: user, quote: "use pnpm", hash: abc}'
    const front = { id: ID, name: 'Package manager', description: 'pnpm only', type: 'feedback', pinned: 'true' }
    const more = { confidence: '0.9', tags: '[tools, 工具]', created: '2026-01-01T00:00:00Z', source: evidence }
    const text = exampleNote({ ...front, ...more, updated: '2026-02-01T00:00:00Z' }, 'Use pnpm, not npm.')
    harness.put('feedback_pnpm.md', text, { mtimeMs: 1_000, inode: 7 })
    const report = await harness.run()
    expect(report).toMatchObject({
      state: 'ok',
      listed: 1,
      read: 1,
      changed: 1,
      removed: 0,
      failure: null,
      problems: [],
    })
    expect(harness.rows()).toEqual([
      {
        id: ID,
        layer: 'global',
        file: 'feedback_pnpm.md',
        name: 'Package manager',
        description: 'pnpm only',
        type: 'feedback',
        status: 'active',
        pinned: true,
        tags: ['tools', '工具'],
        aliases: [],
        mutes: [],
        appliesTo: [],
        expires: null,
        confidence: 0.9,
        voice: 'rule',
        created: '2026-01-01T00:00:00Z',
        updated: '2026-02-01T00:00:00Z',
        hash: sha256(text),
        textKey: harness.dependencies.tombstones.textKey('Use pnpm, not npm.'),
        size: text.length + 4,
        mtimeMs: 1_000,
        inode: 7,
        lookedAt: harness.clock.now(),
        problems: [],
        withheld: null,
      },
    ])
    expect(harness.memory.state.noteKeys('global', 'feedback_pnpm.md')?.evidenceKeys).toEqual(['key of abc'])
  })

  it('reads and writes nothing when nothing changed', async () => {
    const harness = createSyncHarness()
    for (let n = 0; n < 5; n++) harness.put(`n${n}.md`, `note ${n}`)
    harness.pass(60_000)
    await harness.run()
    harness.puts.length = 0
    for (let round = 0; round < 3; round++) {
      harness.pass(1_000)
      expect(await harness.run()).toMatchObject({ listed: 5, read: 0, changed: 0 })
    }
    expect(harness.puts).toEqual([])
  })

  it.each<[string, (file: { bytes: Uint8Array; mtimeMs: number; inode: number }) => object]>([
    ['time', (file) => ({ ...file, mtimeMs: file.mtimeMs + 1 })],
    ['a time in the past', (file) => ({ ...file, mtimeMs: file.mtimeMs - 5_000 })],
    ['inode', (file) => ({ ...file, inode: file.inode + 99 })],
  ])('another %s: read again, not changed, and quiet afterwards', async (_, restat) => {
    const harness = createSyncHarness()
    harness.put('n.md', 'note')
    harness.pass(60_000)
    await harness.run()
    harness.put('n.md', 'note', restat(harness.fileOf('n.md')!))
    expect(await harness.run()).toMatchObject({ read: 1, changed: 0 })
    expect(await harness.run()).toMatchObject({ read: 0, changed: 0 })
  })

  it('finds an edit of the same size within the same tick of the clock', async () => {
    const harness = createSyncHarness()
    harness.put('n.md', 'use npm!')
    harness.pass(1_999)
    await harness.run()
    const { bytes: _, ...stat } = harness.fileOf('n.md')!
    harness.put('n.md', 'use pnpm', stat)
    expect(await harness.run()).toMatchObject({ read: 1, changed: 1 })
    expect(harness.rows()[0]).toMatchObject({ hash: sha256('use pnpm') })
  })

  it('reads a fresh file at each look until it is 2 s old, but writes no row for it', async () => {
    const harness = createSyncHarness()
    harness.put('n.md', 'note')
    const read: number[] = []
    for (const wait of [0, 500, 1_000, 1_000, 1_000]) {
      harness.pass(wait)
      read.push((await harness.run()).read)
    }
    expect(read).toEqual([1, 1, 1, 1, 0])
    expect(harness.puts.length).toBe(2)
  })

  it('hashes everything when it is told to', async () => {
    const harness = createSyncHarness()
    harness.put('n.md', 'use npm!')
    harness.pass(60_000)
    await harness.run()
    const { bytes: _, ...stat } = harness.fileOf('n.md')!
    harness.put('n.md', 'use pnpm', stat)
    expect(await harness.run()).toMatchObject({ read: 0, changed: 0 })
    expect(await harness.run(globalLayer, { hashAll: true })).toMatchObject({ read: 1, changed: 1 })
  })

  it('dates a bare file by the time its content was first seen', async () => {
    const harness = createSyncHarness()
    harness.put('n.md', 'note', { mtimeMs: 5 })
    await harness.run()
    harness.pass(86_400_000)
    harness.put('n.md', 'note', { mtimeMs: 9_000 })
    await harness.run()
    expect(harness.rows()[0]?.updated).toBe('2026-03-01T10:00:00Z')
    harness.put('n.md', 'another note')
    await harness.run()
    expect(harness.rows()[0]?.updated).toBe('2026-03-02T10:00:00Z')
  })

  const bare = '# Lanterns\n\n- The lantern of the pier burns *until four*.\n'
  it.each([
    ['a touch', bare],
    ['other ends of line', bare.replaceAll('\n', '\r\n')],
    ['another line length', bare.replace('the pier', 'the\n  pier')],
    ['other marks', bare.replace('- The', '* The').replace('*until four*', '_until four_')],
    ['a byte order mark', `\uFEFF${bare}`],
    ['a front matter without a date', `---\nname: lanterns\ntype: project\n---\n\n${bare}`],
  ])('%s makes a bare file no younger [I4]', async (_, text) => {
    const harness = createSyncHarness()
    harness.put('n.md', bare)
    await harness.run()
    harness.pass(86_400_000)
    harness.put('n.md', text)
    await harness.run()
    expect(harness.rows()[0]?.updated).toBe('2026-03-01T10:00:00Z')
    // What is asked by its bytes says the same.
    const { hash = '' } = harness.rows()[0] ?? {}
    expect(harness.memory.state.peekFirstSeen('global', 'n.md', hash)).toBe(Date.parse('2026-03-01T10:00:00Z'))
  })

  it('what an earlier version saw keeps its time, also when its marks change later [I4]', async () => {
    const harness = createSyncHarness()
    harness.put('n.md', bare)
    harness.memory.state.firstSeen('global', 'n.md', sha256(Buffer.from(bare)), Date.parse('2026-02-01T10:00:00Z'))
    await harness.run()
    harness.put('n.md', bare.replace('- The', '+ The'))
    await harness.run()
    expect(harness.rows()[0]?.updated).toBe('2026-02-01T10:00:00Z')
  })

  it('words that were never seen are as old as the history says, asked for a few files [I4]', async () => {
    const asked: string[] = []
    const harness = createSyncHarness()
    const lastChangeMs = async (_: Layer, { file }: Note) => {
      asked.push(file)
      return Date.parse('2026-01-01T10:00:00Z')
    }
    const run = () => createSync({ ...harness.dependencies, lastChangeMs }).layer(globalLayer)
    for (let number = 10; number < 30; number++) harness.put(`n${number}.md`, `lantern ${number}`)
    harness.put('dated.md', exampleNote({ name: 'x', updated: '2026-02-03' }))
    await run()
    const dates = harness.rows().map(({ updated }) => updated?.slice(0, 10))
    expect(dates.filter((date) => date === '2026-01-01')).toHaveLength(10)
    expect(dates.filter((date) => date === '2026-03-01')).toHaveLength(10)
    await run()
    expect(asked).toHaveLength(10)
  })

  it.each<[string, string | Uint8Array, string]>([
    ['unclosed front matter', '---\nname: x\nkestrel words', 'front-matter-unclosed'],
    ['a repeated key', '---\nname: x\nname: y\n---\nkestrel words', 'key-repeated'],
    ['broken YAML', '---\nname: [x\n---\nkestrel words', 'front-matter-malformed'],
    ['bytes that are not UTF-8', Buffer.from('kestrel words \xff\xfe', 'latin1'), 'not-utf8'],
    ['a type outside the four', '---\ntype: dream\n---\nkestrel words', 'value-invalid'],
  ])('keeps a file with %s searchable and names it', async (_, bytes, problem) => {
    const harness = createSyncHarness()
    harness.put('n.md', bytes)
    const report = await harness.run()
    expect(report.problems).toContain(`n.md: ${problem}`)
    expect(harness.rows()[0]?.problems).toContain(problem)
    expect(harness.memory.index.searchNotes(words('kestrel'), ['global'], 5)).toHaveLength(1)
  })
})

describe('what may reach the index', () => {
  it('masks every field', async () => {
    const harness = createSyncHarness()
    const fields = { name: `My ${MASKED_WORD}`, description: `is ${MASKED_WORD}`, tags: `[${MASKED_WORD}]` }
    harness.put('n.md', exampleNote(fields, `Say ${MASKED_WORD}.`))
    await harness.run()
    expect(JSON.stringify(harness.rows())).not.toContain(MASKED_WORD)
    expect(harness.memory.index.searchNotes(words(MASKED_WORD), ['global'], 5)).toEqual([])
    expect(harness.rows()[0]).toMatchObject({ name: 'My [masked: password]', tags: ['[masked: password]'] })
  })

  it.each<[string, Record<string, string>, string, string]>([
    ['the body', { name: 'Harmless', description: 'kestrel' }, `kestrel: ${THREAT_WORDS}`, 'Harmless'],
    ['the name', { name: `kestrel ${THREAT_WORDS}` }, 'kestrel', 'withheld note'],
    ['the description', { name: 'Harmless', description: `kestrel ${THREAT_WORDS}` }, 'kestrel', 'Harmless'],
    ['a tag', { name: 'Harmless', tags: `[kestrel, ${THREAT_WORDS}]` }, 'kestrel', 'Harmless'],
    ['several fields', { name: 'Harmless', description: THREAT_WORDS }, THREAT_WORDS, 'Harmless'],
    [
      'a field that is masked too',
      { name: `Say ${MASKED_WORD}`, description: THREAT_WORDS },
      'kestrel',
      'Say [masked: password]',
    ],
  ])('withholds a note with a threat in %s: a row without words, reported once', async (_, fields, body, name) => {
    const harness = createSyncHarness()
    harness.put('n.md', exampleNote({ id: ID, ...fields }, body))
    const report = await harness.run()
    const hash = harness.rows()[0]?.hash
    expect(report.withheld).toEqual([{ file: 'n.md', id: ID, hash, reason: 'obedience' }])
    expect(harness.rows()[0]).toMatchObject({ id: ID, name, description: '', tags: [], withheld: 'obedience' })
    expect(harness.memory.index.searchNotes(words('kestrel'), ['global'], 5)).toEqual([])
    expect((await harness.run()).withheld).toEqual([])

    harness.put('n.md', exampleNote({ id: ID, name: 'Harmless' }, 'kestrel'))
    await harness.run()
    expect(harness.rows()[0]).toMatchObject({ name: 'Harmless', withheld: null })
    expect(harness.memory.index.searchNotes(words('kestrel'), ['global'], 5)).toHaveLength(1)
  })

  it('says how many withheld notes and problems it left out', async () => {
    const harness = createSyncHarness()
    for (let n = 0; n < 60; n++) harness.put(`n${n}.md`, `---\ntype: dream\n---\n${THREAT_WORDS} ${n}`)
    const report = await harness.run()
    expect([report.withheld.length, report.withheldOmitted]).toEqual([50, 10])
    expect([report.problems.length, report.problemsOmitted]).toEqual([20, 40])
  })

  it('a file that a transcript claims later is no rule any more', async () => {
    const harness = createSyncHarness()
    harness.put('feedback_a.md', 'Always use tabs.')
    harness.put('feedback_b.md', 'Never use tabs.')
    harness.pass(60_000)
    await harness.run()
    expect(harness.rows().map((row) => row.voice)).toEqual(['rule', 'rule'])
    harness.toolWritten.add('/home/ada/.keepsake/global/feedback_a.md')
    expect(await harness.run()).toMatchObject({ read: 1, changed: 1 })
    expect(harness.rows().map((row) => row.voice)).toEqual(['fact', 'rule'])
    expect(await harness.run()).toMatchObject({ read: 0 })
  })
})

describe('several files with one id', () => {
  const note = (id: string, body: string) => exampleNote({ id, name: body }, body)
  const idsOf = (harness: ReturnType<typeof createSyncHarness>) =>
    Object.fromEntries(harness.rows().map((row) => [row.file, row.id]))

  it.each<[string, (harness: ReturnType<typeof createSyncHarness>) => void, Record<string, string>]>([
    ['a later path comes', (h) => h.put('z.md', note(ID, 'z')), { 'm.md': ID, 'z.md': derivedId('global', 'z.md') }],
    ['an earlier path comes', (h) => h.put('a.md', note(ID, 'a')), { 'a.md': ID, 'm.md': derivedId('global', 'm.md') }],
    [
      'two earlier paths come',
      (h) => {
        h.put('b.md', note(ID, 'b'))
        h.put('a.md', note(ID, 'a'))
      },
      { 'a.md': ID, 'b.md': derivedId('global', 'b.md'), 'm.md': derivedId('global', 'm.md') },
    ],
    [
      'the owner goes',
      (h) => {
        h.put('z.md', note(ID, 'z'))
        h.remove('m.md')
      },
      { 'z.md': ID },
    ],
    [
      'the owner takes another id',
      (h) => {
        h.put('z.md', note(ID, 'z'))
        h.put('m.md', note(OTHER_ID, 'm'))
      },
      { 'm.md': OTHER_ID, 'z.md': ID },
    ],
    [
      'two files swap ids',
      (h) => {
        h.put('z.md', note(ID, 'z'))
        h.put('m.md', note(OTHER_ID, 'm'))
      },
      { 'm.md': OTHER_ID, 'z.md': ID },
    ],
  ])('%s: the first path keeps it', async (_, change, expected) => {
    const harness = createSyncHarness()
    harness.put('m.md', note(ID, 'm'))
    if (_ === 'two files swap ids') harness.put('z.md', note(OTHER_ID, 'z'))
    harness.pass(60_000)
    await harness.run()
    change(harness)
    await harness.run()
    expect(idsOf(harness)).toEqual(expected)
    await harness.run()
    expect(idsOf(harness)).toEqual(expected)
    const repeated = harness.rows().filter((row) => row.problems.includes('id-repeated'))
    expect(repeated.map((row) => row.id)).toEqual(repeated.map((row) => derivedId('global', row.file)))
  })

  it('gives the id back when the earlier path leaves', async () => {
    const harness = createSyncHarness()
    harness.put('a.md', note(ID, 'a'))
    harness.put('b.md', note(ID, 'b'))
    harness.pass(long)
    await harness.run()
    harness.remove('a.md')
    await harness.run()
    expect(idsOf(harness)).toEqual({ 'b.md': ID })
    expect(harness.rows()[0]?.problems).toEqual([])
  })
})

describe('what stands in the way', () => {
  const three = async () => {
    const harness = createSyncHarness()
    for (const file of ['a.md', 'b.md', 'sub/c.md']) harness.put(file, `words of ${file}`)
    harness.pass(60_000)
    await harness.run()
    return harness
  }

  it.each(['vanished', 'empty'] as const)(
    'a layer that looks %s keeps its rows, and nothing counts as missing',
    async (state) => {
      const harness = await three()
      harness.listing.state = state
      for (let look = 0; look < 3; look++) {
        expect(await harness.run()).toMatchObject({ state: 'vanished', removed: 0, forgotten: 0 })
        harness.pass(long)
      }
      expect(harness.rows()).toHaveLength(3)
      expect(harness.memory.state.missing('global')).toEqual([])
    },
  )

  it('a layer that never held notes is empty', async () => {
    const harness = createSyncHarness()
    harness.listing.state = 'empty'
    expect(await harness.run()).toMatchObject({ state: 'empty', failure: null })
  })

  it('a file that cannot be read keeps its row, is named, and stops decisions about missing ones', async () => {
    const harness = await three()
    harness.put('a.md', 'new words')
    harness.listing.unreadable.add('a.md')
    harness.remove('b.md')
    for (let look = 0; look < 3; look++) {
      const report = await harness.run()
      expect(report).toMatchObject({ state: 'ok', forgotten: 0, problems: ['a.md: EACCES: permission denied'] })
      harness.pass(long)
    }
    expect(harness.rows().map((row) => row.file)).toEqual(['a.md', 'sub/c.md'])
    harness.listing.unreadable.clear()
    expect(await harness.run()).toMatchObject({ changed: 1, forgotten: 1 })
  })

  it.each<[string, string, string, string[], number]>([
    ['an unreadable folder', 'sub/', 'unreadable', ['a.md', 'b.md', 'sub/c.md'], 0],
    ['an unreadable file', 'sub/c.md', 'unreadable', ['a.md', 'b.md', 'sub/c.md'], 0],
    ['a file grown too large', 'sub/c.md', 'too-large', ['a.md', 'b.md'], 0],
    ['a folder that is not read any more', 'sub/', 'reserved-folder', ['a.md', 'b.md'], 0],
    ['a file of another name', 'sub/c.md.bak', 'backup', ['a.md', 'b.md'], 1],
  ])('%s', async (_, file, reason, rows, missing) => {
    const harness = await three()
    harness.remove('sub/c.md')
    harness.listing.ignored.push({ file, reason })
    await harness.run()
    expect(harness.rows().map((row) => row.file)).toEqual(rows)
    expect(harness.memory.state.missing('global')).toHaveLength(missing)
  })

  it.each<[string, () => never, string]>([
    ['a missing SQLite', () => fail('INDEX_UNAVAILABLE'), 'INDEX_UNAVAILABLE'],
    ['a lock', () => fail('SQLITE_BUSY'), 'SQLITE_BUSY'],
    ['damage', () => fail('SQLITE_CORRUPT'), 'SQLITE_CORRUPT'],
    ['a full disk', () => fail('STORE_FULL'), 'STORE_FULL'],
    [
      'an unknown fault',
      () => {
        throw new TypeError('odd')
      },
      'INTERNAL',
    ],
  ])('BL-64 %s of the index or the state is reported, never thrown', async (_, refuse, code) => {
    const harness = createSyncHarness()
    harness.put('n.md', 'note')
    const { index, state } = harness.memory
    const broken = [
      { index: refuse },
      { state: refuse },
      { index: () => ({ ...index, putNotes: refuse }) },
      { index: () => ({ ...index, notesOf: refuse }) },
      { state: () => ({ ...state, putNoteKeys: refuse }) },
    ]
    for (const dependencies of broken) {
      const report = await createSync({ ...harness.dependencies, ...dependencies }).layer(globalLayer)
      expect(report).toMatchObject({ state: 'failed', failure: { code }, changed: 0 })
    }
    expect(await harness.run()).toMatchObject({ state: 'ok', changed: 1 })
  })

  it('goes on after a failure half way, and at the end nothing is missing', async () => {
    const harness = createSyncHarness()
    for (let n = 0; n < 200; n++) harness.put(`n${n}.md`, `note ${n}`)
    let calls = 0
    const flaky = () => ({
      ...harness.memory.index,
      putNotes: (...values: Parameters<typeof harness.memory.index.putNotes>) => {
        if (++calls % 3 === 0) fail('SQLITE_BUSY')
        harness.memory.index.putNotes(...values)
      },
    })
    const states: string[] = []
    for (let run = 0; run < 10; run++)
      states.push((await createSync({ ...harness.dependencies, index: flaky }).layer(globalLayer)).state)
    expect(states).toContain('failed')
    expect(states.at(-1)).toBe('ok')
    expect(harness.rows()).toHaveLength(200)
  })

  it('stops between batches when it is cancelled', async () => {
    const harness = createSyncHarness()
    harness.put('n.md', 'note')
    const report = await harness.run(globalLayer, { signal: AbortSignal.abort() })
    expect(report).toMatchObject({ state: 'failed', failure: { code: 'CANCELLED' }, changed: 0 })
  })

  it('keeps transactions small, by count and by size', async () => {
    const harness = createSyncHarness()
    for (let n = 0; n < 300; n++) harness.put(`n${n}.md`, `note ${n}`)
    for (let n = 0; n < 5; n++) harness.put(`large${n}.md`, 'words '.repeat(20_000))
    await harness.run()
    expect(Math.max(...harness.puts.map((each) => each.put))).toBeLessThanOrEqual(20)
    expect(harness.puts.filter((each) => each.put === 1).length).toBeGreaterThanOrEqual(4)
    for (const file of harness.files()) harness.remove(file)
    await harness.run()
    expect(Math.max(...harness.puts.map((each) => each.removed))).toBeLessThanOrEqual(200)
    expect(harness.rows()).toEqual([])
  })
})

function fail(code: ConstructorParameters<typeof MemoryError>[0]): never {
  throw new MemoryError(code, 'it failed')
}
