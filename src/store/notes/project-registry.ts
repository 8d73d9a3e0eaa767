/**
 * Gives a place its project folder, once, under a lock: slug + `-` + 8 characters of a new id, never computed from the
 * path, so that no two names can meet. For a known project it records where it is seen now. Writes nothing outside
 * the home.
 */
import { basename, join } from 'node:path'
import {
  type Clock,
  homeFiles,
  type IdSource,
  isoSeconds,
  type Project,
  type ProjectResolution,
} from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import { slugify } from '../../util/index.ts'
import { type GitFacts, type GitOptions, readGitFacts } from './git-facts.ts'
import { findRepository, hasObject, repositoryName } from './git-repository.ts'
import { createLockKeeper } from './lock-keeper.ts'
import { isSamePlace, matchRepository } from './match-project.ts'
import { createProject, readProjects, updateProject } from './project-json.ts'

export interface RegisterOptions extends GitOptions {
  readonly home: string
  readonly clock: Clock
  readonly ids: IdSource
  readonly signal?: AbortSignal
}

type Place = Exclude<ProjectResolution, { kind: 'none' }>

/** Oldest recorded places and remotes go first when there are more. */
const MAX_ROOTS = 64
const MAX_REMOTES = 16
const MAX_ATTEMPTS = 8
const LOCK_KEY = 'projects'

/**
 * The project of the place, made or brought up to date. Runs git. Two processes that register one place get one
 * project. Throws STORE_BUSY, STORE_READ_ONLY, STORE_FULL.
 */
export async function registerProject(resolution: ProjectResolution, options: RegisterOptions): Promise<Project> {
  if (resolution.kind === 'none')
    throw new MemoryError('INPUT_INVALID', `There is no project here: ${resolution.reason}`, {
      hint: 'Write to the global layer.',
      data: { field: 'layer' },
    })
  const facts = await factsOf(resolution, options)
  if (resolution.kind === 'known') {
    const current = updated(resolution.project, resolution, facts)
    if (current === resolution.project) return current
  }
  const keeper = createLockKeeper({ directory: join(options.home, homeFiles.locks) })
  return keeper.hold(LOCK_KEY, { signal: options.signal }, async () => {
    const { projects } = readProjects(options.home)
    const known = findAgain(resolution, facts, projects)
    return known ? bringUpToDate(known, resolution, facts, options) : make(resolution, facts, options)
  })
}

async function factsOf(place: Place, options: RegisterOptions): Promise<GitFacts> {
  const search = place.root.kind === 'git' ? findRepository(place.workingTree) : null
  return search?.kind === 'found' ? readGitFacts(search.repository, options) : { rootCommits: [], remote: null }
}

/** Under the lock, with the list as it is now: somebody else may have been here first. */
function findAgain(place: Place, facts: GitFacts, projects: readonly Project[]): Project | null {
  if (place.kind === 'known') return projects.find((each) => each.folder === place.project.folder) ?? null
  if (place.root.kind === 'folder') return projects.find((each) => isRecorded(each, place)) ?? null
  const search = findRepository(place.workingTree)
  return search.kind === 'found' ? (matchRepository(search.repository, facts, projects)?.project ?? null) : null
}

function isRecorded(project: Project, place: Place): boolean {
  return project.roots.some((root) => root.kind === place.root.kind && isSamePlace(root.path, place.root.path))
}

async function bringUpToDate(
  project: Project,
  place: Place,
  facts: GitFacts,
  options: RegisterOptions,
): Promise<Project> {
  const current = updated(project, place, facts)
  if (current !== project) await updateProject(options.home, current)
  return current
}

/** The same object when there is nothing new to record. */
function updated(project: Project, place: Place, facts: GitFacts): Project {
  const roots = isRecorded(project, place) ? project.roots : [...project.roots, place.root].slice(-MAX_ROOTS)
  const isNewRemote = facts.remote !== null && !project.remotes.includes(facts.remote)
  const remotes =
    isNewRemote && facts.remote !== null ? [...project.remotes, facts.remote].slice(-MAX_REMOTES) : project.remotes
  const rootCommit = rootCommitOf(project, place, facts)
  if (roots === project.roots && remotes === project.remotes && rootCommit === project.rootCommit) return project
  return { ...project, roots, remotes, rootCommit }
}

/** A recorded root commit stays as long as the repository holds it. */
function rootCommitOf(project: Project, place: Place, facts: GitFacts): string | null {
  const [oldest = null] = facts.rootCommits
  if (project.rootCommit === null || oldest === null) return project.rootCommit ?? oldest
  if (facts.rootCommits.includes(project.rootCommit)) return project.rootCommit
  return hasObject(place.root.path, project.rootCommit) === false ? oldest : project.rootCommit
}

async function make(place: Place, facts: GitFacts, options: RegisterOptions): Promise<Project> {
  const name = place.root.kind === 'git' ? repositoryName(place.root.path) : basename(place.root.path)
  const slug = slugify(name) || 'project'
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const project: Project = {
      folder: `${slug}-${options.ids.next().slice(-8).toLowerCase()}`,
      name,
      roots: [place.root],
      remotes: facts.remote === null ? [] : [facts.remote],
      rootCommit: facts.rootCommits[0] ?? null,
      created: isoSeconds(options.clock.now()),
    }
    if (await createProject(options.home, project)) return project
  }
  throw new MemoryError('INTERNAL', `No free project folder for ${slug}`, { hint: 'Try again.' })
}
