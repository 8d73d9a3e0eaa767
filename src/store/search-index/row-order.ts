/** The total order of hits. Texts are compared by code point, which is how SQLite compares UTF-8. */

export function compareText(left: string, right: string): number {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  let at = 0
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at++
  if (at === length) return left.length - right.length
  const [ours, theirs] = [left.charCodeAt(at), right.charCodeAt(at)]
  // Halves of a pair (D800-DFFF) stand for characters above every other one.
  const isHalf = (unit: number) => unit >= 0xd800 && unit <= 0xdfff
  if (isHalf(ours) !== isHalf(theirs)) return isHalf(ours) ? 1 : -1
  return ours - theirs
}

interface PlacedNote {
  readonly updated: string | null
  readonly layer: string
  readonly file: string
}

/** Newest `updated` first (undated last), then layer, then file. */
export function compareNotes(left: PlacedNote, right: PlacedNote): number {
  return (
    compareText(right.updated ?? '', left.updated ?? '') ||
    compareText(left.layer, right.layer) ||
    compareText(left.file, right.file)
  )
}

interface PlacedMessage {
  readonly session: string
  readonly ordinal: number
}

export function compareMessages(left: PlacedMessage, right: PlacedMessage): number {
  return compareText(left.session, right.session) || left.ordinal - right.ordinal
}
