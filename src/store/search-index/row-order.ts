/** The total order of hits. Texts are compared by code point, which is how SQLite compares UTF-8. */

export function compareText(left: string, right: string): number {
  if (left === right) return 0
  const ours = left[Symbol.iterator]()
  const theirs = right[Symbol.iterator]()
  for (;;) {
    const a = ours.next()
    const b = theirs.next()
    if (a.done || b.done) return a.done ? (b.done ? 0 : -1) : 1
    const difference = (a.value.codePointAt(0) ?? 0) - (b.value.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
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
