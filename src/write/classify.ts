/**
 * Type of a memory by its words, when the writer gave none (spec S2). Order is the rule: identity, ways of working,
 * tastes, pointers, else project. A wrong `user` or `feedback` would carry a project's fact into every other project,
 * so these need clear words; what is in doubt is the project's. English and Chinese say the same things.
 */
import type { NoteType } from '../domain/index.ts'

const identity: readonly RegExp[] = [
  /\bI(?:['’]m| am) (?:an? |the )(?!bit\b|little\b|lot\b|few\b)/i,
  /\bI(?:['’]m| am) (?:based in|new to|fluent in|colou?r[- ]blind|left[- ]handed|responsible for)\b/i,
  /\bI (?:work as|work at|work for|live in|was born|grew up|speak|studied|have \d+ years)\b/i,
  /\bmy (?:name|role|job|job title|time ?zone|pronouns|native language|profession|background) (?:is|are)\b/i,
  /\b[Cc]all me [A-Z]/,
  /我是(?:一名|一个|一位|个|名|一個|位|做|搞|负责|負責)/,
  /我是[^，。,.\s]{0,12}(?:工程师|工程師|开发|開發|程序员|程式設計師|设计师|設計師|经理|經理|学生|學生|老师|老師|研究员|研究員|架构师|架構師)/,
  /我叫|我的(?:名字|职业|職業|角色|时区|時區|母语|母語|岗位|崗位)|我住在|我来自|我來自|叫我|称呼我|稱呼我/,
  /我在[^，。,.]{1,20}(?:工作|上班|任职|任職)/,
]

/** Where a sentence begins. */
const begin = '(?:^|[.!?;:。！？；：\\n]\\s*|^[-*]\\s+)'
const beginZh = '(?:^|[\\s，,。！？；：;:])'
/** Verbs that order work. Many are nouns too: `Test coverage is low` orders nothing. */
const verbs =
  'use|write|run|add|put|name|format|ask|answer|reply|respond|explain|test|commit|check|prefix|sort|split|wrap|follow|start|end|show|give|leave|skip|keep|stop|avoid|prefer|document|review|push|indent|treat|make|create|limit|return'
const isStatement =
  '(?!\\s+(?:\\S+\\s+){0,2}(?:is|are|was|were|has|have|had|will|failed|broke)\\b)(?!\\s+of\\b)(?!\\s+\\d)'

const waysOfWorking: readonly RegExp[] = [
  new RegExp(`${begin}(?:please\\s+)?(?:${verbs})\\b${isStatement}`, 'im'),
  new RegExp(`${begin}(?:please\\s+)?(?:always|never|do not|don['’]t)\\s+\\p{L}`, 'imu'),
  /,\s*(?:please|always use|never use|do not|don['’]t|use|prefer|avoid)\s+\p{L}/iu,
  /\b(?:from now on|going forward|in (?:the )?future,|make sure (?:to|that|you)|be sure to)(?:\s|$)/i,
  /\byou (?:should|must|need to) (?:always|never|not)?\b/i,
  /\bI(?:['’]d| would)? (?:prefer|rather|want you to|expect you to)\b/i,
  /\bI(?:['’]d| would)? (?:like|love|hate|dislike) (?:you to|to use|using|working with|your|it when|short|long)\b/i,
  new RegExp(`${beginZh}(?:以后|以後|今后|今後|往后|往後|从现在起|從現在起|从今往后|從今往後)`, 'm'),
  new RegExp(
    `${beginZh}(?:总是|總是|永远|永遠|从不|從不|一律|务必|務必|避免|尽量|盡量|记得|記得|不要|别|別)(?!人|的|名|处|處)\\p{L}`,
    'mu',
  ),
  /(?:请|請)(?:用|使用|先|不要|别|別|勿|在|把|保持|按|以|始终|始終|一律|务必|務必|尽量|盡量)/,
  /(?:不要|别|別)(?:用|使用|再|把|给|給|动|動|改|写|寫|加|提交|自动|自動|直接|随便|隨便)/,
  /^(?!.*(?:决定|決定|选了|選了|选择|選擇)).*(?:^|[\s，,。：:]|仓库|倉庫|项目|項目|这里|這裡|统一|統一|都|只|要)用[^，。,]{1,30}[，,]\s*(?:不|别|別|不要)(?:要)?用/mu,
  /^(?!.*(?:决定|決定|选了|選了|选择|選擇)).*不(?:要)?用[^，。,]{1,30}[，,]\s*(?:要|改|请|請|都|统一|統一)?用/mu,
  /(?:默认|預設|默認)(?:用|使用|采用|採用|以|按)/,
  /我(?:更|比较|比較|还是|還是)?(?:喜欢|喜歡|偏好|习惯|習慣|倾向|傾向|讨厌|討厭|不喜欢|不喜歡)(?:于|於|用|使用|把|先|写|寫|看到|你)/,
  /我(?:希望|想让|想讓|要)你/,
  /(?:^|[\s，,。])(?:更)?(?:喜欢|喜歡|习惯|習慣|偏好)(?:用|使用)/m,
]

const tastes: readonly RegExp[] = [
  /\bI (?:really |also |just )?(?:like|love|enjoy|hate|dislike)\b/i,
  /我(?:很|更|最|也|不)?(?:喜欢|喜歡|爱|愛|讨厌|討厭)/,
]

const pointers: readonly RegExp[] = [
  /\bhttps?:\/\//i,
  /(?:^|[.;(]\s*)(?:see|look (?:in|at|up)|refer to)\b/im,
  /\b(?:(?:is|are) (?:documented|tracked|described|listed) (?:in|at|on)|lives? (?:in|at|under)|can be found)\b/i,
  /\bwhere to (?:find|look)\b/i,
  /(?:参见|參見|详见|詳見|请看|請看|见|見)[：:\s]|(?:文档|文檔|文件|看板|仪表盘|儀表板|面板|手册|手冊)(?:在|位于|位於)|可以在[^，。]{1,40}(?:找到|查到|看到)/,
]

/** The type the words stand for; what is in doubt is `project`. */
export function classifyType(text: string): NoteType {
  const matches = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(text))
  if (matches(identity)) return 'user'
  if (matches(waysOfWorking)) return 'feedback'
  if (matches(tastes)) return 'user'
  if (matches(pointers)) return 'reference'
  return 'project'
}
