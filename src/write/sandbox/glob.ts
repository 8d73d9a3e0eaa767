/** Paths by pattern, without a regular expression: a model could write one that never ends. Linear but for its stars. */

/** `*` any characters but `/`, `**` any, `?` one that is no `/`. */
export function matchesGlob(path: string, pattern: string): boolean {
  const signs = [...pattern]
  // Which places of the pattern may stand before the next character of the path.
  let open = closure(new Set([0]), signs)
  for (const character of path) {
    const next = new Set<number>()
    for (const at of open) {
      const sign = signs[at]
      if (sign === undefined) continue
      if (sign === '*') {
        if (character !== '/' || isDouble(signs, at)) next.add(at)
      } else if (sign === '?' ? character !== '/' : sign === character) next.add(at + 1)
    }
    open = closure(next, signs)
  }
  return open.has(signs.length)
}

/** A star may stand for nothing. */
function closure(places: Set<number>, signs: readonly string[]): Set<number> {
  for (const at of places) if (signs[at] === '*') places.add(at + 1)
  return places
}

function isDouble(signs: readonly string[], at: number): boolean {
  return signs[at - 1] === '*' || signs[at + 1] === '*'
}
