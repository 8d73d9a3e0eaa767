/** Whether a file is still the one it was. Pure. */

/** Fewer lines than this say nothing by their share. */
const FEW_LINES = 4
/** The share of its old lines that a file must have kept; git calls it a rename down to the same share. */
const KEPT_SHARE = 0.5

/** True when fewer than half of the old lines are left. Lines without words do not count. */
export function isRewritten(before: string, now: string): boolean {
  const old = substantialLines(before)
  const left = new Map<string, number>()
  for (const line of substantialLines(now)) left.set(line, (left.get(line) ?? 0) + 1)
  let kept = 0
  for (const line of old) {
    const count = left.get(line) ?? 0
    if (count === 0) continue
    left.set(line, count - 1)
    kept++
  }
  return old.length < FEW_LINES ? old.length > 0 && kept === 0 : kept / old.length < KEPT_SHARE
}

function substantialLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\w.*\w.*\w|[\p{Script=Han}]/u.test(line))
}
