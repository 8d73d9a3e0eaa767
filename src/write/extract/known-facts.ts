/**
 * What need not be kept (spec W6): what a note already says, and what a tool or the system showed in this very
 * conversation. And which note a changed fact supersedes.
 */
import { allRules } from './compile-tables.ts'
import { splitClauses } from './split-sentences.ts'
import { shared, specificTerms, termsOf } from './terms.ts'
import type { ExistingNote, ExtractMessage } from './types.ts'

/** Share of terms from which two texts say the same. */
const SAME_SHARE = 0.6
/** Share and number of terms from which two texts speak of the same subject. */
const SUBJECT_SHARE = 0.25
const SUBJECT_TERMS = 2
/** Share of a statement's terms that a tool showed, from which anybody can look it up. */
const DERIVABLE_SHARE = 0.7
/** Terms of a clause that is looked at by itself. */
const CLAUSE_TERMS = 4

const changePatterns = allRules.filter((rule) => rule.kind === 'change').map((rule) => rule.pattern)

/** Words that say that something is no longer as it was. */
export function saysChange(text: string): boolean {
  return changePatterns.some((pattern) => pattern.test(text))
}

/** The note that says this already, whose numbers and names it repeats, or null. */
export function knownNote(text: string, existing: readonly ExistingNote[]): ExistingNote | null {
  const terms = termsOf(text)
  const specific = specificTerms(text)
  const says = (note: ExistingNote) => {
    const said = termsOf(`${note.name} ${note.description}`)
    const description = termsOf(note.description)
    const common = Math.max(
      shared(description, terms) / Math.max(1, description.size),
      shared(terms, said) / Math.max(1, terms.size),
    )
    return common >= SAME_SHARE && shared(specific, specificTerms(note.description)) === specific.size
  }
  return existing.find(says) ?? null
}

/** The one note on the same subject, by the words of the statement itself, when it is nearer than every other; else null. */
export function subjectNote(text: string, existing: readonly ExistingNote[]): ExistingNote | null {
  const terms = termsOf(text)
  const scored = existing
    .map((note) => {
      const said = termsOf(note.description)
      const common = shared(said, terms)
      return { note, common, share: common / Math.max(1, Math.min(said.size, terms.size)) }
    })
    .filter(({ note, common, share }) =>
      isSameKind(text, note.description) || isSameStart(text, note.description)
        ? common >= 1
        : share >= SUBJECT_SHARE && common >= SUBJECT_TERMS,
    )
    .sort((a, b) => b.common - a.common || b.share - a.share)
  const [best, second] = scored
  if (!best || (second && second.common === best.common)) return null
  return best.note
}

/**
 * The note of which a sentence says that it is no longer so, or null. An order is none: "parse the tables now" wants
 * something done. So words without a subject or a form of to be or to have must begin with what the note speaks of.
 */
export function changedNote(text: string, existing: readonly ExistingNote[]): ExistingNote | null {
  if (!saysChange(text)) return null
  const note = subjectNote(text, existing)
  const isStatement = !/^\W*[A-Za-z]/.test(text) || statement.test(text)
  return note !== null && (isStatement || isSameStart(text, note.description)) ? note : null
}

const statement =
  /^\W*(?:the|our|my|your|his|her|their|its?|we|they|he|she|i|this|that|these|those|there|no|not|since|as of|from|wir|der|die|das|ich|es|er|sie|unsere?)\b|\b(?:is|are|was|were|has|have|had|ist|sind|war|hat|haben|wird)\b|\b(?:he|she|they|we) \p{L}+|['’](?:s|re|ve|ll)\b|n['’]t\b/iu

const timeOfDay =
  /(?<!\d)\d{1,2}:\d{2}(?!\d)|(?:周|週|星期)[一二三四五六日天]|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day/iu

/** Both say when: one word in common is then enough to tell what it is the time of. */
function isSameKind(text: string, other: string): boolean {
  return timeOfDay.test(text) && timeOfDay.test(other)
}

/** Both begin with the same term, which is what they speak of. */
function isSameStart(text: string, other: string): boolean {
  const [first, second] = [firstTerm(text), firstTerm(other)]
  return first !== undefined && first === second
}

function firstTerm(text: string): string | undefined {
  const [start] = text.match(/[\p{Script=Latin}]{3,}|[\p{Script=Han}]{2}/u) ?? []
  const [term] = termsOf(start ?? '')
  return term
}

/** Whether tools or the system showed what the sentence says, before message `index`; by its clauses where it has some. */
export function isDerivable(text: string, messages: readonly ExtractMessage[], index: number): boolean {
  const shown = new Set<string>()
  for (const message of messages) {
    if (message.index >= index || (message.role !== 'tool' && message.role !== 'system')) continue
    for (const term of termsOf(message.content.slice(0, 20_000))) shown.add(term)
  }
  return [text, ...splitClauses(text)].some((piece) => {
    const terms = termsOf(piece)
    return terms.size >= (piece === text ? 1 : CLAUSE_TERMS) && shared(terms, shown) / terms.size >= DERIVABLE_SHARE
  })
}
