/**
 * Which recorded project a repository is (spec S6). Rules: (1) the real path of its common directory, unless the root
 * commit is known and is not in the repository; (2) the same root commit and the same remote; (3) the same root
 * commit, no remote, and the recorded place gone. A root commit alone never joins. Reads files only; what git alone
 * knows is handed in, and without it only rule 1 is tried.
 */
import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Project, ProjectRoot } from '../../domain/index.ts'
import type { GitFacts } from './git-facts.ts'
import { hasObject, isShallow, type Repository } from './git-repository.ts'

/** The project that a repository matches by the rules above, with what to tell the user. Null when there is none. */
export function matchRepository(
  repository: Repository,
  facts: GitFacts | null,
  projects: readonly Project[],
): { readonly project: Project; readonly notice: string | null } | null {
  const byPath = projects.find((project) => isAtPath(project, repository) && !isOtherRepository(project, repository))
  if (byPath) return { project: byPath, notice: null }
  if (!facts || facts.rootCommits.length === 0) return null
  const sameRoot = projects.filter((each) => each.rootCommit !== null && facts.rootCommits.includes(each.rootCommit))
  const byRemote = sameRoot.find((project) => facts.remote !== null && project.remotes.includes(facts.remote))
  if (byRemote) return { project: byRemote, notice: joinedNotice(byRemote) }
  const moved = sameRoot.find((each) => facts.remote === null && each.remotes.length === 0 && isGone(each))
  return moved ? { project: moved, notice: movedNotice(moved) } : null
}

/** One place, however it is spelled: equal paths, or one inode where a disk folds case or Unicode forms. */
export function isSamePlace(left: string, right: string): boolean {
  if (left === right) return true
  if (left.normalize('NFC').toLowerCase() !== right.normalize('NFC').toLowerCase()) return false
  const [one, other] = [statSync(left, { throwIfNoEntry: false }), statSync(right, { throwIfNoEntry: false })]
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev
}

/** Said when a place is new but its path was another project's. */
export function oldStoreNotice(place: string, projects: readonly Project[]): string | null {
  const old = projects.find((project) => project.roots.some((root) => isSamePlace(placeOf(root), place)))
  if (!old) return null
  return `This place starts with an empty memory. An older one exists for another project at the same path: ${old.folder}.`
}

function isAtPath(project: Project, repository: Repository): boolean {
  return project.roots.some((root) => root.kind === 'git' && isSamePlace(root.path, repository.commonDirectory))
}

/** True when the recorded root commit is certainly not in this repository. A shallow clone does not tell. */
function isOtherRepository(project: Project, repository: Repository): boolean {
  if (project.rootCommit === null || isShallow(repository)) return false
  return hasObject(repository.commonDirectory, project.rootCommit) === false
}

/** True when the project is at none of its recorded places any more. */
function isGone(project: Project): boolean {
  return project.roots.every((root) => {
    if (statSync(root.path, { throwIfNoEntry: false }) === undefined) return true
    return project.rootCommit !== null && hasObject(root.path, project.rootCommit) === false
  })
}

/** The folder that a person sees: the repository's working folder, not its `.git`. */
export function placeOf(root: ProjectRoot): string {
  return root.kind === 'git' && basename(root.path) === '.git' ? dirname(root.path) : root.path
}

function joinedNotice(project: Project): string {
  return isGone(project)
    ? movedNotice(project)
    : `This checkout shares the memory of ${project.name} (${project.folder}): same remote and same first commit.`
}

function movedNotice(project: Project): string {
  return `The repository was moved; its memory (${project.folder}) came along.`
}
