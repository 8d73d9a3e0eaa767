/** Judges one message or sentence: which rules it meets, and whether a veto stands against it. */
import { absoluteDates } from '../dates/index.ts'
import { findSignals, type Signal, type SignalKind, type SignalTable } from '../signals/index.ts'
import { allRules, allVetoes, phraseTable, type Rule, type Veto } from './compile-tables.ts'
import { lastingRule, type SignSurroundings } from './count-signs.ts'
import { withoutCourtesy } from './courtesy.ts'
import { changedNote, subjectNote } from './known-facts.ts'
import { namesWrongForm } from './names-wrong-form.ts'
import { type Sentence, splitClauses } from './split-sentences.ts'
import type { ExistingNote } from './types.ts'

/** What a sentence may rely on besides its own words. */
export interface Surroundings extends SignSurroundings {
  readonly time: string | null
  readonly existing: readonly ExistingNote[]
  /** Kinds of rule that an earlier message silenced (a role that is only played). */
  readonly silenced: ReadonlySet<string>
  /** Cue tables of the user. */
  readonly cues?: readonly SignalTable[] | undefined
}

export interface Judgement {
  readonly text: string
  readonly plain: string
  readonly isItem: boolean
  /** `proven`: a rule or a request to keep. `usable`: a plain statement beside one. `dropped`: a veto stands. */
  readonly standing: 'proven' | 'usable' | 'dropped'
  readonly rules: readonly Rule[]
  readonly isKeep: boolean
  /** Ids of the vetoes that dropped it. */
  readonly vetoes: readonly string[]
}

/** Ids of the vetoes that the message meets as a whole; what they carry on is added to `silenced`. */
export function judgeMessage(text: string, silenced: Set<string>): readonly string[] {
  const said = withoutCourtesy(text)
  const met = allVetoes.filter((veto) => veto.scope === 'message' && veto.pattern.test(said))
  for (const veto of met) if (veto.carries) silenced.add(veto.carries)
  return met.map(({ id }) => id)
}

/** Vetoes that a clause beside a statement may raise by itself. */
const ofAnotherClause: ReadonlySet<string> = new Set(['question', 'suggestion', 'denial', 'one-off'])

export function judgeSentence(sentence: Sentence, around: Surroundings): Judgement {
  const judged = judgeWithoutVetoed(sentence, around)
  if (judged.vetoes.some((id) => !ofAnotherClause.has(id))) return judged
  // An order for the task at hand, or what is denied, is left out beside a statement that stands by itself.
  for (const rest of [withoutClauses(sentence, isTask), afterDenial(sentence)]) {
    const again = rest && judgeWithoutVetoed(rest, around)
    if (again?.standing === 'proven' && again.rules.length > 0) return again
  }
  return judged
}

function judgeWithoutVetoed(sentence: Sentence, around: Surroundings): Judgement {
  const judged = judgeWhole(sentence, around)
  const hasSecret = judged.clauses.some((veto) => veto.id === 'secret')
  if ((judged.standing === 'dropped' && !hasSecret) || judged.clauses.length === 0) return judged
  // Overruled vetoes and secrets take only their own clauses with them, when the rest still proves something.
  const rest = withoutClauses(sentence, (clause) => judged.clauses.some((veto) => veto.pattern.test(clause)))
  const again = rest === null ? null : judgeWhole(rest, around)
  if (again && again.standing !== 'dropped' && (judged.standing !== 'proven' || again.standing === 'proven'))
    return again
  return hasSecret ? { ...judged, standing: 'dropped', vetoes: ['secret'] } : judged
}

function judgeWhole(sentence: Sentence, around: Surroundings): Judgement & { readonly clauses: readonly Veto[] } {
  const overrules = overrulingCues(sentence, around)
  const found = allRules.filter((rule) => meets(rule, sentence, around))
  const met = allVetoes.filter(
    (veto) =>
      veto.scope === 'sentence' &&
      (veto.pattern.test(sentence.plain) || (veto.id === 'anger' && isOrderInAnger(veto, found, around))),
  )
  const standing = met.filter((veto) => veto.id !== 'secret' && ![...veto.yieldsTo].some((cue) => overrules.has(cue)))
  const isKeep = overrules.has('keep')
  const lasting = found.length > 0 || standing.length > 0 ? null : lastingRule(sentence, around)
  const rules = lasting ? [lasting] : found
  const isProven = isKeep || rules.length > 0
  return {
    text: sentence.text,
    plain: sentence.plain,
    isItem: sentence.isItem,
    standing: standing.length > 0 ? 'dropped' : isProven ? 'proven' : 'usable',
    rules,
    isKeep,
    vetoes: standing.map((veto) => veto.id),
    clauses: met.filter((veto) => veto.dropsClause && !standing.includes(veto)),
  }
}

/** Who shouts in one sentence means the next one no more calmly; facts stay facts. */
function isOrderInAnger(anger: Veto, rules: readonly Rule[], { message }: Surroundings): boolean {
  const isOrder = rules.length > 0 && rules.every(({ kind }) => kind === 'rule')
  return isOrder && (shouting.test(message) || anger.pattern.test(message))
}

const shouting = /[!！?？]{2,}/u

/** The cues with which a user overrules a veto. */
function overrulingCues({ plain }: Sentence, { message, cues: tables = [] }: Surroundings): ReadonlySet<string> {
  const signals = findSignals(plain, { tables })
  const own = new Set(tables.flatMap((table) => table.cues.map(({ id }) => `${table.kind} ${id}`)))
  const isOwn = ({ kind, cue }: Signal) => own.has(`${kind} ${cue}`)
  const says = (kind: SignalKind, ours: ReadonlySet<string>) =>
    signals.some((signal) => signal.kind === kind && (ours.has(signal.cue) || isOwn(signal)))
  const cues = new Set<string>()
  if (says('keep', phraseTable.explicitKeepCues)) cues.add('keep')
  if (says('from-now-on', phraseTable.explicitStandingCues)) cues.add('from-now-on')
  if (phraseTable.politeKeep.test(plain)) cues.add('keep').add('polite-keep')
  if (phraseTable.politeStanding.test(plain)) cues.add('from-now-on').add('polite-standing')
  if (phraseTable.adopted.test(message)) cues.add('adopted')
  if (phraseTable.act.test(plain)) cues.add('act')
  if (phraseTable.decided.test(plain)) cues.add('decided')
  return cues
}

function meets(rule: Rule, sentence: Sentence, around: Surroundings): boolean {
  if (around.silenced.has(rule.kind)) return false
  const { plain } = sentence
  if (rule.isShort && isAtHand(around.message) && phraseTable.definite.test(plain)) return false
  if (!rule.pattern.test(plain) || rule.unless?.test(plain) || rule.also?.test(plain) === false) return false
  switch (rule.need) {
    case 'scope-or-tool':
      return (
        phraseTable.tool.test(sentence.plain) ||
        phraseTable.repository.test(around.message) ||
        hasStandingCue(around.message)
      )
    case 'future-date':
      return namesFutureDate(sentence.plain, around.time) && !aboutOnesOwnDay.test(sentence.plain)
    case 'url-or-update':
      return phraseTable.urlOrHost.test(sentence.plain) || subjectNote(sentence.plain, around.existing) !== null
    case 'wrong-form':
      return namesWrongForm(sentence.plain, around.answered)
    case 'existing':
      return !phraseTable.order.test(plain) && changedNote(plain, around.existing) !== null
    default:
      return true
  }
}

/** The message speaks of the one file, paragraph or picture at hand. */
function isAtHand(message: string): boolean {
  return allVetoes.some((veto) => veto.id === 'one-off' && veto.pattern.test(message))
}

function hasStandingCue(message: string): boolean {
  return findSignals(message).some((signal) => signal.kind === 'from-now-on')
}

/** Plans of the moment, and what is over. */
const aboutOnesOwnDay =
  /^\W*(?:I['’]ll|I will|let me|I can|I['’]m going to|we['’]ll try)\b|\b(?:was|were|had|did|went)\b|(?:了吗|过了|完了)[。！]?$/iu

const months = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
const namedDate = new RegExp(
  `\\b(?:${months})\\p{L}*\\.? \\d{1,2}(?:st|nd|rd|th)?\\b|\\b\\d{1,2}(?:st|nd|rd|th|\\.)? (?:of )?(?:${months})\\p{L}*\\b|\\d{1,2} ?月 ?\\d{1,2} ?[日号號]|[一二三四五六七八九十]{1,3}月[一二三四五六七八九十]{1,3}[日号號]|(?<![\\d.])\\d{1,2}\\.\\d{1,2}\\.(?!\\d)`,
  'iu',
)

/** A day after that of the message, or a named day without a year. */
function namesFutureDate(text: string, time: string | null): boolean {
  if (namedDate.test(text)) return true
  const today = time?.slice(0, 10)
  if (!today) return false
  const days = [...absoluteDates(text, time).text.matchAll(/\b\d{4}-(?:\d{2}(?:-\d{2})?|Q\d)\b/g)].map(([day]) => day)
  return days.some((day) => (day.length === 10 ? day > today : day > today.slice(0, day.length) || day.includes('Q')))
}

/** The sentence without the clauses that are named; null when nothing or everything would go. */
function withoutClauses(sentence: Sentence, isNamed: (clause: string) => boolean): Sentence | null {
  const named = splitClauses(sentence.text).map(isNamed)
  if (!named.includes(true)) return null
  const keep = (whole: string) =>
    splitClauses(whole)
      .filter((_, index) => !named[index])
      .join('')
      .replace(/[，,；;\s]+$/u, '')
      .trim()
  const text = keep(sentence.text)
  return /[\p{L}\p{N}]/u.test(text) ? { ...sentence, text, plain: keep(sentence.plain) } : null
}

function isTask(clause: string): boolean {
  const isKeep = findSignals(clause).some((signal) => phraseTable.explicitKeepCues.has(signal.cue))
  return phraseTable.task.test(clause.trim()) && !phraseTable.lasts.test(clause) && !isKeep
}

/** "I never said everything, only the menu" tells what holds behind the denial; null when there is no denial. */
function afterDenial(sentence: Sentence): Sentence | null {
  const { text, plain } = sentence
  const [denied, ...rest] = splitClauses(text)
  if (denied === undefined || rest.length === 0 || !phraseTable.denial.test(denied)) return null
  const start = rest.findIndex((clause) => phraseTable.holds.test(clause.trim()))
  if (start === -1) return null
  const after = (whole: string) =>
    splitClauses(whole)
      .slice(start + 1)
      .join('')
      .trim()
  return { ...sentence, text: after(text), plain: after(plain) }
}
