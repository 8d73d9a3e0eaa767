/** All anchors of a text, in its order; what is part of another one is left out. Pure. */
import type { Anchor } from './anchor.ts'
import { findPaths } from './find-paths.ts'
import { proseOf } from './prose.ts'

/** `root` is what absolute paths are cut by. */
export function findAnchors(body: string, root: string | null): Anchor[] {
  const prose = proseOf(body)
  const taken: Anchor[] = []
  for (const anchor of [...findPaths(prose, root)])
    if (!taken.some((each) => anchor.at < each.end && each.at < anchor.end)) taken.push(anchor)
  return unique(taken.sort((one, other) => one.at - other.at))
}

/** The same words twice are one anchor. */
function unique(anchors: readonly Anchor[]): Anchor[] {
  const seen = new Set<string>()
  return anchors.filter(({ kind, text }) => {
    const key = `${kind} ${text}`
    return seen.has(key) ? false : seen.add(key)
  })
}
