/**
 * Which paths of a home a backup holds. Everything that is not named here is kept, so that what a later version adds is
 * not forgotten. The same rule is asked of an archive: what no backup of ours would hold is refused.
 *
 * Of a history repository only what git cannot make anew is kept: its configuration, hooks and attributes could name
 * programs, so they are never taken from an archive (the next write makes ours again).
 */
import { homeFiles } from '../../domain/index.ts'

/** Derived (index.db), of this machine and moment (locks, logs), or a copy already. */
const leftTopNames = new Set<string>([
  homeFiles.indexDb,
  homeFiles.locks,
  homeFiles.logs,
  homeFiles.failures,
  homeFiles.startBlocks,
])
const databases = [homeFiles.indexDb, homeFiles.sessionsDb, homeFiles.stateDb] as const
const companions = ['-wal', '-shm', '-journal']
const repositoryParts = new Set(['HEAD', 'packed-refs', 'objects', 'refs'])

/** `path` is below the home, `/` separated. */
export function isKeptPath(path: unknown): path is string {
  if (typeof path !== 'string' || path === '') return false
  const parts = path.split('/')
  const [top = '', second, third] = parts
  if (parts.some((part) => isWorkFile(part))) return false
  if (leftTopNames.has(top) || isCompanion(top)) return false
  if (top.startsWith(`${homeFiles.indexDb}.`) || top.startsWith(BEFORE_FORMAT)) return false
  if (top === homeFiles.history && second !== undefined) return isRepositoryPath(second, third, parts)
  return true
}

/** Begins the name of the copy that a migration makes in the home. */
export const BEFORE_FORMAT = 'before-format-'

function isRepositoryPath(repository: string, part: string | undefined, parts: readonly string[]): boolean {
  // Layers of projects lie one folder deeper: history/projects/<key>.git.
  if (!repository.endsWith('.git')) return part === undefined || isRepositoryPath(part, parts[3], parts.slice(1))
  if (part === undefined) return true
  if (!repositoryParts.has(part)) return false
  return !(part === 'objects' && parts[3] === 'info') && !parts.some((each) => each.endsWith('.lock'))
}

function isWorkFile(part: string): boolean {
  return (
    part.toLowerCase() === '.git' ||
    part.startsWith('.keepsake-temp-') ||
    part.endsWith('.tmp') ||
    part.includes('.partial-')
  )
}

function isCompanion(name: string): boolean {
  return databases.some((database) => companions.some((end) => name === `${database}${end}`))
}
