import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseToml, tomlString } from './toml-text.ts'

const shown = (text: string) =>
  parseToml(text, 'test').map(({ kind, keys, value }) => [kind, keys.join('|'), ...(kind === 'pair' ? [value] : [])])

describe('statements', () => {
  it.each<[string, string, readonly (readonly string[])[]]>([
    ['nothing', '', []],
    ['comments and blank lines', '# a\n\n  # b\r\n', []],
    [
      'scalars',
      'a = 1_000\nb=true\nc = -0.5e3 # x',
      [
        ['pair', 'a', '1_000'],
        ['pair', 'b', 'true'],
        ['pair', 'c', '-0.5e3'],
      ],
    ],
    [
      'dates',
      'a = 1979-05-27 07:32:00Z\nb = 1979-05-27T07:32:00-07:00',
      [
        ['pair', 'a', '1979-05-27 07:32:00Z'],
        ['pair', 'b', '1979-05-27T07:32:00-07:00'],
      ],
    ],
    [
      'tables',
      '[a]\nb = 1\n[ c . "d e" ]\nf = 2\n[[g]]\nh = 3',
      [
        ['table', 'a'],
        ['pair', 'a|b', '1'],
        ['table', 'c|d e'],
        ['pair', 'c|d e|f', '2'],
        ['list-table', 'g'],
        ['pair', 'g|h', '3'],
      ],
    ],
    ['dotted and quoted keys', `a."b.c".'d' = 1`, [['pair', 'a|b.c|d', '1']]],
    [
      'strings with what looks like more',
      `a = "# [x] \\" "\nb = 'C:\\' # c`,
      [
        ['pair', 'a', '"# [x] \\" "'],
        ['pair', 'b', "'C:\\'"],
      ],
    ],
    [
      'long strings',
      `a = """\n[x]\n"q" """\nb = '''\n[y]\n''''`,
      [
        ['pair', 'a', '"""\n[x]\n"q" """'],
        ['pair', 'b', "'''\n[y]\n''''"],
      ],
    ],
    [
      'lists over lines',
      'a = [\n  "]", # ]\n  { b = "}" },\n]\nc = 1',
      [
        ['pair', 'a', '[\n  "]", # ]\n  { b = "}" },\n]'],
        ['pair', 'c', '1'],
      ],
    ],
    ['Chinese', '"名字" = "设置 🙂" # 我的', [['pair', '名字', '"设置 🙂"']]],
    [
      'no line end, CRLF',
      'a = 1\r\n[b]',
      [
        ['pair', 'a', '1'],
        ['table', 'b'],
      ],
    ],
  ])('%s', (_, text, expected) => {
    expect(shown(text)).toEqual(expected)
  })

  it.each([
    ['a string that is not closed', 'a = 1\nb = "x\nc = 2', 2],
    ['a long string that is not closed', 'a = """\nx', 1],
    ['a list that is not closed', 'a = [1,\n2', 1],
    ['brackets of two kinds', 'a = [1}', 1],
    ['a table that is not closed', '\n[a\nb = 1', 2],
    ['a key without a value', 'a =', 1],
    ['a key alone', 'a = 1\n\nhello', 3],
    ['JSON', '{"a":1}', 1],
    ['two on a line', 'a = 1 b = 2', 1],
    ['a table with more behind it', '[a] b = 1', 1],
    ['an empty key', ' = 1', 1],
    ['a merge left open', 'a = 1\n<<<<<<< mine\nb = 2', 2],
  ])('%s is refused with its line', (_, text, line) => {
    expect(() => parseToml(text, '/c.toml')).toThrowError(
      expect.objectContaining({ code: 'AGENT_SETTINGS_INVALID', data: { file: '/c.toml', line } }),
    )
  })

  it('never runs on, whatever the text is', () => {
    const pieces = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '"""',
      "'''",
      '\\',
      '#',
      '\n',
      '\r',
      '=',
      '.',
      'a',
      ' ',
      '1',
      '字',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces, { maxLength: 40 }).map((each) => each.join('')),
          fc.string(),
        ),
        (text) => {
          try {
            const found = parseToml(text, 'test')
            for (const [index, { start, end }] of found.entries()) {
              expect(end).toBeGreaterThan(start)
              expect(start).toBeGreaterThanOrEqual(found[index - 1]?.end ?? 0)
            }
          } catch (error) {
            expect(error).toMatchObject({ code: 'AGENT_SETTINGS_INVALID' })
          }
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('a string is one value, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(shown(`a = ${tomlString(text)} # x\nb = 1`)).toEqual([
          ['pair', 'a', tomlString(text)],
          ['pair', 'b', '1'],
        ])
      }),
    )
  })
})
