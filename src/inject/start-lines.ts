/**
 * Which notes stand in the start block and how: pinned ones whole while the profile's share lasts, the others as one line
 * each. Shares are UTF-8 bytes as they stand in the block, line breaks included.
 */
import { profileEntry } from '../domain/index.ts'
import { escapeFenced, safeLines } from '../guard/index.ts'
import { cutBytes, labelOf, oneLine, utf8Bytes } from '../util/index.ts'
import { isEntry, type StartNote } from './start-note.ts'

/** A line of the index when space is tight (spec I1), its line break included. */
export const TIGHT_LINE_BYTES = 80
/** A line where there is room: what MEMORY.md allows a name and a description in Chinese, and no more for anybody. */
const MAX_LINE_BYTES = 600
/** Escapes make a line longer than it was cut to; a few steps down always end that. */
const MAX_CUT_STEPS = 40

export interface Taken {
  readonly note: StartNote
  readonly text: string
  readonly bytes: number
  readonly form: 'body' | 'line'
  /** The line was cut. */
  readonly isCut: boolean
}

/** Each text is judged once, however often the block is composed: the guard costs more than all the rest. */
export interface SafeTexts {
  of(note: StartNote, text: string): string
  /** Texts that will be asked for, judged together: that costs a fraction of judging each. */
  judge(texts: readonly (readonly [StartNote, string])[]): void
}

/** Texts judged together, when it is not known how many will be asked for. */
const JUDGED_AT_ONCE = 64

export function createSafeTexts(): SafeTexts {
  const known = new Map<string, string>()
  const judge: SafeTexts['judge'] = (texts) => {
    const lines = texts
      .filter(([, text]) => !known.has(text))
      .map(([{ name, description }, line]) => ({ line, name, description, label: `note ${oneLine(name)}` }))
    if (lines.length === 0) return
    for (const [place, safe] of safeLines(lines).entries()) known.set(lines[place]?.line ?? '', safe)
  }
  return {
    judge,
    of(note, text) {
      if (!known.has(text)) judge([[note, text]])
      return known.get(text) ?? ''
    },
  }
}

/** What a block of these notes will show at most, best first: all of it is judged together before it is asked for. */
export function likelyTexts(notes: readonly StartNote[], maxBytes: number, maxLines: number): [StartNote, string][] {
  const wholes = wholeTexts(notes).filter(([, whole]) => utf8Bytes(whole) <= maxBytes)
  const lines = notes.slice(0, maxLines).map((note): [StartNote, string] => [note, indexText(note)])
  return [...wholes.slice(0, JUDGED_AT_ONCE), ...lines]
}

function wholeTexts(notes: readonly StartNote[]): [StartNote, string][] {
  return notes.flatMap((note): [StartNote, string][] => (isEntry(note) ? [[note, entryOf(note)]] : []))
}

/** A short entry is its own name; it is not said twice. */
function entryOf({ name, body }: StartNote): string {
  const entry = profileEntry(body ?? '')
  return entry === oneLine(name) ? entry : `${name}: ${entry}`
}

/** Pinned notes whole, best first, while they fit; one that does not fit becomes an index line. */
export function takeProfile(notes: readonly StartNote[], share: number, texts: SafeTexts): Taken[] {
  const taken: Taken[] = []
  let used = 0
  // A text that cannot fit need not be judged.
  const possible = wholeTexts(notes).filter(([, whole]) => utf8Bytes(whole) <= share)
  texts.judge(possible.slice(0, JUDGED_AT_ONCE))
  for (const [note, whole] of possible) {
    const text = entryText(note, texts.of(note, whole)).replaceAll('\n', '\n  ')
    const bytes = lineBytes(note, text)
    if (used + bytes > share) continue
    used += bytes
    taken.push({ note, text, bytes, form: 'body', isCut: false })
  }
  return taken
}

/** Every note at its length when that fits, else cut to what gives each the same room; the last ones go when it is tight. */
export function takeIndex(notes: readonly StartNote[], share: number, texts: SafeTexts): Taken[] {
  const whole: Taken[] = []
  let least = 0
  for (const [place, note] of notes.entries()) {
    if (place % JUDGED_AT_ONCE === 0)
      texts.judge(notes.slice(place, place + JUDGED_AT_ONCE).map((each) => [each, indexText(each)]))
    const line = lineOf(note, MAX_LINE_BYTES, texts)
    least += Math.min(line.bytes, TIGHT_LINE_BYTES)
    if (least > share) break
    whole.push(line)
  }
  let maxBytes = evenCut(
    whole.map(({ bytes }) => bytes),
    share,
  )
  let lines = whole.map((line) => cutTo(line, maxBytes, texts))
  for (let step = 0; step < MAX_CUT_STEPS && maxBytes > TIGHT_LINE_BYTES && sumOf(lines) > share; step++) {
    maxBytes = Math.max(TIGHT_LINE_BYTES, Math.floor(maxBytes * 0.95))
    lines = whole.map((line) => cutTo(line, maxBytes, texts))
  }
  return fitting(lines, share)
}

/** The longest length for which all lines fit when none is longer; at least the tight one. */
function evenCut(lengths: readonly number[], share: number): number {
  let left = share
  const sorted = [...lengths].sort((one, other) => one - other)
  for (const [index, length] of sorted.entries()) {
    const even = left / (sorted.length - index)
    if (length > even) return Math.max(TIGHT_LINE_BYTES, Math.floor(even))
    left -= length
  }
  return MAX_LINE_BYTES
}

function fitting(lines: readonly Taken[], share: number): Taken[] {
  const taken: Taken[] = []
  let used = 0
  for (const line of lines) {
    used += line.bytes
    if (used > share) break
    taken.push(line)
  }
  return taken
}

function cutTo(line: Taken, maxBytes: number, texts: SafeTexts): Taken {
  return line.bytes <= maxBytes ? line : lineOf(line.note, maxBytes, texts)
}

function lineOf(note: StartNote, maxBytes: number, texts: SafeTexts): Taken {
  const date = note.voice === 'rule' || note.updated === null ? '' : ` (${note.updated.slice(0, 10)})`
  const whole = entryText(note, texts.of(note, indexText(note)))
  const room = maxBytes - utf8Bytes(date) - 1
  const isCut = utf8Bytes(whole) > room
  const text = `${isCut ? `${cutOutsideCode(whole, room - 3)}…` : whole}${date}`
  return { note, text, bytes: lineBytes(note, text), form: 'line', isCut }
}

/** The words of a note's line, whole: its date and what a tight block cuts are not among them. */
export function indexText(note: Pick<StartNote, 'name' | 'description' | 'appliesTo'>): string {
  const where = note.appliesTo.length === 0 ? '' : ` [${oneLine(note.appliesTo.join(', '))}]`
  return `${labelOf(note)}${where}`
}

/** Cut on a grapheme, and before the marks of a code block that would stay open. */
export function cutOutsideCode(text: string, maxBytes: number): string {
  const cut = cutBytes(text, maxBytes)
  const marks = cut.split('```')
  return (marks.length % 2 === 0 ? marks.slice(0, -1).join('```') : cut).trimEnd()
}

/** A rule stands outside any fence, so it is escaped here; the others are escaped by their fence. */
function entryText(note: StartNote, safe: string): string {
  return `- ${note.voice === 'rule' ? escapeFenced(safe) : safe}`
}

/** Bytes of a line as it will stand in the block, its line break included. */
function lineBytes(note: StartNote, text: string): number {
  return utf8Bytes(note.voice === 'rule' ? text : escapeFenced(text)) + 1
}

export function sumOf(taken: readonly Pick<Taken, 'bytes'>[]): number {
  return taken.reduce((sum, { bytes }) => sum + bytes, 0)
}
