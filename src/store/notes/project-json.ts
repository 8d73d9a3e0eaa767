/**
 * The projects that have memory: `projects/<folder>/project.json`. Reading is plain JSON (a hook does it); what cannot
 * be read is left out and named. The folder's name is the key, whatever the file says.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { homeFiles, type Project, type ProjectRoot } from '../../domain/index.ts'
import { fromFileSystemError, MemoryError, systemCode } from '../../errors.ts'
import { ensureDirectory, syncDirectory, writeWholeFile } from './atomic-write.ts'

export interface ProjectList {
  /** Oldest first, then by folder. */
  readonly projects: readonly Project[]
  /** Folders whose project.json is missing or damaged. */
  readonly unreadable: readonly string[]
}

/** Creates nothing. Throws STORE_UNREADABLE when the folder of projects cannot be read. */
export function readProjects(home: string): ProjectList {
  const folder = join(home, homeFiles.projects)
  const projects: Project[] = []
  const unreadable: string[] = []
  for (const name of foldersIn(folder)) {
    const project = readProject(folder, name)
    if (project) projects.push(project)
    else unreadable.push(name)
  }
  const order = (project: Project) => `${project.created} ${project.folder}`
  return { projects: projects.sort((left, right) => (order(left) < order(right) ? -1 : 1)), unreadable }
}

/** Makes the folder with its project.json in one step. False when the folder is taken. */
export async function createProject(home: string, project: Project): Promise<boolean> {
  const folder = join(home, homeFiles.projects)
  const made = join(folder, `.new-${project.folder}`)
  await ensureDirectory(folder)
  try {
    await rm(made, { recursive: true, force: true })
    await mkdir(made, { mode: 0o700 })
    await writeWholeFile(join(made, homeFiles.projectJson), print(project))
    await rename(made, join(folder, project.folder))
    await syncDirectory(folder)
    return true
  } catch (error) {
    await rm(made, { recursive: true, force: true })
    if (['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(systemCode(error) ?? '')) return false
    throw fromFileSystemError(error, made)
  }
}

export async function updateProject(home: string, project: Project): Promise<void> {
  await writeWholeFile(join(home, homeFiles.projects, project.folder, homeFiles.projectJson), print(project))
}

function print({ folder: _folder, ...content }: Project): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(content, null, 2)}\n`)
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
      .map((entry) => entry.name)
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return []
    throw new MemoryError('STORE_UNREADABLE', `Cannot read ${folder}`, {
      hint: 'Check the permissions of the folder.',
      data: { path: folder },
      cause: error,
    })
  }
}

function readProject(folder: string, name: string): Project | null {
  try {
    const text = readFileSync(join(folder, name, homeFiles.projectJson), 'utf8')
    return projectFrom(name, JSON.parse(text))
  } catch {
    // Missing, unreadable or damaged: the caller names the folder; the others still count.
    return null
  }
}

function projectFrom(folder: string, value: unknown): Project | null {
  if (typeof value !== 'object' || value === null) return null
  // Every property is checked below before it is used.
  const { name, roots, remotes, rootCommit, created } = value as { [key in keyof Project]?: unknown }
  if (typeof name !== 'string' || typeof created !== 'string' || !Array.isArray(roots)) return null
  return {
    folder,
    name,
    roots: roots.flatMap((root) => rootFrom(root) ?? []),
    remotes: Array.isArray(remotes) ? remotes.filter((each): each is string => typeof each === 'string') : [],
    rootCommit: typeof rootCommit === 'string' ? rootCommit : null,
    created,
  }
}

function rootFrom(value: unknown): ProjectRoot | null {
  if (typeof value !== 'object' || value === null || !('path' in value) || !('kind' in value)) return null
  const { path, kind } = value
  if (typeof path !== 'string' || (kind !== 'git' && kind !== 'folder')) return null
  return { path, kind }
}
