/** Languages in which Keepsake speaks to an agent. Notes stay in the language of their user. */
export const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]

/** Code, addresses and paths are data, whatever the language of the sentence around them. */
const DATA = /```[\s\S]*?(?:```|$)|`[^`\n]*`|https?:\/\/\S+|(?<![\w.-])[\w.-]*[/\\][\w./\\-]*/gu
const KANA = /[\u3041-\u3096\u30a1-\u30fa]/
/** Ranges and not a script class: compiling those costs a hook milliseconds. */
const CHINESE = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g

/** Chinese when there are at least as many Chinese characters as words in other scripts: names of tools stay English. */
export function languageOf(text: string): Language {
  const words = text.replace(DATA, ' ')
  if (KANA.test(words)) return 'en'
  const chinese = words.match(CHINESE)?.length ?? 0
  if (chinese === 0) return 'en'
  const others = words.replace(CHINESE, ' ').match(/\p{L}+/gu)?.length ?? 0
  return chinese >= others ? 'zh' : 'en'
}

/** Chinese when most of these messages are. */
export function mostlyIn(messages: readonly string[]): Language {
  return messages.filter((message) => languageOf(message) === 'zh').length * 2 > messages.length ? 'zh' : 'en'
}
