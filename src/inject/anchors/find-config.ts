/**
 * Keys of settings files. A key is one only in a sentence that names the file: "`strict` in tsconfig.json", "PORT=3000
 * (.env.example)", "app.yml 里 retention.days 是 30". What is written with its value is sure, other words the file tells.
 */
import type { ConfigAnchor, PathAnchor } from './anchor.ts'
import { isSettingsFile } from './find-paths.ts'
import { blank } from './prose.ts'
import { sentencesOf } from './sentence.ts'

const key = '[A-Za-z_][\\w-]*(?:\\.[\\w-]+)*'
const value = `"[^"\\n]*"|'[^'\\n]*'|[-+]?[\\w./:@%+-]*\\w`
const withValue = new RegExp(`(["'])?(?<![\\w./-])(${key})\\1\\s?(=|:)(\\s?)(${value})`, 'g')
const word = new RegExp(`(?<![\\w./@-])(${key})(?![\\w/@(]|\\.\\w)`, 'g')
/** "is 30", "must stay \"memory\"", "设为 5". A bare word that is no number, switch or quotation is no value. */
const said =
  /^["'`]?\s*(?:\([^)]*\)\s*)?(?:(?:is|are|was|stays?|of|to|at|=|:|must|should|be|set|currently|now|在|里|中|现在|必须|一直|是|为|設為|设为|设成|等于|保持|不变|of)\s*){1,5}["'`]?(-?\d[\w.]*|true|false|on|off|enabled|disabled|"[^"\n]*"|'[^'\n]*'|[A-Za-z]+\d+)/i
const saidBehindFile =
  /^\s*(?:[^\s,，。;；]+\s*){0,3}?(?:里|中|stays?|is|是|为)\s*["'`]?(-?\d[\w.]*|true|false|on|off)(?![\w])/i

export function findConfig(prose: string, paths: readonly PathAnchor[]): ConfigAnchor[] {
  const files = paths.filter(({ path, isSure }) => isSure && isSettingsFile(path))
  return sentencesOf(prose).flatMap(({ at, end }) => {
    const named = files.filter((file) => file.at >= at && file.end <= end)
    return named.length === 0 ? [] : keysOf(prose, { at, end }, named)
  })
}

interface Range {
  readonly at: number
  readonly end: number
}

function keysOf(prose: string, { at, end }: Range, files: readonly PathAnchor[]): ConfigAnchor[] {
  const sentence = files.reduce(
    (text, file) => text.slice(0, file.at - at) + blank(file.text) + text.slice(file.end - at),
    prose.slice(at, end),
  )
  const nearest = (place: number) =>
    files.reduce((one, other) => (distance(other, place) < distance(one, place) ? other : one)).path
  const isFree = (from: number, to: number) => files.every((file) => to <= file.at || from >= file.end)
  const found: ConfigAnchor[] = []
  for (const match of sentence.matchAll(withValue)) {
    const from = at + match.index
    const to = from + match[0].length
    const [whole, mark, name = '', sign, blank, given = ''] = match
    if (!isFree(from, to) || (sign === ':' && !isClearValue(given, name))) continue
    // `postgres:15` is no key and its value.
    if (sign === ':' && blank === '' && mark === undefined) continue
    found.push({ ...base(whole, from), key: name, value: unquoted(given), path: nearest(from), isSure: true })
  }
  for (const match of sentence.matchAll(word)) {
    const [from, name] = [at + match.index, match[1] ?? '']
    const to = from + name.length
    if (!isFree(from, to) || name.length < 2 || found.some((each) => from < each.end && each.at < to)) continue
    if (!isKeyLike(prose, from, to, files)) continue
    found.push({
      ...base(name, from),
      key: name,
      value: valueSaid(prose, to, end, files),
      path: nearest(from),
      isSure: false,
    })
  }
  return found
}

function base(text: string, at: number) {
  return { kind: 'config', text, at, end: at + text.length } as const
}

function distance(file: PathAnchor, place: number): number {
  return place < file.at ? file.at - place : place - file.end
}

/** `key: value` is also how people write; only what nobody would say counts. */
function isClearValue(given: string, name: string): boolean {
  return /^["'\d-]|^(?:true|false|on|off|null)$/.test(given) && !/^(?:note|nb|see|line|lines|step|e\.g)$/i.test(name)
}

/** Between ticks or quotation marks, or in a form that no word has, or right beside the file. */
function isKeyLike(prose: string, from: number, to: number, files: readonly PathAnchor[]): boolean {
  if (/[`"']/.test(prose[from - 1] ?? '') && /[`"']/.test(prose[to] ?? '')) return true
  const name = prose.slice(from, to)
  if (/[._-]\w|[a-z][A-Z]/.test(name)) return true
  const between = (file: PathAnchor) => (file.end <= from ? prose.slice(file.end, from) : prose.slice(to, file.at))
  return files.some((file) => /^`?(?:\s*的\s*|'s\s+|\s+in\s+`?|\s*在\s*`?)$/.test(between(file)))
}

function valueSaid(prose: string, to: number, end: number, files: readonly PathAnchor[]): string | null {
  const behind = prose.slice(to, end)
  const direct = said.exec(behind)
  if (direct?.[1] !== undefined) return unquoted(direct[1])
  // "keepalive_timeout in nginx.conf is 65": the file stands between.
  const file = files.find((each) => each.at >= to && each.at - to < 12)
  const later = file === undefined ? null : saidBehindFile.exec(prose.slice(file.end, end).replace(/^`/, ''))
  return later?.[1] ?? null
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, '$2')
}
