import { describe, expect, it } from 'vitest'
import type { Config, ProjectResolution } from '../../domain/index.ts'
import { layersOf } from './layers.ts'

const project = {
  folder: 'app-0123abcd',
  name: 'app',
  roots: [],
  remotes: [],
  rootCommit: null,
  created: '2026-03-01T10:00:00Z',
}
const root = { path: '/work/app/.git', kind: 'git' as const }
const known: ProjectResolution = { kind: 'known', project, root, workingTree: '/work/app', notice: null }
const layers = (resolution: ProjectResolution, projects: Config['projects'] = {}) =>
  layersOf({ home: { directory: '/home/ana/.keepsake' }, resolution, config: { projects }, userHome: '/home/ana' })
const global = { name: 'global', key: 'global', directory: '/home/ana/.keepsake/global' }

describe('layers', () => {
  it('are global and the project', () => {
    const directory = '/home/ana/.keepsake/projects/app-0123abcd'
    expect(layers(known)).toEqual({ global, project: { name: 'project', key: 'projects/app-0123abcd', directory } })
  })

  it.each<ProjectResolution>([
    { kind: 'none', reason: 'home' },
    { kind: 'new', root, workingTree: '/work/app', notice: null },
  ])('are global alone for $kind', (resolution) => {
    expect(layers(resolution)).toEqual({ global, project: null })
  })

  it.each([
    ['/data/notes', '/data/notes'],
    ['/data/../notes/', '/notes'],
    ['~/notes', '/home/ana/notes'],
    ['~', '/home/ana'],
  ])('a project may have its folder elsewhere: %s', (dir, directory) => {
    expect(layers(known, { 'app-0123abcd': { dir } }).project).toMatchObject({
      key: 'projects/app-0123abcd',
      directory,
    })
    expect(layers(known, { 'other-0123abcd': { dir } }).project?.directory).toContain('app-0123abcd')
  })

  it.each(['notes', './notes', '~ana/notes', '../x'])('%j is no absolute path', (dir) => {
    expect(() => layers(known, { 'app-0123abcd': { dir } })).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        data: expect.objectContaining({ key: 'projects.app-0123abcd.dir' }),
      }),
    )
  })
})
