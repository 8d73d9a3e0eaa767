/**
 * Which sentences of a message make one note: each proven sentence opens one, unless it goes on with the same matter;
 * plain statements beside it are its reason, scope or detail. A dropped sentence closes what was open.
 */
import { phraseTable } from './compile-tables.ts'
import type { Judgement } from './judge-sentence.ts'
import { splitClauses } from './split-sentences.ts'
import { shared, termsOf } from './terms.ts'
import { trimSentence } from './trim-sentence.ts'

export interface SentenceGroup {
  readonly sentences: readonly Judgement[]
  /** The sentence that proves it. */
  readonly proof: Judgement
  readonly isKeep: boolean
}

interface OpenGroup {
  sentences: Judgement[]
  proof: Judgement
  isKeep: boolean
  isOpen: boolean
}

const families: Readonly<Record<string, string>> = {
  rule: 'way',
  correction: 'way',
  preference: 'way',
  workaround: 'way',
  environment: 'way',
  decision: 'decision',
  change: 'state',
  owner: 'state',
  lasting: 'state',
  reference: 'place',
  deadline: 'date',
  identity: 'person',
}

/**
 * What only shows signs that it lasts stands beside a proven sentence like any other statement, and opens a note of its
 * own where no such sentence takes it.
 */
export function groupSentences(judgements: readonly Judgement[]): SentenceGroup[] {
  const groups = groupProven(judgements.map((each) => (isLasting(each) ? { ...each, standing: 'usable' } : each)))
  const taken = new Set(groups.flatMap((group) => group.sentences.map((each) => each.text)))
  const left = judgements.map((each) =>
    taken.has(each.text) || !(isLasting(each) || each.standing === 'usable')
      ? { ...each, standing: 'dropped' as const }
      : each,
  )
  const place = (group: SentenceGroup) => judgements.findIndex((each) => each.text === group.proof.text)
  return [...groups, ...groupProven(left)].sort((a, b) => place(a) - place(b))
}

function isLasting(judgement: Judgement): boolean {
  return (
    judgement.standing === 'proven' && !judgement.isKeep && judgement.rules.every((rule) => rule.kind === 'lasting')
  )
}

function groupProven(judgements: readonly Judgement[]): SentenceGroup[] {
  const groups: OpenGroup[] = []
  let before: Judgement[] = []
  for (const judgement of judgements) {
    const last = groups.at(-1)
    const open = last?.isOpen ? last : undefined
    if (judgement.standing === 'dropped') {
      if (last) last.isOpen = false
      before = []
    } else if (judgement.standing === 'usable') {
      if (open && !judgement.isItem && continues(judgement, open)) open.sentences.push(judgement)
      else before.push(judgement)
    } else if (open && !judgement.isItem && goesOn(judgement, open)) {
      open.sentences.push(judgement)
    } else {
      groups.push(openGroup(judgement, before))
      before = []
    }
  }
  return groups.filter((group) => group.sentences.length > 0)
}

/** A new group, with the sentences before it that it needs: what a bare request or scope means, what "it" means. */
function openGroup(proof: Judgement, before: readonly Judgement[]): OpenGroup {
  const isBare = !saysSomething(proof)
  const context = isBare ? before : contextOf(proof, before)
  // "Remember that" and "always" say nothing by themselves.
  const isEmpty = proof.isKeep ? isBare : context.length === 0 && phraseTable.bareScope.test(trimSentence(proof.text))
  return { sentences: isEmpty ? [...context] : [...context, proof], proof, isKeep: proof.isKeep, isOpen: true }
}

/** Sentences in a row before a rule that still belong to it. */
const MAX_CONTEXT = 3
const negative =
  /^(?:no|not)\b|\b(?:do not|don['’]t|stop|never|nobody|no one)\b|别|別|不要|不是|不能|不准|\b(?:nicht|kein\p{L}*)\b/iu

/** From the wrong form on ("don't …"), or the one sentence that the proof refers back to. */
function contextOf(proof: Judgement, before: readonly Judgement[]): readonly Judgement[] {
  const saying = before.slice(-MAX_CONTEXT).filter((each) => termsOf(each.plain).size > 0)
  if (isWay(proof)) {
    const start = saying.findIndex((each) => negative.test(trimSentence(each.text)))
    if (start !== -1) return saying.slice(start)
  }
  const rest = trimSentence(proof.text)
  const [nearest] = saying.slice(-1)
  // What shows signs of lasting right before a rule is what the rule is about.
  const belongs = nearest !== undefined && isWay(proof) && nearest.rules.length > 0 && nearest === before.at(-1)
  if (nearest && (belongs || /[;；]$/u.test(nearest.text))) return [nearest]
  const isMeant = proof.isKeep && nearest !== undefined && whichOne.test(rest) && isShared(nearest, proof)
  if (isMeant && nearest && !/[?？]\s*$/u.test(nearest.text)) return [nearest]
  // What a later clause refers to stands in the first one.
  const [head = rest] = splitClauses(rest)
  const isNeeded = phraseTable.anaphora.test(rest) || (isWay(proof) && phraseTable.refersBack.test(head))
  const pointsAway = phraseTable.anaphora.test(trimSentence(nearest?.text ?? ''))
  return nearest && isNeeded && !pointsAway && !phraseTable.order.test(nearest.text) && termsOf(nearest.plain).size >= 2
    ? [nearest]
    : []
}

/** "That terminal", 那台: one that was named before. */
const whichOne = /\b(?:that|this|those|these) (?!is\b|was\b|we\b|the\b)\p{L}{3,}|[那这這][台个個条條家款]/iu

function isShared(one: Judgement, other: Judgement): boolean {
  return shared(termsOf(one.plain), termsOf(other.plain)) > 0
}

/** False for a sentence that is only a request to keep, or only says how far another one reaches. */
function saysSomething(judgement: Judgement): boolean {
  const rest = trimSentence(judgement.text)
  if (phraseTable.bareScope.test(rest) || phraseTable.bareKeep.test(rest)) return false
  if (judgement.isKeep) return termsOf(rest).size >= 2
  const onlyReaches =
    phraseTable.applySentence.test(rest) && !/[,:]|\b(?:should|must|needs? to|has to|have to)\b/iu.test(rest)
  return !(onlyReaches && judgement.rules.every((rule) => rule.isScope))
}

function isWay(judgement: Judgement): boolean {
  return judgement.rules.some((rule) => families[rule.kind] === 'way')
}

/** Whether a plain statement belongs to the note: what follows a request to keep, the reason of a decision, a detail. */
function continues(judgement: Judgement, group: OpenGroup): boolean {
  const last = group.sentences.at(-1)
  if (judgement.isItem || isNextOrder(judgement.text)) return false
  if (group.isKeep || (last && /[;；]$/u.test(last.text))) return true
  if (phraseTable.continuation.test(judgement.text) || sharesTerms(judgement, group)) return true
  const explains = ['decision', 'way'].includes(familyOf(group.proof))
  return explains && !phraseTable.order.test(judgement.text) && termsOf(judgement.plain).size >= 2
}

/** "Also fix the typo": an order of its own, after what was told. */
function isNextOrder(text: string): boolean {
  const rest = text.replace(startsAnew, '').trim()
  return rest !== text && phraseTable.order.test(rest)
}

/** Whether a proven sentence speaks on of what the group is about. */
function goesOn(judgement: Judgement, group: OpenGroup): boolean {
  if (judgement.isKeep && judgement.rules.length === 0)
    return saysSomething(judgement) ? sharesTerms(judgement, group) : true
  const family = familyOf(judgement)
  const isSame = family === familyOf(group.proof) || (group.isKeep && family === 'way')
  if (!isSame || judgement.isItem || startsAnew.test(judgement.text)) return false
  const rest = trimSentence(judgement.text)
  const isConsequence =
    family === 'way' && (phraseTable.goesOn.test(rest) || phraseTable.refersBack.test(rest) || isRightForm(rest, group))
  return (
    isConsequence || phraseTable.continuation.test(rest) || sharesTerms(judgement, group) || !saysSomething(judgement)
  )
}

/** Terms of a few words that say what is right after a sentence that says what is not. */
const MAX_RIGHT_FORM = 6

/** "Nobody pushes to main. A branch and a PR, always." */
function isRightForm(text: string, group: OpenGroup): boolean {
  const last = group.sentences.at(-1)
  return last !== undefined && negative.test(last.plain) && !negative.test(text) && termsOf(text).size <= MAX_RIGHT_FORM
}

const startsAnew = /^(?:and|also|another|second|one more|另外|还有|還有|第二|其次|[二三四五][，,、])/iu

function familyOf(judgement: Judgement): string {
  const [first] = judgement.rules
  return first ? (families[first.kind] ?? first.kind) : 'keep'
}

function sharesTerms(judgement: Judgement, group: OpenGroup): boolean {
  const terms = termsOf(judgement.plain)
  return group.sentences.some((each) => shared(terms, termsOf(each.plain)) > 0)
}
