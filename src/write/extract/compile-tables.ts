/**
 * Turns the rule tables (data) into compiled rules, once. A row's `words` stand alone (word boundaries on both sides),
 * its `text` may stand anywhere; `{{name}}` inserts a fragment.
 */
import type { NoteType } from '../../domain/index.ts'
import fragments from './tables/fragments.json' with { type: 'json' }
import notSavedTable from './tables/not-saved.json' with { type: 'json' }
import phrases from './tables/phrases.json' with { type: 'json' }
import rules from './tables/rules.json' with { type: 'json' }
import signs from './tables/signs.json' with { type: 'json' }
import vetoes from './tables/vetoes.json' with { type: 'json' }

/** What a rule finds. Rules of one family speak of one thing when they stand next to each other. */
export type RuleKind =
  | 'rule'
  | 'correction'
  | 'preference'
  | 'identity'
  | 'decision'
  | 'deadline'
  | 'owner'
  | 'reference'
  | 'workaround'
  | 'environment'
  | 'change'
  | 'lasting'
  | 'keep'

/** What must hold besides the words. */
export type Need = 'scope-or-tool' | 'future-date' | 'url-or-update' | 'wrong-form' | 'existing'

export interface Rule {
  readonly id: string
  readonly kind: RuleKind
  readonly type: NoteType
  readonly pattern: Pattern
  readonly also: Pattern | null
  readonly unless: Pattern | null
  readonly need: Need | null
  /** True when the words may only say how far another sentence reaches ("every commit you make"). */
  readonly isScope: boolean
  /** True when one short word carries it ("always"): not enough beside an order for the thing at hand. */
  readonly isShort: boolean
}

export interface Veto {
  readonly id: string
  /** What it finds, for people: "the message is …". */
  readonly told: string
  readonly scope: 'message' | 'sentence'
  readonly pattern: Pattern
  /** What overrules it: `keep`, `from-now-on`, `polite-keep`, `adopted`. */
  readonly yieldsTo: ReadonlySet<string>
  /** When overruled, the clauses that it names are left out of the note. */
  readonly dropsClause: boolean
  /** A kind of rule that it silences for the rest of the conversation. */
  readonly carries: string | null
  /** Care that only a rule needs: a reader with more sense may judge otherwise. */
  readonly isForRulesOnly: boolean
}

interface Source {
  readonly words?: readonly string[]
  readonly text?: readonly string[]
}

interface RuleRow {
  readonly id: string
  readonly kind: string
  readonly type: string
  readonly when: Source
  /** Must be found as well. */
  readonly also?: Source
  readonly unless?: Source
  readonly needs?: string
  readonly scope?: boolean
  readonly short?: boolean
  readonly case?: boolean
}

/** Texts of notes that are not worth keeping, whoever wrote them. */
export interface NotSaved {
  readonly id: string
  /** Why, for people. */
  readonly told: string
  readonly pattern: Pattern
  /** False holds even for what the user asked to keep. */
  readonly yieldsToKeep: boolean
}

interface VetoRow {
  readonly id: string
  readonly told: string
  readonly scope: string
  readonly when: Source
  readonly yieldsTo: readonly string[]
  readonly dropClause?: boolean
  readonly carries?: string
  readonly rulesOnly?: boolean
  readonly case?: boolean
}

const pieces = new Map<string, string | readonly string[]>(Object.entries(fragments))

function expand(text: string): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const piece = pieces.get(name)
    if (piece === undefined) throw new SyntaxError(`The rule tables name an unknown fragment: ${name}`)
    return typeof piece === 'string' ? expand(piece) : `(?:${piece.map(expand).join('|')})`
  })
}

/** Tells whether words stand in a text. */
export interface Pattern {
  test(text: string): boolean
}

/**
 * One small expression for each entry: a single long one takes a second to get ready on its first use. Case is folded
 * by lowering pattern and text, for the same reason.
 */
function compile(source: Source, { isCaseSensitive }: { readonly isCaseSensitive: boolean }): Pattern {
  const words = source.words?.length ? [`\\b(?:${source.words.join('|')})\\b`] : []
  const entries = [...words, ...(source.text ?? [])].map(expand)
  if (isCaseSensitive) return anyOf(entries.map((entry) => new RegExp(entry, 'u')))
  const folded = anyOf(entries.map((entry) => new RegExp(lowerLiterals(entry), 'u')))
  return { test: (text) => folded.test(text.toLowerCase()) }
}

function anyOf(patterns: readonly RegExp[]): Pattern {
  return { test: (text) => patterns.some((pattern) => pattern.test(text)) }
}

/** Lowers the letters of a pattern, not those of its escapes and group names. */
function lowerLiterals(pattern: string): string {
  return pattern.replace(/\\[pP]\{[^}]*\}|\(\?<[A-Za-z]\w*>|\\.|\p{Lu}/gu, (piece) =>
    piece.length === 1 ? piece.toLowerCase() : piece,
  )
}

const kinds: readonly RuleKind[] = [
  'rule',
  'correction',
  'preference',
  'identity',
  'decision',
  'deadline',
  'owner',
  'reference',
  'workaround',
  'environment',
  'change',
  'lasting',
  'keep',
]
const needs: readonly Need[] = ['scope-or-tool', 'future-date', 'url-or-update', 'wrong-form', 'existing']
const types: readonly NoteType[] = ['user', 'feedback', 'project', 'reference']

/** The entry of `all` that a table names; a misspelt table fails when it is loaded, not silently. */
function named<T extends string>(all: readonly T[], name: string): T {
  const found = all.find((each) => each === name)
  if (found === undefined) throw new SyntaxError(`The rule tables name something unknown: ${name}`)
  return found
}

/** Letters without which a rule of a language finds nothing; most sentences need not try most rules. */
const letters: Readonly<Record<string, RegExp>> = {
  en: /\p{Script=Latin}/u,
  de: /\p{Script=Latin}/u,
  zh: /\p{Script=Han}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
}

/** Asks the letters first. The language is the first part of the id. */
function inItsLanguage({ id }: RuleRow, pattern: Pattern): Pattern {
  const needed = letters[id.split('-')[0] ?? '']
  return needed ? { test: (text) => needed.test(text) && pattern.test(text) } : pattern
}

function compileRule(row: RuleRow): Rule {
  const options = { isCaseSensitive: row.case ?? false }
  return {
    id: row.id,
    kind: named(kinds, row.kind),
    type: named(types, row.type),
    pattern: inItsLanguage(row, compile(row.when, options)),
    also: row.also ? compile(row.also, options) : null,
    unless: row.unless ? compile(row.unless, options) : null,
    need: row.needs ? named(needs, row.needs) : null,
    isScope: row.scope ?? false,
    isShort: row.short ?? false,
  }
}

function compileVeto(row: VetoRow): Veto {
  return {
    id: row.id,
    told: row.told,
    scope: named(['message', 'sentence'], row.scope),
    pattern: compile(row.when, { isCaseSensitive: row.case ?? false }),
    yieldsTo: new Set(row.yieldsTo),
    dropsClause: row.dropClause ?? false,
    carries: row.carries ?? null,
    isForRulesOnly: row.rulesOnly ?? false,
  }
}

export const allRules: readonly Rule[] = rules.rules.map(compileRule)
export const allVetoes: readonly Veto[] = vetoes.vetoes.map(compileVeto)
export const notSaved: readonly NotSaved[] = notSavedTable.rows.map(({ id, told, when, yieldsToKeep }) => ({
  id,
  told,
  pattern: compile(when, { isCaseSensitive: false }),
  yieldsToKeep,
}))

interface SignRow {
  readonly id: string
  readonly when: Source
  readonly case?: boolean
}

const compileSign = (row: SignRow) => ({
  id: row.id,
  pattern: compile(row.when, { isCaseSensitive: row.case ?? false }),
})

/** Signs that a statement lasts, each of another kind, and signs that it speaks of the moment. */
export const signTable = { lasts: signs.lasts.map(compileSign), passes: signs.passes.map(compileSign) } as const

const caseless = (source: Source) => compile(source, { isCaseSensitive: false })
const anchored = (sources: readonly string[]) => sources.map((source) => new RegExp(`^(?:${source})`, 'iu'))
const loose = (sources: readonly string[]) => sources.map((source) => new RegExp(source, 'iu'))

/** Fixed phrases that are no rules: what takes back, what opens or closes a sentence, what gives a reason. */
export const phraseTable = {
  takeBack: caseless(phrases.takeBack),
  takeBackUnless: caseless(phrases.takeBackUnless),
  withdraw: caseless(phrases.withdraw),
  /** What stands before it on its line is about the note that goes. */
  instead: phrases.instead.map((source) => new RegExp(`^[^.。!！?？\\n]{0,40}?(?:${source})\\s*(?=\\S)`, 'iu')),
  /** Opens a message that gives another value for what was said before. */
  revises: new RegExp(phrases.revises.text.map((source) => `(?:${source})`).join('|'), 'iu'),
  /** Takes back what stands before it in the same message. */
  retracts: new RegExp(phrases.retracts.text.map((source) => `(?:${source})`).join('|'), 'giu'),
  /** Words that say nothing without others. */
  empty: new RegExp(phrases.empty, 'giu'),
  politeKeep: caseless(phrases.politeKeep),
  politeStanding: caseless(phrases.politeStanding),
  adopted: caseless(phrases.adopted),
  act: caseless(phrases.act),
  tentative: caseless(phrases.tentative),
  carriesOut: caseless(phrases.carriesOut),
  ownPlan: caseless(phrases.ownPlan),
  modal: new RegExp(phrases.modal, 'giu'),
  announces: caseless(phrases.announces),
  bareScope: new RegExp(phrases.bareScope, 'iu'),
  goesOn: new RegExp(phrases.goesOn, 'iu'),
  refersBack: caseless(phrases.refersBack),
  pointsBack: caseless(phrases.pointsBack),
  consequence: new RegExp(phrases.consequence, 'iu'),
  keepIntro: new RegExp(phrases.keepIntro, 'iu'),
  definite: caseless(phrases.definite),
  task: caseless(phrases.task),
  lasts: caseless(phrases.lasts),
  denial: caseless(phrases.denial),
  decided: caseless(phrases.decided),
  solved: caseless(phrases.solved),
  bareKeep: new RegExp(phrases.bareKeep, 'iu'),
  holds: caseless(phrases.holds),
  wrongForm: loose(phrases.wrongForm),
  opensCorrection: new RegExp(phrases.opensCorrection, 'iu'),
  order: caseless({ text: [phrases.order] }),
  explicitKeepCues: new Set(phrases.explicitKeepCues),
  explicitStandingCues: new Set(phrases.explicitStandingCues),
  courtesyBefore: new RegExp(phrases.courtesyBefore, 'iu'),
  courtesyAfter: new RegExp(phrases.courtesyAfter, 'iu'),
  leading: anchored(phrases.leading),
  trailing: loose(phrases.trailing),
  noiseClause: loose(phrases.noiseClause),
  reason: loose(phrases.reason),
  reasonSentence: new RegExp(phrases.reasonSentence, 'iu'),
  applySentence: new RegExp(phrases.applySentence, 'iu'),
  continuation: new RegExp(phrases.continuation, 'iu'),
  anaphora: new RegExp(phrases.anaphora, 'iu'),
  tool: caseless({ text: ['(?<![\\p{L}\\d_])(?:{{tool}})(?![\\p{L}\\d_])'] }),
  repository: caseless({
    words: ['{{repo}}', '(?:we|our|us|always|never|every|all|any)'],
    text: ['我们|我們|团队|團隊|项目|專案|仓库|倉庫|公司|组里|所有|一律|统一|統一|凡是|以后|以後'],
  }),
  urlOrHost: caseless({ text: ['{{urlOrHost}}'] }),
} as const
