import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, anyValue, noteCorpus } from '../../../test/support/note-corpus.ts'
import { createNoteFile, readNote } from './note-format.ts'
import { type ScannedHead, scanNoteHead } from './note-scan.ts'

const places = [
  { layer: 'global', file: 'a.md' },
  { layer: 'projects/demo-1', file: 'sub/feedback_use-pnpm.md' },
]

function full(text: string, place: { layer: string; file: string }): ScannedHead {
  const {
    layer: _layer,
    file: _file,
    body: _body,
    hash: _hash,
    ...fields
  } = readNote(new TextEncoder().encode(text), place)
  return fields
}

describe('scanNoteHead', () => {
  it('agrees with the full parser whenever it answers, over 12,000 files', () => {
    let sure = 0
    fc.assert(
      fc.property(anyText, fc.constantFrom(...places), (text, place) => {
        const head = scanNoteHead(text, place)
        if (head === 'unsure') return
        sure++
        expect(head).toEqual(full(text, place))
      }),
      { numRuns: 12_000 },
    )
    expect(sure).toBeGreaterThan(2_000)
  })

  const value = fc.oneof(
    anyValue.filter((text) => !text.includes('\n')),
    fc.constantFrom(
      '[a, b]',
      '["a", "b"]',
      '[a, "b"]',
      '[]',
      '[a,]',
      '{a: b}',
      '"x"',
      '"x" # c',
      "'x'",
      '"',
      '',
      '',
      'x # c',
      '&a b',
    ),
  )
  const key = fc.constantFrom(
    'name',
    'title',
    'description',
    'type',
    'id',
    'updated',
    'modified',
    'tags',
    'aliases',
    'source',
    'metadata',
    'pinned',
    'other',
    'applies_to',
    'expires',
  )
  const line = fc.oneof(
    { weight: 8, arbitrary: fc.tuple(key, value).map(([name, text]) => `${name}: ${text}`) },
    { weight: 2, arbitrary: key.map((name) => `${name}:`) },
    { weight: 2, arbitrary: value.map((text) => `  - ${text}`) },
    { weight: 1, arbitrary: value.map((text) => `- ${text}`) },
    { weight: 2, arbitrary: fc.tuple(key, value).map(([name, text]) => `  ${name}: ${text}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        '# comment',
        '  # comment',
        '   ',
        '  more',
        '  - {"role": "user"}',
        '  - {"role": "user", "role": "tool"}',
      ),
    },
  )

  it('agrees on front matter that is put together line by line, over 12,000 files', () => {
    let sure = 0
    fc.assert(
      fc.property(fc.array(line, { maxLength: 7 }), fc.constantFrom('\n', '\r\n'), (lines, eol) => {
        const text = ['---', ...lines, '---', '', '# Heading', 'A sentence. More.', ''].join(eol)
        const head = scanNoteHead(text, { layer: 'projects/demo-1', file: 'x.md' })
        if (head === 'unsure') return
        sure++
        expect(head).toEqual(full(text, { layer: 'projects/demo-1', file: 'x.md' }))
      }),
      { numRuns: 12_000 },
    )
    expect(sure).toBeGreaterThan(1_500)
  })

  it('is sure of what Keepsake writes, whatever the texts are', () => {
    fc.assert(
      fc.property(anyValue, anyValue, fc.array(anyValue, { maxLength: 3 }), (name, quote, tags) => {
        const fields = { name, description: quote, type: 'feedback', id: '01JD0000000000000000000001' } as const
        const times = { created: '2026-11-29T20:24:00Z', updated: '2026-11-29T20:24:00Z' }
        const evidence = {
          session: 's',
          message: null,
          role: 'user',
          time: null,
          quote: quote.slice(0, 300),
          hash: 'ab',
        } as const
        const bytes = createNoteFile({ ...fields, ...times, tags, pinned: true, source: [evidence, evidence] }, 'Body.')
        const text = Buffer.from(bytes).toString()
        const head = scanNoteHead(text, { layer: 'global', file: 'a.md' })
        expect(head).not.toBe('unsure')
        expect(head).toEqual(full(text, { layer: 'global', file: 'a.md' }))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    [
      'the form of Claude Code',
      '---\nname: Role\ndescription: Backend developer, new to React\nmetadata:\n  node_type: memory\n  type: user\n  modified: 2026-10-02T11:00:00.000Z\n---\nBody',
    ],
    ['a bare file', '# Title\n\nA sentence.\n'],
    ['a block list', '---\nname: x\ntags:\n  - one\n  - "2"\n---\n'],
    ['comments and empty values', '---\n# c\nname:\n\ntags:\n---\nBody\n'],
    ['CRLF and a mark', '\u{feff}---\r\nname: 繁體\r\n---\r\nBody\r\n'],
  ])('is sure of %s', (_, text) => {
    expect(scanNoteHead(text, places[0]!)).toEqual(full(text, places[0]!))
  })

  it.each([
    ['a block scalar', '---\nname: |\n  x\n---\n'],
    ['a continued line', '---\nname: x\n  y\n---\n'],
    ['a comment after a value', '---\nname: x # y\n---\n'],
    ['a repeated key', '---\nname: x\nname: y\n---\n'],
    ['an unquoted colon', '---\nname: A: B\n---\n'],
    ['a flow map', '---\nmetadata: {type: user}\n---\n'],
    ['an alias', '---\nname: &a x\ndescription: *a\n---\n'],
    ['front matter that is not closed', '---\nname: x\n'],
    ['front matter beyond 30 lines', `---\n${'# c\n'.repeat(30)}name: x\n---\n`],
    ['front matter beyond 8,192 characters', `---\nname: ${'x'.repeat(8_200)}\n---\n`],
    ['a repeated key in evidence', '---\nsource:\n  - {"role": "user", "role": "tool"}\n---\n'],
  ])('is unsure of %s', (_, text) => {
    expect(scanNoteHead(text, places[0]!)).toBe('unsure')
  })

  it('reads a long body no further than its opening', () => {
    const text = `${'\n'.repeat(3)}${'word '.repeat(900)}.\n${'more\n'.repeat(5_000)}`
    expect(scanNoteHead(text, places[0]!)).toEqual(full(text, places[0]!))
  })

  it('loads no YAML: neither it nor what it imports', () => {
    const seen = new Set<string>()
    const visit = (file: string): void => {
      if (seen.has(file)) return
      seen.add(file)
      const source = readFileSync(file, 'utf8')
      expect(source).not.toMatch(/from 'yaml'/)
      for (const [, path] of source.matchAll(/^(?:import|export)(?! type)[^']*from '(\.[^']+)'/gm))
        visit(join(file, '..', path!))
    }
    for (const file of ['note-scan.ts', 'layer-scan.ts', 'index-file.ts', 'voice.ts', 'summary.ts', 'lookup.ts'])
      visit(join(import.meta.dirname, file))
    expect(seen.size).toBeGreaterThan(12)
  })

  it('is sure of most of the corpus', () => {
    const sure = noteCorpus.filter((text) => scanNoteHead(text, places[0]!) !== 'unsure')
    expect(sure.length).toBeGreaterThan(18)
  })
})
