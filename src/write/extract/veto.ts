/**
 * The second judge of notes that a model proposes (spec W6): what the *not saved* list names is refused, whoever found
 * it. The words that prove the note are judged as the rules judge a sentence; the text is judged by itself. Says why
 * in words; null means that the rules have nothing against it. Never throws.
 */
import type { Config, NoteType } from '../../domain/index.ts'
import { findSensitive, isSecretOnly, redact, stripOwnBlocks } from '../../guard/index.ts'
import { cutGraphemes, oneLine } from '../../util/index.ts'
import { findDates } from '../dates/index.ts'
import { createNearJudge } from '../near/index.ts'
import { cleanMessage } from './clean-message.ts'
import { allVetoes, notSaved, phraseTable, type Veto } from './compile-tables.ts'
import { takenBackMessages } from './extract-notes.ts'
import { judgeMessage, judgeSentence } from './judge-sentence.ts'
import { isDerivable, knownNote, saysChange } from './known-facts.ts'
import { type Sentence, splitSentences } from './split-sentences.ts'
import { readTakeBack } from './take-back.ts'
import { addressesIn, shared, termsOf } from './terms.ts'
import { trimSentence } from './trim-sentence.ts'
import type { ExistingNote, ExtractMessage } from './types.ts'
import { vetoOrigin } from './veto-origin.ts'

export interface ProposedNote {
  readonly type: NoteType
  /** The body as it would be stored. */
  readonly text: string
  /** Words of the user that prove it; `message` is the `index` of the message. */
  readonly quotes: readonly { readonly message: number; readonly words: string }[]
  /** The conversation as the model saw it, in file order. */
  readonly messages: readonly ExtractMessage[]
  readonly existing: readonly ExistingNote[]
  readonly sensitive: Config['sensitive']
}

/** Why this note is not to be saved, as the end of "not saved: …", or null. */
export function vetoNote(note: ProposedNote): string | null {
  const quoted = note.quotes.map((quote) => judgeQuote(quote, note))
  return vetoQuotes(quoted) ?? vetoText(note, quoted) ?? vetoKnown(note, quoted)
}

/** One quote as it was judged. */
interface Quoted {
  readonly words: string
  readonly index: number
  /** Why it proves nothing, or null. */
  readonly reason: string | null
  /** The user asked in so many words to keep it. */
  readonly isKeep: boolean
}

function judgeQuote({ message: index, words }: ProposedNote['quotes'][number], note: ProposedNote): Quoted {
  const message = note.messages.find((each) => each.index === index)
  const quoted = { words, index, isKeep: false }
  if (message?.role !== 'user' || !holds(message.content, words))
    return { ...quoted, reason: `no message of the user holds the words "${cutGraphemes(oneLine(words), MAX_TOLD)}"` }
  if (takenBackMessages(note.messages).includes(index)) return { ...quoted, reason: 'the user took it back' }
  const own = readTakeBack(cleanMessage(message.content)).text
  if (!holds(own, words)) return { ...quoted, reason: 'the quoted words are pasted, not the user’s own' }
  const silenced = silencedBefore(note.messages, index)
  const isPlayed = note.type === 'user' && silenced.has('identity')
  const [whole = isPlayed ? 'role-play' : undefined] = judgeMessage(own, silenced)
  if (whole !== undefined) return { ...quoted, reason: `the message is ${toldOf(whole)}` }
  return { ...quoted, ...judgeWords(own, words, { message, existing: note.existing }) }
}

/** Words that reach over several sentences prove as long as one of these does. */
function judgeWords(
  own: string,
  words: string,
  { message, existing }: { readonly message: ExtractMessage; readonly existing: readonly ExistingNote[] },
): Pick<Quoted, 'reason' | 'isKeep'> {
  const around = { message: own, answered: '', earlier: '', time: message.time, existing, silenced: new Set<string>() }
  const judged = sentencesOf(own, words).map((sentence) => judgeSentence(sentence, around))
  const met = judged.map(({ vetoes }) => vetoes.find((id) => !vetoNamed(id)?.isForRulesOnly))
  const [veto] = met
  if (veto !== undefined && !met.includes(undefined))
    return { reason: `the quoted words are ${toldOf(veto)}`, isKeep: false }
  const rest = trimSentence(words)
  const isBare = termsOf(rest).size === 0 || phraseTable.bareScope.test(rest)
  return {
    reason: isBare ? 'the quoted words say nothing by themselves' : null,
    isKeep: judged.some(({ isKeep }) => isKeep),
  }
}

/** One made-up quote spoils the note; of the true ones one is enough. */
function vetoQuotes(quoted: readonly Quoted[]): string | null {
  if (quoted.length === 0) return 'no words of the user prove it'
  const invented = quoted.find(({ reason }) => reason?.startsWith('no message'))
  if (invented) return invented.reason
  return quoted.some(({ reason }) => reason === null) ? null : (quoted[0]?.reason ?? null)
}

/** What the text shows by itself. */
function vetoText({ text, sensitive, messages, existing }: ProposedNote, quoted: readonly Quoted[]): string | null {
  if (termsOf(text).size === 0) return 'it says nothing'
  if (stripOwnBlocks(text) !== text) return 'it repeats what Keepsake itself had shown'
  if (isSecretOnly(redact(text).text)) return 'it holds nothing but a secret'
  const statement = sensitive === 'refuse' ? findSensitive(text) : null
  if (statement) return `it is a ${statement.kind} statement about a person`
  const [date] = findDates(text)
  if (date) return `a relative date is left: ${text.slice(date.start, date.end)}`
  const isKeep = quoted.some((each) => each.isKeep)
  const row = notSaved.find((each) => !(isKeep && each.yieldsToKeep) && each.pattern.test(text.trim()))
  if (row) return row.told
  // A correction may name what a kept note says and no longer holds.
  const known = existing.flatMap(({ name, description }) => [name, description])
  const words = messages.flatMap(({ role, content }) => (role === 'user' ? content : []))
  const said = fold([...words, ...known].join('\n')).toLowerCase()
  const unsaid = addressesIn(text).find((address) => !said.includes(address))
  if (unsaid !== undefined) return `the user never named ${unsaid}`
  const proof = new Set(quoted.flatMap(({ index, reason }) => (reason === null ? index : [])))
  return vetoOrigin(text, { messages, proof })
}

/** What a note says already, or what tools and the system showed anyway. */
function vetoKnown({ type, text, messages, existing }: ProposedNote, quoted: readonly Quoted[]): string | null {
  const [main = ''] = text.split(/\n{2,}/u)
  const isChange = quoted.some(({ words }) => saysChange(words))
  const known = isChange ? null : knownNote(main, existing)
  if (known && saysNothingNew(main, known)) return `the note "${known.name}" says it already`
  const isShown =
    type !== 'feedback' && quoted.every((each) => !each.isKeep && isDerivable(each.words, messages, each.index))
  return isShown ? 'tools or the system show it anyway' : null
}

/** Near by its words is not yet the same: another name or number is news, and so is a "not". */
function saysNothingNew(text: string, known: ExistingNote): boolean {
  const { relation } = judgeNear({ name: known.name, text: known.description }, { name: '', text })
  if (relation !== 'separate') return relation === 'merge'
  const said = termsOf(text)
  return shared(said, termsOf(`${known.name} ${known.description}`)) === said.size
}

const judgeNear = createNearJudge()

/** Graphemes of a quote in a reason. */
const MAX_TOLD = 60

function silencedBefore(messages: readonly ExtractMessage[], index: number): Set<string> {
  const silenced = new Set<string>()
  for (const message of messages)
    if (message.role === 'user' && message.index < index)
      judgeMessage(readTakeBack(cleanMessage(message.content)).text, silenced)
  return silenced
}

/** The sentences of `own` that the quoted words touch, in order. */
function sentencesOf(own: string, words: string): Sentence[] {
  const text = fold(own)
  const start = text.indexOf(fold(words))
  const end = start + fold(words).length
  let position = 0
  return splitSentences(own).filter((sentence) => {
    const piece = fold(sentence.text)
    const at = text.indexOf(piece, position)
    if (at === -1) return false
    position = at + piece.length
    return at < end && position > start
  })
}

function holds(text: string, words: string): boolean {
  const quote = fold(words)
  return quote !== '' && fold(text).includes(quote)
}

function fold(text: string): string {
  return oneLine(text.normalize('NFKC'))
}

function toldOf(id: string): string {
  return vetoNamed(id)?.told ?? id
}

function vetoNamed(id: string): Veto | undefined {
  return allVetoes.find((veto) => veto.id === id)
}
