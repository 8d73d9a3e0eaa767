/** The place that notes are read from, as precedence needs it (spec S5). Reads links, and the day of the last refresh. */
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { homeFiles, type ProjectResolution } from '../../domain/index.ts'
import { writeWholeFile } from './atomic-write.ts'
import { isInside, realPath } from './listing.ts'
import type { Here } from './precedence.ts'

export interface PlaceRead {
  readonly home: string
  readonly cwd: string
  readonly resolution: ProjectResolution
}

/** Outside a project, and for a folder that is gone, nothing is narrowed out. */
export function hereOf({ home, cwd, resolution }: PlaceRead): Here {
  const root = resolution.kind === 'none' ? null : realPath(resolution.workingTree)
  const folder = root === null ? null : realPath(cwd)
  const within = root !== null && folder !== null && isInside(root, folder) ? relative(root, folder).split(sep) : []
  return { within: within.filter((segment) => segment !== ''), day: readRefreshDay(home) }
}

/** Day of the last refresh, by which dates of expiry are judged: so a block is the same on any day until the next one. */
export function readRefreshDay(home: string): string | null {
  try {
    return /^\d{4}-\d\d-\d\d$/.exec(readFileSync(join(home, homeFiles.refreshDay), 'utf8').trim())?.[0] ?? null
  } catch {
    // Never refreshed, or a file that cannot be read: then no date has passed.
    return null
  }
}

/** `day`: `YYYY-MM-DD`. */
export async function recordRefreshDay(home: string, day: string): Promise<void> {
  if (readRefreshDay(home) === day) return
  await writeWholeFile(join(home, homeFiles.refreshDay), new TextEncoder().encode(`${day}\n`))
}
