/**
 * Differences of two versions, line by line, as bytes: nothing is decoded, so line ends and odd bytes stay as they are.
 * Pure. Used to show a change, and to take a change out of a file that has changed since.
 */

/** Lines from `start` (counted from 0) up to `end` of the old side are replaced by `lines`. */
export interface Hunk {
  readonly start: number
  readonly end: number
  readonly lines: readonly string[]
}

/** Beyond this many cells the middle is one hunk: bounded work on any input. */
const MAX_CELLS = 4_000_000

/** Lines with their line ends, one character per byte. */
export function linesOf(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return text.match(/[^\n]*\n|[^\n]+/g) ?? []
}

export function bytesOfLines(lines: readonly string[]): Uint8Array {
  return Uint8Array.from(Buffer.from(lines.join(''), 'latin1'))
}

/** In order, none touching another. */
export function hunksBetween(old: readonly string[], next: readonly string[]): Hunk[] {
  let head = 0
  while (head < old.length && head < next.length && old[head] === next[head]) head++
  let tail = 0
  const room = Math.min(old.length, next.length) - head
  while (tail < room && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail++
  const oldMiddle = old.slice(head, old.length - tail)
  const nextMiddle = next.slice(head, next.length - tail)
  if (oldMiddle.length === 0 && nextMiddle.length === 0) return []
  const kept = oldMiddle.length * nextMiddle.length > MAX_CELLS ? [] : commonLines(oldMiddle, nextMiddle)
  return hunksAround(oldMiddle.length, nextMiddle, kept).map((hunk) => ({
    ...hunk,
    start: hunk.start + head,
    end: hunk.end + head,
  }))
}

/** A longest common subsequence as pairs of positions, in order. */
function commonLines(old: readonly string[], next: readonly string[]): [number, number][] {
  const width = next.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = next.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        old[row] === next[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  const pairs: [number, number][] = []
  for (let row = 0, column = 0; row < old.length && column < next.length; ) {
    if (old[row] === next[column]) pairs.push([row++, column++])
    else if (at(row + 1, column) >= at(row, column + 1)) row++
    else column++
  }
  return pairs
}

function hunksAround(oldLength: number, next: readonly string[], kept: readonly [number, number][]): Hunk[] {
  const hunks: Hunk[] = []
  let [start, from] = [0, 0]
  for (const [row, column] of [...kept, [oldLength, next.length] as const]) {
    if (row > start || column > from) hunks.push({ start, end: row, lines: next.slice(from, column) })
    start = row + 1
    from = column + 1
  }
  return hunks
}

/**
 * `current` without what turned `before` into `after`: the later words stay. Null when a later change touches the same
 * lines or the lines next to them.
 */
export function reverseChange(versions: {
  readonly current: Uint8Array
  readonly after: Uint8Array
  readonly before: Uint8Array
}): Uint8Array | null {
  const base = linesOf(versions.after)
  const back = hunksBetween(base, linesOf(versions.before))
  const later = hunksBetween(base, linesOf(versions.current))
  const isFree = back.every((one) => later.every((other) => one.end < other.start || other.end < one.start))
  if (!isFree) return null
  const hunks = [...back, ...later].sort((one, other) => one.start - other.start)
  const merged: string[] = []
  let at = 0
  for (const { start, end, lines } of hunks) {
    merged.push(...base.slice(at, start), ...lines)
    at = end
  }
  return bytesOfLines([...merged, ...base.slice(at)])
}

/**
 * What turns `base` into `next`, at the places that it has in `current`, which came from `base` too: in order, none
 * touching another. What `current` did already is left out. Null when `current` changed the same lines or the lines next
 * to them.
 */
export function rebaseHunks(versions: {
  readonly base: readonly string[]
  readonly next: readonly string[]
  readonly current: readonly string[]
}): Hunk[] | null {
  const later = hunksBetween(versions.base, versions.current)
  const isThere = (one: Hunk) => later.some((other) => isSameHunk(one, other))
  const wanted = hunksBetween(versions.base, versions.next).filter((hunk) => !isThere(hunk))
  if (!wanted.every((one) => later.every((other) => one.end < other.start || other.end < one.start))) return null
  return wanted.map((hunk) => {
    const before = later.filter(({ end }) => end < hunk.start)
    const shift = before.reduce((sum, { start, end, lines }) => sum + lines.length - (end - start), 0)
    return { ...hunk, start: hunk.start + shift, end: hunk.end + shift }
  })
}

function isSameHunk(one: Hunk, other: Hunk): boolean {
  if (one.start !== other.start || one.end !== other.end || one.lines.length !== other.lines.length) return false
  return one.lines.every((line, index) => line === other.lines[index])
}

/** Lines around a change that are shown with it. */
const CONTEXT_LINES = 3

/** Unified lines without file names; `\r` at line ends is not shown. Empty when nothing differs. */
export function unifiedDiff(before: Uint8Array | null, after: Uint8Array | null): string[] {
  const old = shownLines(before)
  const next = shownLines(after)
  const shown: string[] = []
  let shift = 0
  for (const group of grouped(hunksBetween(old, next))) {
    const [first, last] = [group[0], group.at(-1)]
    if (!first || !last) continue
    const from = Math.max(0, first.start - CONTEXT_LINES)
    const to = Math.min(old.length, last.end + CONTEXT_LINES)
    const grown = group.reduce((sum, { start, end, lines }) => sum + lines.length - (end - start), 0)
    shown.push(`@@ -${rangeOf(from, to - from)} +${rangeOf(from + shift, to - from + grown)} @@`)
    let at = from
    for (const { start, end, lines } of group) {
      shown.push(...old.slice(at, start).map((line) => ` ${line}`))
      shown.push(...old.slice(start, end).map((line) => `-${line}`), ...lines.map((line) => `+${line}`))
      at = end
    }
    shown.push(...old.slice(at, to).map((line) => ` ${line}`))
    shift += grown
  }
  return shown
}

/** As other tools print it: a range of no lines is named by the line before it. */
function rangeOf(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`
}

/** Hunks whose surroundings touch are shown as one. */
function grouped(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = []
  for (const hunk of hunks) {
    const last = groups.at(-1)?.at(-1)
    if (last && hunk.start - last.end <= 2 * CONTEXT_LINES) groups.at(-1)?.push(hunk)
    else groups.push([hunk])
  }
  return groups
}

function shownLines(bytes: Uint8Array | null): string[] {
  if (bytes === null || bytes.length === 0) return []
  const lines = new TextDecoder().decode(bytes).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => line.replace(/\r$/, ''))
}
