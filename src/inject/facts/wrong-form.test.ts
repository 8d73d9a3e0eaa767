import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wrongFormOf } from './wrong-form.ts'

describe('wrongFormOf [I8]', () => {
  it.each([
    ['Use uv instead of pip', 'pip'],
    ['Use uv instead of pip in this repository.', 'pip'],
    ['Use `uv pip` instead of `pip install`.\n\n**Why:** one lock file.', 'pip install'],
    ['Use pnpm, not npm, in this repository', 'npm'],
    ['Use pnpm, never npm', 'npm'],
    ["Don't use moment.js, use date-fns", 'moment.js'],
    ['Never use var. Use const.', 'var'],
    ['The staging host is called harbour-2, not harbour-1.', 'harbour-1'],
    ['Write tests with vitest rather than using jest because of the speed', 'jest'],
    ['The branch is not master but trunk', 'master'],
    ['Deploy with make release; not with --force, it loses work', '--force'],
    ['Answer in short sentences\n\n**Avoid:** long bullet lists', 'long bullet lists'],
    ['用 pnpm，不要用 npm。', 'npm'],
    ['不要用 npm，用 pnpm', 'npm'],
    ['别用 print，改用 logger。', 'print'],
    ['提交信息写英文，不要写中文', '中文'],
    ['这个服务不叫 port，叫 harbour', 'port'],
    ['不是周五发布，而是周二发布', '周五发布'],
    ['用 uv 代替 pip', 'pip'],
    ['用 vitest 而不是 jest。', 'jest'],
    ['用 trunk 而非 master', 'master'],
    ['回答要短\n\n避免：长篇的列表', '长篇的列表'],
  ])('%s names %s', (text, wrong) => {
    expect(wrongFormOf(text)).toBe(wrong)
  })

  it.each([
    'Never push to main',
    'Do not commit secrets',
    'Not only the tests but also the docs belong to a change',
    'Run the linter, not only when asked',
    'The release is not yet planned',
    'Short answers, not because of taste but time is short, so as agreed',
    'Ask before you delete anything',
    '不要直接推到 main',
    '不仅要测试，还要写文档',
    '提交前先跑测试',
    'We use pnpm. It is not slow.',
    '',
  ])('a text without a wrong form beside a right one names none: %s', (text) => {
    expect(wrongFormOf(text)).toBeNull()
  })

  it('is one short line for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 120 }),
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        (right, wrong) => {
          const found = wrongFormOf(`Use ${right} instead of ${wrong}\n\n不要用${wrong}，用${right}`)
          if (found === null) return
          expect(found).not.toMatch(/\n/)
          expect(found.length).toBeLessThan(1_000)
          expect(found.trim()).toBe(found)
          expect(found).not.toBe('')
        },
      ),
      { numRuns: 300 },
    )
  })
})
