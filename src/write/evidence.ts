/**
 * Evidence as it is stored (spec W7, decision 12): masked words, bounded, and a hash of the masked message, never of
 * raw text. Only a person's own door, or the transcript reader, may say that the user said something.
 */
import { type Config, type Evidence, type EvidenceRole, isoSeconds, type WriteAuthor } from '../domain/index.ts'
import { findSensitive, redact, scanThreats, stripOwnBlocks } from '../guard/index.ts'
import { cutCodePoints, oneLine, sha256, wellFormed } from '../util/index.ts'

/** Code points of a stored quote. */
export const MAX_QUOTE_CHARACTERS = 300
/** Pieces of evidence that one write may bring. */
export const MAX_EVIDENCE_PER_WRITE = 20

/** The evidence of a write: what was given, cleaned; else the admitted words themselves, said by the author. */
export function evidenceOf(write: {
  readonly author: WriteAuthor
  readonly given: readonly Evidence[]
  /** The words as admitted: masked already. */
  readonly text: string
  readonly time: string | null
  readonly sensitive: Config['sensitive']
}): readonly Evidence[] {
  if (write.given.length > 0)
    return write.given.slice(0, MAX_EVIDENCE_PER_WRITE).map((each) => cleanEvidence(each, write))
  const role: EvidenceRole = write.author === 'person' ? 'person' : write.author === 'import' ? 'file' : 'agent'
  return [
    {
      session: null,
      message: null,
      role,
      time: write.time,
      quote: quoteOf(write.text, write.sensitive),
      hash: sha256(write.text),
    },
  ]
}

/** True when the user stands behind it: typed to us, or said in a captured conversation. */
export function isUsersWord(evidence: readonly Evidence[]): boolean {
  return evidence.some((each) => each.role === 'person' || each.role === 'user')
}

/**
 * The words of a message as a quote: masked, one line, at most 300 characters, cut on a grapheme. Null when they must
 * not be kept word for word; the hash still says which message it was.
 */
export function quoteOf(text: string, sensitive: Config['sensitive']): string | null {
  const masked = redact(wellFormed(stripOwnBlocks(text)).normalize('NFC')).text
  const quote = cutCodePoints(oneLine(masked), MAX_QUOTE_CHARACTERS)
  if (quote === '' || scanThreats(quote).length > 0) return null
  return sensitive !== 'allow' && findSensitive(quote) ? null : quote
}

function cleanEvidence(
  evidence: Evidence,
  write: { readonly author: WriteAuthor; readonly sensitive: Config['sensitive'] },
): Evidence {
  return {
    session: identifier(evidence.session),
    message: identifier(evidence.message),
    role: roleAllowed(evidence.role, write.author),
    time: utcSeconds(evidence.time),
    quote: evidence.quote === null ? null : quoteOf(evidence.quote, write.sensitive),
    hash: evidence.hash && /^[0-9a-f]{64}$/.test(evidence.hash) ? evidence.hash : null,
  }
}

/** An agent can only vouch for itself: what it says the user said is the agent's word. The same for imported files. */
function roleAllowed(role: EvidenceRole, author: WriteAuthor): EvidenceRole {
  if (role !== 'user' && role !== 'person') return role
  if (author === 'agent') return 'agent'
  return author === 'import' ? 'file' : role
}

function identifier(text: string | null): string | null {
  if (text === null) return null
  const line = cutCodePoints(oneLine(redact(wellFormed(text)).text), MAX_QUOTE_CHARACTERS)
  return line === '' ? null : line
}

/** UTC ISO 8601 to the second, or null when it is no time. */
export function utcSeconds(time: string | null | undefined): string | null {
  if (!time) return null
  const ms = Date.parse(time)
  return Number.isNaN(ms) ? null : isoSeconds(ms)
}

/** What of `more` is not known yet: another message, another role, or other words. */
export function newEvidence(known: readonly Evidence[], more: readonly Evidence[]): Evidence[] {
  const key = ({ session, message, role, hash, quote }: Evidence) => [session, message, role, hash ?? quote].join('\n')
  const keys = new Set(known.map(key))
  return more.filter((evidence) => !keys.has(key(evidence)))
}
