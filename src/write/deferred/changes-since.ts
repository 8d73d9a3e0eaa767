/** What changed in the notes since the last pass, from their history: by whomever, but for the passes themselves. */
import { safeText } from '../../guard/index.ts'
import type { Commit, Version } from '../../store/notes/history-port.ts'
import { maskedDiff } from '../../store/notes/masked-diff.ts'
import type { NoteRoot } from '../sandbox/index.ts'
import type { PassPlace } from './types.ts'

/** Who writes in a pass, for history and proposals. */
export const PASS_AUTHOR = 'keepsake'

/** Commits of one layer that are looked at, files that are shown, lines of each. */
const MAX_COMMITS = 200
const MAX_FILES = 40
const MAX_LINES = 60

/** Layer key to the id of its last commit. */
export type Base = Readonly<Record<string, string>>

/** All that comes is new. */
const NO_COMMIT = ''

export interface ChangesSince {
  /** What to compare with the next time. */
  readonly base: Base
  /** One difference for each file, masked; empty at the first pass, which sees the notes themselves. */
  readonly differences: readonly string[]
  /** Files that are not shown. */
  readonly omitted: number
}

export async function changesSince(place: PassPlace, last: Base | null): Promise<ChangesSince> {
  const base: Record<string, string> = {}
  const differences: string[] = []
  if (place.history.unavailable() !== null) return { base: last ?? {}, differences, omitted: 0 }
  for (const root of place.roots) {
    const commits = await place.history.versions.log(root.layer, { limit: MAX_COMMITS })
    base[root.layer.key] = commits[0]?.id ?? NO_COMMIT
    const since = last?.[root.layer.key]
    if (since !== undefined) differences.push(...(await differencesOf(place, root, { commits, since })))
  }
  return { base, differences: differences.slice(0, MAX_FILES), omitted: Math.max(0, differences.length - MAX_FILES) }
}

async function differencesOf(
  { history }: PassPlace,
  { name, layer }: NoteRoot,
  { commits, since }: { readonly commits: readonly Commit[]; readonly since: string },
): Promise<string[]> {
  const until = commits.findIndex(({ id }) => id === since)
  const newer = commits.slice(0, until < 0 ? commits.length : until).filter(({ author }) => author !== PASS_AUTHOR)
  const files = new Map<string, { before: Version | null; after: Version | null }>()
  // Oldest first: the first state before and the last one after.
  for (const { id } of newer.toReversed())
    for (const { file, before, after } of await history.versions.versions(layer, id))
      files.set(file, { before: files.get(file)?.before ?? before, after })
  return [...files].flatMap(([file, { before, after }]) => {
    // What is gone may have been forgotten: nobody is shown its words again.
    const lines = after === null ? [] : maskedDiff(before, after)
    if (lines.length === 0) return []
    const what = before === null ? 'new' : 'changed'
    const more = lines.length > MAX_LINES ? [`(${lines.length - MAX_LINES} more lines)`] : []
    const { text } = safeText(lines.slice(0, MAX_LINES).join('\n'), 'difference')
    return [[`${name}/${file} (${what})`, text, ...more].join('\n')]
  })
}
