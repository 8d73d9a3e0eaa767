/**
 * Which project a folder belongs to (spec S6): the one resolver that reads and writes share. Resolving writes nothing,
 * anywhere. A project is the canonical repository; outside git the nearest ancestor that is a project, else the folder.
 * The rules by which a recorded repository is matched are in match-project.ts; with `deep: false` (hooks) git is not run.
 */
import { statSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import type { Project, ProjectResolution, ProjectRoot } from '../../domain/index.ts'
import { type GitOptions, readGitFacts } from './git-facts.ts'
import { findRepository, type Repository } from './git-repository.ts'
import { isInside, realPath } from './listing.ts'
import { isSamePlace, matchRepository, oldStoreNotice, placeOf } from './match-project.ts'
import { readProjects } from './project-json.ts'

export interface ResolveOptions extends GitOptions {
  readonly home: string
  readonly userHome: string
  readonly temporaryDirectory: string
  /** True: git may be run (commands, worker). False: files only (hooks). */
  readonly deep: boolean
  /**
   * A folder that is gone is a place of its own: words said there long ago belong to no other project and not to every
   * one. Default false: nothing can be said in a folder that is not there.
   */
  readonly goneIsPlace?: boolean
}

/** Never throws for a strange folder; throws STORE_UNREADABLE when the list of projects cannot be read. */
export async function resolveProject(cwd: string, options: ResolveOptions): Promise<ProjectResolution> {
  if (!isAbsolute(cwd) || cwd.includes('\0')) return { kind: 'none', reason: `${cwd} is no absolute path` }
  const { directory, exists } = deepestFolder(cwd)
  const { projects } = readProjects(options.home)
  const search = findRepository(directory)
  if (search.kind === 'found') return resolveRepository(search.repository, projects, options)
  const place = search.kind === 'broken' ? search.directory : directory
  const known = (search.kind === 'broken' && byLostPointer(search.pointsTo, projects)) || nearestFolder(place, projects)
  if (known) return { kind: 'known', ...known, workingTree: place, notice: null }
  if (!exists)
    return options.goneIsPlace ? goneFolder(cwd, projects) : { kind: 'none', reason: `${cwd} does not exist` }
  const reason = search.kind === 'broken' ? null : noProjectReason(directory, options)
  if (reason !== null) return { kind: 'none', reason }
  return {
    kind: 'new',
    root: { path: place, kind: 'folder' },
    workingTree: place,
    notice: oldStoreNotice(place, projects),
  }
}

/** Compared by its path alone: there is nothing on disk to look at. */
function goneFolder(cwd: string, projects: readonly Project[]): ProjectResolution {
  const path = resolve(cwd)
  const known = nearestFolder(path, projects)
  if (known) return { kind: 'known', ...known, workingTree: path, notice: null }
  return { kind: 'new', root: { path, kind: 'folder' }, workingTree: path, notice: null }
}

async function resolveRepository(
  repository: Repository,
  projects: readonly Project[],
  options: ResolveOptions,
): Promise<ProjectResolution> {
  const root: ProjectRoot = { path: repository.commonDirectory, kind: 'git' }
  const { workingTree } = repository
  const cheap = matchRepository(repository, null, projects)
  const match =
    cheap ?? (options.deep ? matchRepository(repository, await readGitFacts(repository, options), projects) : null)
  if (match) return { kind: 'known', project: match.project, root, workingTree, notice: match.notice }
  return { kind: 'new', root, workingTree, notice: oldStoreNotice(placeOf(root), projects) }
}

/** A worktree whose repository moved away still names the old place, and that may be recorded. */
function byLostPointer(pointsTo: string | null, projects: readonly Project[]) {
  const common = /^(.+)[/\\]worktrees[/\\][^/\\]+[/\\]?$/.exec(pointsTo ?? '')?.[1]
  if (common === undefined) return null
  const project = projects.find((each) => each.roots.some((root) => root.kind === 'git' && root.path === common))
  return project ? { project, root: { path: common, kind: 'git' as const } } : null
}

/** The recorded folder nearest above `place`, itself included. */
function nearestFolder(place: string, projects: readonly Project[]) {
  for (let folder = place; ; folder = dirname(folder)) {
    for (const project of projects) {
      const root = project.roots.find((each) => each.kind === 'folder' && isSamePlace(each.path, folder))
      if (root) return { project, root }
    }
    if (dirname(folder) === folder) return null
  }
}

function noProjectReason(directory: string, options: ResolveOptions): string | null {
  if (dirname(directory) === directory) return 'A file-system root is no project'
  if (isRealPlace(options.userHome, directory)) return 'The home directory is no project'
  if (isRealPlace(options.temporaryDirectory, directory)) return 'The temporary directory is no project'
  // Our own files are no one's project.
  const home = realPath(options.home)
  return home !== null && isInside(home, directory) ? 'The home of Keepsake is no project' : null
}

function isRealPlace(path: string, directory: string): boolean {
  const real = realPath(path)
  return real !== null && isSamePlace(real, directory)
}

/** Real path of the folder, or of the deepest one above it that exists. A file counts as its folder. */
function deepestFolder(cwd: string): { readonly directory: string; readonly exists: boolean } {
  for (let path = cwd, exists = true; ; path = dirname(path), exists = false) {
    const real = realFolder(path)
    if (real !== null) return { directory: real, exists }
    if (dirname(path) === path) return { directory: path, exists: false }
  }
}

function realFolder(path: string): string | null {
  try {
    const real = realPath(path)
    if (real === null) return null
    return statSync(real).isDirectory() ? real : dirname(real)
  } catch {
    // Not permitted or gone meanwhile: the folder above decides.
    return null
  }
}
