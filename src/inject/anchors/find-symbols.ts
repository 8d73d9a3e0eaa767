/**
 * Names of code. What is called `name()` or stands between ticks in a form that no word has is sure; other words that look
 * like code are told by the tree. A symbol belongs to a file only where the text says so ("X in file Y", Y 的 X).
 */
import type { PathAnchor, SymbolAnchor } from './anchor.ts'
import { isSettingsFile } from './find-paths.ts'
import { tickedSpans } from './prose.ts'

const identifier = '[A-Za-z_$][\\w$]*'
const separator = '(?:\\.|::|#|->)'
const call = new RegExp(
  `(?<![\\w$./:#@-])(?:(${identifier}(?:${separator}${identifier})*)${separator})?(${identifier})\\(\\)`,
  'g',
)
const wholeCall = new RegExp(`^(?:(${identifier}(?:${separator}${identifier})*)${separator})?(${identifier})\\(.*\\)$`)
const wholeName = new RegExp(`^(?:(${identifier}(?:${separator}${identifier})*)${separator})?(${identifier})$`)
/** camelCase, snake_case, UPPER_CASE, PascalCase of two humps. */
const codeWord =
  /(?<![\w$./@#:-])(?:[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)(?![\w$/@(]|\.\w)/g
const introduced =
  /\b(?:[Ff]unction|[Cc]lass|[Mm]ethod|[Ii]nterface|[Tt]ype|[Cc]onstant|const|[Ss]truct|[Ee]num|[Tt]rait|fn|func|def|[Cc]omponent|[Hh]ook|[Hh]elper|[Vv]ariable)\s+`?([A-Za-z_$][\w$]{1,})|(?:函数|类|方法|常量|接口|组件|变量|结构体)\s*`?([A-Za-z_$][\w$]{1,})/g

/** Between a symbol and the file that holds it. */
const inFile =
  /^(?:\(\))?`?\s*(?:\(|（|@\s|(?:(?:is|are|was|lives?|sits?|stands?|stayed|stays|defined|declared|implemented|found|located|now|still|all|函数|现在|也|都|就|定义|写|放|位于)\s*)*(?:in|from|at|inside|of|within|在|位于|来自)\s+?)\s*(?:file\s+|the\s+file\s+|文件\s*)?`?$/
const inFileChinese = /^(?:\(\))?`?\s*(?:函数|方法|类|常量)?\s*(?:现在|就|也|都|定义|写|放)*\s*(?:在|位于|来自)\s*`?$/
const ofFile =
  /^`?\s*(?:'s\s+|的\s*|里的\s*|中的\s*|里面的\s*|:\s+|：\s*|,\s*(?:the\s+)?(?=(?:function|func|fn|class|method)\s)|，\s*(?=函数|类|方法|常量))(?:(?:function|func|fn|class|method)\s+|函数\s*|方法\s*|类\s*|常量\s*)?`?$/

const MAX_BETWEEN = 60
/** More than are ever looked up. */
const MAX_SYMBOLS = 200

export function findSymbols(prose: string, paths: readonly PathAnchor[]): SymbolAnchor[] {
  const files = paths.filter(({ path, isSure }) => isSure && !path.endsWith('/') && !isSettingsFile(path))
  const found: Omit<SymbolAnchor, 'path'>[] = []
  const add = (
    at: number,
    text: string,
    given: { owner?: string | undefined; name?: string | undefined; isSure: boolean },
  ) => {
    if (given.name === undefined || isKeyword(given.name) || found.length >= MAX_SYMBOLS) return
    if (found.some((each) => at < each.end && each.at < at + text.length)) return
    const owner = given.owner === undefined ? null : (given.owner.split(/\.|::|#|->/).at(-1) ?? null)
    found.push({ kind: 'symbol', text, at, end: at + text.length, name: given.name, owner, isSure: given.isSure })
  }
  for (const { text, at } of tickedSpans(prose)) {
    const called = wholeCall.exec(text)
    const named = called ?? wholeName.exec(text)
    if (named) add(at, text, { owner: named[1], name: named[2], isSure: called !== null || isCodeForm(text) })
  }
  for (const match of prose.matchAll(call))
    add(match.index, match[0], { owner: match[1], name: match[2], isSure: true })
  for (const match of prose.matchAll(introduced)) {
    const name = match[1] ?? match[2] ?? ''
    add(match.index + match[0].length - name.length, name, { name, isSure: false })
  }
  for (const match of prose.matchAll(codeWord)) add(match.index, match[0], { name: match[0], isSure: false })
  // A plain word that is said to stand in a file.
  for (const file of files) {
    const start = Math.max(0, file.at - MAX_BETWEEN)
    for (const match of prose.slice(start, file.at).matchAll(/(?<![\w$./@-])[A-Za-z_][\w$]{2,}/g)) {
      const at = start + match.index
      if (isIn(prose.slice(at + match[0].length, file.at))) add(at, match[0], { name: match[0], isSure: false })
    }
  }
  return found.map((symbol) => ({ ...symbol, path: fileOf(prose, symbol, files) }))
}

function isCodeForm(text: string): boolean {
  return /[a-z0-9][A-Z]|_\w|\.|::|#|->/.test(text)
}

const keywords = new Set(
  'true false null undefined none nil self this super return await async import export default if else for while switch case new delete typeof void any string number boolean object int float bool str list dict'.split(
    ' ',
  ),
)

function isKeyword(name: string): boolean {
  return keywords.has(name.toLowerCase())
}

function fileOf(
  prose: string,
  { at, end }: { readonly at: number; readonly end: number },
  files: readonly PathAnchor[],
) {
  const holds = files.find((file) => {
    if (file.at >= end) return isIn(prose.slice(end, file.at))
    const between = prose.slice(file.end, at)
    return file.end <= at && between.length < MAX_BETWEEN && ofFile.test(between)
  })
  return holds?.path ?? null
}

function isIn(between: string): boolean {
  return between.length < MAX_BETWEEN && (inFile.test(between) || inFileChinese.test(between))
}
