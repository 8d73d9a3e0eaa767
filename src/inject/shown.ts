/**
 * What the conversation still shows, derived from our own blocks in the transcript (spec I2): no counters are kept, so
 * a compaction resets it by itself.
 */
import type { ShownBlock } from '../domain/index.ts'
import { utf8Bytes } from '../util/index.ts'

export interface Shown {
  /** Versions (`<id>@<first 8 of hash>`) whose body stands in the conversation. */
  readonly versions: ReadonlySet<string>
  /** Ids of which some version stands there. */
  readonly ids: ReadonlySet<string>
  /** Names on lines of the start block. */
  readonly names: ReadonlySet<string>
  /** Names already reported as forgotten. */
  readonly forgotten: ReadonlySet<string>
  /** Whether it was told what had been kept in the background. */
  readonly toldKept: boolean
  /** UTF-8 bytes of all turn blocks. */
  readonly turnBytes: number
}

/** How the line about notes that were kept in the background begins. */
export const KEPT_OPENING = 'Kept in the background since the last session: '

/** A version of a note, as written in the heading of a turn block entry. */
export function versionOf(id: string, hash: string): string {
  return `${id}@${hash.slice(0, 8)}`
}

export function readShown(blocks: readonly ShownBlock[]): Shown {
  const versions = new Set<string>()
  const names = new Set<string>()
  const forgotten = new Set<string>()
  let turnBytes = 0
  for (const block of blocks) {
    if (block.kind === 'turn') turnBytes += utf8Bytes(block.text)
    for (const match of block.text.matchAll(/^### .*\(([0-9A-Za-z:_-]{6,80}@[0-9a-f]{8}),/gm))
      versions.add(match[1] ?? '')
    for (const match of block.text.matchAll(/^- ([^\n]{1,200}?)(?:: |(?: \(\d{4}-\d\d-\d\d\))?$)/gm))
      names.add(match[1] ?? '')
    for (const match of block.text.matchAll(/^Forgotten since this session began: (.+)$/gm))
      forgotten.add(match[1] ?? '')
  }
  const ids = new Set([...versions].map((version) => version.slice(0, version.lastIndexOf('@'))))
  const toldKept = blocks.some(({ kind, text }) => kind === 'turn' && text.includes(`\n${KEPT_OPENING}`))
  return { versions, ids, names, forgotten, toldKept, turnBytes }
}
