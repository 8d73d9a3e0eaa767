/** All anchors of a text, in its order. Pure. */
import type { Anchor } from './anchor.ts'
import { findCommands } from './find-commands.ts'
import { findConfig } from './find-config.ts'
import { findLines } from './find-lines.ts'
import { findPaths } from './find-paths.ts'
import { findRefs } from './find-refs.ts'
import { findSymbols } from './find-symbols.ts'
import { findVersions } from './find-versions.ts'
import { proseOf } from './prose.ts'

/** Ways to read the same words, the likeliest first: the next one counts where the tree knows nothing of the one before. */
export type Readings = readonly [Anchor, ...Anchor[]]

/** `root` is what absolute paths are cut by. */
export function findAnchors(body: string, root: string | null): Readings[] {
  const prose = proseOf(body)
  const paths = findPaths(prose, root)
  const lines = findLines(prose, paths)
  const all: Anchor[] = [
    ...lines,
    ...findCommands(prose, root),
    ...findVersions(prose).sort((one, other) => Number(other.isSure) - Number(one.isSure)),
    ...findRefs(prose),
    ...paths,
    ...findConfig(prose, paths),
    ...findSymbols(prose, paths),
  ]
  return unique(readings(all)).sort(([one], [other]) => one.at - other.at)
}

/** What overlaps a sure reading is part of it; what overlaps an unsure one is another way to read it. */
function readings(all: readonly Anchor[]): Readings[] {
  const taken: [Anchor, ...Anchor[]][] = []
  for (const anchor of all) {
    const others = taken.filter(([first]) => anchor.at < first.end && first.at < anchor.end)
    if (others.length === 0) taken.push([anchor])
    else if (others.every((each) => !each.some(({ isSure }) => isSure))) others[0]?.push(anchor)
  }
  return taken
}

/** The same words twice are one anchor. */
function unique(all: readonly Readings[]): Readings[] {
  const seen = new Set<string>()
  return all.filter(([{ kind, text }]) => {
    const key = `${kind} ${text}`
    return seen.has(key) ? false : seen.add(key)
  })
}
