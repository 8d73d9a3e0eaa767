/** The sentence or line around a place in a text: what a note says of an anchor stands there. Pure. */

/** A point ends a sentence where white space follows, not inside a path or a version. */
const ends = /[.!?;](?=\s|$)|[。！？；\n]/g

export function sentenceAround(body: string, { at, end }: { readonly at: number; readonly end: number }): string {
  let from = 0
  let to = body.length
  for (const match of body.matchAll(ends)) {
    if (match.index < at) from = match.index + 1
    else if (match.index >= end) {
      to = match.index
      break
    }
  }
  return body.slice(from, to)
}
