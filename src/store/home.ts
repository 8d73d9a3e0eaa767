/**
 * The home folder (spec S7). Opening never creates anything; the first write calls `ensureHome`. A home written by a
 * newer Keepsake opens read-only.
 */
import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Clock, HOME_FORMAT, type Home, homeFiles, type IdSource, isoSeconds } from '../domain/index.ts'
import { MemoryError, systemCode } from '../errors.ts'
import { isUlid } from '../util/index.ts'
import { writeWholeFile } from './notes/atomic-write.ts'

export interface HomeEffects {
  readonly clock: Clock
  readonly ids: IdSource
}

/**
 * Looks at the folder; `newest` is the highest format that can be written. Throws HOME_INVALID when it is no folder, or
 * its home.json is damaged or someone else's.
 */
export async function openHome(directory: string, newest: number = HOME_FORMAT): Promise<Home> {
  const home = resolve(directory)
  if (!isFolderOrMissing(home))
    throw invalid(home, `${home} is not a folder`, 'Move the file away or name another home.')
  const text = readHomeJson(home)
  if (text === null) return { directory: home, id: null, format: HOME_FORMAT, writable: true }
  const { id, format } = parseHomeJson(home, text, newest)
  return { directory: home, id, format, writable: format <= newest }
}

/** Makes the folder (0700) and home.json (0600) when they are missing; safe when several processes do so at once. */
export async function ensureHome(home: Home, effects: HomeEffects): Promise<Home> {
  if (!home.writable) throw newerHome(home)
  if (home.id !== null) return home
  const content = { format: HOME_FORMAT, id: effects.ids.next(), created: isoSeconds(effects.clock.now()) }
  const bytes = new TextEncoder().encode(`${JSON.stringify(content, null, 2)}\n`)
  await writeWholeFile(join(home.directory, homeFiles.home), bytes, { exclusive: true })
  const opened = await openHome(home.directory)
  if (!opened.writable) throw newerHome(opened)
  return opened
}

/** The error for a write into a home of a newer format. */
export function newerHome(home: Home): MemoryError {
  return new MemoryError('HOME_FORMAT_NEWER', `The home ${home.directory} was written by a newer Keepsake`, {
    hint: 'Update Keepsake; reading goes on meanwhile.',
    data: { home: home.directory, format: home.format },
  })
}

function isFolderOrMissing(home: string): boolean {
  try {
    return statSync(home).isDirectory()
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return true
    if (systemCode(error) === 'ENOTDIR') return false
    throw invalid(home, `Cannot look at ${home}`, 'Check the permissions of the folder.', error)
  }
}

function readHomeJson(home: string): string | null {
  try {
    return readFileSync(join(home, homeFiles.home), 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw invalid(home, `Cannot read ${homeFiles.home} in ${home}`, 'Check the permissions of the file.', error)
  }
}

function parseHomeJson(home: string, text: string, newest: number): { id: string; format: number } {
  const foreign = (cause?: unknown) =>
    invalid(
      home,
      `${join(home, homeFiles.home)} is damaged or not ours`,
      'Restore it from a backup, or move it away: notes are kept and a new one is made at the next write.',
      cause,
    )
  let content: unknown
  try {
    content = JSON.parse(text.replace(/^\u{FEFF}/u, ''))
  } catch (error) {
    throw foreign(error)
  }
  if (typeof content !== 'object' || content === null || !('format' in content) || !('id' in content)) throw foreign()
  const { format, id } = content
  if (typeof format !== 'number' || !Number.isInteger(format) || format < 1) throw foreign()
  // A newer format may name homes another way; ours is a ULID.
  if (typeof id !== 'string' || (format <= newest && !isUlid(id))) throw foreign()
  return { id, format }
}

function invalid(home: string, message: string, hint: string, cause?: unknown): MemoryError {
  return new MemoryError('HOME_INVALID', message, { hint, data: { home }, cause })
}
