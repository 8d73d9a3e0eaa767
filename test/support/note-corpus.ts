/** Note files as people, agents and other tools write them, and ways to damage them. Invented content only. */
import fc from 'fast-check'

const evidence =
  '  - {"session": "claude-code:s1", "message": "m1", "role": "user", "time": "2026-11-29T20:24:00Z", "quote": "use pnpm: \\"always\\"", "hash": "ab12"}'

/** Every entry is a whole file. */
export const noteCorpus: readonly string[] = [
  '',
  '\n',
  'Just a sentence.',
  '# Heading\n\nFirst sentence. Second one.\n',
  '---\n---\n',
  '---\n---',
  '---\nname: Test scope\ndescription: Run only the touched suite\ntype: feedback\nmodified: 2026-08-20T10:15:00.000Z\n---\n\nRun only the suite.\n\n**Why:** slow.\n',
  `---\nname: Package manager\ndescription: pnpm, not npm\ntype: feedback\nid: 01JD0000000000000000000001\ncreated: 2026-11-01T08:00:00Z\nupdated: 2026-11-29T20:24:00Z\npinned: true\nconfidence: 0.9\ntags: [tooling, "1.0"]\napplies_to: ["src/**", "*.{ts,tsx}"]\nsource:\n${evidence}\n  - {"role": "tool"}\n---\n\nUse pnpm.\n`,
  '---\nname: Role\nmetadata:\n  node_type: memory\n  type: user\n  originSessionId: 7c2f\n  modified: 2026-10-02T11:00:00.000Z\n---\nBackend developer.\n',
  '---\nmetadata: {type: reference, node_type: memory} # from another tool\nname: Board\n---\nhttps://example.invalid/board\n',
  '---\r\nname: Windows\r\ntype: project\r\n# a comment\r\ntags:\r\n  - one\r\n  - two # second\r\n---\r\n\r\nBody with CRLF.\r\n---\r\nafter a rule\r\n',
  '\u{feff}---\nname: With a mark\n---\nBody.\n',
  '---\nname: mixed\r\ntype: user\ndescription: ends\r\n---\nBody\r\nwith\nboth\r\n',
  '---\ntitle: A: B\nx: [\n---\nStill searchable.\n',
  '---\nname: never closed\ntype: user\n\nBody goes on.\n',
  '---\n\nA rule across the page, then text.\n',
  '---\nSome words between two rules\n---\nand more\n',
  '---\nname: one\nname: two\n---\nBody\n',
  '---\n- a\n- b\n---\nBody\n',
  '---\n{name: braces, type: user}\n---\nBody\n',
  '---\nname:\ndescription: |\n  First line\n  second: line # not a comment\n\ntype: project\n---\nBody\n',
  '---\ndescription: >-\n  folded\n  text\n# outside\nname: "quoted: yes" # why\n---\nBody\n',
  "---\nname: 'it''s single'\ndescription: \"tab \\t and \\u4f60\"\n---\nBody\n",
  '---\nname: continued\n  on the next line\ntype: user\n---\nBody\n',
  '---\nname: &anchor Anchored\ndescription: *anchor\nkeep: !!str 5\n---\nBody\n',
  '---\n? name\n: explicit\n---\nBody\n',
  '---\n  name: indented\n  type: user\n---\nBody\n',
  '---\nname: null\ndescription: ~\nconfidence: high\nstatus: gone\npinned: maybe\nupdated: yesterday\nid: 42\n---\nBody\n',
  '---\ntags: one\nsupersedes: [a, b]\nexpires: 2027-01-01\n---\nBody\n',
  '---\ntags: #a\n---\nBody\n',
  '---\ntags: null\n---\nBody\n',
  '---\ntags: [1, 2]\n---\nBody\n',
  '---\ntags: "#a"\nsource: somebody said so\n---\nBody\n',
  '---\ntags: # mine\n  - a\n  # between\n  - b # end\n  # trailing\nother:\n    deep:\n      deeper: [1, {x: y}]\nlast: yes\n---\nBody\n',
  '---\nname: no final newline\n---',
  '---\nname: body without newline\n---\nBody',
  '---\nname: 以后默认用 pnpm\ndescription: 安装依赖用 pnpm，不用 npm。\ntype: feedback\n---\n\n安装依赖用 pnpm。原因：锁文件。\n',
  '# 設定\n\n請用繁體中文回答。謝謝！\n',
  '---\nname: 💰 emoji 👩‍👩‍👧\ntags: [💰, 家]\n---\n💰\n',
  '---   \nname: spaces after fences\n---\t\nBody\n',
  '---\nname: x\n...\n---\nBody\n',
  '---\nlist: [\n  a,\n  b\n]\nname: after a list\n---\nBody\n',
  '---\nkeep: |+\n  text\n\n\nname: after blank lines\n---\nBody\n',
  '---\nname: a\rb\n---\nBody\n',
  `---\nname: long\ndescription: ${'很长的描述 '.repeat(60)}\n---\n${'Line of text.\n'.repeat(60)}`,
  `---\n${Array.from({ length: 40 }, (_, index) => `key${index}: value ${index}`).join('\n')}\nname: late\n---\nBody\n`,
]

const fragments = [
  '---\n',
  '---',
  '\n---\n',
  '\r\n',
  '\r',
  '\n',
  '\n\n',
  ': ',
  ':',
  ' #',
  '#',
  '# c\n',
  '- ',
  '  - x\n',
  '"',
  "'",
  '|',
  '>',
  '[',
  ']',
  '{',
  '}',
  '&a ',
  '*a',
  '!!int ',
  '%',
  '@',
  '`',
  ',',
  '? ',
  '\t',
  ' ',
  '  ',
  '\u{feff}',
  '\u{0}',
  '\u{85}',
  '\u{2028}',
  '💰',
  '你好。',
  '...\n',
  '~',
  'null',
  'true',
  'name: again\n',
  'type: user\n',
  'metadata:\n',
  '  type: feedback\n',
  'updated: 2026-01-01\n',
  'tags: [a, "b"]\n',
  'id: 01JD0000000000000000000002\n',
  `source:\n${evidence}\n`,
  '<!-- c -->',
  '# H\n',
  '```\n',
]

const badBytes = [[0xff], [0xc3], [0xe4, 0xbd], [0xed, 0xa0, 0x80], [0xfe, 0xff]]

interface Mutation {
  readonly kind: 'insert' | 'delete' | 'bytes' | 'repeat'
  readonly at: number
  readonly pick: number
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('insert', 'insert', 'insert', 'delete', 'bytes', 'repeat'),
  at: fc.nat(10_000),
  pick: fc.nat(10_000),
})

function mutate(bytes: Buffer, { kind, at, pick }: Mutation): Buffer {
  const position = bytes.length === 0 ? 0 : at % (bytes.length + 1)
  const [head, tail] = [bytes.subarray(0, position), bytes.subarray(position)]
  if (kind === 'delete') return Buffer.concat([head, tail.subarray(pick % 12)])
  if (kind === 'repeat') return Buffer.concat([head, tail.subarray(0, pick % 40), tail])
  const inserted =
    kind === 'bytes' ? Buffer.from(badBytes[pick % badBytes.length]!) : Buffer.from(fragments[pick % fragments.length]!)
  return Buffer.concat([head, inserted, tail])
}

/** A file of the corpus with up to five mutations; sometimes any bytes at all. */
export const anyFile: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  {
    weight: 20,
    arbitrary: fc
      .tuple(fc.constantFrom(...noteCorpus), fc.array(mutation, { maxLength: 5 }))
      .map(([text, mutations]) => new Uint8Array(mutations.reduce(mutate, Buffer.from(text)))),
  },
)

/** The same, as text that is UTF-8. */
export const anyText: fc.Arbitrary<string> = anyFile.map((bytes) => Buffer.from(bytes).toString('utf8'))

/** Texts that YAML likes to misread. */
export const trickyTexts: readonly string[] = [
  '2025-10-24',
  '2025-10-24T10:00:00Z',
  '1.0',
  '007',
  '1e3',
  '0x1F',
  '.inf',
  '-1',
  'true',
  'True',
  'no',
  'null',
  'Null',
  '~',
  'A: B',
  'A:',
  ': x',
  "'type' is x",
  '"quoted" text',
  '- x',
  '-',
  '---',
  '...',
  '#x',
  'x # y',
  'x #y',
  '@x',
  '*x',
  '&x',
  '!x',
  '|',
  '>',
  '%x',
  '`x`',
  '[x]',
  '{x}',
  '[',
  '{',
  ', x',
  '? x',
  '<<',
  '=',
  '\\',
  'a\\b',
  'two\nlines',
  'two\r\nlines',
  'tab\there',
  '💰 emoji 👩‍👩‍👧',
  '以后默认用 pnpm',
  '繁體：中文',
  ' leading',
  'trailing ',
  '\u{feff}mark',
  'line\u{2028}separator',
  'next\u{85}line',
  '\u{0}nul',
  '\u{7f}',
  'x'.repeat(300),
  '很'.repeat(300),
  'y',
  'n',
  'off',
  "it's",
  "''",
  '""',
  'a "b" c',
  '01JD0000000000000000000001',
  '12345678901234567890123456',
  '1234E678901234567890123456',
  '1_000',
  '12:30:45',
  'e5',
  'NaN',
  'name: x',
  '<!-- x -->',
  '[link](x.md)',
]

/** Any text, tricky ones often. */
export const anyValue: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...trickyTexts),
  fc.tuple(fc.constantFrom(...trickyTexts), fc.constantFrom(...trickyTexts)).map(([one, other]) => `${one} ${other}`),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
)
