/**
 * Notes that say of something that it is not there, or must not be ("we removed X", "never create X", 不要新建 X): that it
 * is gone speaks for them.
 */
import type { Range } from './sentence.ts'

const REACH = 60
const filler =
  '(?:(?:the|a|an|any|new|another|old|our|file|files|folder|script|module|helper|function|class|command|target|branch|dependency|called|named)\\s+)*'
const before = [
  new RegExp(`\\b(?:removed|deleted|dropped|got\\s+rid\\s+of)\\s+${filler}[\`"'(]*$`, 'i'),
  new RegExp(
    `\\b(?:do\\s+not|don['’]t|never|must\\s+not|mustn['’]t|should\\s+not|shouldn['’]t)\\s+(?:ever\\s+|again\\s+)?(?:create|recreate|re-create|add|re-add|introduce|reintroduce|restore|bring\\s+back|put\\s+back|make)\\s+${filler}[\`"'(]*$`,
    'i',
  ),
  /(?:不要|别|禁止|不得|不准|请勿|不能|不应)(?:再|重新)*(?:新建|创建|新增|添加|引入|恢复|加回)(?:一个|这个|新的|旧的|文件|脚本|目录|函数|依赖|名为|叫|任何|\s)*[`"'「（(]*$/,
  /(?:删除|删掉|移除|去掉)了(?:一个|这个|旧的|文件|脚本|目录|函数|依赖|\s)*[`"'「（(]*$/,
]
const after = [
  /^[`"')]*\s+(?:(?:file|folder|script|module|helper|function|class|command|target|branch)\s+)?(?:was|were|is|are|has\s+been|have\s+been)\s+(?:now\s+|all\s+)?(?:removed|deleted|dropped|gone)\b/i,
  /^[`"')]*\s+(?:no\s+longer\s+exists?|does\s+not\s+exist|doesn['’]t\s+exist)\b/i,
  /^[`"'」）)]*\s*(?:文件|脚本|目录|函数|依赖|分支)?\s*(?:已经|已|早已|都)?(?:被)?(?:删除了|删除|删掉了|移除了|移除|去掉了|不存在)(?=$|[\s，。；,.;])/,
]

export function isToldAbsent(body: string, { at, end }: Range): boolean {
  const left = body.slice(Math.max(0, at - REACH), at)
  const right = body.slice(end, end + REACH)
  return before.some((form) => form.test(left)) || after.some((form) => form.test(right))
}
