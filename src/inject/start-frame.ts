/**
 * What a block costs beside the lines of its notes: guidance, headings, labels, fences and counts. The widest dialect of a
 * language decides, so that the same notes stand in each.
 */
import { estimateTokenCount } from 'tokenx'
import { escapeFenced } from '../guard/index.ts'
import { utf8Bytes } from '../util/index.ts'
import { type Dialect, MAX_GUIDANCE_TOKENS } from './dialects/dialect.ts'
import type { Taken } from './start-lines.ts'
import { isEntry, type StartNote } from './start-note.ts'
import { type JudgedRest, NO_REST_TAKEN, type RestTaken } from './start-rest.ts'
import { CLOSING, type Content, type Labels, OPENING, renderSections } from './start-sections.ts'

/** Of a line between two entries of the profile. */
const BETWEEN_TOKENS = 2

export interface Framed {
  /** Notes that may stand in it. */
  readonly notes: readonly StartNote[]
  readonly labels: Labels
  readonly total: number
  readonly rest: JudgedRest
}

/** A block of one dialect. */
export function renderBlock(dialect: Dialect, content: Content): string {
  return [OPENING, dialect.guidance, ...renderSections(dialect, content), CLOSING].join('\n')
}

/** UTF-8 bytes around the notes, of the widest dialect. */
export interface Around {
  readonly guidance: number
  /** All that these notes can need: headings, labels, fences, counts. */
  readonly frame: number
}

export function widestAround(dialects: readonly Dialect[], framed: Framed): Around {
  const content = emptyContent(framed)
  const guidance = Math.max(...dialects.map((dialect) => utf8Bytes(dialect.guidance)))
  const whole = Math.max(...dialects.map((dialect) => utf8Bytes(renderBlock(dialect, content))))
  return { guidance, frame: whole - guidance }
}

/** Tokens of the widest block that holds this. */
export function widestTokens(dialects: readonly Dialect[], { taken, ...content }: Content): number {
  // As a fence writes them: each tag in a fact costs more there.
  const lines = estimateTokenCount(escapeFenced(taken.map(({ text }) => text).join('\n')))
  const kinds = onePerKind(taken)
  const frames = new Set(
    dialects.map((dialect) => [OPENING, ...renderSections(dialect, { ...content, taken: kinds }), CLOSING].join('\n')),
  )
  const frame = Math.max(...[...frames].map((text) => estimateTokenCount(text)))
  const bodies = taken.filter(({ form }) => form === 'body').length
  return MAX_GUIDANCE_TOKENS + frame + lines + bodies * BETWEEN_TOKENS
}

/** Every heading, label and fence that they can need, and the counts at their longest. */
function emptyContent({ notes, labels, total, rest }: Framed): Content {
  const lines = notes.flatMap((note) =>
    isEntry(note) ? [emptyLine(note, 'body'), emptyLine(note, 'line')] : [emptyLine(note, 'line')],
  )
  const cutPins = notes.filter(({ pinned }) => pinned).length
  return {
    taken: onePerKind(lines),
    labels,
    counts: { shown: Math.max(0, total - 1), total, cutPins },
    rest: emptyRest(rest),
  }
}

function emptyLine(note: StartNote, form: Taken['form']): Taken {
  return { note, text: '', bytes: 0, form, isCut: false }
}

/** One of each heading that they stand under, without words. */
function onePerKind(taken: readonly Taken[]): Taken[] {
  const kinds = new Map<string, Taken>()
  for (const { note, form } of taken)
    kinds.set(`${note.voice} ${note.layer} ${note.type === 'user'} ${form}`, emptyLine(note, form))
  return [...kinds.values()]
}

function emptyRest({ session, summary, more, skills }: JudgedRest): RestTaken {
  if (session === null && summary.length + skills.length === 0) return NO_REST_TAKEN
  return {
    session: session && { ...session, line: '' },
    summary: summary.length > 0 ? [{ line: '', note: '' }] : [],
    skills: skills.length > 0 ? [''] : [],
    left: { summary: summary.length + more, skills: skills.length },
  }
}
