/**
 * Statements that are not sure enough for a note (spec W8): plans of the user that nobody holds them to, and orders given
 * in anger. And what carries one out. Only the user's own words; nothing here writes.
 */
import type { NoteType } from '../../domain/index.ts'
import { absoluteDates } from '../dates/index.ts'
import { cleanMessage } from './clean-message.ts'
import { phraseTable } from './compile-tables.ts'
import { takenBackMessages } from './extract-notes.ts'
import { type Judgement, judgeMessage, judgeSentence } from './judge-sentence.ts'
import { splitSentences } from './split-sentences.ts'
import { readTakeBack } from './take-back.ts'
import { shared, termsOf } from './terms.ts'
import { trimSentence } from './trim-sentence.ts'
import type { ExtractInput, ExtractMessage } from './types.ts'

export interface TentativeStatement {
  /** `said`: it waits for more. `done`: an act that may carry out what was said before. */
  readonly kind: 'said' | 'done'
  readonly type: NoteType
  /** One sentence; relative dates are absolute. */
  readonly text: string
  /** Index of the message. */
  readonly message: number
}

/** Share of terms from which two statements are about the same plan; what is done is told in other words. */
const SAME_PLAN = { said: 0.6, done: 0.5 } as const
/** What may stand against a tentative statement; anything else (a question, a joke, a story) makes it none. */
const tentativeVetoes: ReadonlySet<string> = new Set(['hedge', 'suggestion', 'anger'])

/** In order of what was said. */
export function findTentative(input: ExtractInput): TentativeStatement[] {
  const takenBack = new Set(takenBackMessages(input.messages))
  return input.messages.flatMap((message, place) => {
    if (message.role !== 'user' || place < (input.from ?? 0) || takenBack.has(message.index)) return []
    return statementsIn(message, input)
  })
}

function statementsIn(message: ExtractMessage, { existing, date }: ExtractInput): TentativeStatement[] {
  const { text, back } = readTakeBack(cleanMessage(message.content))
  if (text === '' || back === 'all' || judgeMessage(text, new Set()).length > 0) return []
  const time = message.time ?? date
  const around = { message: text, answered: '', earlier: '', time, existing, silenced: new Set<string>() }
  return splitSentences(text).flatMap((sentence) => {
    const judgement = judgeSentence(sentence, around)
    const kind = kindOf(judgement)
    const words = trimSentence(judgement.text)
    if (kind === null || planTerms(words).size === 0 || phraseTable.anaphora.test(words)) return []
    return [{ kind, type: typeOf(judgement), text: absoluteDates(words, time).text, message: message.index }]
  })
}

function kindOf({ standing, plain, rules, vetoes }: Judgement): TentativeStatement['kind'] | null {
  const isOwn = phraseTable.ownPlan.test(plain)
  const isAct = phraseTable.act.test(plain) || phraseTable.carriesOut.test(plain)
  if (isOwn && isAct && standing !== 'dropped') return 'done'
  if (standing === 'proven') return null
  if (!vetoes.every((veto) => tentativeVetoes.has(veto))) return null
  if (vetoes.includes('anger')) return rules.some(({ kind }) => kind === 'rule') ? 'said' : null
  return isOwn && phraseTable.tentative.test(plain) ? 'said' : null
}

function typeOf({ rules, plain }: Judgement): NoteType {
  const [rule] = rules
  if (rule) return rule.type
  return /\bI\b|\bI['’]|\bmy\b|我(?![们們])/u.test(plain) ? 'user' : 'project'
}

/** Whether a statement is about the plan, however sure each of them is. */
export function isSamePlan(plan: string, statement: Pick<TentativeStatement, 'kind' | 'text'>): boolean {
  const [first, second] = [planTerms(plan), planTerms(statement.text)]
  const smaller = Math.min(first.size, second.size)
  return smaller > 0 && shared(first, second) / smaller >= SAME_PLAN[statement.kind]
}

/** What the plan is about: without who plans and how sure they are. */
function planTerms(text: string): ReadonlySet<string> {
  return termsOf(text.replace(phraseTable.modal, ' '))
}
