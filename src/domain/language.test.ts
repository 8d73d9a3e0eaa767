import { describe, expect, it } from 'vitest'
import { type Language, languageOf, mostlyIn } from './language.ts'

describe('languageOf', () => {
  it.each<[string, Language]>([
    ['Use pnpm here, not npm', 'en'],
    ['这里用 pnpm，不用 npm', 'zh'],
    ['帮我把 Dockerfile 改成 multi-stage build', 'zh'],
    ['Rename 用户 to user in the whole schema', 'en'],
    ['改一下 src/routes/tide-table.ts', 'zh'],
    ['Fix this:\n```\n// 读取潮汐表，返回每一行的高度和时间\n```', 'en'],
    ['修一下：\n```\nreturn rows.filter(isHigh).map(toLine)', 'zh'],
    ['看看 https://example.invalid/a/very/long/english/path?with=words', 'zh'],
    ['請改成繁體', 'zh'],
    ['潮汐表を直して', 'en'],
    ['조석표를 고쳐 줘', 'en'],
    ['42 👍', 'en'],
    ['', 'en'],
  ])('%j: %s', (message, language) => expect(languageOf(message)).toBe(language))
})

describe('mostlyIn', () => {
  it.each<[string, readonly string[], Language]>([
    ['nothing', [], 'en'],
    ['more Chinese ones', ['改一下', '再跑一遍', 'thanks'], 'zh'],
    ['as many', ['改一下', 'thanks'], 'en'],
  ])('%s', (_, messages, language) => expect(mostlyIn(messages)).toBe(language))
})
