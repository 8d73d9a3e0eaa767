import { expect, it } from 'vitest'
import { languageOf } from './language.ts'

it.each([
  ['Which package manager do we use?', 'en'],
  ['我们用什么包管理器？', 'zh'],
  ['用 pnpm 跑 test 吗', 'zh'],
  ['把 `const answer = await memory.read(id)` 改成同步的', 'zh'],
  ['Translate 你好 for me, and keep the tone friendly', 'en'],
  ['', 'en'],
  ['👍', 'en'],
  ['どこにデプロイしますか', 'en'],
])('%s is %s', (text, language) => {
  expect(languageOf(text)).toBe(language)
})
