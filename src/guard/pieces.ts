/**
 * Which of many lists of short pieces a text holds one of. Every text that is shown is asked for some eight hundred
 * pieces, and nearly all are absent: the pairs of characters in the text are marked once, a piece whose pairs are not
 * marked needs no search, and a list that many patterns name is asked for once. Must stay true: the answer is that of
 * `pieces.some((piece) => text.includes(piece))`.
 */

/** A piece and the marks that each text with it has. */
export interface Piece {
  readonly text: string
  readonly first: number
  readonly last: number
}

export interface PieceLists {
  /** Distinct lists. */
  readonly lists: readonly (readonly Piece[])[]
  /** For each of the given needs, the numbers of its lists. */
  readonly numbers: readonly (readonly number[])[]
}

const MARKS = 4_096
/** Stands for a piece of one character, which has no pair. */
const NO_PAIR = -1

function markOf(left: number, right: number): number {
  return (left * 31 + right) % MARKS
}

/** Makes the needs of patterns ready: of each list of a pattern, the text must hold a piece. */
export function toPieceLists(needs: readonly (readonly (readonly string[])[])[]): PieceLists {
  const known = new Map<string, number>()
  const lists: (readonly Piece[])[] = []
  const numberOf = (pieces: readonly string[]) => {
    const key = pieces.join('\n')
    const number = known.get(key) ?? lists.push(pieces.map(toPiece)) - 1
    known.set(key, number)
    return number
  }
  return { numbers: needs.map((each) => each.map(numberOf)), lists }
}

function toPiece(text: string): Piece {
  if (text.length < 2) return { text, first: NO_PAIR, last: NO_PAIR }
  const end = text.length - 1
  return {
    text,
    first: markOf(text.charCodeAt(0), text.charCodeAt(1)),
    last: markOf(text.charCodeAt(end - 1), text.charCodeAt(end)),
  }
}

/** Whether the text holds a piece of the list with this number. */
export type ListLook = (list: number) => boolean

export function createListLook(text: string, lists: PieceLists['lists']): ListLook {
  const marks = marksOf(text)
  const known: (boolean | undefined)[] = []
  return (list) => {
    const answer = known[list] ?? holdsOne(text, marks, lists[list] ?? [])
    known[list] = answer
    return answer
  }
}

/** Which of the texts hold a piece of the list with this number; the answer is kept. */
export type HolderLook = (list: number) => ReadonlySet<number>

/**
 * The same for many texts at once, joined by `seam`, a character that is in none of them and in no piece. A search that
 * runs over all of them costs little more than over one.
 */
export function createHolderLook(joined: string, seam: string, lists: PieceLists['lists']): HolderLook {
  const marks = marksOf(joined)
  const ends = endsOf(joined, seam)
  const known: (ReadonlySet<number> | undefined)[] = []
  return (list) => {
    const answer = known[list] ?? holdersOf({ joined, marks, ends }, lists[list] ?? [])
    known[list] = answer
    return answer
  }
}

/** Where each text ends. */
function endsOf(joined: string, seam: string): number[] {
  const ends: number[] = []
  for (let at = joined.indexOf(seam); at !== -1; at = joined.indexOf(seam, at + 1)) ends.push(at)
  return [...ends, joined.length]
}

interface Joined {
  readonly joined: string
  readonly marks: Uint8Array
  readonly ends: readonly number[]
}

function holdersOf({ joined, marks, ends }: Joined, pieces: readonly Piece[]): ReadonlySet<number> {
  const holders = new Set<number>()
  for (const piece of pieces) {
    if (!isMarked(piece, marks)) continue
    let text = 0
    for (let at = joined.indexOf(piece.text); at !== -1; at = joined.indexOf(piece.text, ends[text])) {
      while ((ends[text] ?? joined.length) <= at) text++
      holders.add(text)
    }
  }
  return holders
}

function isMarked({ first, last }: Piece, marks: Uint8Array): boolean {
  return first === NO_PAIR || (marks[first] === 1 && marks[last] === 1)
}

function marksOf(text: string): Uint8Array {
  const marks = new Uint8Array(MARKS)
  let left = text.charCodeAt(0)
  for (let index = 1; index < text.length; index++) {
    const right = text.charCodeAt(index)
    marks[markOf(left, right)] = 1
    left = right
  }
  return marks
}

function holdsOne(text: string, marks: Uint8Array, pieces: readonly Piece[]): boolean {
  return pieces.some((piece) => isMarked(piece, marks) && text.includes(piece.text))
}
