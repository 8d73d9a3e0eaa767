import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyseText, foldText, gramsOf, MAX_ANALYSED_LENGTH, piecesOf } from './analyse.ts'
import { foldHanVariants } from './han-variants.ts'

describe('analyseText', () => {
  it.each([
    ['pre-edit', ['pre', 'edit'], ['preedit']],
    ['snake_case_name', ['snake', 'case', 'name'], ['snakecasenam']],
    ['HTMLParser', ['html', 'parser'], ['htmlparser']],
    ['20.04', ['20', '04'], ['20·04']],
    ['v1.2.3', ['v1', '2', '3'], ['v1·2·3']],
    ["don't Bob's", ['dont', 'bob'], []],
    ['C++ and C# issue #12', ['cplusplu', 'and', 'csharp', 'issu', '12'], ['cplusplus', 'issue']],
    ['src/store/sync.ts', ['src', 'store', 'sync', 'ts'], ['synct']],
    ['naïve café', ['naiv', 'cafe'], ['naive']],
    ['Ｆｕｌｌ　ｗｉｄｔｈ', ['full', 'width'], []],
    ['zero\u200bwidth\u00adjoin', ['zerowidthjoin'], []],
    ['Йод ёлка', ['иод', 'елка'], []],
  ])('words of %s', (text, words, extras) => {
    expect(analyseText(text)).toEqual({ words, extras, grams: [] })
  })

  it.each([
    ['守护进程', ['守护', '护进', '进程', '程']],
    ['數據庫', ['数据', '据库', '库']],
    ['守', ['守']],
    ['中文 空格', ['中文', '文', '空格', '格']],
    ['がぎ', ['がぎ', 'ぎ']],
    ['ﾊﾝｶｸ', ['ハン', 'ンカ', 'カク', 'ク']],
    ['끝말잇기', ['끝말', '말잇', '잇기', '기']],
    ['𠮷野家', ['𠮷野', '野家', '家']],
  ])('grams of %s', (text, grams) => {
    expect(analyseText(text)).toEqual({ words: [], extras: [], grams })
  })

  it('cuts where scripts meet', () => {
    expect(analyseText('用vitest写2024年')).toEqual({
      words: ['vitest', '2024'],
      extras: [],
      grams: ['用', '写', '年'],
    })
  })

  it('never throws, and gives terms that an index can hold, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const { words, extras, grams } = analyseText(text)
        return [...words, ...extras, ...grams].every(
          (term) => /^[\p{L}\p{N}\p{M}·]+$/u.test(term) && term.length <= 64 && term.isWellFormed(),
        )
      }),
      { numRuns: 1_000 },
    )
  })

  it('pieces stand where they say', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'B', '守', '.', '-', "'", ' ', '𠮷', '1'), maxLength: 60 }),
        (text) => {
          const folded = foldText(text)
          let last = 0
          for (const piece of piecesOf(folded)) {
            expect(piece.start).toBeGreaterThanOrEqual(last)
            if (piece.kind === 'run') expect(folded.slice(piece.start, piece.end)).toBe(piece.characters.join(''))
            last = piece.end
          }
          expect(last).toBeLessThanOrEqual(folded.length)
        },
      ),
    )
  })

  it('looks at a bounded part of a text', () => {
    expect(analyseText('word '.repeat(MAX_ANALYSED_LENGTH)).words).toHaveLength(MAX_ANALYSED_LENGTH / 5)
  })

  it('every character of a run begins some gram, so a single one finds it', () => {
    const run = [...'昨晚把中欧红利的守护进程修好了']
    for (const character of run) expect(gramsOf(run).some((gram) => gram.startsWith(character))).toBe(true)
  })
})

describe('foldHanVariants', () => {
  it.each([
    ['數據庫', '数据库'],
    ['單元測試', '单元测试'],
    ['會議紀錄與專案', '会议纪录与专案'],
    ['程式碼審查', '程式码审查'],
    ['部署環境變數', '部署环境变数'],
    ['测试', '测试'],
    ['abc', 'abc'],
  ])('%s -> %s', (traditional, simplified) => {
    expect(foldHanVariants(traditional)).toBe(simplified)
  })

  it('keeps the number of characters and changes nothing twice', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'數據庫單測試後裡發髮著麼乾臺周abc'), maxLength: 30 }),
        (text) => {
          const folded = foldHanVariants(text)
          return folded.length === text.length && foldHanVariants(folded) === folded
        },
      ),
    )
  })
})
