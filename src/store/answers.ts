/**
 * What a person answered once (spec W4, I11), so that the same is not asked again: append-only JSON lines with keyed
 * hashes only, no text, no name. The last line about a question holds. Only `review` records an answer.
 */
import { join } from 'node:path'
import { type Clock, homeFiles, isoSeconds } from '../domain/index.ts'
import { keyedHash } from '../util/index.ts'
import { createFileView, stampOf } from './file-view.ts'
import { appendJsonLine, readJsonLines } from './json-lines.ts'
import { createSecretKey } from './secret-key.ts'

/**
 * `rule`: may this note be spoken as the user's own rule? `lift`: should it be global? `withheld`: may exactly these
 * bytes be shown?
 */
export type Question =
  | { readonly asks: 'rule' | 'lift'; readonly noteId: string }
  | { readonly asks: 'withheld'; readonly hash: string }

export type Answer = 'yes' | 'no'

export interface Answers {
  answerTo(question: Question): Answer | null
  /** Durable when it returns. */
  record(question: Question, answer: Answer): void
  /** Another text whenever something may have been recorded since, by whomever. */
  generation(): string
}

/** Reading creates nothing and asks for no key while nothing was answered. */
export function createAnswers(options: { readonly home: string; readonly clock: Clock }): Answers {
  const file = join(options.home, homeFiles.answers)
  const secret = createSecretKey(options.home)
  const answers = createFileView(file, readAnswers, new Map<string, Answer>())
  const keyOf = (question: Question) => {
    const subject = question.asks === 'withheld' ? question.hash : question.noteId
    return keyedHash(secret.bytes(), `answer:${question.asks}:${subject}`)
  }
  return {
    answerTo(question) {
      const known = answers()
      return known.size === 0 ? null : (known.get(keyOf(question)) ?? null)
    },
    record(question, answer) {
      secret.persist()
      appendJsonLine(file, { key: keyOf(question), answer, time: isoSeconds(options.clock.now()) })
    },
    generation: () => stampOf(file),
  }
}

function readAnswers(file: string): Map<string, Answer> {
  const answers = new Map<string, Answer>()
  for (const { value } of readJsonLines(file).records) {
    const { key, answer } = value
    if (typeof key === 'string' && (answer === 'yes' || answer === 'no')) answers.set(key, answer)
  }
  return answers
}
