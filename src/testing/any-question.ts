/**
 * Any text that may be asked of a search, for many places that say the same and have one word of their own each; and what
 * an answer may not hold. Every failing run prints the seed that brings it back.
 */
import fc from 'fast-check'

/** In every note and every conversation. */
export const common = ['deploy', 'invoice', 'blue pool', '部署', '守护进程', '昨晚', 'しりとり', '끝말잇기', 'pre-edit']

/** Stands in project `index` and nowhere else. */
export const secretOf = (index: number): string => `quokka${index}zebu`

/** Words of other projects that stand in an answer and were not in the question. */
export function leaksIn(answer: unknown, asked: string, own: number): string[] {
  const found = JSON.stringify(answer ?? null).match(/quokka\d+zebu/g) ?? []
  return [...new Set(found)].filter((word) => word !== secretOf(own) && !asked.includes(word))
}

/** What a person, a model or a stranger may put into a search: any UTF-16 units, syntax of FTS5, very long, other scripts. */
export function anyQuestion(projects: number): fc.Arbitrary<string> {
  const units = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map((codes) => String.fromCharCode(...codes))
  const syntax = fc.constantFrom(
    ...[
      'AND',
      'OR',
      'NOT',
      'NEAR(',
      'NEAR(a b, 2)',
      '"',
      '""',
      "'",
      '(',
      ')',
      '{',
      '}',
      '*',
      '^',
      ':',
      '-',
      '+',
      ';',
      '--',
    ],
    ...[
      'scope:s1',
      'scope : s2',
      '{scope} : s3',
      's1',
      'body:deploy',
      'a*',
      '^deploy',
      'x" OR scope:"s1',
      '\\',
      '%',
      '_',
    ],
    ...[
      '\u0000',
      '\ud800',
      '\udc00',
      '\ufeff',
      '\u200d',
      '\u202e',
      '\u2066',
      'שלום עולם',
      'مرحبا',
      '👩‍💻',
      '💰',
      '🏳️‍🌈',
      'é',
      'e\u0301',
      'ﬁ',
      'ＦＵＬＬ',
    ],
  )
  const word = fc.oneof(
    fc.constantFrom(...common),
    fc.nat(projects - 1).map(secretOf),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  )
  const mixed = fc
    .array(fc.oneof({ weight: 2, arbitrary: word }, syntax, units), { maxLength: 12 })
    .chain((parts) => fc.constantFrom(' ', '', '\n', '\t').map((between) => parts.join(between)))
  const long = fc
    .tuple(mixed, fc.integer({ min: 1, max: 400 }))
    .map(([text, times]) => `${text} `.repeat(times).slice(0, 10_240))
  return fc.oneof(fc.constant(''), units, { weight: 8, arbitrary: mixed }, { weight: 1, arbitrary: long })
}
