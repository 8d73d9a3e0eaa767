/** Is what stands beside the name of a secret a value, or a rule, a type, a word of a sentence? */
import { isCodeName, isPlaceholder, isPlainWord, looksRandom } from './placeholder.ts'
import type { SecretMatch } from './rule.ts'

/** The least that every value must be: no placeholder, no plain word, no name in code, no part of a rule. */
export function isValue(match: SecretMatch): boolean {
  return !isPlaceholder(match.value) && !isPlainWord(match.value) && !isCodeName(match.value) && !isRule(match)
}

/** `12 characters`, `8-20位`: a rule about passwords. */
function isRule({ text, end, value }: SecretMatch): boolean {
  const after = text.slice(end, end + 24)
  return (
    (/^[\d+~–-]+$/.test(value) &&
      /^\s?(?:or more |至|到|-)?\s?(?:char|digit|letter|symbol|day|hour|minute|month|bit|byte|zeichen|位|个|個|字|天|小时|分钟|次|年|月|文字|桁|자)/i.test(
        after,
      )) ||
    /^\s?(?:编码|編碼|加密|哈希|格式|算法|雜湊)/.test(after)
  )
}

/** The text after the value up to the end of its line. */
function restOfLine({ text, end }: SecretMatch): string {
  return (/^[^\n]{0,60}/.exec(text.slice(end, end + 60))?.[0] ?? '').replace(/\r$/, '')
}

function endsStatement(match: SecretMatch): boolean {
  return (
    /^["'`”’」』*]{0,2}\s*(?:$|[。；，！)）])/u.test(restOfLine(match)) || /^["'`]?\.(?:\s|$)/.test(restOfLine(match))
  )
}

/** `PWD=/home/x`: what a shell calls the folder it is in. */
function isWorkingDirectory({ whole, value }: SecretMatch): boolean {
  return /PWD/.test(whole) && /^(?:~|\/|[A-Za-z]:\\)/.test(value)
}

/** `NAME=value` in upper case: nearly anything counts; numbers only for passwords. */
export function isEnvironmentValue(match: SecretMatch): boolean {
  const { value, whole } = match
  if (!isValue(match) || isProse(value)) return false
  if (isWorkingDirectory(match) || /^[=!]/.test(value)) return false
  const isPassword = /PASS|PWD/.test(whole)
  if (/^\d+$/.test(value)) return isPassword && value.length >= 4
  return value.length >= (isPassword ? 3 : 6)
}

/** `password: "…"`: words with spaces only when they look random. */
export function isQuotedValue(match: SecretMatch): boolean {
  const { value } = match
  if (!isValue(match) || /[\p{Script=Han}]/u.test(value) || isWorkingDirectory(match)) return false
  return !/\s/.test(value) || (looksRandom(value, 8) && !isProse(value))
}

/** `password: x`: a plain word counts when it is all that the line says. */
export function isStatedPassword(match: SecretMatch): boolean {
  if (!isValue(match) || isWorkingDirectory(match)) return false
  if (looksRandom(match.value, 4)) return true
  const codeAssignment = /\s=\s{1,3}["'`]?$/.test(match.whole.slice(0, match.whole.length - match.value.length))
  return !codeAssignment && /^[\p{L}\d][\p{L}\p{M}\d_-]*$/u.test(match.value) && endsStatement(match)
}

/** "the password is x": a plain word counts when it ends the sentence and is no adjective or participle. */
export function isSpokenPassword(match: SecretMatch): boolean {
  if (!isValue(match)) return false
  if (looksRandom(match.value, 5)) return true
  if (!/^[A-Za-z]{5,}$/.test(match.value) || !endsStatement(match)) return false
  return !/(?:ed|ing|able|ible|ful|less|ly|ive|ent|ant|ous|al|ic|ory|ary|ct|en|st|er|id|le|ure|ete|ate|ite|ain|ame|set|ept)$/i.test(
    match.value,
  )
}

/** Eight or more characters with two of: digits, signs, both cases. */
export function isStrong(value: string): boolean {
  const classes = [/\d/, /[^\w.-]/, /[a-z]/, /[A-Z]/].filter((each) => each.test(value)).length
  return looksRandom(value, 8) && classes >= 3
}

/** Eight or more characters with letters and digits, or sixteen digits. */
export function isKeyLike(value: string): boolean {
  if (/:\/\//.test(value) || !looksRandom(value, 8)) return false
  return (/\d/.test(value) && /[A-Za-z]/.test(value)) || /^\d{16,}$/.test(value)
}

/** Words with spaces or hyphens that read as a sentence or a slug without digits. */
export function isProse(value: string): boolean {
  return (
    /^[a-z]+(?:[-_.][a-z]+)+$/i.test(value) || /\b(?:must|at least|required|characters|please|should)\b/i.test(value)
  )
}

/** Letters together with digits or signs. */
export function isMixedValue(value: string): boolean {
  return looksRandom(value, 4) && /\p{L}/u.test(value) && /[^\p{L}]/u.test(value)
}

/** Words that join others into a sentence, which a passphrase of random words does without. */
export function isSentence(value: string): boolean {
  return /\b(?:is|are|was|be|the|an|of|for|to|in|on|at|by|from|with|and|or|not|no|it|that|you|we|must|should)\b/i.test(
    value,
  )
}

/** Lower-case words and numbers with hyphens: a name, not a key. */
export function isSlug(value: string): boolean {
  return /^[a-z]+(?:-(?:[a-z]+|\d+))+$/.test(value)
}
