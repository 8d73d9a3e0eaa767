/** Tags of a conversation: a person's words, kept in sessions.db, in lower case, masked, few. */
import type { SessionTagInput, SessionTagResult } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { isSecretOnly, redact, scanThreats } from '../guard/index.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import { cutGraphemes, normaliseForComparison, wellFormed } from '../util/index.ts'

const MAX_TAGS = 20
const MAX_TAG_GRAPHEMES = 60

export function tagSession(store: SessionStore, session: string, { tags, remove }: SessionTagInput): SessionTagResult {
  if (tags.length === 0 || tags.length > MAX_TAGS) throw invalid(`Give 1 to ${MAX_TAGS} tags.`)
  const masked = new Set<string>()
  const wanted = tags.map((tag) => {
    const { text, kinds } = redact(wellFormed(tag))
    for (const kind of kinds) masked.add(kind)
    return admitTag(text)
  })
  let changed = false
  const now = store.changeTags(session, (known) => {
    const next = remove ? known.filter((tag) => !wanted.includes(tag)) : [...new Set([...known, ...wanted])]
    if (next.length > MAX_TAGS)
      throw invalid(`A session has at most ${MAX_TAGS} tags; take one away with --remove first.`)
    changed = next.length !== known.length
    return next
  })
  return { session, tags: now, changed, masked: [...masked] }
}

/** How a tag is kept and looked for. */
export function comparableTag(tag: string): string {
  return normaliseForComparison(wellFormed(tag))
}

function admitTag(text: string): string {
  const tag = comparableTag(text)
  if (tag === '' || /\p{Cc}/u.test(tag)) throw invalid('A tag is a word or a few, on one line.')
  if (cutGraphemes(tag, MAX_TAG_GRAPHEMES) !== tag) throw invalid(`A tag has at most ${MAX_TAG_GRAPHEMES} characters.`)
  if (isSecretOnly(text)) throw invalid('A secret is no tag.')
  const [threat] = scanThreats(tag)
  if (threat) throw invalid(`This tag matches ${threat.id} of the threat scan.`)
  return tag
}

function invalid(message: string): MemoryError {
  return new MemoryError('INPUT_INVALID', message, { hint: 'Nothing was changed.', data: { field: 'tags' } })
}
