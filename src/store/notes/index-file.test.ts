import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyValue, trickyTexts } from '../../../test/support/note-corpus.ts'
import { graphemes, utf8Bytes } from '../../util/index.ts'
import { type IndexedHead, parseIndexLines, reconcileIndex, renderIndex } from './index-file.ts'
import { formatIndexLine, parseIndexLine } from './index-lines.ts'
import { INDEX_CLOSING, INDEX_OPENING } from './index-sections.ts'

const head = (fields: Partial<IndexedHead> = {}): IndexedHead => ({
  id: '01JD0000000000000000000001',
  layer: 'global',
  mutes: [],
  file: 'feedback_use-pnpm.md',
  name: 'Package manager',
  description: 'pnpm, not npm',
  pinned: false,
  voice: 'rule',
  status: 'active',
  updated: '2026-11-29T20:24:00Z',
  ...fields,
})
const heads = (count: number): IndexedHead[] =>
  Array.from({ length: count }, (_, index) =>
    head({ id: `id-${String(index).padStart(4, '0')}`, file: `n${index}.md`, name: `Note ${index}` }),
  )
const part = (...lines: string[]): string => `${[INDEX_OPENING, ...lines, INDEX_CLOSING].join('\n')}\n`
const line = '- [Package manager](feedback_use-pnpm.md) — pnpm, not npm (2026-11-29)'
const countLines = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

describe('index lines', () => {
  it.each<[string, Partial<IndexedHead>, string]>([
    ['as real files have it', {}, line],
    ['without date', { updated: null }, '- [Package manager](feedback_use-pnpm.md) — pnpm, not npm'],
    ['without description', { description: '' }, '- [Package manager](feedback_use-pnpm.md) (2026-11-29)'],
    [
      'with spaces and parentheses',
      { file: 'my note (1).md' },
      '- [Package manager](<my note (1).md>) — pnpm, not npm (2026-11-29)',
    ],
    [
      'with brackets in the name',
      { name: 'a [b] c' },
      '- [a \\[b\\] c](feedback_use-pnpm.md) — pnpm, not npm (2026-11-29)',
    ],
    ['with a per cent sign', { file: '50%.md' }, '- [Package manager](50%25.md) — pnpm, not npm (2026-11-29)'],
    [
      'on one line',
      { name: 'two\nlines', description: 'a\r\n b' },
      '- [two lines](feedback_use-pnpm.md) — a b (2026-11-29)',
    ],
    [
      'with nothing that opens a comment',
      { description: 'x <!-- y' },
      '- [Package manager](feedback_use-pnpm.md) — x &lt;!-- y (2026-11-29)',
    ],
  ])('is written %s', (_, fields, expected) => {
    expect(formatIndexLine(head(fields))).toBe(expected)
  })

  it.each([
    ['- [file.md](file.md): text', 'file.md', 'text', null],
    ['- [file.md](file.md) — text (2026-08-01)', 'file.md', 'text', '2026-08-01'],
    ['* [構建](構建.md)：說明', '構建.md', '說明', null],
    ['  - [x](./sub/x.md) - text', 'sub/x.md', 'text', null],
    ['- [x](<my note (1).md>) – text', 'my note (1).md', 'text', null],
    ['- [x](my note (1).md) — text', 'my note (1).md', 'text', null],
    ['- [x](x.md "Title") — text', 'x.md', 'text', null],
    ['- [x](x.md#part)', 'x.md', '', null],
    ['- [x](100%.md) — text', '100%.md', 'text', null],
    ['- [x](caf%C3%A9.md) — text', 'café.md', 'text', null],
    [
      '- [x](x.md) — **bold** and [more](https://example.invalid)',
      'x.md',
      '**bold** and [more](https://example.invalid)',
      null,
    ],
  ])('%s is read', (text, target, description, date) => {
    expect(parseIndexLine(`${text}\r\n`)).toMatchObject({ target, description, date })
  })

  it.each([
    '',
    '# Heading',
    'text [x](x.md)',
    '- plain',
    '- [x](https://example.invalid/x.md)',
    '- [x](/etc/x.md)',
    '- [x](../x.md)',
    '- [x](x.txt)',
    '- [x] task',
    '- [x](x.md',
  ])('%j is no index line', (text) => {
    expect(parseIndexLine(text)).toBeNull()
  })

  it('what is written is read as the same file and description, for any texts', () => {
    const fileName = anyValue.map(
      (text) =>
        `${text
          .replace(/[\0-\x1f\\/#:]/g, '')
          .replaceAll('..', '')
          .trim()}x.md`,
    )
    fc.assert(
      fc.property(fileName, anyValue, anyValue, (file, name, description) => {
        const written = formatIndexLine(
          head({
            file: file.toWellFormed().normalize('NFC'),
            name: name.toWellFormed(),
            description: description.toWellFormed(),
          }),
        )
        expect(written).not.toMatch(/[\r\n]/)
        const read = parseIndexLine(written)
        expect(read?.target).toBe(file.toWellFormed().normalize('NFC'))
        expect(read?.date).toBe('2026-11-29')
        const again = formatIndexLine(head({ file: read!.target, name: read!.name, description: read!.description }))
        expect(again).toBe(written)
      }),
      { numRuns: 3_000 },
    )
  })

  it.each(['💰', '👩‍👩‍👧', '🇩🇪', '한', '👍🏽'])('BL-45 %s on each cut point of a description', (grapheme) => {
    for (let before = 140; before <= 152; before++) {
      const written = formatIndexLine(head({ description: `${'x'.repeat(before)}${grapheme.repeat(20)}` }))
      const { description } = parseIndexLine(written)!
      expect(written.isWellFormed()).toBe(true)
      expect([...graphemes(description)].length).toBeLessThanOrEqual(150)
      expect(description.replace(/^x+/, '').replaceAll(grapheme, '').replace('…', '')).toBe('')
    }
  })

  it('one grapheme of any length does not fill the index', () => {
    const marks = `a${'\u{301}'.repeat(40_000)}`
    expect(utf8Bytes(formatIndexLine(head({ name: marks, description: marks })))).toBeLessThan(3_000)
  })
})

describe('renderIndex [S4]', () => {
  it('a new file is the generated part alone', () => {
    expect(renderIndex(null, [head()])).toMatchObject({ text: part(line), omitted: 0, lines: 3 })
    expect(renderIndex(null, [])).toMatchObject({ text: part(), omitted: 0, lines: 2 })
  })

  it.each<[string, string, string]>([
    ['text of a person', 'Hello\n', `Hello\n\n${part(line)}`],
    ['text without final newline', 'Hello', `Hello\n\n${part(line)}`],
    [
      'text before and after',
      `Before\n\n${part('- [Gone](gone.md) — old')}After, no newline`,
      `Before\n\n${part(line)}After, no newline`,
    ],
    ['CRLF', 'Hello\r\n', `Hello\r\n\r\n${part(line).replaceAll('\n', '\r\n')}`],
    ['a mark at the start', '\u{feff}', `\u{feff}${part(line)}`],
    ['text inside the part', part('- [Gone](gone.md) — old', 'My own words', line), `${part(line)}My own words\n`],
    ['a part whose closing line is gone', `${INDEX_OPENING}\n${line}\nMy words\n`, `${part(line)}My words\n`],
    ['two parts', `A\n${part(line)}B\n${part(line)}C\n`, `A\n${part(line)}B\nC\n`],
    [
      'an older wording of our lines',
      `<!-- keepsake:index v0 -->\n${line}\n- … 3 more notes\n<!-- /keepsake:index -->\n`,
      part(line),
    ],
    ['a lone closing line', `Hello\n\n${INDEX_CLOSING}\n`, `Hello\n\n${part(line)}`],
    [
      'our lines in a block of code',
      `\`\`\`\n${part('- [x](x.md)')}\`\`\`\n`,
      `\`\`\`\n${part('- [x](x.md)')}\`\`\`\n\n${part(line)}`,
    ],
  ])('keeps %s', (_, existing, expected) => {
    expect(renderIndex(existing, [head()]).text).toBe(expected)
  })

  it('takes in a line that says what the note says, keeps one that says something else, never doubles', () => {
    const same = '- [file](feedback_use-pnpm.md): pnpm, not npm'
    expect(renderIndex(`# Mine\n${same}\n`, [head()]).text).toBe(`# Mine\n\n${part(line)}`)
    const other = '- [file](feedback_use-pnpm.md): something else'
    expect(renderIndex(`# Mine\n${other}\n`, [head()]).text).toBe(`# Mine\n${other}\n\n${part()}`)
    expect(renderIndex(`# Mine\n${other}\n${same}\n`, [head()]).text).toBe(`# Mine\n\n${part(line)}`)
  })

  it('pinned, then rules, then newest, then id; only active notes', () => {
    const notes = [
      head({ id: 'd', file: 'd.md', voice: 'quoted' }),
      head({ id: 'c2', file: 'c2.md', voice: 'fact' }),
      head({ id: 'c1', file: 'c1.md', voice: 'fact' }),
      head({ id: 'b', file: 'b.md', updated: null }),
      head({ id: 'e', file: 'e.md', status: 'archived', pinned: true }),
      head({ id: 'a2', file: 'a2.md', updated: '2026-12-01T00:00:00Z' }),
      head({ id: 'a1', file: 'a1.md', pinned: true, voice: 'fact', updated: null }),
    ]
    const { text, omitted } = renderIndex(null, notes)
    expect(parseIndexLines(text).map(({ target }) => target)).toEqual([
      'a1.md',
      'a2.md',
      'b.md',
      'c1.md',
      'c2.md',
      'd.md',
    ])
    expect(omitted).toBe(0)
  })

  it('says how many are left out and how to find them, within both caps', () => {
    const byLines = renderIndex('My line\n', heads(300))
    expect(countLines(byLines.text)).toBe(200)
    expect(byLines.omitted).toBe(300 - parseIndexLines(byLines.text).length)
    expect(byLines.text).toContain(
      `\n- … ${byLines.omitted} more notes are not listed here: \`keepsake list\` shows all, \`memory_search\` finds them\n${INDEX_CLOSING}\n`,
    )
    const long = heads(190).map((note) => ({ ...note, description: '很'.repeat(140) }))
    const byBytes = renderIndex(null, long)
    expect(utf8Bytes(byBytes.text)).toBeLessThanOrEqual(25_000)
    expect(utf8Bytes(byBytes.text)).toBeGreaterThan(24_300)
    expect(byBytes.omitted).toBeGreaterThan(100)
  })

  it('exactly 198 lines fit; one more makes room for the last line', () => {
    expect(renderIndex(null, heads(198))).toMatchObject({ omitted: 0 })
    expect(countLines(renderIndex(null, heads(198)).text)).toBe(200)
    expect(renderIndex(null, heads(199))).toMatchObject({ omitted: 2 })
  })

  it('never cuts the text of people: without room the generated part goes', () => {
    for (const own of ['x\n'.repeat(199), 'x\n'.repeat(500), `${'y'.repeat(26_000)}\n`]) {
      expect(renderIndex(own, heads(5))).toMatchObject({ text: own, omitted: 5, bytes: own.length })
      expect(renderIndex(own + part('- [x](n1.md) — old'), heads(5)).text).toBe(own)
    }
  })

  const own = fc.array(
    fc.oneof(
      anyValue.map((text) => text.replace(/[\r\n]/g, ' ')),
      fc.constantFrom(
        '',
        '# Notes',
        '```',
        INDEX_OPENING,
        INDEX_CLOSING,
        line,
        '- [x](other.md): text',
        '- [n](n1.md) — words',
        '- … 3 more notes',
      ),
    ),
    { maxLength: 12 },
  )

  it('is deterministic, settled after one run, within the caps, and loses no line of people', () => {
    fc.assert(
      fc.property(
        own,
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 3, max: 20 }),
        (lines, eol, ends, count, maxLines) => {
          const existing = lines.join(eol) + (ends ? eol : '')
          const notes = heads(count)
          const once = renderIndex(existing, notes, { maxLines })
          expect(renderIndex(existing, [...notes].reverse(), { maxLines })).toEqual(once)
          expect(renderIndex(once.text, notes, { maxLines }).text).toBe(once.text)
          const isOurs = (text: string): boolean =>
            text.trim() === '' ||
            text.includes('keepsake:index') ||
            parseIndexLine(text) !== null ||
            text.startsWith('- … 3')
          const kept = once.text.split(/\r?\n/)
          for (const text of lines.filter((each) => !isOurs(each))) expect(kept).toContain(text)
          const targets = parseIndexLines(once.text)
            .filter(({ generated }) => generated)
            .map(({ target }) => target)
          expect(new Set(targets).size).toBe(targets.length)
          if (once.text.includes(INDEX_OPENING) && !once.text.includes('```'))
            expect(countLines(once.text)).toBeLessThanOrEqual(maxLines)
        },
      ),
      { numRuns: 3_000 },
    )
  })
})

describe('reconcileIndex', () => {
  const notes = [
    head(),
    head({ file: 'my note.md', description: 'Release on Friday (2026-12-04)', updated: '2026-11-01T00:00:00Z' }),
  ]

  it.each<[string, string, { file: string; description: string }[]]>([
    [
      'a new description',
      '- [x](feedback_use-pnpm.md) — use pnpm 10',
      [{ file: 'feedback_use-pnpm.md', description: 'use pnpm 10' }],
    ],
    [
      'the other separator',
      '- [x](feedback_use-pnpm.md): use pnpm 10',
      [{ file: 'feedback_use-pnpm.md', description: 'use pnpm 10' }],
    ],
    ['the same description', `${line}`, []],
    ['no description', '- [x](feedback_use-pnpm.md)', []],
    ['a date that is part of the sentence', '- [x](<my note.md>) — Release on Friday (2026-12-04)', []],
    [
      'a date of its own',
      '- [x](my%20note.md) — Moved to Monday (2026-12-07)',
      [{ file: 'my note.md', description: 'Moved to Monday (2026-12-07)' }],
    ],
    [
      'the date of the note',
      '- [x](<my note.md>) — Moved (2026-11-01)',
      [{ file: 'my note.md', description: 'Moved' }],
    ],
    [
      'two lines, the last one counts',
      '- [x](feedback_use-pnpm.md) — one\n- [x](feedback_use-pnpm.md) — two',
      [{ file: 'feedback_use-pnpm.md', description: 'two' }],
    ],
    ['an old and a settled line', `- [x](feedback_use-pnpm.md) — one\n${line}`, []],
    ['a line in our own part', part('- [x](feedback_use-pnpm.md) — stale'), []],
    ['a line in a block of code', '```\n- [x](feedback_use-pnpm.md) — example\n```', []],
  ])('%s', (_, existing, descriptionEdits) => {
    expect(reconcileIndex(existing, notes).descriptionEdits).toEqual(descriptionEdits)
  })

  it('reports lines without a file, with their line; not links to what is no note', () => {
    const text =
      '# Index\n- [a](gone.md) — x\n- [t](team/MEMORY.md)\n- [s](skills/x/SKILL.md)\n- [m](MEMORY.md)\n- [h](https://example.invalid/a.md)\n- [w](_draft.md)\n- [b](sub/gone.md): y\n'
    expect(reconcileIndex(text + part('- [old](forgotten.md) — z'), notes).orphanLines).toEqual([
      { line: 2, target: 'gone.md' },
      { line: 8, target: 'sub/gone.md' },
    ])
  })

  it('an edit that was made is taken in by the next run, and asks for nothing more', () => {
    for (const description of trickyTexts.filter((text) => text.trim() !== '').map((text) => text.toWellFormed())) {
      const written = `Mine\n- [x](feedback_use-pnpm.md) — ${description.replace(/\s+/gu, ' ').trim()}\n`
      const [edit] = reconcileIndex(written, [head()]).descriptionEdits
      const edited = head({ description: edit?.description ?? 'pnpm, not npm' })
      const { text } = renderIndex(written, [edited])
      expect(text.startsWith('Mine\n')).toBe(true)
      expect(reconcileIndex(text, [edited])).toEqual({ descriptionEdits: [], orphanLines: [] })
      expect(parseIndexLines(text).length).toBe(1)
    }
  })

  it('a long description that the index shows cut is not taken for an edit', () => {
    const long = head({ description: '很长的描述，'.repeat(60) })
    expect(reconcileIndex(`${formatIndexLine(long)}\n`, [long]).descriptionEdits).toEqual([])
  })
})
