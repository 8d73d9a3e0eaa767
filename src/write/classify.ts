/**
 * Type of a memory by its words, when the writer gave none (spec S2). Order is the rule: identity, then ways of
 * working, then pointers, else project. English and Chinese (simplified, traditional) say the same things.
 */
import type { NoteType } from '../domain/index.ts'

const identity: readonly RegExp[] = [
  /\bI(?:['’]m| am) (?:an? |the )(?!bit\b|little\b|lot\b)/i,
  /\bmy (?:name|role|job|job title|time ?zone|pronouns|native language|profession|background) (?:is|are)\b/i,
  /\b(?:please )?call me [A-Z]/,
  /\bI (?:work as|work at|work for|live in|was born|grew up|speak|studied|have \d+ years)\b/i,
  /\bI(?:['’]m| am) (?:based in|new to|fluent in|colou?r[- ]blind|left[- ]handed|responsible for)\b/i,
  /我是(?:一名|一个|一位|个|名|一個|位|做|搞|负责|負責)/,
  /我是[^，。,.\s]{0,12}(?:工程师|工程師|开发|開發|程序员|程式設計師|设计师|設計師|经理|經理|学生|學生|老师|老師|研究员|研究員|架构师|架構師)/,
  /我叫|我的(?:名字|职业|職業|角色|时区|時區|母语|母語|岗位|崗位)|我住在|我来自|我來自|叫我|称呼我|稱呼我/,
  /我在[^，。,.]{1,20}(?:工作|上班|任职|任職)/,
]

const waysOfWorking: readonly RegExp[] = [
  /\b(?:always|never|from now on|by default|in future|in the future|going forward)\b/i,
  /\b(?:do not|don['’]t|stop|avoid|prefer|make sure|be sure to|keep (?:it|your|the|answers?|replies|commits?))\b/i,
  /^(?:please\s+)?(?:use|write|run|add|put|name|format|ask|answer|reply|explain|test|commit|check|prefix|sort|split|wrap|follow|start|end|show|give|leave|skip)\b/i,
  /\bI(?:['’]d| would)? (?:prefer|rather|want you to|like (?:you to|to use|using|working|my|your|short|it when)|hate|dislike)\b/i,
  /总是|總是|从不|從不|永远|永遠|以后|以後|今后|今後|默认|預設|从现在起|從現在起/,
  /不要|别(?!人|的|名|处)|別(?!人|的|名|處)|请(?!求|假)|請(?!求|假)|务必|務必|必须|必須|应该|應該|避免|记得|記得/,
  /(?:我)?(?:更)?(?:喜欢|喜歡|偏好|习惯|習慣|倾向|傾向|讨厌|討厭|希望你|想让你|想讓你)(?:于|於|用|使用|把|在|先|写|寫)?/,
]

const pointers: readonly RegExp[] = [
  /\bhttps?:\/\//i,
  /\b(?:see|look (?:in|at|up)|refer to|is documented (?:in|at)|are documented (?:in|at)|lives? (?:in|at|under)|can be found|is tracked (?:in|at)|are tracked (?:in|at))\b/i,
  /\bwhere (?:to (?:find|look)|the)\b/i,
  /(?:参见|參見|详见|詳見|参考|參考|见|見)[：:\s]|(?:文档|文檔|文件|看板|仪表盘|儀表板|面板|手册|手冊)(?:在|位于|位於)|可以在[^，。]{1,40}(?:找到|查到|看到)/,
]

/** The type the words stand for; what is in doubt is `project`. */
export function classifyType(text: string): NoteType {
  const matches = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(text))
  if (matches(identity)) return 'user'
  if (matches(waysOfWorking)) return 'feedback'
  if (matches(pointers)) return 'reference'
  return 'project'
}
