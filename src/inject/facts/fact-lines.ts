/** One line of the facts view: masked, judged, escaped where no fence does it, cut on a grapheme, at its size in the block. */
import { estimateTokenCount } from 'tokenx'
import { escapeFenced } from '../../guard/index.ts'
import { labelOf, oneLine, utf8Bytes } from '../../util/index.ts'
import { createSafeTexts, cutOutsideCode, type SafeTexts, type Taken } from '../start-lines.ts'
import { categoryOf, confidenceOf, type FactNote } from './fact-note.ts'

/** UTF-8 bytes of what is known: a name and a description as MEMORY.md allows them in English. */
const MAX_TEXT_BYTES = 400
/** Texts that are judged together before they are asked for; a block of the largest size shows about as many. */
const JUDGED_AT_ONCE = 64

export interface FactLine extends Taken {
  readonly note: FactNote
  /** As it stands in the block, its line break included. */
  readonly tokens: number
}

/** `notes`: those that will be asked for, in about this order. */
export function createFactLines(notes: readonly FactNote[]): (note: FactNote) => FactLine {
  const texts = createSafeTexts()
  const known = new Map<FactNote, FactLine>()
  const places = new Map(notes.map((note, place) => [note, place]))
  return (note) => {
    const made = known.get(note)
    if (made) return made
    const place = places.get(note) ?? 0
    texts.judge(
      notes
        .slice(place, place + JUDGED_AT_ONCE)
        .flatMap((each) => Object.values(piecesOf(each)).map((piece): [FactNote, string] => [each, piece])),
    )
    const line = lineFrom(note, safePieces(note, texts))
    known.set(note, line)
    return line
  }
}

/** What is known, and what to avoid; each is judged alone, because words behind "avoid" pass for a warning, and joined. */
function piecesOf(note: FactNote) {
  const where = note.appliesTo.length === 0 ? '' : ` [${oneLine(note.appliesTo.join(', '))}]`
  const known = `${labelOf(note)}${where}`
  return note.wrong === null ? { known } : { known, wrong: note.wrong, joined: `${known} ${note.wrong}` }
}

function safePieces(note: FactNote, texts: SafeTexts): { readonly known: string; readonly wrong: string | null } {
  const { known, wrong, joined } = piecesOf(note)
  const safe = texts.of(note, known)
  if (wrong === undefined || joined === undefined) return { known: safe, wrong: null }
  const safeWrong = texts.of(note, wrong)
  return { known: safe, wrong: texts.of(note, joined) === `${safe} ${safeWrong}` ? safeWrong : null }
}

function lineFrom(
  note: FactNote,
  { known, wrong }: { readonly known: string; readonly wrong: string | null },
): FactLine {
  const head = `- [${categoryOf(note)} | ${confidenceOf(note).toFixed(2)}] `
  const avoid = wrong === null ? '' : ` (avoid: ${wrong})`
  const date = note.voice === 'rule' || note.updated === null ? '' : ` (${note.updated.slice(0, 10)})`
  const isCut = utf8Bytes(known) > MAX_TEXT_BYTES
  const line = `${head}${isCut ? `${cutOutsideCode(known, MAX_TEXT_BYTES)}…` : known}${avoid}${date}`
  const inBlock = escapeFenced(line)
  // Facts and quoted words are escaped by their fence.
  const text = note.voice === 'rule' ? inBlock : line
  return { note, text, bytes: utf8Bytes(inBlock) + 1, tokens: estimateTokenCount(`${inBlock}\n`), form: 'line', isCut }
}
