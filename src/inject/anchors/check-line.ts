/**
 * Lines of files. What stood on the line when the note was written is looked up in the history, and looked for now.
 * Without history a number holds only where the note itself quotes what stands there.
 */
import type { LineAnchor } from './anchor.ts'
import { type Check, changed, gone, holds, NO_ANCHOR, notCheckable, notChecked, type Outcome } from './check.ts'
import { checkPath, isUntouched } from './check-path.ts'
import { mapLine } from './map-line.ts'

/** A shorter quotation stands on many lines. */
const MIN_QUOTE = 5

export async function checkLine(anchor: LineAnchor, check: Check): Promise<Outcome> {
  const { path, isSure } = anchor
  const { look, past } = check
  if (look.tree.entryAt(path) !== 'file') {
    const outcome = await checkPath({ ...anchor, kind: 'path' }, check)
    // A path that leaves out its beginning was found: which of its lines is meant cannot be told without it.
    return outcome !== NO_ANCHOR && outcome.verdict === 'holds' ? notCheckable() : outcome
  }
  const now = look.textNow(path)?.split('\n')
  if (now === undefined) return isSure ? notCheckable() : NO_ANCHOR
  const tooShort = gone(`the file has ${lineCount(now)} lines`)
  const quoted = byQuote(anchor, now, check)
  if (quoted !== null) return quoted
  const isLongEnough = anchor.to <= lineCount(now)
  if (!look.tree.hasHistory) return isLongEnough ? notCheckable() : tooShort
  if (isLongEnough && isUntouched(path, check)) return holds()
  if (!isLongEnough) check.tell(tooShort)
  const then = await past.at(path)
  if (look.signal.aborted) return notChecked
  const before = then?.entry?.kind === 'file' ? then.entry.text?.split('\n') : undefined
  if (before === undefined || anchor.to > lineCount(before)) return isLongEnough ? notCheckable() : tooShort
  return compare(anchor, before, now)
}

function compare({ from, to }: LineAnchor, before: readonly string[], now: readonly string[]): Outcome {
  const [first, last] = [mapLine(before, now, from), mapLine(before, now, to)]
  if (first === null || last === null) return changed('what stood there was changed')
  for (let line = from; line <= to; line++)
    if (mapLine(before, now, line) !== first + line - from) return changed('what stood there was changed')
  if (first === from) return holds()
  return changed(to === from ? `line ${first} now` : `lines ${first}-${last} now`)
}

/** A line break at the end begins no line. */
function lineCount(lines: readonly string[]): number {
  return lines.at(-1) === '' ? lines.length - 1 : lines.length
}

function byQuote({ from, to }: LineAnchor, now: readonly string[], { sentence }: Check): Outcome | null {
  const quotes = [...sentence.matchAll(/`([^`\n]+)`|"([^"\n]+)"|“([^”\n]+)”/g)]
    .map((match) => (match[1] ?? match[2] ?? match[3] ?? '').trim())
    .filter((quote) => quote.length >= MIN_QUOTE && /[^\w./:#-]/.test(quote))
  for (const quote of quotes) {
    const found = now.flatMap((line, at) => (line.includes(quote) ? [at + 1] : []))
    if (found.some((line) => line >= from && line <= to)) return holds()
    if (found.length === 1) return changed(`line ${found[0]} now`)
  }
  return null
}
