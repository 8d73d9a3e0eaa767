/**
 * What the conversation still shows, derived from our own blocks in the transcript (spec I2): no counters are kept, so
 * a compaction resets it by itself.
 */
import type { ShownBlock } from '../domain/index.ts'
import { utf8Bytes } from '../util/index.ts'

export interface Shown {
  /** Versions (`<id>@<first 8 of hash>`) whose body stands in the conversation. */
  readonly versions: ReadonlySet<string>
  /** Ids of which some version stands there, with the name that it had. */
  readonly ids: ReadonlyMap<string, string>
  /** Names on lines of the start block. */
  readonly names: ReadonlySet<string>
  /** Names already reported as forgotten. */
  readonly forgotten: ReadonlySet<string>
  /** Whether it was told what had been kept in the background. */
  readonly toldKept: boolean
  /** UTF-8 bytes of all turn blocks. */
  readonly turnBytes: number
  /** When the newest start block was given, ISO 8601; null when there is none, or nothing says. */
  readonly startTime: string | null
}

/** How the line about notes that were kept in the background begins. */
export const KEPT_OPENING = 'Kept in the background since the last session: '
export const FORGOTTEN_OPENING = 'Forgotten since this session began: '

/** Lines of a note's own words that would be read as ours; one space before them and they are not. */
export const likeOurOwn =
  /^(?:### .*\([0-9A-Za-z:_-]{6,80}@[0-9a-f]{8},|Forgotten since this session began: |Kept in the background since the last session: )/gm

/** A version of a note, as written in the heading of a turn block entry. */
export function versionOf(id: string, hash: string): string {
  return `${id}@${hash.slice(0, 8)}`
}

export function readShown(blocks: readonly ShownBlock[]): Shown {
  const versions = new Set<string>()
  const ids = new Map<string, string>()
  const names = new Set<string>()
  const forgotten = new Set<string>()
  let turnBytes = 0
  for (const { kind, text } of blocks) {
    if (kind === 'turn') turnBytes += utf8Bytes(text)
    for (const match of text.matchAll(/^### (.*) \((([0-9A-Za-z:_-]{6,80})@[0-9a-f]{8}),/gm)) {
      versions.add(match[2] ?? '')
      ids.set(match[3] ?? '', match[1] ?? '')
    }
    if (kind === 'start')
      for (const match of text.matchAll(/^- ([^\n]{1,200}?)(?:: |(?: \(\d{4}-\d\d-\d\d\))?$)/gm))
        names.add(match[1] ?? '')
    for (const match of text.matchAll(new RegExp(`^${FORGOTTEN_OPENING}(.+)$`, 'gm'))) forgotten.add(match[1] ?? '')
  }
  const toldKept = blocks.some(({ kind, text }) => kind === 'turn' && text.includes(`\n${KEPT_OPENING}`))
  const startTime = blocks.findLast(({ kind }) => kind === 'start')?.time ?? null
  return { versions, ids, names, forgotten, toldKept, turnBytes, startTime }
}
