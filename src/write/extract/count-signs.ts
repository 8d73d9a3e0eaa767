/**
 * What no rule of its own finds may still show that it lasts: signs of several kinds in one statement (whose it is, that
 * it holds always, a reason, a contrast, an obligation, …). Any sign that it speaks of the moment is one too many.
 */
import { phraseTable, type Rule, signTable } from './compile-tables.ts'
import { namesWrongForm } from './names-wrong-form.ts'

/** Kinds of sign that a statement must show: one or two stand in any talk about work. */
const ENOUGH = 3

interface Around {
  readonly message: string
  readonly answered: string
}

/** The rule that a statement meets by its signs, or null. */
export function lastingRule(plain: string, around: Around): Rule | null {
  if (signTable.passes.some((sign) => sign.pattern.test(plain)) || phraseTable.order.test(plain)) return null
  const signs = new Set(signTable.lasts.filter((sign) => sign.pattern.test(plain)).map((sign) => sign.id))
  if (around.answered !== '' && corrects(plain, around)) signs.add('corrects')
  return signs.size >= ENOUGH ? ruleOf(plain, signs) : null
}

function corrects(plain: string, { message, answered }: Around): boolean {
  return phraseTable.opensCorrection.test(message) || namesWrongForm(plain, answered)
}

const pattern = { test: () => true }
const aboutPlace = /https?:\/\/|\b(?:[a-z\d-]+\.)+[a-z]{2,}\//iu
const aboutPerson = /\b(?:I|my|I['’]m)\b|我(?!们|們)/u
const aboutWay = /\byou\b|\bfor me\b|你|给我|給我|跟我/iu

function ruleOf(plain: string, signs: ReadonlySet<string>): Rule {
  const isWay = aboutWay.test(plain)
  const type =
    aboutPlace.test(plain) && !isWay ? 'reference' : isWay ? 'feedback' : aboutPerson.test(plain) ? 'user' : 'project'
  return {
    id: `lasting:${[...signs].sort().join('+')}`,
    kind: 'lasting',
    type,
    pattern,
    also: null,
    unless: null,
    need: null,
    isScope: false,
    isShort: false,
  }
}
