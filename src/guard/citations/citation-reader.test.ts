import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_BLOCK_LENGTH, MAX_LINE_LENGTH } from './citation-grammar.ts'
import { createCitationReader, readCitations, stripCitations } from './citation-reader.ts'

const ID = '01K6ZD5VJ8M3Q4W7X9YBCDEFGH'
const OTHER = '01K6ZD5VJ8M3Q4W7X9YBCDEFGJ'
const ours = (...lines: readonly string[]) => ['<keepsake-cite>', ...lines, '</keepsake-cite>'].join('\n')
const native = (entries: readonly string[], section = 'rollout_ids') =>
  [
    '<oai-mem-citation>',
    '<citation_entries>',
    ...entries,
    '</citation_entries>',
    `<${section}>`,
    '0198c3a0-0000-7abc-8def-0123456789ab',
    `</${section}>`,
    '</oai-mem-citation>',
  ].join('\n')

const streamed = (pieces: readonly string[]) => {
  const reader = createCitationReader()
  const given = pieces.map((piece) => reader.push(piece))
  return { given, end: reader.end(), references: reader.references() }
}

describe('blocks [I7]', () => {
  it.each<[string, string, string, readonly string[]]>([
    ['ours, at the end', `Deploys are on Tuesdays.\n\n${ours(ID)}`, 'Deploys are on Tuesdays.', [ID]],
    ['with a line behind', `Done.\n\n${ours(ID, OTHER)}\n`, 'Done.\n', [ID, OTHER]],
    ['Windows line ends', `好的。\r\n${ours(ID).replaceAll('\n', '\r\n')}\r\n`, '好的。\r\n', [ID]],
    ['on one line', `完成。\n<keepsake-cite>${ID}</keepsake-cite>`, '完成。', [ID]],
    ['behind the last words', `Done. <keepsake-cite>${ID}</keepsake-cite>`, 'Done.', [ID]],
    ['between paragraphs', `One.\n\n${ours(ID)}\n\nTwo.`, 'One.\n\nTwo.', [ID]],
    ['several', `One.\n${ours(ID)}\nTwo.\n${ours(OTHER, ID)}\n`, 'One.\nTwo.\n', [ID, OTHER]],
    ['nothing but a block', ours(ID), '', [ID]],
    ['an empty one', `Done.\n${ours()}`, 'Done.', []],
    ['of Codex', `Fixed.\n${native(['project_deploy.md:1-9|note=[the window]'])}`, 'Fixed.', ['project_deploy.md']],
    ['of Codex, older', `Fixed.\n${native(['a.md:1-2|note=[x]'], 'thread_ids')}\n`, 'Fixed.\n', ['a.md']],
    [
      'of Codex, on one line',
      'Done.\n<oai-mem-citation><citation_entries>a.md:1-2|note=[x]</citation_entries></oai-mem-citation>',
      'Done.',
      ['a.md'],
    ],
    ['of both', `Done.\n${native(['a.md:3-4|note=[x]'])}\n${ours(ID)}\n`, 'Done.\n', ['a.md', ID]],
    ['behind a block of code', `\`\`\`js\nrun()\n\`\`\`\n${ours(ID)}`, '```js\nrun()\n```', [ID]],
    ['behind a code span', `Call \`run()\`. <keepsake-cite>${ID}</keepsake-cite>`, 'Call `run()`.', [ID]],
    ['a broken one before it', `<keepsake-cite>\n${ours(ID)}`, '<keepsake-cite>', [ID]],
  ])('%s', (_, text, shown, references) => {
    expect(readCitations(text)).toEqual({ text: shown, references })
  })

  it.each<[string, string]>([
    ['in a block of code', `Write:\n\`\`\`\n${ours(ID)}\n\`\`\`\n`],
    ['in a block of code with a name', `~~~xml\n${native(['a.md:1-2|note=[x]'])}\n~~~`],
    ['in a block of code that does not end', `\`\`\`\n${ours(ID)}\n`],
    ['in a block of code of a list', `- like this\n\n  \`\`\`\n  <keepsake-cite>${ID}</keepsake-cite>\n  \`\`\``],
    ['in longer marks', `\`\`\`\`\n\`\`\`\n${ours(ID)}\n\`\`\`\n\`\`\`\``],
    ['in a code span', `End with \`<keepsake-cite>${ID}</keepsake-cite>\``],
    ['indented as code', `Like so:\n\n    <keepsake-cite>\n    ${ID}\n    </keepsake-cite>\n`],
    ['in a quote', `> <keepsake-cite>\n> ${ID}\n> </keepsake-cite>\n`],
    ['in a sentence', `The tag <keepsake-cite>${ID}</keepsake-cite> marks use.`],
    ['half of one', `Done.\n<keepsake-cite>\n${ID}\n`],
    ['half a tag', 'Done.\n<keepsake-ci'],
    ['half a closing tag', `Done.\n<keepsake-cite>\n${ID}\n</keepsake`],
    ['an end alone', `Done.\n${ID}\n</keepsake-cite>`],
    ['the other end', `Done.\n<keepsake-cite>\n${ID}\n</oai-mem-citation>`],
    ['another tag', `<keepsake-cited>\n${ID}\n</keepsake-cited>`],
    ['a full-width tag', `＜keepsake-cite＞\n${ID}\n＜/keepsake-cite＞`],
    ['signs without a word', 'End with <keepsake-cite>…</keepsake-cite>'],
    ['of Codex, without its parts', '<oai-mem-citation>\nMEMORY.md\n</oai-mem-citation>'],
    ['a line that is prose', `<keepsake-cite>\n${'long words '.repeat(50)}\n</keepsake-cite>`],
    ['far too much', `<keepsake-cite>\n${`${ID}\n`.repeat(400)}</keepsake-cite>`],
  ])('none: %s', (_, text) => {
    expect(readCitations(text)).toEqual({ text, references: [] })
  })

  it.each<[string, string]>([
    [ID.slice(0, 10), ID.slice(0, 10)],
    [`- ${ID}`, ID],
    [`\`${ID}\``, ID],
    [`${ID} (Deploy window)`, ID],
    [`1. ${ID}: 发布窗口`, ID],
    ['[[deploy-window]]', 'deploy-window'],
    ['Deploys at 10:30', 'Deploys at 10:30'],
    ['「发布窗口」', '发布窗口'],
    ['global/feedback_tabs.md', 'global/feedback_tabs.md'],
    ['feedback_tabs.md:3', 'feedback_tabs.md'],
  ])('ours names %j as %j', (line, reference) => {
    expect(readCitations(ours(line)).references).toEqual([reference])
  })

  it('reads several ids on one line', () => {
    expect(readCitations(ours(`${ID}, ${OTHER}`)).references).toEqual([ID, OTHER])
  })

  it.each<[string, string]>([
    ['MEMORY.md:12-19|note=[login loop fix]', 'MEMORY.md'],
    ['a.md:1-2|note=[see b.md:3-4|note=[inner]]', 'a.md:1-2|note=[see b.md'],
    ['/srv/notes/a:b.md:3-4|note=[x: y-z]', '/srv/notes/a:b.md'],
    ['C:\\notes\\a.md:3-4|note=[x]', 'C:\\notes\\a.md'],
    ['项目_发布窗口.md：1－4｜note=［发布：每周二］', '项目_发布窗口.md'],
    ['a.md:7|note=[one line]', 'a.md'],
    ['a.md', 'a.md'],
    ['- `a.md:L1-L2`', 'a.md'],
    ['a.md:1-2|note=[Map<string, number>]', 'a.md'],
  ])('Codex names %j as %j', (entry, reference) => {
    expect(readCitations(native([entry])).references).toEqual([reference])
  })

  it.each([
    '<keepsake-cite>',
    '`<oai-mem-citation>',
    '</keepsake-cite>',
    '```\n',
    `<keepsake-cite>${ID}</keepsake-cite>x`,
    `\n<keepsake-cite>${ID}</keepsake-cite>x`,
  ])('text that is hard to read comes out as it is: many %j', (piece) => {
    const whole = piece.repeat(20_000)
    expect(readCitations(whole)).toEqual({ text: whole, references: [] })
  })
})

describe('streams [I7]', () => {
  const part = fc.constantFrom(
    ...['<keepsake-cite>', '</keepsake-cite>', '<oai-mem-citation>', '</oai-mem-citation>', '<citation_entries>'],
    ...[
      '</citation_entries>',
      ID,
      'a.md:1-2|note=[x]',
      'words',
      '好的',
      '🦀',
      ' ',
      '\n',
      '\r\n',
      '```',
      '~~~',
      '`',
      '> ',
      '    ',
      '<',
      '- ',
    ],
    ...[ours(ID), `\n${ours(OTHER)}\n`, native(['笔记.md:1-2|note=[x]'])],
  )
  const text = fc
    .array(fc.oneof({ weight: 12, arbitrary: part }, fc.string({ maxLength: 5 })), { maxLength: 24 })
    .map((parts) => parts.join(''))
  const cut = (whole: string, places: readonly number[]) => {
    const at = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((one, other) => one - other)
    return [0, ...at].map((start, index) => whole.slice(start, at[index] ?? whole.length))
  }

  it('however it is cut, the same comes out', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(2_000), { maxLength: 40 }), (whole, places) => {
        const { given, end, references } = streamed(cut(whole, places))
        expect({ text: given.join('') + end, references }).toEqual(readCitations(whole))
        const each = streamed([...whole])
        expect(each.given.join('') + each.end).toBe(stripCitations(whole))
      }),
    )
  })

  it('what was given stays a part of the answer, and shows no tag of a block that goes', () => {
    fc.assert(
      fc.property(text, (before) => {
        const whole = `${before}\n\n${ours(ID)}`
        const shown = stripCitations(whole)
        let given = ''
        const reader = createCitationReader()
        for (const piece of whole) {
          given += reader.push(piece)
          expect(shown.startsWith(given)).toBe(true)
        }
      }),
    )
  })

  it('text without a whole block is the same, byte for byte', () => {
    const withoutEnd = text.map((whole) => whole.replaceAll(/<\/(?:keepsake-cite|oai-mem-citation)>/g, ''))
    fc.assert(
      fc.property(fc.oneof(withoutEnd, fc.string(), fc.string({ unit: 'binary' })), (whole) => {
        expect(readCitations(whole)).toEqual({ text: whole, references: [] })
        const { given, end } = streamed([...whole])
        expect(given.join('') + end).toBe(whole)
      }),
    )
  })

  it('holds back no more than what may become a block', () => {
    const { given } = streamed(['Deploys ', 'are on <b>', 'Tuesdays.\n', '\n<keep', 'sake> it'])
    expect(given).toEqual(['Deploys', ' are on <b>', 'Tuesdays.', '', '\n\n<keepsake> it'])
    const line = 'prose '.repeat(Math.ceil(MAX_LINE_LENGTH / 6) + 10)
    expect(streamed([`<keepsake-cite>\n${line}`]).given.join('')).toContain('prose prose')
    const lines = `${'prose '.repeat(20)}\n`.repeat(Math.ceil(MAX_BLOCK_LENGTH / 120) + 1)
    expect(streamed([`<oai-mem-citation>\n${lines}`]).given.join('')).toContain('prose prose')
  })
})
