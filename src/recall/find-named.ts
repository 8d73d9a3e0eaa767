/**
 * Conversations by name (spec R8): exact tag, part of a tag, title, branch, summary. A name is what was asked for as a
 * whole; a question whose words merely occur in a title is a search by words.
 */
import type { Session, SessionFind } from '../domain/index.ts'
import { foldText } from '../store/search-index/analyse.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import { oneLine } from '../util/index.ts'

/** Newest conversations whose names are looked at; older ones are found by their words. */
const MAX_LOOKED_AT = 2_000
/** UTF-16 units: what is longer is no name. */
const MAX_NAME_LENGTH = 120

export interface NamedSession {
  readonly session: Session
  readonly foundBy: Exclude<SessionFind, 'text' | 'meaning' | 'time'>
}

/** Best find first, newest first among equals. */
export function findNamed(store: SessionStore, project: string | null, asked: string): NamedSession[] {
  const name = comparable(asked.replace(/["“”「」『』]/gu, ' '))
  if (name === '' || asked.length > MAX_NAME_LENGTH) return []
  const found: Record<NamedSession['foundBy'], NamedSession[]> = {
    tag: [],
    'part of a tag': [],
    title: [],
    branch: [],
    summary: [],
  }
  let after: Parameters<SessionStore['sessions']>[0]['after']
  for (let looked = 0; looked < MAX_LOOKED_AT; ) {
    const page = store.sessions({ projects: [project], limit: 1_000, after })
    for (const session of page.sessions) {
      const foundBy = findOf(session, name)
      if (foundBy) found[foundBy].push({ session, foundBy })
    }
    looked += page.sessions.length
    if (page.omitted === 0 || page.last === null) break
    after = page.last
  }
  return Object.values(found).flat()
}

function findOf({ tags, title, branch, summary }: Session, name: string): NamedSession['foundBy'] | null {
  const folded = tags.map(comparable)
  if (folded.includes(name)) return 'tag'
  if (isTooShort(name)) return null
  if (folded.some((tag) => tag.includes(name))) return 'part of a tag'
  const holds = (text: string | null) => text !== null && holdsName(comparable(text), name)
  return holds(title) ? 'title' : holds(branch) ? 'branch' : holds(summary) ? 'summary' : null
}

function comparable(text: string): string {
  return oneLine(foldText(text)).toLowerCase()
}

/** One letter is part of everything; one character of Chinese is a word. */
function isTooShort(name: string): boolean {
  return /^[\u0000-\u024f]{0,2}$/.test(name)
}

/** At the beginning of a word, so that "art" is not found in "start"; where words have no spaces, anywhere. */
function holdsName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? ' '
    if (!/[a-z0-9]/u.test(before) || !/^[a-z0-9]/u.test(name)) return true
  }
  return false
}
