/** Writes the note: the user's words made self-contained, dates absolute, reason and scope in their own lines. */
import type { NoteType } from '../../domain/index.ts'
import { cutGraphemes, graphemes, oneLine } from '../../util/index.ts'
import { absoluteDates } from '../dates/index.ts'
import { phraseTable, type Rule } from './compile-tables.ts'
import type { SentenceGroup } from './group-sentences.ts'
import { splitClauses } from './split-sentences.ts'
import { termsOf } from './terms.ts'
import { trimSentence } from './trim-sentence.ts'

/** Widths of a name, which is a label; a Han sign counts two. */
const MAX_NAME = 64
const MIN_NAME = 24
/** Graphemes: one line of an index. */
const MAX_DESCRIPTION = 160
/** Sentences of one note; what follows is talk. */
const MAX_NOTE_SENTENCES = 6

export interface ComposedNote {
  readonly type: NoteType
  readonly name: string
  readonly description: string
  readonly body: string
  readonly rule: string
}

/** Null when nothing is left that says something by itself. */
export function composeNote(group: SentenceGroup, time: string | null): ComposedNote | null {
  const type = typeOf(group)
  const sentences = selfContained(group)
  const parts =
    type === 'feedback' || type === 'project' ? splitReasons(sentences) : { main: sentences, why: [], apply: [] }
  const [first] = parts.main
  if (first === undefined || !standsAlone(parts.main)) return null
  const dated = (text: string) => absoluteDates(text, time).text
  const main = dated(joinSentences(parts.main))
  const lines = [
    main,
    ...(parts.why.length > 0 ? [`**Why:** ${dated(joinSentences(parts.why))}`] : []),
    ...(parts.apply.length > 0 ? [`**How to apply:** ${dated(joinSentences(parts.apply))}`] : []),
  ]
  return {
    type,
    name: shortName(main),
    description: cutGraphemes(oneLine(main), MAX_DESCRIPTION),
    body: lines.join('\n\n'),
    rule: group.proof.rules[0]?.id ?? 'keep',
  }
}

/** "I decided", 我老是忘: words that need others to say something are no memory. */
function standsAlone(sentences: readonly string[]): boolean {
  const rest = sentences.join(' ').replace(phraseTable.empty, ' ')
  const signs = rest.match(/[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]/gu) ?? []
  const words = [...termsOf(rest)].filter((term) => /[\p{Script=Latin}\d]/u.test(term))
  return words.length > 0 || signs.length >= MIN_SIGNS
}

/** Han signs or kana that name something. */
const MIN_SIGNS = 2

/** The trimmed sentences; none when the first one speaks of something that stands elsewhere. */
function selfContained(group: SentenceGroup): string[] {
  // A sentence before the proof that itself speaks of something else explains nothing.
  const start = group.sentences.findIndex(
    (each) =>
      each === group.proof ||
      saysWhich(group, trimSentence(each.text)) ||
      withoutAnaphora(trimSentence(each.text)) !== '',
  )
  const [opening, ...more] = group.sentences
    .slice(start, start + MAX_NOTE_SENTENCES)
    .map((each) => trimSentence(each.text))
  if (opening === undefined || pointsElsewhere(group, opening)) return []
  const first = saysWhich(group, opening) ? opening : withoutAnaphora(opening)
  return first === '' ? [] : [first, ...more]
}

/** "I want that in all texts" wants a sentence before it that says what; without one it is no memory. */
function pointsElsewhere(group: SentenceGroup, first: string): boolean {
  const [head = first] = splitClauses(first)
  return trimSentence(group.proof.text) === first && phraseTable.pointsBack.test(head)
}

/** "It's X, not Y" names what it speaks of. */
function saysWhich(group: SentenceGroup, first: string): boolean {
  const isContrast = /^.{1,60}(?:, (?:and )?not |[，,、]\s?不是)/u.test(first)
  return isContrast || group.proof.rules.some((rule) => rule.kind === 'correction')
}

/** "They raised it, the limit is 250 now" is told by its second clause; empty when no clause stands by itself. */
function withoutAnaphora(sentence: string): string {
  const clauses = splitClauses(sentence)
  const start = clauses.findIndex((_, index) => !phraseTable.anaphora.test(clauses.slice(index).join('').trim()))
  const rest = start === -1 ? '' : clauses.slice(start).join('').trim()
  return start <= 0 ||
    (termsOf(rest).size >= 3 && !phraseTable.consequence.test(rest) && !/\b(?:it|them)\b/iu.test(rest))
    ? rest
    : ''
}

interface Parts {
  readonly main: string[]
  readonly why: string[]
  readonly apply: string[]
}

function splitReasons(sentences: readonly string[]): Parts {
  const parts: Parts = { main: [], why: [], apply: [] }
  sentences.forEach((sentence, index) => {
    if (index > 0 && phraseTable.reasonSentence.test(sentence)) parts.why.push(sentence)
    else if (index > 0 && phraseTable.applySentence.test(sentence)) parts.apply.push(sentence)
    else parts.main.push(withoutReason(sentence, parts.why))
  })
  return parts
}

/** The sentence without its reason clause, which goes to `why`. */
function withoutReason(sentence: string, why: string[]): string {
  for (const pattern of phraseTable.reason) {
    const match = pattern.exec(sentence)
    const reason = match?.groups?.reason?.trim()
    const rest = match ? sentence.slice(0, match.index).trim() : ''
    if (!match || !reason || rest.length < 6) continue
    why.push(reason)
    return rest
  }
  return sentence
}

function joinSentences(sentences: readonly string[]): string {
  return sentences.reduce((all, sentence) => {
    const finished = finish(sentence)
    if (all === '') return finished
    return all + (/[。！？]$/u.test(all) ? '' : ' ') + finished
  }, '')
}

/** First letter large, full stop at the end; soft ends (comma, dash) go. */
function finish(sentence: string): string {
  const text = sentence
    .replace(/[，,；;：:、—–\s]+$/u, '')
    .replace(/(?<=[，；：！？])\s+/gu, '')
    .replace(/^\p{Ll}/u, (letter) =>
      /^\p{Ll}+\p{Lu}|^\p{Ll}+[\d_./-]/u.test(sentence) ? letter : letter.toUpperCase(),
    )
  if (/[.。!！?？…"”」』]$/u.test(text)) return text.replace(/[!！]+$/u, (marks) => (/！/.test(marks) ? '。' : '.'))
  return (
    text +
    (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) && !/[A-Za-z)]$/.test(text) ? '。' : '.')
  )
}

/** The first clause, or as many as it takes to say something. */
function shortName(main: string): string {
  const line = oneLine(main.split('\n')[0] ?? '')
  const sentence = line.split(/(?<=[。！？])|(?<=[.!?])\s/u)[0] ?? line
  let name = ''
  for (const clause of sentence.split(/(?<=[，；：])|(?<=[,;:])(?=\s)/u)) {
    if (widthOf(name) >= MIN_NAME) break
    name += clause
  }
  return cutName(name).replace(/[\s，,；;：:。.!！]+$/u, '')
}

/** A Han sign says about as much as two letters. */
function widthOf(text: string): number {
  let width = 0
  for (const sign of text) width += /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(sign) ? 2 : 1
  return width
}

const dangling =
  /\s+(?:and|or|but|the|a|an|is|are|at|on|in|to|of|for|with|from|by|as|that|than|not|so|we|I|you|it|und|der|die|das|in|von)$/iu

/** At most the width of a line, never ending in the middle of a word or on one that leads on. */
function cutName(name: string): string {
  if (widthOf(name) <= MAX_NAME) return name
  let cut = ''
  let width = 0
  for (const sign of graphemes(name)) {
    width += widthOf(sign)
    if (width > MAX_NAME) break
    cut += sign
  }
  const space = cut.lastIndexOf(' ')
  const whole = /^[\p{Script=Latin}\p{N}]/u.test(name.slice(cut.length)) && space > 20 ? cut.slice(0, space) : cut
  return whole.replace(dangling, '').replace(dangling, '')
}

const order: readonly Rule['kind'][] = [
  'identity',
  'decision',
  'workaround',
  'deadline',
  'reference',
  'owner',
  'correction',
  'preference',
  'rule',
  'environment',
  'change',
  'lasting',
]

function typeOf(group: SentenceGroup): NoteType {
  const rules = group.sentences.flatMap((each) => each.rules)
  const own = group.proof.rules.length > 0 ? group.proof.rules : rules
  const [first] = [...own].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
  return first?.type ?? typeOfKept(group)
}

const aboutPerson = /\b(?:I|my|I['’]m|me)\b|我|私|僕|\b(?:ich|mein\p{L}*)\b/iu
const aboutPlace = /https?:\/\/|\b(?:\p{L}[\w-]*\.)+(?:com|org|net|io|dev|example|cn|de|jp)\b/iu
const aboutWay =
  /\b(?:always|never|don['’]t|do not|use|make sure|avoid|please)\b|不要|别|別|必须|必須|一定|都(?:用|要)|ください/iu

function typeOfKept(group: SentenceGroup): NoteType {
  // The first sentence says what is kept; what follows is often the story ("cost me an hour").
  const text = trimSentence(group.sentences[0]?.plain ?? '')
  if (aboutPlace.test(text)) return 'reference'
  if (aboutWay.test(text)) return 'feedback'
  return aboutPerson.test(text) ? 'user' : 'project'
}
