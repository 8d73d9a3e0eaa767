/**
 * A session note as text and back. A section holds facts (bullets of one line, derived from the transcript) and, behind a
 * mark, what a model told. What must stay true: all ten headings stand, in order, whatever the conversation said, because
 * facts are single lines that begin with `- ` and told words were freed of headings before they came here.
 */
import { type SessionNoteSection, sessionNoteSections } from '../domain/index.ts'
import { isFenceLine } from './text-blocks.ts'

export interface NoteHead {
  /** `<agent>:<native id>` */
  readonly session: string
  /** UTC ISO 8601. */
  readonly updated: string
  /** Path of the transcript that it was made from. */
  readonly transcript: string
  /** Bytes of the transcript: what was said before is never read (it was forgotten), and how far the facts read. */
  readonly since: number
  readonly readTo: number
  /** How far a model was asked about it. */
  readonly askedTo: number
}

export interface NoteSection {
  readonly facts: readonly string[]
  /** Markdown of a model; empty without one. */
  readonly told: string
}

export type NoteSections = Readonly<Record<SessionNoteSection, NoteSection>>

export interface SessionNote {
  readonly head: NoteHead
  readonly sections: NoteSections
}

export const TOLD_MARK = '<!-- told by a model -->'

export function emptySections(): NoteSections {
  return sectionsFrom(() => ({ facts: [], told: '' }))
}

export function sectionsFrom(make: (section: SessionNoteSection) => NoteSection): NoteSections {
  // Evidence: every section is made.
  return Object.fromEntries(sessionNoteSections.map((name) => [name, make(name)])) as NoteSections
}

export function hasWords(sections: NoteSections): boolean {
  return Object.values(sections).some(({ facts, told }) => facts.length > 0 || told !== '')
}

/** Values of the head are JSON, which is YAML too. */
export function formatNote({ head, sections }: SessionNote): string {
  const { session, updated, transcript, since, readTo, askedTo } = head
  const fields = { session, updated, transcript, since, read_to: readTo, asked_to: askedTo }
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  const bodies = sessionNoteSections.map((name) => formatSection(name, sections[name]))
  return `---\n${lines.join('\n')}\n---\n\n${bodies.join('\n')}`
}

export function formatSection(name: SessionNoteSection, { facts, told }: NoteSection): string {
  const parts = [facts.join('\n'), told === '' ? '' : `${TOLD_MARK}\n\n${told}`].filter((part) => part !== '')
  return `# ${name}\n${parts.map((part) => `\n${part}\n`).join('')}`
}

/** Null for what is no note of ours: it is written anew. */
export function readNote(text: string): SessionNote | null {
  const [, header, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? []
  const head = header === undefined ? null : readHead(header)
  if (!head || body === undefined) return null
  const bodies = sectionBodies(body)
  return { head, sections: sectionsFrom((name) => readSection(bodies.get(name) ?? '')) }
}

function readHead(header: string): NoteHead | null {
  const fields = new Map(header.split('\n').map((line) => [line.split(':', 1)[0] ?? '', jsonOf(line)]))
  const [session, updated, transcript] = ['session', 'updated', 'transcript'].map((name) => fields.get(name))
  const [since, readTo, askedTo] = ['since', 'read_to', 'asked_to'].map((name) => fields.get(name))
  if (typeof session !== 'string' || typeof updated !== 'string' || typeof transcript !== 'string') return null
  if (!isOffset(since) || !isOffset(readTo) || !isOffset(askedTo) || Number.isNaN(Date.parse(updated))) return null
  return { session, updated, transcript, since, readTo, askedTo }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line.slice(line.indexOf(':') + 1))
  } catch {
    // Changed by hand: the note is no longer one of ours.
    return null
  }
}

function isOffset(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function sectionBodies(body: string): ReadonlyMap<string, string> {
  const names: readonly string[] = sessionNoteSections
  const bodies = new Map<string, string>()
  let current: string | null = null
  let fence: string | null = null
  for (const line of body.split('\n')) {
    const heading: string | null = fence === null && line.startsWith('# ') ? line.slice(2) : null
    if (heading !== null && names.includes(heading)) current = heading
    else if (current !== null) bodies.set(current, `${bodies.get(current) ?? ''}${line}\n`)
    fence = isFenceLine(line, fence)
  }
  return bodies
}

function readSection(body: string): NoteSection {
  const [facts = '', ...told] = body.split(`\n${TOLD_MARK}\n`)
  return {
    facts: facts.split('\n').filter((line) => line.startsWith('- ')),
    told: told.join('\n').trim(),
  }
}
