/**
 * Short fields that are shown beside each other: a note's name and description. Each is judged alone, and both are
 * judged as they are read, one after the other: an attack cut in two at the seam is an attack.
 */
import { wellFormed } from '../util/index.ts'
import { blockedText, safeText } from './safe-text.ts'
import { scanThreats } from './scan-threats.ts'
import { suspectTexts } from './suspects.ts'

export interface Head {
  readonly name: string
  readonly description: string
}

/** Only what lies around the seam can join up. */
const SEAM_UNITS = 200

/** Name and description as they may be shown; what attacks is a marker. */
export function safeHead({ name, description }: Head): Head {
  const [shownName, shownDescription] = [safeText(name, 'name'), safeText(description, 'description')]
  const isBlocked = shownName.blocked.length + shownDescription.blocked.length > 0
  const joined = isBlocked ? [] : joinedThreats(name, description)
  if (joined.length === 0) return { name: shownName.text, description: shownDescription.text }
  return { name: blockedText('name', joined), description: blockedText('description', joined) }
}

/**
 * One line made of name and description, as it may be shown. `line` is what the reader sees; the two fields are also
 * judged without the punctuation that the line puts between them.
 */
export function safeLine(line: string, { name, description }: Head, label: string): string {
  const safe = safeText(line, label)
  const joined = safe.blocked.length > 0 ? [] : joinedThreats(name, description)
  return joined.length === 0 ? safe.text : blockedText(label, joined)
}

export interface Line extends Head {
  readonly line: string
  readonly label: string
}

/** `safeLine` for each, in a fraction of the time when most are harmless. */
export function safeLines(lines: readonly Line[]): string[] {
  const texts = lines.flatMap(({ line, name, description }) => [line, seamOf(name, description)].map(wellFormed))
  const suspects = suspectTexts(texts)
  return lines.map((each, number) =>
    suspects.has(2 * number) || suspects.has(2 * number + 1)
      ? safeLine(each.line, each, each.label)
      : (texts[2 * number] ?? ''),
  )
}

function joinedThreats(name: string, description: string): string[] {
  return scanThreats(seamOf(name, description)).map(({ id }) => id)
}

/** What lies around the seam; nothing when there is none. */
function seamOf(name: string, description: string): string {
  return name === '' || description === '' ? '' : `${name.slice(-SEAM_UNITS)} ${description.slice(0, SEAM_UNITS)}`
}
