/**
 * Finds words in a body as a person sees them: composed and decomposed letters are one, CRLF is a line break, and where
 * nothing matches so, any white space is a space. The places found are those of the stored text, which is not changed.
 * Places may overlap: `aaa` stands twice in `aaaa`. A place never cuts a character in two. Pure.
 */
import { graphemes } from '../../util/index.ts'
import type { EntryRange } from './entries.ts'

/** Places that are looked for in one text; more than one is ambiguous anyway. */
const MAX_PLACES = 100

export function findText(text: string, wanted: string): readonly EntryRange[] {
  for (const form of [asWritten, inOneLine]) {
    const needle = form(wanted).trim()
    if (needle === '') return []
    // Cheap, and most texts end here.
    if (!form(text).includes(needle)) continue
    const found = placesIn(viewOf(text, form), needle)
    if (found.length > 0) return found
  }
  return []
}

/** Equal for texts that are the same to the letter, whatever their ends of line and Unicode form. */
export function asWritten(text: string): string {
  return text.replace(/\r\n?/g, '\n').normalize('NFC')
}

function inOneLine(text: string): string {
  return asWritten(text).replace(/\s+/g, ' ')
}

interface View {
  readonly text: string
  /** For each unit of `text` the place in the stored text where a character begins there, else -1; and the end. */
  readonly starts: readonly number[]
}

function viewOf(stored: string, form: (text: string) => string): View {
  const starts: number[] = []
  let text = ''
  let offset = 0
  for (const grapheme of graphemes(stored)) {
    const shown = form(grapheme)
    const piece = shown === ' ' && form === inOneLine && text.endsWith(' ') ? '' : shown
    for (let unit = 0; unit < piece.length; unit++) starts.push(unit === 0 ? offset : -1)
    text += piece
    offset += grapheme.length
  }
  return { text, starts: [...starts, offset] }
}

function placesIn({ text, starts }: View, needle: string): EntryRange[] {
  const places: EntryRange[] = []
  for (let at = text.indexOf(needle); at !== -1 && places.length < MAX_PLACES; at = text.indexOf(needle, at + 1)) {
    const start = starts[at] ?? -1
    const end = starts[at + needle.length] ?? -1
    if (start !== -1 && end !== -1) places.push({ start, end })
  }
  return places
}
