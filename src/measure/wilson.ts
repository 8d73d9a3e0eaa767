/** Shares and their intervals, as reports carry them: four digits, null of nothing. */
export type Share = number | null
export type Interval = readonly [number, number] | null

export function shareOf(count: number, of: number): Share {
  return of === 0 ? null : round(count / of)
}

/** Wilson's interval of a share, 95 %. */
export function wilson(count: number, of: number): Interval {
  if (of === 0) return null
  const z = 1.96
  const share = count / of
  const scale = 1 + z ** 2 / of
  const middle = (share + z ** 2 / (2 * of)) / scale
  const half = (z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))) / scale
  return [round(Math.max(0, middle - half)), round(Math.min(1, middle + half))]
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
