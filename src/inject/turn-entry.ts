/** One note as it stands in a turn block: heading, what a reader must know before the words, and the words. */
import {
  type AnchorVerdict,
  ageOf,
  freshnessWarning,
  type Language,
  type LayerName,
  type NoteType,
  type Voice,
  workaroundWarning,
} from '../domain/index.ts'
import { checkedLines, escapeFenced, safeText } from '../guard/index.ts'
import { cutGraphemes, cutMarkdown, oneLine, utf8Bytes } from '../util/index.ts'
import { likeOurOwn, versionOf } from './shown.ts'

/** One note in a turn block (spec I2): lines and UTF-8 bytes of its body. */
const MAX_NOTE_LINES = 200
const MAX_NOTE_BYTES = 4_096
const MAX_NAME_GRAPHEMES = 120

export interface TurnNote {
  readonly id: string
  readonly hash: string
  readonly name: string
  readonly type: NoteType
  readonly voice: Voice
  readonly layer: LayerName
  readonly updated: string | null
  readonly body: string
  /** Days from which on it is told to be checked first. */
  readonly warnFromDays: number
  /** What a look at the working tree said, just now. */
  readonly verdicts: readonly AnchorVerdict[]
}

export interface Entry {
  readonly note: TurnNote
  readonly text: string
  readonly mark: string | null
}

export interface EntryOptions {
  readonly nowMs: number
  readonly language: Language
  readonly mark: string | null
}

export function entryOf(note: TurnNote, { nowMs, language, mark }: EntryOptions): Entry {
  const { voice, updated } = note
  const safe = safeText(note.body.trim(), `note ${oneLine(note.name)}`).text
  const text = [
    headingOf(note, nowMs, mark),
    ...[voice === 'rule' ? null : freshnessWarning(updated, nowMs, { fromDays: note.warnFromDays, language })],
    ...[workaroundWarning({ text: safe, updated, verdicts: note.verdicts }, nowMs, language)],
    ...checkedLines(note, 'agent'),
    bounded(safe.replace(likeOurOwn, ' $&'), note),
  ]
    .filter((line) => line !== null)
    .join('\n')
  // Facts and quoted words are escaped by their fence.
  return { note, mark, text: voice === 'rule' ? escapeFenced(text) : text }
}

/** A rule of the user does not grow stale by itself: it has its date, and no words that invite to doubt it (spec I4). */
function headingOf(note: TurnNote, nowMs: number, mark: string | null): string {
  const { id, hash, type, layer, updated, voice } = note
  const name = cutGraphemes(oneLine(safeText(note.name, 'note name').text), MAX_NAME_GRAPHEMES)
  const age = ageOf(updated, nowMs)
  const when = voice === 'rule' && updated !== null && age !== 'undated' ? updated.slice(0, 10) : age
  const facts = [versionOf(id, hash), type, layer, when, ...(mark ? [mark] : [])]
  return `### ${name} (${facts.join(', ')})`
}

/** Within its lines and bytes as they stand in the block: escapes count. */
function bounded(text: string, { id }: TurnNote): string {
  let maxBytes = MAX_NOTE_BYTES
  let short = cutMarkdown(text, { maxLines: MAX_NOTE_LINES, maxBytes })
  for (let over = sizeOver(short); over > 0; over = sizeOver(short)) {
    maxBytes = Math.min(maxBytes - over, Math.floor(maxBytes * 0.9))
    short = cutMarkdown(text, { maxLines: MAX_NOTE_LINES, maxBytes: Math.max(0, maxBytes) })
  }
  if (short.length === text.length) return text
  return `${short === '' ? '' : `${short}\n`}[cut here; memory_get "${id}" has the rest]`
}

function sizeOver(text: string): number {
  return text === '' ? 0 : utf8Bytes(escapeFenced(text)) - MAX_NOTE_BYTES
}
