/**
 * The words of a note as an index or a prompt may hold them: masked, and none of them where a threat was found in any.
 * One rule for whoever reads a note, so that no door shows what another one withholds.
 */
import { redact } from './redact.ts'
import { scanThreats } from './scan-threats.ts'

export interface GuardedText {
  /** Masked; empty when withheld. */
  readonly text: string
  /** Ids of the threats that were found, or null. */
  readonly withheld: string | null
}

export interface NoteWords {
  readonly name: string
  readonly description: string
  readonly body: string
  readonly tags: readonly string[]
  readonly aliases?: readonly string[]
}

export interface GuardedWords extends NoteWords {
  readonly aliases: readonly string[]
  readonly withheld: string | null
}

const WITHHELD_NAME = 'withheld note'

export function guardText(text: string): GuardedText {
  const threats = scanThreats(text)
  if (threats.length > 0) return { text: '', withheld: [...new Set(threats.map(({ id }) => id))].join(', ') }
  return { text: redact(text).text, withheld: null }
}

/** `body`: the guarded body, where the caller has it already. */
export function guardWords(words: NoteWords, guard = guardText, body = guard(words.body)): GuardedWords {
  const { name, description, tags, aliases = [] } = words
  // One look at the short fields together: they stand beside each other wherever they are shown, and it costs a third.
  const fields = [name, description, ...tags, ...aliases].join('\n')
  const head = guard(fields)
  const threats = [head, body].flatMap((part) => part.withheld ?? [])
  if (threats.length > 0) return withheldWords(threats, guard(name))
  const mask = head.text === fields ? (text: string) => text : (text: string) => guard(text).text
  return {
    name: mask(name),
    description: mask(description),
    body: body.text,
    tags: tags.map(mask),
    aliases: aliases.map(mask),
    withheld: null,
  }
}

/** Masked only: for words that the person confirmed although they read like a threat. */
export function maskedWords({ name, description, body, tags, aliases = [] }: NoteWords): GuardedWords {
  const mask = (text: string) => redact(text).text
  return {
    name: mask(name),
    description: mask(description),
    body: mask(body),
    tags: tags.map(mask),
    aliases: aliases.map(mask),
    withheld: null,
  }
}

function withheldWords(threats: readonly string[], name: GuardedText): GuardedWords {
  const withheld = [...new Set(threats)].join(', ')
  return {
    name: name.withheld === null ? name.text : WITHHELD_NAME,
    description: '',
    body: '',
    tags: [],
    aliases: [],
    withheld,
  }
}
