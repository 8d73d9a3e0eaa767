/**
 * The user's own words of one message: what was pasted, quoted in blocks, recalled or injected is gone, and secrets
 * are masked. What remains may still quote inline; sentences blank such quotes before a rule looks at them.
 */
import { redact, stripOwnBlocks } from '../../guard/index.ts'

/** A message of which more than this remains is a paste without marks; nothing in it is taken for the user's word. */
export const MAX_OWN_WORDS = 6_000

const blocks: readonly RegExp[] = [
  /<([\p{L}][\p{L}\d:_-]*)(?:\s[^<>]*)?>[\s\S]*?<\/\1>/gu,
  /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gm,
  /-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|(?![\s\S]))/g,
  /^[ \t]*>.*$/gm,
  /^[ \t]*[[【(（](?:memory|memories|recalled?|context|notes?|system|记忆|記憶|召回|背景|上下文|摘要)[^\]】)）\n]*[\]】)）]/gimu,
]

/** "## Recalled memories", 【相关记忆】, "Known about the user:": what stands under it was remembered, not said now. */
const recalledLabel =
  /^[ \t]*(?:[-=#*_>~[【(（<「]+[ \t]*)*(?:(?:relevant|recalled|retrieved|stored|saved|long-?term|user|agent|session|past|previous|project|your|my|the|from|some) )*(?:memor(?:y|ies)|recall(?:ed)?(?: (?:facts|notes|context))?|remembered|known (?:facts|about)|user (?:profile|facts|preferences)|facts about)\b[^.!?\n]{0,40}$|^[ \t]*[-=#*[【(（<「]*[ \t]*(?:(?:相关|相關|已有|历史|歷史|长期|長期|以下|检索到的|用户|使用者|系统|過去の|関連する?)的?)*(?:记忆|記憶|回忆|回憶|召回|用户画像|用户偏好)[^。！？\n]{0,16}$/iu
const recalledEnd = /^[ \t]*[-=#*[【(（<「/]*[ \t]*(?:end\b|\/|.{0,6}(?:结束|結束|完毕|完畢|終わり|終了))/iu
const listed = /^[ \t]*(?:[-*•·–]|\(?\d{1,3}[.)、:]|[①-⑳]|\p{L}[\p{L}\d_-]{0,30}\s?[:：])/u

/** Without what stands in a list under such a label. */
function dropRecalled(text: string): string {
  const kept: string[] = []
  let isRecalled = false
  for (const line of text.split('\n')) {
    if (recalledLabel.test(line) && !recalledEnd.test(line)) isRecalled = true
    else if (isRecalled && recalledEnd.test(line)) isRecalled = false
    else if (isRecalled && (listed.test(line) || line.trim() === '')) continue
    else {
      isRecalled = false
      kept.push(line)
    }
  }
  return kept.join('\n')
}

const introducesPaste =
  /(?:mail|message|log|output|error|trace|wrote|says|said|readme|paste[ds]?|below|following|transcript|chat|post|article|quote|邮件|郵件|日志|日誌|输出|輸出|报错|報錯|原文|聊天记录|聊天紀錄|引用|如下|下面|以下|文章|他说|她说|内容|通知|公告|メール|ログ|引用|以下)[^\n]{0,30}[:：]\s*$/iu

const looksPasted =
  /^\s*(?:\$ |# |>|at \S+\(|[{}[\]();]|\d{4}-\d{2}-\d{2}|\d{2}:\d{2}|\[[\d:. TZ-]+\]|[A-Z]{3,}\b[ :]|[\w.-]+\s*[=:]\s*\S+$|(?:from|to|subject|date|cc|von|betreff|发件人|收件人|主题|日期)\s*[:：]|[\p{L}]{1,12}\s?[:：]\s|import |export |const |let |def |class |function |<\/?\w)|[;{}]\s*$|\S {3,}\S/iu

/** Empty when nothing of the message is the user's own. */
export function cleanMessage(content: string): string {
  const stripped = blocks.reduce(
    (text, block) => text.replace(block, '\n'),
    stripOwnBlocks(content).replace(/\r\n?/g, '\n'),
  )
  const own = dropPasted(dropRecalled(stripped)).trim()
  return own.length > MAX_OWN_WORDS ? '' : redact(own).text
}

function dropPasted(text: string): string {
  const lines = text.split('\n')
  const intro = lines.findIndex((line, index) => introducesPaste.test(line) && lines.length - index > 2)
  return lines
    .slice(0, intro === -1 ? undefined : intro)
    .join('\n')
    .split(/\n{2,}/)
    .filter((paragraph) => !isPasted(paragraph))
    .join('\n\n')
}

/** Four lines and more of which half look like a log, a mail, a chat or code. */
function isPasted(paragraph: string): boolean {
  const lines = paragraph.split('\n').filter((line) => line.trim() !== '')
  return lines.length >= 4 && lines.filter((line) => looksPasted.test(line)).length * 2 >= lines.length
}
