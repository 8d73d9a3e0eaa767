/**
 * Parts of a text in which words are names, not times: code, links, paths, and a quoted lone word (a mention: the
 * column "today"). They stay as they are.
 */
export interface Range {
  readonly start: number
  readonly end: number
}

const patterns: readonly RegExp[] = [
  /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gm,
  /(?<!`)(`{1,2})(?!`)[^\n]{0,400}?[^`\n]\1(?!`)/g,
  /\b[a-z][a-z\d+.-]{1,15}:\/\/[^\s<>"'「」“”，。；）]+/gi,
  /(?:~|\.{1,2})?\/[\w.@-]+(?:\/[\w.@-]+)+/g,
  /(?<![\p{L}\p{N}])(?:"[\p{L}\p{N}_.-]{1,24}"|“[\p{L}\p{N}_.-]{1,24}”|'[\w.-]{1,24}'|「[\p{L}\p{N}_.-]{1,24}」|『[\p{L}\p{N}_.-]{1,24}』)/gu,
]

/** Sorted ranges without overlaps. */
export function protectedRanges(text: string): Range[] {
  const found = patterns
    .flatMap((pattern) =>
      [...text.matchAll(pattern)].map(({ index, 0: hit }) => ({ start: index, end: index + hit.length })),
    )
    .sort((a, b) => a.start - b.start)
  const merged: Range[] = []
  for (const range of found) {
    const last = merged.at(-1)
    if (last && range.start <= last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) }
    else merged.push(range)
  }
  return merged
}

/** Whether any of the sorted `ranges` touches the given one. */
export function isProtected(ranges: readonly Range[], start: number, end: number): boolean {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.end ?? 0) <= start) low = middle + 1
    else high = middle
  }
  const next = ranges[low]
  return next !== undefined && next.start < end
}
