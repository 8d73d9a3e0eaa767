/**
 * What no rule of its own finds may still show that it lasts: signs of several kinds in one statement (whose it is, that
 * it holds always, a reason, a contrast, an obligation, …). Any sign that it speaks of the moment is one too many.
 */
import type { NoteType } from '../../domain/index.ts'
import { phraseTable, type Rule, signTable } from './compile-tables.ts'
import { namesWrongForm } from './names-wrong-form.ts'
import type { Sentence } from './split-sentences.ts'
import { shared, termsOf } from './terms.ts'

/** Kinds of sign that a statement must show: one or two stand in any talk about work. */
const ENOUGH = 3
/** Of which so many stand in the statement itself. */
const ENOUGH_OF_ITSELF = 2
/** An item of a list that the user told ("two things: …") needs fewer. */
const ENOUGH_OF_ITEM = 2
/** Signs of the words before count for two at most: every answer takes something up. */
const MOST_OF_CONTEXT = 2
/** Whose it is, what it names, or what it sets right: without one of these it may be about anything. */
const anchors: readonly string[] = ['whose', 'named', 'corrects', 'restates', 'closing']

export interface SignSurroundings {
  /** The whole message, cleaned. */
  readonly message: string
  /** What the assistant said last before it; empty when nothing. */
  readonly answered: string
  /** What the user said last before it; empty when nothing. */
  readonly earlier: string
}

/** The rule that a statement meets by its signs, or null. */
export function lastingRule({ plain, isItem }: Sentence, around: SignSurroundings): Rule | null {
  if (signTable.passes.some((sign) => sign.pattern.test(plain)) || phraseTable.order.test(plain)) return null
  const found = signTable.lasts.filter((sign) => sign.pattern.test(plain)).map((sign) => sign.id)
  const signs = new Set(phraseTable.solved.test(around.message) ? [...found, 'closing'] : found)
  const context = contextSigns(plain, around)
  const count = signs.size + Math.min(context.length, MOST_OF_CONTEXT)
  const isAnchored = isItem || [...signs, ...context].some((sign) => anchors.includes(sign))
  // An answer that only takes up what was said is about that, and says little without it.
  if (!isItem && signs.size < ENOUGH_OF_ITSELF) return null
  return isAnchored && count >= (isItem ? ENOUGH_OF_ITEM : ENOUGH) ? ruleOf(plain, [...signs, ...context]) : null
}

/** What the sentence shows beside the ones before it: that it sets right, says anew, or takes up what was said. */
function contextSigns(plain: string, { message, answered, earlier }: SignSurroundings): string[] {
  const terms = termsOf(plain)
  const opensCorrection = phraseTable.opensCorrection.test(message)
  return [
    ...(answered !== '' && (opensCorrection || namesWrongForm(plain, answered)) ? ['corrects'] : []),
    ...(opensCorrection && shared(terms, termsOf(earlier)) > 0 ? ['restates'] : []),
    ...(shared(terms, termsOf(answered)) > 0 ? ['takes-up'] : []),
  ]
}

const pattern = { test: () => true }
const aboutPlace = /https?:\/\/|\b(?:[a-z\d-]+\.)+[a-z]{2,}\//iu
const aboutPerson = /\b(?:I|my|I['’]m)\b|我(?!们|們)/u
const aboutWay = /\byou\b|\bfor me\b|你|给我|給我|跟我/iu

function ruleOf(plain: string, signs: readonly string[]): Rule {
  return {
    id: `lasting:${[...signs].sort().join('+')}`,
    kind: 'lasting',
    type: typeOf(plain),
    pattern,
    also: null,
    unless: null,
    need: null,
    isScope: false,
    isShort: false,
  }
}

function typeOf(plain: string): NoteType {
  if (aboutWay.test(plain)) return 'feedback'
  if (aboutPlace.test(plain)) return 'reference'
  return aboutPerson.test(plain) ? 'user' : 'project'
}
