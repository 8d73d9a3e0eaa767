/** Where a line of an older text stands in a newer one. Pure. */

/** Cells of the table that compares two stretches line by line; beyond, only lines that are there once are matched. */
const MAX_CELLS = 1_000_000

/** Counted from 1; null where the line is gone or was changed. */
export function mapLine(before: readonly string[], now: readonly string[], line: number): number | null {
  const at = line - 1
  if (at < 0 || at >= before.length) return null
  let head = 0
  while (head < before.length && head < now.length && before[head] === now[head]) head++
  if (at < head) return line
  let tail = 0
  const mostTail = Math.min(before.length, now.length) - head
  while (tail < mostTail && before[before.length - 1 - tail] === now[now.length - 1 - tail]) tail++
  if (at >= before.length - tail) return line + now.length - before.length
  const [old, fresh] = [before.slice(head, before.length - tail), now.slice(head, now.length - tail)]
  const found =
    old.length * fresh.length <= MAX_CELLS ? byTable(old, fresh, at - head) : byRarity(old, fresh, at - head)
  return found === null ? null : found + head + 1
}

/** The longest common run of lines. */
function byTable(old: readonly string[], fresh: readonly string[], wanted: number): number | null {
  const width = fresh.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = fresh.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        old[row] === fresh[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  let [row, column] = [0, 0]
  while (row < old.length && column < fresh.length) {
    if (old[row] === fresh[column]) {
      if (row === wanted) return column
      row++
      column++
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      if (row === wanted) return null
      row++
    } else column++
  }
  return null
}

function byRarity(old: readonly string[], fresh: readonly string[], wanted: number): number | null {
  const line = old[wanted]
  const isAlone = (lines: readonly string[]) => lines.indexOf(line ?? '') === lines.lastIndexOf(line ?? '')
  const found = line === undefined || !isAlone(old) || !isAlone(fresh) ? -1 : fresh.indexOf(line)
  return found < 0 ? null : found
}
