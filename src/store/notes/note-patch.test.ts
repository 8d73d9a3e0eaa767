import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyFile, anyValue } from '../../../test/support/note-corpus.ts'
import { hasCode, MemoryError } from '../../errors.ts'
import { parseNoteFile, readNote } from './note-format.ts'
import { type NotePatch, patchNoteFile } from './note-patch.ts'
import { readFrontMatter } from './yaml-front-matter.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const patched = (text: string, patch: NotePatch): string => Buffer.from(patchNoteFile(encode(text), patch)).toString()
const place = { layer: 'projects/demo-1', file: 'x.md' }

function refusal(text: string | Uint8Array, patch: NotePatch): MemoryError {
  try {
    patchNoteFile(typeof text === 'string' ? encode(text) : text, patch, 'x.md')
  } catch (error) {
    if (MemoryError.isInstance(error)) return error
    throw error
  }
  throw new Error('was not refused')
}

describe('patchNoteFile', () => {
  const set = { name: 'N1' } as const
  it.each<[string, string, NotePatch, string]>([
    ['an empty value', '---\nname:\nother: x\n---\nBody', { set }, '---\nname: N1\nother: x\n---\nBody'],
    ['an empty value with a comment', '---\nname: # why\n---\n', { set }, '---\nname: N1 # why\n---\n'],
    [
      'a plain value and its comment',
      '---\nname: old  # why\nz: 1\n---\n',
      { set },
      '---\nname: N1  # why\nz: 1\n---\n',
    ],
    ['a quoted value', '---\nname: "o: d"\n---\n', { set }, '---\nname: N1\n---\n'],
    ['a quoted key', '---\n"name": old\n---\n', { set }, '---\n"name": N1\n---\n'],
    ['a block scalar', '---\nname: |\n  a\n  b\n\nz: 1\n---\n', { set }, '---\nname: N1\n\nz: 1\n---\n'],
    ['a block scalar at the end', '---\nname: >-\n  a\n---\nBody', { set }, '---\nname: N1\n---\nBody'],
    [
      'a block scalar that keeps blank lines',
      '---\nname: |+\n  a\n\n\nz: 1\n---\n',
      { set },
      '---\nname: N1\n\n\nz: 1\n---\n',
    ],
    ['a continued line', '---\nname: a\n  b\nz: 1\n---\n', { set }, '---\nname: N1\nz: 1\n---\n'],
    ['a value on the next line', '---\nname:\n  old\nz: 1\n---\n', { set }, '---\nname: N1\nz: 1\n---\n'],
    [
      'an indented header',
      '---\n  name: old\n  z: 1\n---\n',
      { set: { ...set, pinned: true } },
      '---\n  name: N1\n  z: 1\n  pinned: true\n---\n',
    ],
    ['an explicit key', '---\n? name\n: old\n---\n', { set }, '---\n? name\n: N1\n---\n'],
    ['an anchor that nobody uses', '---\nname: &a old\n---\n', { set }, '---\nname: N1\n---\n'],
    [
      'a flow list',
      '---\ntags: [a, b] # c\n---\n',
      { set: { tags: ['x', '1.0'] } },
      '---\ntags: ["x", "1.0"] # c\n---\n',
    ],
    [
      'a flow list over lines',
      '---\ntags: [\n  a,\n]\nz: 1\n---\n',
      { set: { tags: ['x'] } },
      '---\ntags: [x]\nz: 1\n---\n',
    ],
    [
      'a block list with comments',
      '---\ntags: # mine\n  - a # one\n  - b # two\n# after\nz: 1\n---\n',
      { set: { tags: ['x'] } },
      '---\ntags: [x] # mine\n # two\n# after\nz: 1\n---\n',
    ],
    [
      'a list without indentation',
      '---\ntags:\n- a\n- b\nz: 1\n---\n',
      { set: { tags: ['x'] } },
      '---\ntags: [x]\nz: 1\n---\n',
    ],
    [
      'a nested type',
      '---\nmetadata:\n  type: user # t\n  k: v\n---\n',
      { set: { type: 'feedback' } },
      '---\nmetadata:\n  type: feedback # t\n  k: v\n---\n',
    ],
    [
      'a nested type in braces',
      '---\nmetadata: {type: user, k: v}\n---\n',
      { set: { type: 'feedback' } },
      '---\nmetadata: {type: feedback, k: v}\n---\n',
    ],
    [
      'an absent type beside metadata',
      '---\nmetadata:\n  k: v\n---\n',
      { set: { type: 'feedback' } },
      '---\nmetadata:\n  k: v\ntype: feedback\n---\n',
    ],
    ['an absent key', '---\nz: 1\n# end\n---\nBody', { set }, '---\nz: 1\n# end\nname: N1\n---\nBody'],
    ['an absent key in CRLF', '---\r\nz: 1\r\n---\r\nBody\r\n', { set }, '---\r\nz: 1\r\nname: N1\r\n---\r\nBody\r\n'],
    ['empty front matter', '---\n---\nBody', { set }, '---\nname: N1\n---\nBody'],
    ['a file without front matter', '# Title\n\nText', { set }, '---\nname: N1\n---\n\n# Title\n\nText'],
    ['a bare CRLF file with a mark', '\u{feff}Text\r\n', { set }, '\u{feff}---\r\nname: N1\r\n---\r\n\r\nText\r\n'],
    ['a rule across the page first', '---\n\nText\n', { set }, '---\nname: N1\n---\n\n---\n\nText\n'],
    ['an empty file', '', { set }, '---\nname: N1\n---\n'],
    ['no final newline after the closing line', '---\nz: 1\n---', { set }, '---\nz: 1\nname: N1\n---'],
    [
      'a default that nobody wrote',
      '---\nz: 1\n---\n',
      { set: { pinned: false, tags: [], status: 'active' } },
      '---\nz: 1\n---\n',
    ],
    [
      'a default over another value',
      '---\npinned: true\n---\n',
      { set: { pinned: false } },
      '---\npinned: false\n---\n',
    ],
    [
      'a key to take out',
      '---\nname: a\nexpires: 2027-01-01 # c\n# keep\nz: 1\n---\n',
      { remove: ['expires'] },
      '---\nname: a\n# keep\nz: 1\n---\n',
    ],
    ['a list to take out', '---\ntags:\n  - a\n  - b\nz: 1\n---\n', { remove: ['tags'] }, '---\nz: 1\n---\n'],
    ['the only key to take out', '---\ntags: [a]\n---\nBody', { remove: ['tags'] }, '---\n---\nBody'],
    ['an expiry set to null', '---\nexpires: x\nz: 1\n---\n', { set: { expires: null } }, '---\nz: 1\n---\n'],
    ['a key that is not there to take out', '---\nz: 1\n---\n', { remove: ['tags'] }, '---\nz: 1\n---\n'],
    [
      'evidence',
      '---\nsource: [] # none\nz: 1\n---\n',
      { set: { source: [{ session: 's', message: null, role: 'user', time: null, quote: null, hash: null }] } },
      '---\nsource:\n  - {"session": "s", "role": "user"} # none\nz: 1\n---\n',
    ],
  ])('%s', (_, before, patch, after) => {
    expect(patched(before, patch)).toBe(after)
  })

  it.each<[string, string, NotePatch, string]>([
    ['replaced', '---\nz: 1\n---\n\nOld.\n', { body: { replace: 'New.' } }, '---\nz: 1\n---\n\nNew.\n'],
    [
      'replaced in CRLF',
      '---\r\nz: 1\r\n---\r\nOld.\r\n',
      { body: { replace: 'New.\nTwo.' } },
      '---\r\nz: 1\r\n---\r\n\r\nNew.\r\nTwo.\r\n',
    ],
    ['replaced in a bare file', 'Old.', { body: { replace: 'New.' } }, 'New.\n'],
    [
      'replaced after a closing line without end',
      '---\nz: 1\n---',
      { body: { replace: 'New.' } },
      '---\nz: 1\n---\n\nNew.\n',
    ],
    ['replaced by nothing', '---\nz: 1\n---\n\nOld.\n', { body: { replace: '' } }, '---\nz: 1\n---\n\n'],
    ['appended to', '---\nz: 1\n---\n\nOld.\n', { body: { append: 'More.' } }, '---\nz: 1\n---\n\nOld.\n\nMore.\n'],
    ['appended to without a final newline', 'Old.', { body: { append: 'More.\n' } }, 'Old.\n\nMore.\n'],
    ['appended to after a blank line', 'Old.\n\n', { body: { append: 'More.' } }, 'Old.\n\nMore.\n'],
    ['appended to when empty', '---\nz: 1\n---\n', { body: { append: 'More.' } }, '---\nz: 1\n---\n\nMore.\n'],
    ['replaced together with a key', 'Old.', { set, body: { replace: 'New.' } }, '---\nname: N1\n---\n\nNew.\n'],
  ])('body %s', (_, before, patch, after) => {
    expect(patched(before, patch)).toBe(after)
  })

  it.each<[string, string, number]>([
    ['an unquoted colon', '---\nok: 1\ntitle: A: B\n---\nBody', 3],
    ['an open list', '---\nx: [\n---\nBody', 3],
    ['a repeated key', '---\nx: 1\ny: 2\nx: 3\n---\nBody', 4],
    ['a repeated nested key', '---\nm:\n  x: 1\n  x: 2\n---\nBody', 4],
    ['front matter without end', '---\nname: x\nBody', 1],
    ['a list of things', '---\n- a\n---\nBody', 2],
    ['prose', '---\nsome words\n---\nBody', 2],
    ['braces around everything', '---\n{z: 1}\n---\nBody', 2],
    ['a document end with nothing allowed after it', '---\nz: 1\n...\n---\nBody', 2],
    ['an anchor that another key uses', '---\nname: &a x\nz: *a\n---\nBody', 2],
  ])('BL-33 refuses %s, naming file and line', (_, text, line) => {
    const error = refusal(text, { set: { name: 'N1', pinned: true }, body: { append: 'x' } })
    expect([error.code, error.data]).toEqual(['NOTE_FORMAT_INVALID', { file: 'x.md', line }])
  })

  it('refuses bytes that are not UTF-8, and text that would become front matter', () => {
    expect(refusal(new Uint8Array([0x61, 0x0a, 0xff]), { set }).data).toEqual({ file: 'x.md', line: 2 })
    expect(refusal('Old', { body: { replace: '---\nname: x\n---\nNew' } }).code).toBe('NOTE_FORMAT_INVALID')
    expect(refusal('Old', { body: { replace: '---\nname: x' } }).code).toBe('NOTE_FORMAT_INVALID')
  })
})

/** Entries of front matter in every style, by key. Only these keys are patched below. */
const styles: Record<string, readonly string[]> = {
  name: [
    'name: old\n',
    'name:\n',
    'name: "q" # why\n',
    '"name": x\n',
    "name: 'it''s'\n",
    'name: |\n  a\n  b: c # d\n\n',
    'name: >+\n  a\n\n',
    'name: two\n  lines # c\n',
    'name: !!str x\n',
    'name:   spaced  \n',
    'name: # c\n  next\n',
  ],
  tags: [
    'tags: [a, b] # c\n',
    'tags:\n',
    'tags:\n  - a # c\n  - b\n',
    'tags:\n- a\n',
    'tags: [\n  a,\n  b\n]\n',
    'tags: one\n',
    'tags:\n  -\n    - deep\n',
    'tags: # c\n  # d\n  - a\n',
  ],
  description: ['description: d\n', 'description: "x\n  y"\n', 'description:\n'],
  source: ['source:\n  - {"role": "user"}\n', 'source: []\n', 'source:\n  - role: user\n    quote: |\n      words\n'],
  pinned: ['pinned: true\n', 'pinned:\n'],
  expires: ['expires: 2027-01-01 # c\n', 'expires: version x >=2\n'],
}
const foreign = [
  'z: 1\n',
  'deep:\n  a: [1, {b: c}] # x\n  b: |\n    text\n\n',
  '# a comment\n',
  '\n',
  'list:\n  - a\n  # in between\n  - b\n',
  'when: 2025-10-24\n',
  'q: "a\\tb" #c\n',
  'anchor: &k v\n',
  'uses: *k\n',
  '键: 值\n',
  '? odd\n: key\n',
  '#\n',
]

const entry = fc.oneof(
  ...Object.entries(styles).map(([key, texts]) => fc.constantFrom(...texts).map((text) => ({ key, text }))),
)
const others = fc
  .constantFrom(...foreign)
  .map((text) => ({ key: text.trimStart().startsWith('#') || text === '\n' ? '' : text, text }))
const entries = fc.uniqueArray(fc.oneof(entry, others), {
  maxLength: 9,
  selector: ({ key, text }) => (key === '' ? `${text}${Math.random()}` : key),
})
const anyPatch: fc.Arbitrary<NotePatch> = fc.record(
  {
    set: fc.record(
      {
        name: anyValue,
        tags: fc.array(anyValue, { maxLength: 3 }),
        description: anyValue,
        pinned: fc.boolean(),
        expires: fc.option(anyValue),
        source: fc.array(
          fc.record({
            session: fc.option(anyValue),
            message: fc.constant(null),
            role: fc.constantFrom('user', 'tool'),
            time: fc.constant(null),
            quote: fc.option(anyValue),
            hash: fc.constant('ab'),
          }),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: [] },
    ),
    remove: fc.subarray(['tags', 'source', 'expires'] as const),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<NotePatch>

function rawOf(bytes: Uint8Array): Map<string, unknown> {
  const strip = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, each) => (key === 'line' ? undefined : each instanceof Map ? [...each] : each)),
    )
  return new Map(
    [...readFrontMatter(parseNoteFile(bytes).frontMatter, 2).fields].map(([key, value]) => [key, strip(value)]),
  )
}

function touched(patch: NotePatch): Set<string> {
  const keys = [
    ...Object.keys(patch.set ?? {}).filter((key) => patch.set?.[key as 'name'] !== undefined),
    ...(patch.remove ?? []),
  ]
  return new Set(keys)
}

describe('laws of a patch', () => {
  it('other keys, comments and the body keep their bytes, over 1,500 documents', () => {
    let changed = 0
    fc.assert(
      fc.property(
        entries,
        anyPatch,
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom('', '\nBody\n---\nmore', 'x'),
        (parts, patch, eol, body) => {
          const inOrder = parts.some(({ text }) => text === 'uses: *k\n')
            ? parts.filter(({ text }) => text !== 'uses: *k\n')
            : parts
          const texts = inOrder.map(({ key, text }) => ({ key, text: text.replaceAll('\n', eol) }))
          const before = `---${eol}${texts.map(({ text }) => text).join('')}---${eol}${body}`
          const bytes = patchNoteFile(encode(before), patch)
          const after = Buffer.from(bytes).toString()
          if (after !== before) changed++
          const document = parseNoteFile(bytes)
          expect(document.body).toBe(body)
          const keys = touched(patch)
          let at = 0
          for (const { text } of texts.filter(({ key }) => !keys.has(key))) {
            const found = document.frontMatter.indexOf(text.trimEnd(), at)
            expect({ text, found: found >= at, in: document.frontMatter }).toMatchObject({ found: true })
            at = found + text.trimEnd().length
          }
          expect(after.replaceAll('\r\n', '').includes('\r')).toBe(false)
          if (eol === '\r\n') expect(document.frontMatter.replaceAll('\r\n', '')).not.toContain('\n')
        },
      ),
      { numRuns: 1_500 },
    )
    expect(changed).toBeGreaterThan(700)
  })

  it('on any file: refused with the code, or exactly what was asked and nothing else', () => {
    let done = 0
    fc.assert(
      fc.property(anyFile, anyPatch, (bytes, patch) => {
        let result: Uint8Array
        try {
          result = patchNoteFile(bytes, patch)
        } catch (error) {
          expect(hasCode(error, 'NOTE_FORMAT_INVALID')).toBe(true)
          return
        }
        done++
        const keys = touched(patch)
        const [was, is] = [rawOf(bytes), rawOf(result)]
        for (const key of new Set([...was.keys(), ...is.keys()]))
          if (!keys.has(key)) expect(is.get(key)).toEqual(was.get(key))
        expect(parseNoteFile(result).body.endsWith(parseNoteFile(bytes).body)).toBe(true)
        const [note, before] = [readNote(result, place), readNote(bytes, place)]
        const { name, pinned, source } = patch.set ?? {}
        if (name !== undefined && name.trim() !== '') expect(note.name).toBe(name.toWellFormed())
        if (pinned !== undefined) expect(note.pinned).toBe(pinned)
        if (source !== undefined)
          expect(note.source).toEqual(
            JSON.parse(JSON.stringify(source), (_, each) => (typeof each === 'string' ? each.toWellFormed() : each)),
          )
        else if (!patch.remove?.includes('source')) expect(note.source).toEqual(before.source)
      }),
      { numRuns: 2_000 },
    )
    expect(done).toBeGreaterThan(600)
  })

  it('the same patch twice changes nothing the second time', () => {
    fc.assert(
      fc.property(anyFile, anyPatch, (bytes, patch) => {
        let once: Uint8Array
        try {
          once = patchNoteFile(bytes, patch)
        } catch (error) {
          if (!hasCode(error, 'NOTE_FORMAT_INVALID')) throw error
          return
        }
        expect(Buffer.from(patchNoteFile(once, patch)).toString('latin1')).toBe(Buffer.from(once).toString('latin1'))
      }),
      { numRuns: 400 },
    )
  })
})
