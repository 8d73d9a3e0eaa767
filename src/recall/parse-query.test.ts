import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shippedAliases } from '../store/search-index/alias-pairs.ts'
import { createQueryParser } from './parse-query.ts'

const parse = createQueryParser()

/** Terms of the question itself, without aliases. */
const own = (text: string) => {
  const query = parse(text)
  const texts = (terms: typeof query.words) => terms.filter((term) => term.weight !== 0.5 || !term.standsFor)
  return [...texts(query.words), ...texts(query.grams)].map((term) => term.text)
}
const aliases = (text: string) => {
  const query = parse(text)
  return [...query.words, ...query.grams]
    .filter((term) => term.standsFor && term.weight === 0.5)
    .map((term) => term.text)
}
const size = (text: string) => {
  const { words, grams, phrases, prefixes } = parse(text)
  return { terms: words.length + grams.length, phrases: phrases.length, prefixes: prefixes.length }
}

describe('parseQuery', () => {
  it.each([
    ['BL-38: pre-edit', 'pre-edit', ['pre', 'edit', 'preedit']],
    ['BL-38: a column filter', 'memory:safe', ['memori', 'safe', 'memorysaf']],
    ['BL-38: a version', '20.04', ['20', '04', '20·04']],
    ['BL-38: an open quote', 'say "hi', ['hi']],
    ['BL-38: a bare AND', 'foo AND', ['foo']],
    ['BL-38: an open bracket', '(python', ['python']],
    ['BL-38: an apostrophe', "what's vitest", ['vitest']],
    ['BL-38: NEAR', 'NEAR(apple', ['near', 'appl']],
    ['BL-38: a caret', '^apple', ['appl']],
    ['a file name', 'altic_skill_loader.py', ['altic', 'skill', 'loader', 'py', 'alticskillloaderpi']],
    ['camel case', 'getUserName', ['get', 'user', 'name', 'getusernam'].filter((word) => word !== 'get')],
    ['a natural question', 'Why did the deployment rollback not happen?', ['deploi', 'rollback', 'happen']],
    ['glued scripts', '用vitest写', ['vitest', '用', '写']],
    ['a Chinese question', '帮我写单元测试', ['帮我', '我写', '写单', '单元', '元测', '测试']],
    ['a traditional question', '幫我寫單元測試', ['帮我', '我写', '写单', '单元', '元测', '测试']],
    ['one character', '守', ['守']],
    ['a word that begins with a function character', '目的', ['目的', '目']],
    ['Japanese', '成語しりとり', ['成语', '语し', 'しり', 'りと', 'とり']],
    ['Korean', '끝말잇기 게임', ['끝말', '말잇', '잇기', '게임']],
  ])('%s: %s', (_, text, terms) => {
    expect(own(text)).toEqual(terms)
  })

  it.each([
    '',
    '   ',
    '-',
    '"',
    '*',
    '??!',
    '\u0000',
    '👩‍💻',
    'the of and',
    'what is it',
    '的了吗',
    '是什么',
    '^ ( ) :',
  ])('BL-40: %j asks for nothing', (text) => {
    expect(size(text)).toEqual({ terms: 0, phrases: 0, prefixes: 0 })
  })

  it.each([
    ['"blue pool"', { words: ['blue', 'pool'], grams: [] }],
    ['“to be” or not', { words: ['to', 'be'], grams: [] }],
    ['「守护进程」', { words: [], grams: ['守护', '护进', '进程'] }],
    ['"pre-edit hook"', { words: ['pre', 'edit', 'hook'], grams: [] }],
  ])('a quoted phrase: %s', (text, phrase) => {
    expect(parse(text).phrases).toEqual([phrase])
  })

  it.each([
    ['deplo*', ['deplo']],
    ['see deplo* and confi* now', ['deplo', 'confi']],
    ['pre-edi*', ['edi']],
    ['a*', []],
    ['* b', []],
  ])('a trailing star: %s', (text, prefixes) => {
    expect(parse(text).prefixes).toEqual(prefixes)
  })

  it.each([
    ['10 KB of words', 'alpha beta gamma delta '.repeat(500)],
    ['10 KB of other words', Array.from({ length: 2_000 }, (_, at) => `word${at}`).join(' ')],
    ['10 KB of characters', '数据库守护进程缓存队列部署'.repeat(300)],
    ['one word of 10 KB', 'x'.repeat(10_240)],
    ['10 KB of quotes', '"a b" '.repeat(1_700)],
    ['10 KB of stars', 'ab* '.repeat(2_500)],
  ])('BL-38: bounded for %s', (_, text) => {
    const { terms, phrases, prefixes } = size(text)
    expect(terms).toBeLessThanOrEqual(90)
    expect(phrases).toBeLessThanOrEqual(4)
    expect(prefixes).toBeLessThanOrEqual(4)
  })

  it('BL-38: never throws, and terms are letters, digits and marks, for any text', () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc
        .array(
          fc.constantFrom(
            '"',
            "'",
            '(',
            ')',
            '*',
            '^',
            ':',
            'OR',
            'AND ',
            'NEAR(',
            '\u0000',
            '\ud800',
            '-',
            '守',
            'a.b',
            '+',
          ),
          {
            maxLength: 40,
          },
        )
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(odd, (text) => {
        const { words, grams, phrases, prefixes } = parse(text)
        const all = [...words, ...grams].map((term) => term.text)
        const terms = [...all, ...prefixes, ...phrases.flatMap((phrase) => [...phrase.words, ...phrase.grams])]
        return terms.every((term) => /^[\p{L}\p{N}\p{M}·]+$/u.test(term))
      }),
      { numRuns: 1_000 },
    )
  })

  it('names inside a sentence count more when they are missing', () => {
    const emphasis = (text: string) => parse(text).words.map((term) => [term.text, term.emphasis])
    expect(emphasis('When did Caroline call? Dinner was late')).toEqual([
      ['carolin', 1.5],
      ['call', 1],
      ['dinner', 1],
      ['late', 1],
    ])
  })
})

describe('aliases', () => {
  it('ships at least 120 pairs, each with two ways to say it', () => {
    expect(shippedAliases.length).toBeGreaterThanOrEqual(120)
    expect(shippedAliases.filter((words) => words.length < 2 || words.some((word) => word === ''))).toEqual([])
  })

  it('names no alias twice in one entry, and no character run twice', () => {
    const runs = shippedAliases.flat().filter((word) => /^\p{Script=Han}+$/u.test(word))
    expect(runs.filter((word, at) => runs.indexOf(word) !== at)).toEqual([])
  })

  it.each([
    ['容器', ['docker', 'contain']],
    ['docker', ['contain', '容器']],
    ['單元測試', ['unit', 'test']],
    ['unit tests', ['单元', '元测', '测试']],
    ['authentication', ['auth', '认证', '身份', '份验', '验证']],
    ['数据库 很慢', ['databas', 'db']],
    ['nothing technical', []],
    ['人类', []],
  ])('%s also asks for %j', (text, expected) => {
    expect(aliases(text).sort()).toEqual([...expected].sort())
  })

  it('takes pairs of the user', () => {
    const own = createQueryParser([['落地页', 'landing page', 'lp']])
    expect(own('landing page').grams.map((term) => term.text)).toEqual(['落地', '地页'])
    expect(own('LP').words.map((term) => term.text)).toEqual(['lp', 'land', 'page'])
  })

  it('stands for the word it replaces: the group is covered by any of them', () => {
    const { words, grams } = parse('容器')
    expect(grams).toEqual([{ text: '容器', weight: 1, emphasis: 1, group: grams[0]?.group }])
    expect(words.map((term) => [term.group, term.standsFor])).toEqual([
      [grams[0]?.group, 1],
      [grams[0]?.group, 1],
    ])
  })
})
