/**
 * "Make that 9:45", "sorry, Friday it is", 还是周五吧: a later message that gives another value for what an earlier one of
 * the same conversation said. The earlier note is told anew with that value; the old one does not stand beside it.
 */
import { cutGraphemes } from '../../util/index.ts'
import { absoluteDates } from '../dates/index.ts'
import { phraseTable } from './compile-tables.ts'
import { splitClauses, splitSentences } from './split-sentences.ts'
import { termsOf } from './terms.ts'
import type { ExtractedNote, ExtractMessage } from './types.ts'

/** Kinds of value: two values of one kind exclude each other. */
const kinds: readonly RegExp[] = [
  /\b\d{1,2}[:.]\d{2}(?: ?[ap]m)?(?![\d.])|\b\d{1,2} ?[ap]m\b|(?:早上|上午|中午|下午|晚上|凌晨)?[\d一二三四五六七八九十两兩]{1,3}(?:点|點)(?:半|[\d一二三四五六七八九十]+分?)?/giu,
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b(?: (?:mornings?|afternoons?|evenings?))?|每?(?:周|週|星期|礼拜|禮拜)[一二三四五六日天](?:早上|上午|中午|下午|晚上)?/giu,
  /\b\d{4}-\d{2}(?:-\d{2})?\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}* \d{1,2}\b|\b\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*|\d{1,2} ?月 ?\d{1,2} ?[日号號]/giu,
  /(?<![\p{L}\d.:/-])\d+(?:[.,]\d+)*(?! ?(?:点|點|[ap]m\b))(?![\d:/-])/giu,
]

/** Terms of its own from which the words beside the value speak of another thing. */
const OWN_SUBJECT_TERMS = 2
/** Han signs of its own from which they do. */
const OWN_SUBJECT_SIGNS = 7

export interface Revision {
  readonly note: ExtractedNote
  /** The note that it takes the place of. */
  readonly of: ExtractedNote
  /** The new value, as it stands in the note. */
  readonly value: string
}

/** True when a message may set right what was said before; cheap, and asked first. */
export function mayRevise(text: string): boolean {
  return phraseTable.revises.test(text) && !/[?？]\s*$/u.test(text)
}

/** The nearest earlier note of which the message gives the one value anew; null when none, or in doubt. */
export function reviseNote(
  text: string,
  message: ExtractMessage,
  { earlier, time }: { readonly earlier: readonly ExtractedNote[]; readonly time: string | null },
): Revision | null {
  if (!mayRevise(text)) return null
  const said = absoluteDates(text, time).text
  for (const of of [...earlier].reverse()) {
    for (const kind of kinds) {
      const [value, ...others] = valuesIn(said, kind)
      const [old, ...more] = valuesIn(of.body, kind)
      if (value === undefined || old === undefined || others.length > 0 || more.length > 0) continue
      if (value.toLowerCase() === old.toLowerCase() || hasOwnSubject(said, value, of.body)) continue
      return { note: withValue(of, { old, value, message, time }), of, value }
    }
  }
  return null
}

function valuesIn(text: string, kind: RegExp): string[] {
  return [...new Set([...text.matchAll(kind)].map(([value]) => value))]
}

/** "No, the demo is on Monday" after words about the freeze: another thing, not another value. */
function hasOwnSubject(said: string, value: string, body: string): boolean {
  const clauses = splitSentences(said).flatMap(({ text }) => splitClauses(text))
  const rest = (clauses.find((clause) => clause.includes(value)) ?? said)
    .replace(value, ' ')
    .replace(phraseTable.revises, ' ')
  const known = termsOf(body)
  const terms = [...termsOf(rest)].filter((term) => !known.has(term))
  const signs = [...rest.matchAll(/\p{Script=Han}/gu)].filter(([sign]) => !body.includes(sign))
  const words = terms.filter((term) => !/\p{Script=Han}/u.test(term) && !/^\d+$/.test(term))
  return words.length >= OWN_SUBJECT_TERMS || signs.length >= OWN_SUBJECT_SIGNS
}

interface NewValue {
  readonly old: string
  readonly value: string
  readonly message: ExtractMessage
  readonly time: string | null
}

function withValue(note: ExtractedNote, { old, value, message, time }: NewValue): ExtractedNote {
  const anew = (text: string) => text.replaceAll(old, () => value)
  const [proof] = note.evidence
  return {
    ...note,
    name: cutGraphemes(anew(note.name), MAX_NAME),
    description: anew(note.description),
    body: anew(note.body),
    evidence: proof === undefined ? [message.index] : [message.index, proof],
    time,
  }
}

/** Graphemes; a name is a label. */
const MAX_NAME = 64
