/** From a resolved place to the folders of notes (spec S5): global, project and its team. Makes nothing. */
import { lstatSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import {
  type Config,
  type Home,
  homeFiles,
  type Layer,
  modeOf,
  type ProjectResolution,
  TEAM_FOLDER,
} from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'

export interface Layers {
  readonly global: Layer
  /** Null outside any project, and for a place that has no memory yet. */
  readonly project: Layer | null
  /** What the team of the project shares; null when there is no such folder. */
  readonly team: Layer | null
}

export interface LayersOptions {
  readonly home: Pick<Home, 'directory'>
  readonly resolution: ProjectResolution
  readonly config: Pick<Config, 'projects'>
  /** What `~/` in a configured folder stands for. */
  readonly userHome: string
}

/** Throws CONFIG_INVALID when a project's configured folder is no absolute path. */
export function layersOf(options: LayersOptions): Layers {
  const global: Layer = { name: 'global', key: 'global', directory: join(options.home.directory, homeFiles.global) }
  const { resolution } = options
  const project = resolution.kind === 'known' ? projectLayer(resolution.project.folder, options) : null
  return { global, project, team: project && teamLayer(project) }
}

/** The layers that may be read, nearest first: those whose mode is `off` are left out. */
export function readableLayers(
  { global, project, team }: Layers,
  config: Pick<Config, 'modes' | 'projects' | 'session'>,
): Layer[] {
  return [project, team, global].filter((layer) => layer !== null).filter((layer) => modeOf(layer, config) !== 'off')
}

/** The team layer of a project, or null where there is no folder of its own: a link could lead anywhere. */
export function teamLayer(project: Layer): Layer | null {
  if (teamFolder(project) !== 'folder') return null
  return { name: 'team', key: `${project.key}/${TEAM_FOLDER}`, directory: join(project.directory, TEAM_FOLDER) }
}

/** What lies in the place of a project's team notes. */
export function teamFolder(project: Layer): 'none' | 'folder' | 'link' | 'no-folder' {
  try {
    const stat = lstatSync(join(project.directory, TEAM_FOLDER), { throwIfNoEntry: false })
    if (!stat) return 'none'
    if (stat.isSymbolicLink()) return 'link'
    return stat.isDirectory() ? 'folder' : 'no-folder'
  } catch {
    // The project's own folder cannot be looked into; that is told of the project.
    return 'none'
  }
}

/** The layer of a project by its folder name. */
export function projectLayer(folder: string, options: Omit<LayersOptions, 'resolution'>): Layer {
  const configured = options.config.projects[folder]?.dir
  const directory = configured
    ? expand(configured, folder, options)
    : join(options.home.directory, homeFiles.projects, folder)
  return { name: 'project', key: `${homeFiles.projects}/${folder}`, directory }
}

function expand(configured: string, folder: string, options: Omit<LayersOptions, 'resolution'>): string {
  const { userHome } = options
  const path = configured === '~' ? userHome : configured.replace(/^~[/\\]/, `${userHome}/`)
  if (isAbsolute(path)) return resolve(path)
  throw new MemoryError('CONFIG_INVALID', `projects.${folder}.dir is no absolute path: ${configured}`, {
    hint: 'Write a path that begins with / or ~/.',
    data: { key: `projects.${folder}.dir`, file: join(options.home.directory, homeFiles.config) },
  })
}
