import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../../test/support/note-corpus.ts'
import { noteTypes } from '../../domain/index.ts'
import { graphemes, isUlid, utf8Bytes } from '../../util/index.ts'
import { derivedId, describe as describeBody, nameFrom, noteFileName, openingEnd } from './names.ts'

describe('nameFrom', () => {
  it.each([
    ['# Package manager\n\nText', 'x.md', 'Package manager'],
    ['Intro first\n\n## 构建命令 ##\n', 'x.md', '构建命令'],
    ['# **Bold** and `code` and [link](a.md)\n', 'x.md', 'Bold and code and link'],
    ['```sh\n# not a heading\n```\n# A heading\n', 'x.md', 'A heading'],
    ['<!-- # hidden -->\n# Shown\n', 'x.md', 'Shown'],
    ['#hashtag\n', 'x.md', 'x'],
    ['#   \n\nText', 'feedback_use-pnpm.md', 'use pnpm'],
    ['Text', 'sub/folder/project_release_plan.md', 'release plan'],
    ['', '用户偏好.md', '用户偏好'],
    ['', 'feedback_.md', 'feedback_'],
    [`${'x\n'.repeat(30)}# Too late\n`, 'x.md', 'x'],
    ['Text', '', ''],
  ])('%j in %s is %j', (body, file, name) => {
    expect(nameFrom(body, file)).toBe(name)
  })
})

describe('describe', () => {
  it.each([
    ['Use pnpm. Never npm.', 'Use pnpm.'],
    ['# Heading\n\nUse pnpm\nin every package! Why', 'Use pnpm in every package!'],
    ['安装依赖用 pnpm。不要用 npm。', '安装依赖用 pnpm。'],
    ['真的嗎？當然！', '真的嗎？'],
    ['他说：“可以。”然后走了。', '他说：“可以。”'],
    ['- [ ] Ask first, e.g. in the channel. Then act.', 'Ask first, e.g. in the channel.'],
    ['> quoted **words** here', 'quoted words here'],
    ['Version 1.2.3 is out', 'Version 1.2.3 is out'],
    ['| a | b |\n|---|---|\n\nAfter the table.', 'After the table.'],
    ['```js\nconst x = 1.\n```\nAfter the code.', 'After the code.'],
    ['---\n\nAfter the rule.', 'After the rule.'],
    ['See [[other_note]] and ![alt](x.png).', 'See other_note and alt.'],
    ['# Only a heading', ''],
    ['', ''],
  ])('%j is %j', (body, description) => {
    expect(describeBody(body)).toBe(description)
  })

  it('is not slowed down by hostile marks', () => {
    const started = performance.now()
    for (const mark of ['*', '**', '_', '`', '[', '![', '[[', '<!--', '> ', '- ', '#', '. ', '(', '~~~\n'])
      for (const body of [mark.repeat(50_000), `${mark.repeat(2_000)} x`, `x ${mark}`.repeat(20_000)])
        describeBody(body)
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})

describe('BL-45 cuts', () => {
  const emoji = ['💰', '👩‍👩‍👧', '🇩🇪', 'é\u{301}', '한', '👍🏽']
  it.each(emoji)('%s on each cut point leaves whole graphemes', (grapheme) => {
    for (let before = 90; before <= 152; before++) {
      const text = `${'x'.repeat(before)}${grapheme.repeat(60)}`
      for (const cut of [nameFrom(`# ${text}`, 'x.md'), describeBody(text)]) {
        expect(cut.isWellFormed()).toBe(true)
        const rest = cut.replace(/^x+/, '').replace(/…$/, '')
        expect(rest.replaceAll(grapheme, '')).toBe('')
      }
      const file = noteFileName('user', text, new Set())
      expect(file.isWellFormed()).toBe(true)
    }
  })

  it('a pair on the edge of the opening is not split', () => {
    for (let before = 4_090; before <= 4_098; before++) {
      const body = `${'x'.repeat(before)}${'💰'.repeat(10)}`
      expect(body.slice(0, openingEnd(body)).isWellFormed()).toBe(true)
    }
  })

  it('names and descriptions of any text are well formed, on one line and bounded', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const cut of [nameFrom(text, 'x.md'), describeBody(text)]) {
          expect(cut).not.toMatch(/[\r\n]/)
          expect([...graphemes(cut)].length).toBeLessThanOrEqual(150)
        }
      }),
      { numRuns: 1_500 },
    )
  })
})

describe('noteFileName [S3]', () => {
  it.each([
    ['feedback', 'Use pnpm, not npm!', 'feedback_use-pnpm-not-npm.md'],
    ['user', '以后默认用 pnpm', 'user_以后默认用-pnpm.md'],
    ['project', '  ../../etc/passwd  ', 'project_etc-passwd.md'],
    ['project', 'ＣＡＰＳ　wide', 'project_caps-wide.md'],
    ['reference', 'CON', 'reference_con.md'],
    ['user', '💰', expect.stringMatching(/^user_note-[0-9a-f]{8}\.md$/)],
  ] as const)('%s %j is %s', (type, name, file) => {
    expect(noteFileName(type, name, new Set())).toEqual(file)
  })

  it('a taken name gets -2, -3 …; case and form do not free it', () => {
    const taken = new Set(['user_cafe\u{301}.md', 'USER_Café-2.md'.normalize('NFC')])
    expect(noteFileName('user', 'Café', taken)).toBe('user_café-3.md')
  })

  it('never leaves the folder, never takes a taken name, at most 60 bytes of slug', () => {
    const taken = new Set<string>()
    fc.assert(
      fc.property(fc.constantFrom(...noteTypes), fc.string({ unit: 'grapheme', maxLength: 80 }), (type, name) => {
        const file = noteFileName(type, name, taken)
        expect(taken.has(file)).toBe(false)
        expect(file).toMatch(/^(?:user|feedback|project|reference)_[\p{L}\p{M}\p{N}-]+\.md$/u)
        expect(utf8Bytes(file) - type.length - 4).toBeLessThanOrEqual(60)
        taken.add(file)
      }),
      { numRuns: 1_000 },
    )
    expect(noteFileName('user', 'x'.repeat(80), new Set([`user_${'x'.repeat(60)}.md`]))).toBe(
      `user_${'x'.repeat(58)}-2.md`,
    )
  })
})

describe('derivedId', () => {
  it('is a ULID that depends on layer and path alone, in either normal form', () => {
    expect(isUlid(derivedId('global', 'a.md'))).toBe(true)
    expect(derivedId('global', 'café.md')).toBe(derivedId('global', 'cafe\u{301}.md'))
    const ids = [
      ['global', 'a.md'],
      ['global', 'b.md'],
      ['projects/a', 'a.md'],
      ['projects/aa', '.md'],
    ].map(([layer, file]) => derivedId(layer!, file!))
    expect(new Set(ids).size).toBe(4)
  })
})
