/**
 * From what a model offers to what is written (spec W6, W7, W12). A model proves nothing: a note needs words of the user, and
 * stands on an unread message of theirs; the rules of the gate may refuse it; it retires a kept note only when it is plainly
 * about the same. Pure.
 */
import type { Config, Evidence, RememberInput } from '../../domain/index.ts'
import { redact } from '../../guard/index.ts'
import { normaliseForComparison } from '../../util/index.ts'
import { absoluteDates } from '../dates/index.ts'
import { quoteOf, utcSeconds } from '../evidence.ts'
import { type ExistingNote, type ProposedNote, vetoNote } from '../extract/index.ts'
import { subjectNote } from '../extract/known-facts.ts'
import { nativeIdOf } from '../message-identity.ts'
import type { OfferedNote } from './answer.ts'
import type { Material } from './material.ts'

/** Kept notes that one answer may retire: more is no correction but a rewrite. */
const MAX_REPLACED = 3

export interface AnswerNotesInput {
  readonly notes: readonly OfferedNote[]
  readonly material: Pick<Material, 'messages' | 'fresh'>
  readonly existing: readonly ExistingNote[]
  readonly session: string
  readonly agent: string
  readonly sensitive: Config['sensitive']
  /** The gate: why a note is not to be kept, or null. Default: the rules. */
  readonly veto?: (note: ProposedNote) => string | null
}

export interface AnswerNotes {
  readonly wanted: readonly RememberInput[]
  /** Why the others are not kept, one sentence part each. */
  readonly refused: readonly string[]
}

export function notesOfAnswer(input: AnswerNotesInput): AnswerNotes {
  const wanted: RememberInput[] = []
  const refused: string[] = []
  let replaced = 0
  for (const offered of input.notes) {
    const judged = judge(offered, input)
    if (typeof judged === 'string') {
      refused.push(judged)
      continue
    }
    const isOneTooMany = judged.supersedes !== undefined && ++replaced > MAX_REPLACED
    wanted.push(isOneTooMany ? { ...judged, supersedes: undefined } : judged)
  }
  return { wanted, refused }
}

/** The note as it is to be written, or why it is not. */
function judge(offered: OfferedNote, input: AnswerNotesInput): RememberInput | string {
  const { material, existing, session, agent, sensitive, veto = vetoNote } = input
  const quotes = offered.quotes.filter(({ message }) => material.fresh.get(message)?.message.role === 'user')
  const [first] = quotes
  const proof = first && material.fresh.get(first.message)?.message
  if (!proof) return 'no new message of the user proves it'
  const { type, name, description } = offered
  const { text } = absoluteDates(redact(offered.text).text, proof.time)
  const refusal = veto({ type, text, quotes, messages: material.messages, existing, sensitive })
  if (refusal !== null) return refusal
  const replaces = replacedNote(offered, existing)
  return {
    text,
    type,
    name,
    description,
    author: 'extractor',
    agent,
    evidence: quotes.flatMap(({ message, words }) =>
      evidenceOf(message, words, { material, session, agent, sensitive }),
    ),
    ...(proof.time === null ? {} : { time: proof.time }),
    ...(replaces === null ? {} : { supersedes: [replaces.name] }),
  }
}

/** Only a note that is there under this very name, and that speaks of the same. */
function replacedNote({ replaces, text }: OfferedNote, existing: readonly ExistingNote[]): ExistingNote | null {
  if (replaces === null) return null
  const called = existing.filter((note) => normaliseForComparison(note.name) === normaliseForComparison(replaces))
  return called.length === 1 ? subjectNote(text, called) : null
}

function evidenceOf(
  number: number,
  words: string,
  { material, session, agent, sensitive }: Pick<AnswerNotesInput, 'material' | 'session' | 'agent' | 'sensitive'>,
): Evidence[] {
  const message = material.fresh.get(number)?.message
  if (!message) return []
  return [
    {
      session,
      message: nativeIdOf(message.id, agent),
      role: message.role,
      time: utcSeconds(message.time),
      quote: quoteOf(words, sensitive),
      hash: message.hash,
    },
  ]
}
