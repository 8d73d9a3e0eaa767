/**
 * One folder's view of the home: its project (if any), its layers, and the write path into them. A capture works in
 * the place of each session; a Memory works in the place of its own cwd.
 */
import type { Config, Home, Layer, ProjectResolution, WritableLayer } from '../domain/index.ts'
import { hereOf } from '../store/notes/here.ts'
import { resolveProject } from '../store/notes/identity.ts'
import { type Layers, layersOf, projectLayer, readableLayers, teamLayer } from '../store/notes/layers.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import type { Here } from '../store/notes/precedence.ts'
import { readProjects } from '../store/notes/project-json.ts'
import { registerProject } from '../store/notes/project-registry.ts'
import type { Proposals } from '../store/proposals.ts'
import type { Tombstones } from '../store/tombstones.ts'
import { createWriter, type Writer, type WriterDependencies } from '../write/index.ts'
import { createProjectFacts } from './project-facts.ts'
import { showingWriter } from './shown.ts'

export interface PlaceOptions {
  readonly home: Home
  readonly userHome: string
  readonly temporaryDirectory: string
  readonly config: Config
  /** For words of the past: a folder that is gone is a place of its own. */
  readonly goneIsPlace?: boolean
}

export interface Place {
  resolution(): ProjectResolution
  /** The layers that can be read now: those whose mode is `off` are left out. */
  layers(): readonly Layer[]
  current(): Layers
  /** The folder that this place is seen from, for what notes are narrowed to. */
  here(): Here
  /** Layer key of the project, or null. */
  projectKey(): string | null
  /** Gives the project its folder when it has none yet, so that a conversation can belong to it. */
  register(): Promise<void>
  /** Records that a known project moved; a place without memory stays so. */
  relink(): Promise<void>
  readonly writer: Writer
}

/** What every place shares. */
export type WriterParts = Omit<WriterDependencies, 'layerFor' | 'currentLayers' | 'project' | 'config'> & {
  readonly files: NoteFiles
  readonly tombstones: Tombstones
  readonly proposals: Proposals
  /** Makes the home at the first write. */
  readonly ensureHome: () => Promise<Home>
}

export async function createPlace(cwd: string, options: PlaceOptions, parts: WriterParts): Promise<Place> {
  const { home, userHome, temporaryDirectory, config, goneIsPlace } = options
  let isRecorded = false
  let resolution = await resolveProject(cwd, {
    home: home.directory,
    userHome,
    temporaryDirectory,
    deep: true,
    goneIsPlace,
  })
  const current = () => layersOf({ home, resolution, config, userHome })

  /** Once for each place: makes the project, or records that it moved, so that hooks find it without git. */
  const recordProject = async (): Promise<void> => {
    if (isRecorded || resolution.kind === 'none') return
    const project = await registerProject(resolution, { home: home.directory, clock: parts.clock, ids: parts.ids })
    const { root, workingTree, notice } = resolution
    resolution = { kind: 'known', project, root, workingTree, notice }
    isRecorded = true
  }

  const layerFor = async (name: WritableLayer): Promise<Layer | null> => {
    if (resolution.kind === 'none' && name === 'project') return null
    await parts.ensureHome()
    if (name === 'project') await recordProject()
    return name === 'global' ? current().global : current().project
  }

  const facts = () => {
    if (resolution.kind === 'none') return null
    const name = resolution.kind === 'known' ? resolution.project.name : (resolution.workingTree.split('/').pop() ?? '')
    return createProjectFacts(name, resolution.workingTree)
  }
  return {
    resolution: () => resolution,
    layers: () => readableLayers(current(), config),
    current,
    here: () => hereOf({ home: home.directory, cwd, resolution }),
    projectKey: () => current().project?.key ?? null,
    register: async () => {
      await layerFor('project')
    },
    relink: async () => {
      if (resolution.kind === 'known') await recordProject()
    },
    writer: showingWriter(
      createWriter({ ...parts, config, project: facts(), layerFor, currentLayers: async () => current() }),
      () => Object.values(current()).filter((layer) => layer !== null),
    ),
  }
}

/** Global and every project that has a folder in this home, with what its team shares, for upkeep. */
export function everyLayer({ home, config, userHome }: PlaceOptions): readonly Layer[] {
  const global = layersOf({ home, resolution: { kind: 'none', reason: 'upkeep' }, config, userHome }).global
  const { projects } = readProjects(home.directory)
  return [
    global,
    ...projects.flatMap(({ folder }) => {
      const project = projectLayer(folder, { home, config, userHome })
      return [project, teamLayer(project) ?? []].flat()
    }),
  ]
}
