/**
 * Whether the history is kept and sound. Everything but `history`, `diff` and `undo` works without it; switching it off
 * is no fault. Doctor also compares it with the files, and records what it did not know.
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Check, type Config, type Home, homeFiles, isShared } from '../domain/index.ts'
import { messageOf } from '../errors.ts'
import type { NoteHistory } from '../store/notes/history.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import { ok, warning } from './check.ts'
import type { Place } from './place.ts'

export interface HistoryHealthDependencies {
  readonly home: Home
  readonly place: Pick<Place, 'layers'>
  readonly files: Pick<NoteFiles, 'list' | 'withLock'>
  readonly history: NoteHistory
  readonly loaded: { readonly config: Pick<Config, 'history'>; readonly usable: boolean }
}

const AGAIN = 'A new one is begun at the next write; notes are not concerned.'

export async function checkHistory(
  dependencies: HistoryHealthDependencies,
  depth: 'status' | 'doctor',
): Promise<Check[]> {
  const { history, home, loaded } = dependencies
  const reason = history.unavailable()
  if (reason !== null && !loaded.config.history) return [ok('history', reason)]
  if (reason !== null)
    return [warning('history', `not kept: ${reason}; everything else works`, 'Install git, or set `history` to false.')]
  const folder = join(home.directory, homeFiles.history)
  if (existsSync(folder) && !statSync(folder).isDirectory())
    return [warning('history', `not kept: ${folder} is not a folder`, 'Move the file away.')]
  const found = [...(await damagedLayers(dependencies)), ...(depth === 'doctor' ? await caughtUp(dependencies) : [])]
  return found.length > 0 ? found : [ok('history', 'kept')]
}

async function damagedLayers({ history, place }: HistoryHealthDependencies): Promise<Check[]> {
  const checks: Check[] = []
  for (const layer of place.layers().filter((each) => !isShared(each))) {
    const damage = await history.versions.damage(layer).catch(messageOf)
    if (damage !== null) checks.push(warning('history', `of ${layer.key} cannot be read: ${damage}`, AGAIN))
  }
  return checks
}

/** What was changed outside, or could not be recorded when it was written. */
async function caughtUp({ history, files, place, home, loaded }: HistoryHealthDependencies): Promise<Check[]> {
  const checks: Check[] = []
  if (!home.writable || home.id === null || !loaded.usable) return checks
  for (const layer of place.layers().filter((each) => !isShared(each))) {
    const listing = await files.list(layer)
    if (listing.state !== 'ok' || listing.files.length === 0) continue
    const recorded = await files
      .withLock(layer, {}, (locked) => history.catchUp(locked))
      .catch(() => {
        // Locked or read-only: the next write or refresh compares again.
        return false
      })
    if (recorded) checks.push(ok('history', `changes of ${layer.key} that it did not know are recorded now`))
  }
  return checks
}
