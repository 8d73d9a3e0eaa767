/**
 * The extractor without a model (spec W17): message by message, clean → sentences → judge → group → compose → known?
 * Precision first: a rule must find it and no veto may stand. Only the words of the user are ever read for notes.
 */
import type { NoteType } from '../../domain/index.ts'
import { normaliseForComparison } from '../../util/index.ts'
import { findSignals } from '../signals/index.ts'
import { cleanMessage } from './clean-message.ts'
import { phraseTable } from './compile-tables.ts'
import { type ComposedNote, composeNote } from './compose-note.ts'
import { withoutCourtesy } from './courtesy.ts'
import { groupSentences, type SentenceGroup } from './group-sentences.ts'
import { type Judgement, judgeMessage, judgeSentence, type Surroundings } from './judge-sentence.ts'
import { isDerivable, knownNote, saysChange, subjectNote } from './known-facts.ts'
import { mayRevise, type Revision, reviseNote } from './revise-note.ts'
import { splitSentences } from './split-sentences.ts'
import { readTakeBack } from './take-back.ts'
import { shared, termsOf } from './terms.ts'
import type { ExistingNote, ExtractedNote, ExtractInput, ExtractMessage } from './types.ts'

/** Notes of one call; a conversation that seems to hold more is a paste. */
export const MAX_NOTES = 20
/** UTF-16 units of the words before that are looked at for what a correction sets right. */
const MAX_LAST_SAID = 20_000
/** Share of terms from which two notes of one conversation say the same, so that the later one stands. */
const REPEATED_SHARE = 0.6

/** The notes that the user's own words prove, by rules alone: precision first, at most 20. Never throws. */
export function extractNotes(input: ExtractInput): ExtractedNote[] {
  const silenced = new Set<string>()
  let notes: ExtractedNote[] = []
  let previous: number | null = null
  for (const [place, message] of input.messages.entries()) {
    if (message.role !== 'user') continue
    const { text, back } = readTakeBack(cleanMessage(message.content))
    if (place < (input.from ?? 0)) {
      judgeMessage(text, silenced)
      if (text !== '') previous = message.index
      continue
    }
    if (back !== null && previous !== null) notes = notes.filter((note) => note.evidence[0] !== previous)
    if (back !== 'all') notes = withWords(notes, { message, text }, { input, silenced, isWithdrawal: back !== null })
    if (text !== '') previous = message.index
  }
  return withDistinctNames(notes.slice(0, MAX_NOTES), input.existing)
}

/** Indexes of the user messages that a later one, at place `from` or behind, takes back ("forget that", 别记). */
export function takenBackMessages(messages: readonly ExtractMessage[], from = 0): number[] {
  const taken = new Set<number>()
  let previous: number | null = null
  for (const [place, message] of messages.entries()) {
    if (message.role !== 'user') continue
    const said = readTakeBack(cleanMessage(message.content))
    const back = place < from ? null : said.back
    if (back !== null && previous !== null) taken.add(previous)
    if (back === 'all') taken.add(message.index)
    if (said.text !== '') previous = message.index
  }
  return [...taken]
}

/** The notes after one more message: its own are added, and what it sets right is told anew. */
function withWords(
  notes: readonly ExtractedNote[],
  { message, text }: { readonly message: ExtractMessage; readonly text: string },
  conversation: Conversation,
): ExtractedNote[] {
  const own = notesOfMessage(message, text, conversation)
  const time = message.time ?? conversation.input.date
  const earlier = mayRevise(text) ? [...notesBefore(message, conversation), ...notes] : notes
  const revision = reviseNote(text, message, { earlier: lastOf(earlier, message, conversation.input), time })
  if (!revision) return addAll(notes, own)
  const left = notes.filter((note) => note !== revision.of)
  // What the message says by itself of the same thing is the better note; of the value alone it is none.
  const better = own.find((note) => note.body.includes(revision.value) && namesSubject(note, revision))
  const others = own.filter((note) => note === better || !note.body.includes(revision.value))
  return addAll(left, better ? others : [...others, revision.note])
}

/** User messages back that may still be set right. */
const MAX_BACK = 2

function lastOf(
  notes: readonly ExtractedNote[],
  { index }: ExtractMessage,
  { messages }: ExtractInput,
): ExtractedNote[] {
  const spoken = messages.filter((each) => each.role === 'user' && each.index < index).slice(-MAX_BACK)
  return notes.filter((note) => spoken.some((each) => each.index === note.evidence[0]))
}

/** What the last messages proved that were judged in an earlier turn; the note in the store is the one to replace. */
function notesBefore({ index }: ExtractMessage, { input }: Conversation): ExtractedNote[] {
  const judged = input.messages.slice(0, input.from ?? 0).filter((each) => each.role === 'user' && each.index < index)
  return judged.slice(-MAX_BACK).flatMap((message) => {
    const { text, back } = readTakeBack(cleanMessage(message.content))
    const alone: Conversation = { input: { ...input, existing: [] }, silenced: new Set(), isWithdrawal: false }
    const notes = back === null ? notesOfMessage(message, text, alone) : []
    return notes.map((note) => ({ ...note, replaces: knownNote(note.body, input.existing)?.name ?? null }))
  })
}

function namesSubject({ body }: ExtractedNote, { of, value }: Revision): boolean {
  return shared(wordsOf(body.replaceAll(value, ' '), { ignoresNumbers: true }), termsOf(of.body)) > 0
}

interface Conversation {
  readonly input: ExtractInput
  readonly silenced: Set<string>
  /** The message says that the one before was wrong: what it says instead supersedes. */
  readonly isWithdrawal: boolean
}

function notesOfMessage(message: ExtractMessage, text: string, conversation: Conversation): ExtractedNote[] {
  const { input, silenced } = conversation
  if (judgeMessage(text, silenced).length > 0 || text === '') return []
  const time = message.time ?? input.date
  const answered = lastSaid(input.messages, 'assistant', message.index)
  const earlier = lastSaid(input.messages, 'user', message.index)
  const around: Surroundings = {
    message: withoutCourtesy(text),
    answered,
    earlier,
    time,
    existing: input.existing,
    cues: input.cues,
    silenced,
  }
  const judged = withAnnounced(splitSentences(text).map((sentence) => judgeSentence(sentence, around)))
  return groupSentences(judged).flatMap((group) => {
    const note = composeNote(group, time)
    const place = note && placeAmongKnown(note, group, { message, conversation })
    return note && place ? [{ ...note, ...place, evidence: [message.index], time }] : []
  })
}

/** "For the record: 1) …, 2) …": what is announced to be known needs no rule of its own; an order is none of it. */
function withAnnounced(judged: readonly Judgement[]): Judgement[] {
  let isAnnounced = false
  return judged.map((each, at) => {
    if (!each.isItem) {
      const isIntro = judged[at + 1]?.isItem === true && /[:：]\s*$/u.test(each.text)
      isAnnounced = isIntro && phraseTable.announces.test(each.plain)
      return isIntro && each.standing === 'proven' ? { ...each, standing: 'usable', rules: [], isKeep: false } : each
    }
    const isNews = isAnnounced && each.standing === 'usable' && !phraseTable.order.test(each.text)
    return isNews ? { ...each, standing: 'proven', isKeep: true } : each
  })
}

/** The beginning of what somebody said last before message `index`. */
function lastSaid(messages: readonly ExtractMessage[], role: string, index: number): string {
  const said = messages.findLast((each) => each.index < index && each.role === role)
  return said?.content.slice(0, MAX_LAST_SAID) ?? ''
}

/** What the user likes or sets right is theirs; any other fact or rule is where a tool has just shown it. */
function isLookedUp({ isKeep, proof }: SentenceGroup): boolean {
  if (isKeep || findSignals(proof.plain).some(({ cue }) => phraseTable.explicitStandingCues.has(cue))) return false
  return proof.rules.every(({ kind }) => !ofTheUser.has(kind))
}

const ofTheUser: ReadonlySet<string> = new Set(['correction', 'preference', 'change', 'workaround', 'lasting'])

/** Null when it need not be kept; else the note that it supersedes. */
function placeAmongKnown(
  note: ComposedNote,
  group: SentenceGroup,
  { message, conversation }: { readonly message: ExtractMessage; readonly conversation: Conversation },
): { readonly replaces: string | null; readonly type: NoteType } | null {
  const { existing, messages } = conversation.input
  const isChange = conversation.isWithdrawal || saysChange(group.sentences.map((each) => each.plain).join(' '))
  const subject = isChange ? subjectNote(note.body, existing) : null
  if (subject) {
    // What is only known as a change is of the type of what changed.
    const onlyChange = group.proof.rules.every((rule) => rule.kind === 'change')
    return { replaces: subject.name, type: onlyChange ? subject.type : note.type }
  }
  if (knownNote(group.proof.plain, existing) ?? knownNote(note.body, existing)) return null
  return isLookedUp(group) && isDerivable(group.proof.plain, messages, message.index)
    ? null
    : { replaces: null, type: note.type }
}

/** Adds what is new; a later note that says the same as an earlier one takes its place. */
function addAll(notes: readonly ExtractedNote[], more: readonly ExtractedNote[]): ExtractedNote[] {
  return more.reduce<ExtractedNote[]>(
    (all, note) => [...all.filter((each) => !isRepeated(each, note)), note],
    [...notes],
  )
}

function isRepeated(earlier: ExtractedNote, later: ExtractedNote): boolean {
  if (earlier.evidence[0] === later.evidence[0])
    return normaliseForComparison(earlier.body) === normaliseForComparison(later.body)
  // Of two rules that differ in a number the later one counts; facts that differ in a number are two facts.
  const areRules = earlier.type === 'feedback' && later.type === 'feedback'
  const [first, second] = [earlier, later].map((note) => wordsOf(note.body, { ignoresNumbers: areRules }))
  if (!first || !second) return false
  return shared(first, second) / Math.max(1, Math.min(first.size, second.size)) >= REPEATED_SHARE
}

function wordsOf(body: string, { ignoresNumbers }: { readonly ignoresNumbers: boolean }): ReadonlySet<string> {
  return new Set([...termsOf(body)].filter((term) => !ignoresNumbers || !/^\d+$/.test(term)))
}

/** A name decides which note is meant, so two notes never share one by chance. */
function withDistinctNames(notes: readonly ExtractedNote[], existing: readonly ExistingNote[]): ExtractedNote[] {
  const taken = new Set(existing.map((note) => normaliseForComparison(note.name)))
  return notes.map((note) => {
    let name = note.name
    for (let count = 2; taken.has(normaliseForComparison(name)); count++) name = `${note.name} (${count})`
    taken.add(normaliseForComparison(name))
    return { ...note, name }
  })
}
