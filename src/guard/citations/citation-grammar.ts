/**
 * What a citation block looks like (spec I7): ours, one note on a line, and Codex's own. Owns how its lines are read, with
 * all the ways in which models write them a little differently. Must stay true: a reference is what the block says;
 * whether there is such a note is for others to find out.
 */

export type CitationTag = 'keepsake-cite' | 'oai-mem-citation'

export const citationTags: readonly CitationTag[] = ['keepsake-cite', 'oai-mem-citation']

/** UTF-16 units between the tags. What is longer is prose between two tags, and a stream must not wait for it. */
export const MAX_BLOCK_LENGTH = 8_000
/** Units of one line. */
export const MAX_LINE_LENGTH = 500
const MAX_LINES = 100

/** The notes that the inside of a block names, each once, in order; null when it is none. */
export function referencesIn(tag: CitationTag, inside: string): readonly string[] | null {
  const lines = inside.split(/\r\n|[\r\n]/)
  if (inside.length > MAX_BLOCK_LENGTH || lines.length > MAX_LINES) return null
  if (lines.some((line) => line.length > MAX_LINE_LENGTH)) return null
  const found = tag === 'keepsake-cite' ? ownReferences(lines) : nativeReferences(inside)
  return found && [...new Set(found.filter((reference) => reference !== ''))]
}

/** Null when a line says nothing. */
function ownReferences(lines: readonly string[]): string[] | null {
  const found = lines.filter((line) => line.trim() !== '').map(withoutMarks)
  return found.every((line) => /[\p{L}\p{N}]/u.test(line))
    ? found.flatMap((line) => idsOf(line) ?? [entryPath(line)])
    : null
}

/** Several ids on one line, or an id with words behind it: the ids. */
function idsOf(line: string): string[] | null {
  const words = line.split(/[\s,，、;；]+/u).filter(Boolean)
  if (words.length > 1 && words.every((word) => /^[0-9A-HJKMNP-TV-Z]{6,26}$/i.test(word) && /\d/.test(word)))
    return words
  const id = /^([0-9A-HJKMNP-TV-Z]{26})(?![0-9A-Za-z])/i.exec(line)?.[1]
  return id === undefined ? null : [id]
}

/** Lines of `<citation_entries>`; threads (`<rollout_ids>`, formerly `<thread_ids>`) are no notes. Null without either. */
function nativeReferences(inside: string): string[] | null {
  const entries = sectionsOf(inside, 'citation_entries')
  const hasThreads = ['rollout_ids', 'thread_ids'].some((name) => sectionsOf(inside, name).length > 0)
  if (entries.length === 0 && !hasThreads) return null
  return entries.flatMap((section) => section.split(/[\r\n]+/)).map((line) => entryPath(withoutMarks(line)))
}

function sectionsOf(inside: string, name: string): string[] {
  return [...inside.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, text = '']) => text)
}

/**
 * `MEMORY.md:12-19|note=[login loop fix]` to the path, read from the right: the note may hold anything, a path may hold
 * colons, and lines are left out where they were left out.
 */
function entryPath(entry: string): string {
  const note = Math.max(...NOTE_MARKS.map((mark) => entry.lastIndexOf(mark)))
  const place = (note === -1 ? entry : entry.slice(0, note)).trimEnd()
  return withoutQuotes(place.replace(/(?<=\.\w{1,8})\s*[:：]\s*L?\d+(?:\s*[-–—－~～]\s*L?\d+)?$/u, ''))
}

const NOTE_MARKS = ['|note=[', '｜note=[', '|note=［', '｜note=［', '|note=【', '｜note=【']

/** Without what a list or a link puts around it. */
function withoutMarks(line: string): string {
  return withoutQuotes(line.trim().replace(/^(?:[-*+•]|\d{1,3}[.)])\s+/u, ''))
}

function withoutQuotes(text: string): string {
  const inner = /^(?:`+(.*?)`+|\[\[(.*?)\]\]|"(.*?)"|「(.*?)」|《(.*?)》|“(.*?)”)[,，]?$/su.exec(text.trim())
  return (inner?.slice(1).find((part) => part !== undefined) ?? text).trim()
}
