/** How a scripted model reads a conversation: it finds every fact of a made-up kind, and nothing else. */
import type { CompletionRequest } from '../../src/models/index.ts'

/** A new message, as the model is shown it: its number, who spoke, and its words. */
export interface Shown {
  readonly number: number
  readonly role: string
  readonly text: string
}

/** The new messages of a question. */
export function newMessages({ prompt }: Pick<CompletionRequest, 'prompt'>): Shown[] {
  const part = prompt.split('New messages:\n')[1]?.split('</keepsake-material>')[0] ?? ''
  return [...part.matchAll(/^#(\d+) (user|assistant|tool)(?:, [^:]+)?: ((?:.|\n {2})*)/gmu)].map((match) => ({
    number: Number(match[1]),
    role: match[2] ?? '',
    text: match[3] ?? '',
  }))
}

/** What no rule finds: only a model takes it for a note. */
export const fact = (number: number) => `Fixture ${number} belongs to the Heron team.`

/** A model that finds every fact, and nothing else. */
export function readFacts(request: CompletionRequest): string {
  const notes = newMessages(request).flatMap(({ number, role, text }) => {
    const [words, fixture] = /Fixture (\d+) belongs to the Heron team\./.exec(text) ?? []
    if (role !== 'user' || words === undefined) return []
    const name = `fixture ${fixture}`
    return {
      type: 'project',
      name,
      description: words,
      text: words,
      quotes: [{ message: number, words }],
      replaces: null,
    }
  })
  return JSON.stringify({ notes })
}
