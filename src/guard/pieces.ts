/**
 * Which of many short pieces a text holds. Every text that is shown is looked at for some eight hundred pieces, and
 * nearly all are absent: the pairs of characters in the text are marked once, and a piece whose pairs are not marked
 * needs no search. Must stay true: the answer is that of `text.includes(piece)`.
 */

/** A piece and the marks that each text with it has. */
export interface Piece {
  readonly text: string
  readonly first: number
  readonly last: number
}

const MARKS = 4_096
/** Stands for a piece of one character, which has no pair. */
const NO_PAIR = -1

function markOf(left: number, right: number): number {
  return (left * 31 + right) % MARKS
}

export function toPiece(text: string): Piece {
  if (text.length < 2) return { text, first: NO_PAIR, last: NO_PAIR }
  const end = text.length - 1
  return {
    text,
    first: markOf(text.charCodeAt(0), text.charCodeAt(1)),
    last: markOf(text.charCodeAt(end - 1), text.charCodeAt(end)),
  }
}

/** Looks into one text. */
export function createLook(text: string): (piece: Piece) => boolean {
  const marks = new Uint8Array(MARKS)
  let left = text.charCodeAt(0)
  for (let index = 1; index < text.length; index++) {
    const right = text.charCodeAt(index)
    marks[markOf(left, right)] = 1
    left = right
  }
  return ({ text: piece, first, last }) =>
    (first === NO_PAIR || (marks[first] === 1 && marks[last] === 1)) && text.includes(piece)
}

/** True when the text of the look holds one of the pieces. */
export function holdsOne(look: (piece: Piece) => boolean, pieces: readonly Piece[]): boolean {
  for (const piece of pieces) if (look(piece)) return true
  return false
}
