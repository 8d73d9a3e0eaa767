/** The sentences of a text: what a note says of an anchor stands in the one around it. Pure. */

export interface Range {
  readonly at: number
  readonly end: number
}

/** A point ends a sentence where white space follows, not inside a path or a version, and not after "e.g.". */
const ends = /(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx))[.!?;](?=\s|$)|[。！？；\n]/g

export function sentencesOf(body: string): Range[] {
  const ranges: Range[] = []
  let at = 0
  for (const match of body.matchAll(ends)) {
    ranges.push({ at, end: match.index })
    at = match.index + 1
  }
  return [...ranges, { at, end: body.length }]
}

export function sentenceAround(body: string, { at, end }: Range): string {
  const around = sentencesOf(body).filter((range) => range.at < end && at <= range.end)
  const [first, last] = [around[0], around.at(-1)]
  return first === undefined || last === undefined ? body : body.slice(first.at, last.end)
}
