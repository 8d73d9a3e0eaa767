import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entriesOf, wholeEntry, withoutEntry } from './entries.ts'
import { findText } from './find-text.ts'
import { findPlaceholder } from './placeholders.ts'

const cut = (body: string) => entriesOf(body).map(({ start, end }) => body.slice(start, end))

describe('entries of a body [W2]', () => {
  it.each([
    ['one sentence', 'Use pnpm.\n', ['Use pnpm.']],
    ['paragraphs', '\nOne.\nStill one.\n\n\nTwo.', ['One.\nStill one.', 'Two.']],
    ['CRLF', 'One.\r\n\r\nTwo.\r\n', ['One.', 'Two.']],
    ['a list', 'Steps:\n- build\n  twice\n- test\n\n1. ship\n', ['Steps:', '- build\n  twice', '- test', '1. ship']],
    [
      'a rule with its reason',
      'Never mock the database.\n\n**Why:** it broke.\n\n**How to apply:** use the container.\n\nOther.',
      ['Never mock the database.\n\n**Why:** it broke.\n\n**How to apply:** use the container.', 'Other.'],
    ],
    ['code', 'Run:\n\n```sh\na\n\n- b\n```\n\nDone.', ['Run:', '```sh\na\n\n- b\n```', 'Done.']],
    ['headings', '# Title\nText.\n## More\n', ['# Title', 'Text.', '## More']],
    ['nothing', ' \n\n', []],
  ])('%s', (_what, body, entries) => {
    expect(cut(body)).toEqual(entries)
    const { start, end } = wholeEntry(body)
    expect(body.slice(start, end)).toBe(body.trim())
  })

  it.each([
    ['the first paragraph', 'One.\n\nTwo.\n', 0, 'Two.\n'],
    ['the last paragraph', 'One.\n\nTwo.\n', 1, 'One.\n'],
    ['one in the middle', 'One.\r\n\r\nTwo.\r\n\r\nThree.\r\n', 1, 'One.\r\n\r\nThree.\r\n'],
    ['an item', '- a\n- b\n- c\n', 1, '- a\n- c\n'],
    ['the last item before a paragraph', '- a\n- b\n\nEnd.\n', 1, '- a\n\nEnd.\n'],
    ['the last line without an end', 'One.\n\nTwo.', 1, 'One.'],
  ])('taking away %s leaves no gap', (_what, body, index, rest) => {
    const { start, end } = withoutEntry(body, entriesOf(body)[index] ?? { start: 0, end: 0 })
    expect(body.slice(0, start) + body.slice(end)).toBe(rest)
  })
})

describe('BL-90: finding words [W2]', () => {
  it.each([
    ['literal signs', 'pay $& or $1 (.*)', '$1 (.*)', ['$1 (.*)']],
    ['overlapping places count', 'aaaa', 'aaa', ['aaa', 'aaa']],
    ['two lines in a CRLF file', 'x\r\none\r\ntwo\r\n', 'one\ntwo', ['one\r\ntwo']],
    ['two lines with other indentation', '- one\n  two\n', 'one two', ['one\n  two']],
    ['decomposed letters', 'caf\u0065\u0301 au lait', 'café', ['caf\u0065\u0301']],
    ['composed letters', 'café au lait', 'cafe\u0301', ['café']],
    ['Hangul', '\u1112\u1161\u11ab글', '한글', ['\u1112\u1161\u11ab글']],
    ['no half of a letter', 'caf\u0065\u0301', 'cafe', []],
    ['no half of an emoji', 'by 👩‍💻 alone', '👩', []],
    ['case matters', 'Use PNPM', 'use pnpm', []],
    ['nothing', 'text', '  \n', []],
    ['Chinese', '回答用中文，代码用英文', '代码用英文', ['代码用英文']],
  ])('%s', (_what, text, wanted, found) => {
    expect(findText(text, wanted).map(({ start, end }) => text.slice(start, end))).toEqual(found)
  })

  it('finds every piece of whole characters where it stands', () => {
    const letters = fc.array(fc.constantFrom('a', 'é', 'e\u0301', '👩‍💻', '\r\n', '文', ' '), { maxLength: 20 })
    fc.assert(
      fc.property(letters, letters, letters, (before, inside, after) => {
        const wanted = inside.join('').trim()
        fc.pre(wanted !== '' && !wanted.includes('\r') && !wanted.includes('  '))
        const text = [...before, ' ', wanted, ' ', ...after].join('')
        const start = before.join('').length + 1
        expect(findText(text, wanted)).toContainEqual({ start, end: start + wanted.length })
      }),
    )
  })
})

describe('placeholders [W1]', () => {
  it.each([
    'Step 61: [rest of the content unchanged]',
    'New rule.\n\n(rest unchanged)',
    'New rule.\n... existing text ...',
    'New rule.\n… existing content …',
    '// ... existing rules ...\nNew rule.',
    '<!-- rest of the note -->',
    'New first line\n[... remaining items as before ...]',
    '- one\n- ...other entries unchanged',
    'Rest unchanged.',
    '新规则。\n其余不变',
    '新规则。（其余内容不变）',
    '……以下省略……',
    '新规则【其他部分保持不变】',
    '同上',
  ])('%s', (text) => {
    expect(findPlaceholder(text, '')).not.toBeNull()
    expect(findPlaceholder(text, text)).toBeNull()
  })

  it.each([
    'When you refactor, leave the rest unchanged and say so.',
    'Keep existing tests passing before you add new code.',
    'Never write "rest unchanged" into a file... it loses text.',
    'Use three dots (...) for varargs [see the style guide](style.md).',
    'The rest of the team is in Riga.',
    'Existing text is in docs/ (English only).',
    '修改时其余代码保持不变，并说明原因。',
    '其他语言的文档在 docs/zh。',
    'Deploys run on Fridays [owner: Ana].',
    '## Other rules\n\nUse tabs.',
    'Start with the helper (existing code), then add the test.',
    'Keep existing behaviour.',
    '## 其他规则\n\n用制表符。',
  ])('an ordinary sentence: %s', (text) => {
    expect(findPlaceholder(text, '')).toBeNull()
  })
})
