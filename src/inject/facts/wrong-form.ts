/**
 * What a correction says not to do, in its own words (spec I8): "Use uv instead of pip" names pip, 不要用 npm，用 pnpm
 * names npm. Only a text that holds the right form too names a wrong one: a plain ban is a rule, not a correction.
 * Precision first: a wrong form that is missed costs a hint, a false one would forbid what is right.
 */
import { cutGraphemes, oneLine } from '../../util/index.ts'

const MAX_WRONG_GRAPHEMES = 60
/** Longer texts are prose about more than one correction. */
const MAX_TEXT_UNITS = 4_000

/** Words of the wrong form: up to a mark, or to a word that begins a reason or a place. */
const WORDS = String.raw`(?<wrong>[^,;:!?()\n，。；：！？（）]{1,80}?)`
const END = String.raw`(?=\s*(?:[,;:!?()\n，。；：！？（）—–]|\.(?:\s|$)|\s-\s|$)|\s+(?:when|because|since|unless|until|for|if|in|here|any ?more|any ?longer|again|from now on|but|and)\b)`
/** "not only", "not yet": says nothing wrong. */
const NO_CONTRAST = String.raw`(?!(?:only|just|all|always|ever|every\w*|yet|because|sure|more|less|even|necessarily|that|if|when|until|unless|so|too|as|least)\b)`
const DOING = '(?:use|using|write|writing|call|say|run|name|spell|install|start)'
const HAN = String.raw`\s*(?<wrong>[^，。；：！？、,;:!?（）()\n]{1,40}?)`
const HAN_END = String.raw`(?=\s*(?:[，。；：！？、,;:!?（）()\n]|$))`

/** First match wins: what is marked as wrong, then the clearest contrasts. */
const patterns: readonly RegExp[] = [
  // **Avoid:** pip install · 避免：pip install
  String.raw`^[\s*>-]*(?:avoid|wrong|wrong form|incorrect|避免|错误|错误写法|誤り|錯誤)\s*\**\s*[:：]\s*\**\s*(?<wrong>[^\n]{1,200})$`,
  // instead of pip · rather than pip · in place of pip
  String.raw`\b(?:instead of|rather than|in place of)\s+(?:${DOING}\s+)?${WORDS}${END}`,
  // not npm but pnpm
  String.raw`\bnot\s+${NO_CONTRAST}${WORDS},?\s+but\s+(?!also\b)`,
  // Don't use npm, use pnpm · Never use npm. Use pnpm
  String.raw`\b(?:don['’]t|do not|never|stop)\s+${DOING}\s+${WORDS}\s*[,;.:—–-]+\s*(?:but\s+|instead,?\s+)?(?:please\s+)?${DOING}\s`,
  // Use pnpm, not npm · Use pnpm, never npm · it is called harbour, not port
  String.raw`[\p{L}\p{N}${'`'}"')][,;]?\s*[,;—–(]\s*(?:and\s+)?(?:not|never)\s+${NO_CONTRAST}(?:${DOING}\s+|with\s+|by\s+)?${WORDS}${END}`,
  // 不是 X，而是 Y · 不叫X，叫Y
  String.raw`不(?:是|叫|用|写|说)${HAN}\s*[，,]\s*(?:而是|应该|应当|是|叫|用|写|说|改)`,
  // 不要用 X，用 Y · 别写X，改写Y
  String.raw`(?:不要|别|别再|不要再|不准|不许|禁止|勿|請勿)(?:再)?(?:使用|用|写|叫|说|装|跑)${HAN}\s*[，,；;。]\s*(?:请|请改|要|统一|一律|都|改|改成|应该)*(?:使用|用|写|叫|说|装|跑|为)`,
  // 用 Y 代替 X
  String.raw`(?:用|以|拿|使用)[^，。；！？\n]{1,40}?(?:代替|替代|取代|替换|代换)${HAN}${HAN_END}`,
  // 用 Y，不要用 X · 叫 Y，不叫 X · 用 Y 而不是 X · 用 Y 而非 X
  String.raw`[\p{L}\p{N}${'`'}」”"')）]\s*[，,；;]?\s*(?:而不是|而非|而不用|，而不要|[，,；;]\s*(?:而)?(?:不要|别|不能|不可|不准|不许|禁止|不)(?:再)?(?:使用|用|写成|写|叫|说|是|装|跑))(?:使用|用|写)?${HAN}${HAN_END}`,
].map((source) => new RegExp(source, 'imu'))

/** Null when the text names none. One line, short. */
export function wrongFormOf(text: string): string | null {
  const plain = text.slice(0, MAX_TEXT_UNITS)
  for (const pattern of patterns) {
    const wrong = bare(pattern.exec(plain)?.groups?.wrong ?? '')
    if (wrong !== '') return cutGraphemes(wrong, MAX_WRONG_GRAPHEMES)
  }
  return null
}

/** Without the marks of code and quotes around it, and without a full stop. */
function bare(wrong: string): string {
  return oneLine(wrong)
    .replace(/^[\s`"'“”‘’「」『』*]+|[\s`"'“”‘’「」『』*.。]+$/gu, '')
    .trim()
}
