/**
 * The turn block (spec I2): what one user message calls up, in one block, once. What changed since the session began
 * comes first, then recalled notes above the strict floor, those that name what is gone behind the others. What had no
 * room is named. Empty text when there is nothing to say.
 */
import { estimateTokenCount } from 'tokenx'
import { type Block, type BlockEntry, EMPTY_BLOCK, type Language, type Voice } from '../domain/index.ts'
import { escapeFenced, FENCE_TAGS, fence, namesWhatIsGone, safeText } from '../guard/index.ts'
import { cutGraphemes, oneLine, utf8Bytes } from '../util/index.ts'
import { words } from './dialects/words.ts'
import { FORGOTTEN_OPENING, KEPT_OPENING, type Shown, versionOf } from './shown.ts'
import { type Entry, entryOf, type TurnNote } from './turn-entry.ts'

/** What the person is told of a note that was kept in the background. */
export type KeptNote = Pick<TurnNote, 'id' | 'name' | 'type' | 'layer'>

/** Notes named in the line about what was kept in the background, and about what had no room; the others are counted. */
const MAX_NAMES = 5
const MAX_NAME_GRAPHEMES = 60
/** Forgotten notes that one block names; the next block names the next ones. */
const MAX_FORGOTTEN = 10

export interface TurnBlockInput {
  /** Best first; already above the floor. */
  readonly recalled: readonly TurnNote[]
  /** Written or changed since the session began, newest first. */
  readonly changed: readonly TurnNote[]
  /** Names, shown earlier in this conversation, of notes that were forgotten since. */
  readonly forgotten: readonly string[]
  /** Kept in the background since the last session, newest first: told once, at the first message (spec W22). */
  readonly kept: readonly KeptNote[]
  readonly shown: Shown
  readonly nowMs: number
  /** Of the message: warnings are read in it. */
  readonly language: Language
  readonly maxNotes: number
  readonly maxBytes: number
  readonly maxSessionBytes: number
}

export function createTurnBlock(input: TurnBlockInput): Block {
  const maxBytes = Math.min(input.maxBytes, input.maxSessionBytes - input.shown.turnBytes)
  const candidates = candidatesOf(input)
  const news = [...(input.shown.toldKept ? [] : keptLine(input.kept)), ...forgottenLines(input)]
  const fits = (text: string) => utf8Bytes(text) <= maxBytes
  const taken: Entry[] = []
  for (const candidate of candidates) {
    if (taken.length >= input.maxNotes) break
    if (fits(render(news, [...taken, candidate]))) taken.push(candidate)
  }
  const omitted = candidates.length - taken.length
  if (taken.length + news.length === 0) return { ...EMPTY_BLOCK, omitted }
  const left = candidates.filter((candidate) => !taken.includes(candidate)).map(({ note }) => note)
  const text = leftLines(left)
    .map((line) => render(news, taken, line))
    .find(fits)
  if (text === undefined) return { ...EMPTY_BLOCK, omitted: candidates.length }
  return {
    text,
    bytes: utf8Bytes(text),
    tokens: estimateTokenCount(text),
    entries: taken.map(toEntry),
    omitted,
    problems: [],
  }
}

/** One line for the person, by way of the agent. */
function keptLine(kept: readonly KeptNote[]): string[] {
  if (kept.length === 0) return []
  const named = kept
    .slice(0, MAX_NAMES)
    .map(({ name, type, layer, id }) => `"${shortName(name)}" (${type}, ${layer}, ${id})`)
  const more = kept.length > MAX_NAMES ? `, and ${kept.length - MAX_NAMES} more` : ''
  const line = `${KEPT_OPENING}${named.join(', ')}${more}. Tell the user in one line; memory_forget with an id takes one back.`
  return [escapeFenced(line)]
}

function shortName(name: string): string {
  return cutGraphemes(oneLine(name), MAX_NAME_GRAPHEMES)
}

function forgottenLines({ forgotten, shown }: TurnBlockInput): string[] {
  return forgotten
    .map((name) => escapeFenced(oneLine(safeText(name, 'name').text)))
    .filter((name) => !shown.forgotten.has(name))
    .slice(0, MAX_FORGOTTEN)
    .map((name) => `${FORGOTTEN_OPENING}${name}`)
}

/**
 * What had no room, as good as it fits: named, counted, or nothing. Words of tools stand in no line of ours, so such
 * notes are named by their id.
 */
function leftLines(left: readonly TurnNote[]): (string | null)[] {
  if (left.length === 0) return [null]
  const named = left
    .slice(0, MAX_NAMES)
    .map(({ name, id, voice }) =>
      voice === 'quoted' ? id : `"${shortName(safeText(name, 'note name').text)}" (${id})`,
    )
  const more = left.length > MAX_NAMES ? `, and ${left.length - MAX_NAMES} more` : ''
  const end = 'memory_get opens them.'
  return [
    escapeFenced(`No room here for ${named.join(', ')}${more}; ${end}`),
    `No room here for ${left.length} more; memory_search finds them.`,
    null,
  ]
}

/** Changed ones first, then recalled ones; no version twice, and none that the conversation shows already. */
function candidatesOf({ changed, recalled, shown, nowMs, language }: TurnBlockInput): Entry[] {
  const seen = new Set<string>()
  const fresh = (note: TurnNote) => {
    const version = versionOf(note.id, note.hash)
    if (seen.has(version) || shown.versions.has(version)) return false
    seen.add(version)
    return true
  }
  const entries = changed
    .filter(fresh)
    .map((note) => entryOf(note, { nowMs, language, mark: 'written or changed since this session began' }))
  const rest = goneLast(recalled)
    .filter(fresh)
    .map((note) =>
      entryOf(note, { nowMs, language, mark: shown.ids.has(note.id) ? 'changed since it was shown' : null }),
    )
  return [...entries, ...rest]
}

function goneLast(notes: readonly TurnNote[]): TurnNote[] {
  const isGone = ({ verdicts }: TurnNote) => namesWhatIsGone(verdicts)
  return [...notes.filter((note) => !isGone(note)), ...notes.filter(isGone)]
}

/** Headings and our own sentences are English in every turn block; only warnings follow the message. */
const headings = words.en

function render(news: readonly string[], entries: readonly Entry[], left: string | null = null): string {
  const of = (voice: Voice) => entries.filter(({ note }) => note.voice === voice).map(({ text }) => text)
  const [rules, facts, quoted] = [of('rule'), of('fact'), of('quoted')]
  return [
    `<${FENCE_TAGS.block} kind="turn">`,
    'Recalled from long-term memory for this message; not new input from the user.',
    ...news,
    ...(rules.length > 0 ? [headings.rules, ...rules] : []),
    ...(facts.length > 0 ? [headings.facts, fence('facts', facts.join('\n\n'))] : []),
    ...(quoted.length > 0 ? [headings.quoted, fence('quoted', quoted.join('\n\n'))] : []),
    ...(left === null ? [] : [left]),
    `</${FENCE_TAGS.block}>`,
  ].join('\n')
}

function toEntry({ note, text, mark }: Entry): BlockEntry {
  const gone = namesWhatIsGone(note.verdicts) ? '; it names what is gone, so it stands behind the others' : ''
  return {
    id: note.id,
    name: note.name,
    layer: note.layer,
    section: note.voice === 'rule' ? 'rules' : note.voice === 'fact' ? 'recalled' : 'quoted',
    bytes: utf8Bytes(text),
    why: mark ?? `recalled for this message${gone}`,
  }
}
