/**
 * What a note says of a constant beside its name: a number or a string that its definition held then and does not hold
 * now. A name that is still there says nothing of its value.
 */

const literals = /(?<![\w.$])\d[\d_]*(?:\.\d+)?(?![\w$])|"([^"\n]{1,60})"|'([^'\n]{1,60})'|`([^`\n]{1,60})`/g
const MAX_LITERALS = 20
const MAX_SHOWN = 60

/** Values on the lines that define a name, behind it. */
export function valuesOn(lines: readonly string[], name: string): Set<string> {
  const found = lines.flatMap((line) => {
    const behind = line.slice(line.indexOf(name) + name.length)
    return [...behind.matchAll(literals)].map((match) => normal(match[1] ?? match[2] ?? match[3] ?? match[0]))
  })
  return new Set(found.slice(0, MAX_LITERALS))
}

/** Whether the sentence may say another value than these: only then is it worth asking what it was. */
export function mayBeOutdated(sentence: string, name: string, now: ReadonlySet<string>): boolean {
  const values = [...now]
  if (values.length === 0 || values.some((value) => isSaid(value, sentence))) return false
  return /\d/.test(withoutLines(sentence).replaceAll(name, '')) || values.some((value) => !/^[\d.]+$/.test(value))
}

/** One that the sentence says, that was set then and is not now. */
export function isOutdated(sentence: string, before: ReadonlySet<string>, now: ReadonlySet<string>): boolean {
  if ([...now].some((value) => isSaid(value, sentence))) return false
  return [...before].some((value) => !now.has(value) && isSaid(value, sentence))
}

/** "X is 3", "X = 3", X 是 3: the number that the sentence itself gives to the name, or null. */
export function statedNumber(sentence: string, name: string): string | null {
  const at = sentence.indexOf(name)
  if (at < 0) return null
  return stated.exec(normal(sentence.slice(at + name.length)))?.[1] ?? null
}

/** The number that its one definition sets, and nothing else: a bound, an array or a sum is no number to compare. */
export function definedNumber(lines: readonly string[], name: string): string | null {
  const [line] = lines
  if (line === undefined || lines.length > 1) return null
  return defined.exec(normal(line.slice(line.indexOf(name) + name.length)))?.[1] ?? null
}

const stated =
  /^[`"')]*\s*(?:(?:is|are)\s+(?:now\s+|still\s+)?(?:set\s+to\s+)?|=\s*|(?:现在|目前)?(?:是|为|设为|设成|等于)\s*)[`"']?(\d+(?:\.\d+)?)(?![\w.]*\w|\s*[-+*/x×])/
const defined = /^(?:\s*:\s*[\w.]+)?\s*:?=\s*(\d+(?:\.\d+)?)\s*(?:;|,|(?:\/\/|#).*|as const)?\s*$/

export function shownLine(lines: readonly string[]): string {
  const line = (lines[0] ?? '').trim()
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line
}

function isSaid(value: string, sentence: string): boolean {
  const text = normal(withoutLines(sentence))
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
    if (!isPart(text[at - 1], text[at]) && !isPart(text[at + value.length], text[at + value.length - 1])) return true
  return false
}

/** ASCII only: in Chinese nothing stands between a number and the word behind it. */
function isPart(beside: string | undefined, edge: string | undefined): boolean {
  return /\w/.test(beside ?? '') && /\w/.test(edge ?? '')
}

function normal(text: string): string {
  return text.toLowerCase().replace(/(?<=\d)[_,](?=\d)/g, '')
}

/** Numbers of lines are no values. */
function withoutLines(sentence: string): string {
  return sentence.replace(/(?:\blines?\s+|第\s*|(?<=\.\w{1,8}):|#L)\d+/gi, ' ')
}
