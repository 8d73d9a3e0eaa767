/** Languages in which Keepsake speaks to an agent. Notes stay in the language of their user. */
export const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]

/** Code is data, whatever the language of the sentence around it. */
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/gu
/** Ranges and not a script class: compiling those costs a hook milliseconds. */
const CHINESE = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g

/** Chinese when there are at least as many Chinese characters as words in other scripts: names of tools stay English. */
export function languageOf(text: string): Language {
  const words = text.replace(CODE, ' ')
  const chinese = words.match(CHINESE)?.length ?? 0
  if (chinese === 0) return 'en'
  const others = words.replace(CHINESE, ' ').match(/\p{L}+/gu)?.length ?? 0
  return chinese >= others ? 'zh' : 'en'
}
