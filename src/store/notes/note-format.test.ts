import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyFile, anyValue, noteCorpus, trickyTexts } from '../../../test/support/note-corpus.ts'
import type { Evidence, Note } from '../../domain/index.ts'
import { createNoteFile, type NewNoteFields, parseNoteFile, printNoteFile, readNote } from './note-format.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const read = (text: string, file = 'feedback_x.md', layer = 'projects/demo-1'): Note =>
  readNote(encode(text), { layer, file })
const inFrontMatter = (lines: string, file?: string, layer?: string): Note =>
  read(`---\n${lines}\n---\nBody.\n`, file, layer)

const fields: NewNoteFields = {
  name: 'Package manager',
  description: 'pnpm, not npm',
  type: 'feedback',
  id: '01JD0000000000000000000001',
  created: '2026-11-29T20:24:00Z',
  updated: '2026-11-29T20:24:00Z',
}

describe('print(parse(bytes))', () => {
  it('gives back every file of the corpus', () => {
    for (const text of [...noteCorpus, ...noteCorpus.map((each) => each.replaceAll('\n', '\r\n'))])
      expect(Buffer.from(printNoteFile(parseNoteFile(encode(text)))).toString()).toBe(text)
  })

  it('gives back any bytes, over 6,000 mutated files', () => {
    let opened = 0
    let foreign = 0
    fc.assert(
      fc.property(anyFile, (bytes) => {
        const document = parseNoteFile(bytes)
        if (document.opening !== '') opened++
        if (document.encoding === 'bytes') foreign++
        expect(Buffer.from(printNoteFile(document)).equals(Buffer.from(bytes))).toBe(true)
      }),
      { numRuns: 6_000 },
    )
    // The property says something only when both kinds of file are among them.
    expect(opened).toBeGreaterThan(1_000)
    expect(foreign).toBeGreaterThan(300)
  })

  it('reads any bytes without throwing, and keeps the text for search', () => {
    fc.assert(
      fc.property(anyFile, (bytes) => {
        const note = readNote(bytes, { layer: 'global', file: 'a.md' })
        expect(note.id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
        expect(note.confidence >= 0 && note.confidence <= 1).toBe(true)
        expect(Buffer.from(bytes).toString().replace(/\s/g, '')).toContain(note.body.replace(/\s/g, ''))
      }),
      { numRuns: 2_000 },
    )
  })

  it('survives nesting that no stack holds, and front matter without end', () => {
    const deep = read(`---\na: ${'['.repeat(60_000)}\n---\nBody.\n`)
    expect(deep.problems[0]?.kind).toBe('front-matter-malformed')
    expect(deep.body).toBe('Body.\n')
    const long = read(`---\nname: x\n${'k: v\n'.repeat(60_000)}---\nBody.\n`)
    expect([long.problems[0]?.kind, long.name, long.body]).toEqual(['too-large', 'x', 'Body.\n'])
  })
})

describe('BL-33 front matter that does not parse', () => {
  const cases: [string, string, { kind: string; line: number; body: string }][] = [
    [
      'an unquoted colon and an open list',
      '---\ntitle: A: B\nx: [\n---\nbody words',
      { kind: 'front-matter-malformed', line: 2, body: 'body words' },
    ],
    [
      'a tab for indentation',
      '---\nname: x\nmetadata:\n\ttype: user\n---\nbody words',
      { kind: 'front-matter-malformed', line: 4, body: 'body words' },
    ],
    [
      'an open quote',
      '---\nname: ok\ndescription: "open\n---\nbody words',
      { kind: 'front-matter-malformed', line: 4, body: 'body words' },
    ],
    [
      'no closing line',
      '---\nname: x\n\nbody words',
      { kind: 'front-matter-unclosed', line: 1, body: '---\nname: x\n\nbody words' },
    ],
    [
      'a key twice',
      '---\nname: x\ntype: user\nname: y\n---\nbody words',
      { kind: 'key-repeated', line: 4, body: 'body words' },
    ],
    [
      'two documents',
      '---\nname: x\n...\nname: y\n---\nbody words',
      { kind: 'front-matter-malformed', line: 4, body: 'body words' },
    ],
    [
      'prose between two rules',
      '---\nsome prose\n---\nbody words',
      { kind: 'front-matter-malformed', line: 2, body: '---\nsome prose\n---\nbody words' },
    ],
    [
      'a list',
      '---\n- a\n---\nbody words',
      { kind: 'front-matter-malformed', line: 2, body: '---\n- a\n---\nbody words' },
    ],
    [
      'CRLF',
      '---\r\nok: 1\r\nx: [\r\n---\r\nbody words',
      { kind: 'front-matter-malformed', line: 4, body: 'body words' },
    ],
  ]
  it.each(cases)('%s: reported with its line, body searchable', (_, text, expected) => {
    const note = read(text)
    const [problem] = note.problems
    expect({ kind: problem?.kind, line: problem?.line, body: note.body }).toEqual(expected)
  })

  it('bytes that are not UTF-8 are reported with their line; the rest is read', () => {
    const bytes = Buffer.concat([encode('---\nname: x\n---\nline\nbad '), Buffer.from([0xff]), encode(' here\n')])
    const note = readNote(bytes, { layer: 'global', file: 'a.md' })
    expect(note.name).toBe('x')
    expect(note.body).toBe('line\nbad \u{fffd} here\n')
    expect(note.problems).toMatchObject([{ kind: 'not-utf8', line: 5 }])
  })

  it('the id and the plain values of our own keys survive a broken neighbour', () => {
    const note = inFrontMatter(
      'name: Tests\nid: 01JD0000000000000000000001\ndescription: Rule: run them\nstatus: archived',
    )
    expect(note).toMatchObject({
      id: '01JD0000000000000000000001',
      idDerived: false,
      name: 'Tests',
      description: 'Rule: run them',
      status: 'archived',
    })
  })

  it('a rule above prose is no front matter', () => {
    const note = read('---\n\nJust text.\n')
    expect([note.problems, note.body]).toEqual([[], '---\n\nJust text.\n'])
  })
})

describe('derivations of S1', () => {
  it.each([
    ['type: user', 'feedback_x.md', 'projects/p', 'user'],
    ['metadata:\n  type: reference', 'feedback_x.md', 'projects/p', 'reference'],
    ['type: user\nmetadata:\n  type: reference', 'x.md', 'projects/p', 'user'],
    ['type: Feedback', 'x.md', 'projects/p', 'feedback'],
    ['name: x', 'feedback_x.md', 'projects/p', 'feedback'],
    ['name: x', 'sub/reference_x.md', 'global', 'reference'],
    ['name: x', 'notes.md', 'projects/p', 'project'],
    ['name: x', 'notes.md', 'global', 'user'],
    ['name: x', 'userland.md', 'projects/p', 'project'],
  ])('type of %j in %s of %s is %s', (lines, file, layer, type) => {
    expect(inFrontMatter(lines, file, layer).type).toBe(type)
  })

  it.each([
    ['updated: 2026-08-20', '2026-08-20T00:00:00Z'],
    ['modified: 2026-08-20T10:15:00.000Z', '2026-08-20T10:15:00Z'],
    ['metadata:\n  modified: 2026-08-20T10:15:00+08:00', '2026-08-20T02:15:00Z'],
    ['updated: 2026-01-01\nmodified: 2026-08-20', '2026-08-20T00:00:00Z'],
    ['updated: "2026-08-20 10:15"', '2026-08-20T10:15:00Z'],
    ['updated: 2026-02-30', null],
    ['updated: next week', null],
    ['updated:', null],
    ['updated: null', null],
  ])('updated of %j is %s', (lines, updated) => {
    expect(inFrontMatter(lines).updated).toBe(updated)
  })

  it('a file without id has the id of its layer and path, in the form of a ULID', () => {
    const ids = ['a.md', 'b.md', 'sub/a.md'].flatMap((file) => [
      read('x', file, 'global').id,
      read('other text', file, 'projects/p').id,
    ])
    expect(new Set(ids).size).toBe(6)
    expect(read('changed', 'a.md', 'global').id).toBe(ids[0])
    expect(read('x', 'a.md', 'global').idDerived).toBe(true)
  })

  it.each([
    ['confidence: high', 'confidence', 0.5],
    ['confidence: 1.5', 'confidence', 0.5],
    ['confidence: -0.1', 'confidence', 0.5],
    ['confidence: 0x1', 'confidence', 0.5],
    ['confidence: [1]', 'confidence', 0.5],
    ['status: gone', 'status', 'active'],
    ['pinned: maybe', 'pinned', false],
    ['type: memo', 'type', 'feedback'],
    ['tags: {a: b}', 'tags', []],
    ['created: 24.12.2026', 'created', null],
  ] as const)('%s is a problem with its line, and the default', (line, key, value) => {
    const note = inFrontMatter(`other: 1\n${line}`)
    expect(note[key]).toEqual(value)
    expect(note.problems).toMatchObject([{ kind: 'value-invalid', line: 3 }])
  })

  it('an id that is no ULID stays a problem, the path gives one', () => {
    expect(inFrontMatter('id: 42')).toMatchObject({ idDerived: true, problems: [{ kind: 'value-invalid', line: 2 }] })
  })

  it('evidence that cannot be read is the word of nobody in particular', () => {
    expect(inFrontMatter('source: a blog').source).toEqual([
      { session: null, message: null, role: 'assistant', time: null, quote: 'a blog', hash: null },
    ])
    expect(inFrontMatter('source:\n  - {role: owner}').source.map(({ role }) => role)).toEqual(['assistant'])
    expect(inFrontMatter('source: [{role: user, session: null}]').source).toMatchObject([
      { role: 'user', session: null },
    ])
  })

  it.each(['source: {role: user}', 'source:\n  - role: user', 'source:\n- {"role": "user"}'])('reads %j', (lines) => {
    expect(inFrontMatter(lines).source).toMatchObject([{ role: 'user' }])
  })
})

describe('BL-73 values stay the text they were', () => {
  it.each(['2025-10-24', '1.0', 'true', 'null', '~', '0x1F', 'no', '12:30'])('name: %s', (text) => {
    expect(inFrontMatter(`name: ${text}\ndescription: ${text}`)).toMatchObject({ name: text, description: text })
  })

  it.each([
    ['tags: null', []],
    ['tags: ~', []],
    ['tags:', []],
    ['tags: #a', []],
    ['tags: "#a"', ['#a']],
    ['tags: one', ['one']],
    ['tags: one, two', ['one', 'two']],
    ['tags: 一、二', ['一', '二']],
    ['tags: [1, 2]', ['1', '2']],
    ['tags: [true, 2025-10-24, null]', ['true', '2025-10-24', 'null']],
    ['tags: ["a, b"]', ['a, b']],
    ['tags:\n  - one\n  -\n  - 2', ['one', '2']],
    ['tags: [[a]]', []],
  ])('%j is a list of texts', (lines, tags) => {
    expect(inFrontMatter(lines).tags).toEqual(tags)
  })

  it('what is written is read back as the same texts: every tricky title', () => {
    for (const text of trickyTexts.filter((each) => each.trim() !== '')) {
      const note = readNote(createNoteFile({ ...fields, name: text, description: text }, 'Body'), {
        layer: 'global',
        file: 'a.md',
      })
      expect([note.name, note.description, note.problems]).toEqual([text, text, []])
    }
  })

  const text = anyValue.filter((each) => each.trim() !== '')
  const evidence: fc.Arbitrary<Evidence> = fc.record({
    session: fc.option(anyValue),
    message: fc.option(anyValue),
    role: fc.constantFrom('user', 'person', 'agent', 'assistant', 'tool', 'file'),
    time: fc.constantFrom(null, '2026-11-29T20:24:00Z'),
    quote: fc.option(anyValue),
    hash: fc.option(anyValue),
  })
  const anyFields: fc.Arbitrary<NewNoteFields> = fc.record({
    name: text,
    description: text,
    type: fc.constantFrom('user', 'feedback', 'project', 'reference'),
    id: fc.constant(fields.id),
    created: fc.constant(fields.created),
    updated: fc.constant(fields.updated),
    pinned: fc.boolean(),
    status: fc.constantFrom('active', 'archived', 'superseded'),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    tags: fc.array(text, { maxLength: 4 }),
    appliesTo: fc.array(text, { maxLength: 4 }),
    supersedes: fc.array(text, { maxLength: 4 }),
    expires: fc.option(text.filter((each) => !/^(?:null|~)$/i.test(each))),
    source: fc.array(evidence, { maxLength: 3 }),
  })

  it('write then read gives the same values, for any fields', () => {
    fc.assert(
      fc.property(anyFields, fc.string({ unit: 'grapheme', maxLength: 80 }), (written, body) => {
        const note = readNote(createNoteFile(written, body), { layer: 'global', file: 'a.md' })
        expect(note.problems).toEqual([])
        expect(wellFormed(written)).toMatchObject(pick(note, written))
        expect(note.body.trim()).toBe(body.toWellFormed().replaceAll('\r\n', '\n').trim())
      }),
      { numRuns: 1_500 },
    )
  })
})

/** Lone surrogates cannot be stored; everything else must come back. */
function wellFormed<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'string' ? each.toWellFormed() : each))
}

function pick(note: Note, like: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(note).filter(([key]) => key in like && key !== 'problems'))
}

describe('createNoteFile', () => {
  it('writes only what differs from the defaults, in a fixed order', () => {
    const bytes = createNoteFile(
      { ...fields, confidence: 0.5, status: 'active', pinned: false, tags: [], source: [] },
      'Use pnpm.',
    )
    expect(Buffer.from(bytes).toString()).toMatchInlineSnapshot(`
      "---
      name: Package manager
      description: pnpm, not npm
      type: feedback
      id: 01JD0000000000000000000001
      created: 2026-11-29T20:24:00Z
      updated: 2026-11-29T20:24:00Z
      ---

      Use pnpm.
      "
    `)
  })

  it('writes every key it knows', () => {
    const bytes = createNoteFile(
      {
        ...fields,
        name: '2025-10-24',
        pinned: true,
        status: 'archived',
        confidence: 0.8,
        tags: ['tooling', 'pnpm'],
        appliesTo: ['src/**'],
        supersedes: ['01JD0000000000000000000000'],
        expires: '2027-01-01',
        source: [
          {
            session: 'claude-code:s1',
            message: null,
            role: 'user',
            time: '2026-11-29T20:24:00Z',
            quote: 'use "pnpm"',
            hash: 'ab',
          },
        ],
      },
      '以后用 pnpm。\n',
    )
    expect(Buffer.from(bytes).toString()).toMatchInlineSnapshot(`
      "---
      name: "2025-10-24"
      description: pnpm, not npm
      type: feedback
      id: 01JD0000000000000000000001
      created: 2026-11-29T20:24:00Z
      updated: 2026-11-29T20:24:00Z
      pinned: true
      status: archived
      confidence: 0.8
      tags: [tooling, pnpm]
      applies_to: ["src/**"]
      supersedes: ["01JD0000000000000000000000"]
      expires: "2027-01-01"
      source:
        - {"session": "claude-code:s1", "role": "user", "time": "2026-11-29T20:24:00Z", "quote": "use \\"pnpm\\"", "hash": "ab"}
      ---

      以后用 pnpm。
      "
    `)
  })
})
