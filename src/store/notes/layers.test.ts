import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type Config,
  DEFAULT_CONFIG,
  type Layer,
  type LayerMode,
  modeOf,
  type ProjectResolution,
} from '../../domain/index.ts'
import { layersOf, readableLayers, teamLayer } from './layers.ts'

const project = {
  folder: 'app-0123abcd',
  name: 'app',
  roots: [],
  remotes: [],
  rootCommit: null,
  created: '2026-03-01T10:00:00Z',
}
const root = { path: '/srv/app/.git', kind: 'git' as const }
const known: ProjectResolution = { kind: 'known', project, root, workingTree: '/srv/app', notice: null }
const layers = (resolution: ProjectResolution, projects: Config['projects'] = {}) =>
  layersOf({ home: { directory: '/home/ana/.keepsake' }, resolution, config: { projects }, userHome: '/home/ana' })
const global = { name: 'global', key: 'global', directory: '/home/ana/.keepsake/global' }

describe('layers', () => {
  it('are global and the project', () => {
    const directory = '/home/ana/.keepsake/projects/app-0123abcd'
    expect(layers(known)).toEqual({
      global,
      project: { name: 'project', key: 'projects/app-0123abcd', directory },
      team: null,
    })
  })

  it.each<ProjectResolution>([
    { kind: 'none', reason: 'home' },
    { kind: 'new', root, workingTree: '/srv/app', notice: null },
  ])('are global alone for $kind', (resolution) => {
    expect(layers(resolution)).toEqual({ global, project: null, team: null })
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

  it('have the team of the project among them when there is a folder of that name [T1]', () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-layers-')))
    try {
      const own: Layer = { name: 'project', key: 'projects/app-0123abcd', directory: join(home, 'app') }
      expect(teamLayer(own)).toBeNull()
      mkdirSync(join(home, 'app', 'team'), { recursive: true })
      const team = { name: 'team', key: 'projects/app-0123abcd/team', directory: join(home, 'app', 'team') }
      expect(teamLayer(own)).toEqual(team)
      const found = layersOf({
        home: { directory: home },
        resolution: known,
        config: { projects: { 'app-0123abcd': { dir: join(home, 'app') } } },
        userHome: '/home/ana',
      })
      expect(readableLayers(found, DEFAULT_CONFIG).map(({ name }) => name)).toEqual(['project', 'team', 'global'])
    } finally {
      rmSync(home, { recursive: true })
    }
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

describe('modes', () => {
  const withModes = (modes: Partial<Config['modes']>, projects: Config['projects'] = {}): Config => ({
    ...DEFAULT_CONFIG,
    modes: { ...DEFAULT_CONFIG.modes, ...modes },
    projects,
  })

  it.each<[string, Config, string, LayerMode]>([
    ['of its kind', withModes({ project: 'review' }), 'app-0123abcd', 'review'],
    ['of its own', withModes({ project: 'review' }, { 'app-0123abcd': { mode: 'off' } }), 'app-0123abcd', 'off'],
    ['not of another project', withModes({ project: 'auto' }, { other: { mode: 'off' } }), 'app-0123abcd', 'auto'],
    [
      'without a mode in its own entry',
      withModes({ project: 'read-only' }, { app: { dir: '/x' } }),
      'app',
      'read-only',
    ],
    ['not of what every object has', withModes({ project: 'auto' }), 'constructor', 'auto'],
  ])('a project has the mode %s', (_, config, folder, mode) => {
    expect(modeOf({ name: 'project', key: `projects/${folder}` }, config)).toBe(mode)
  })

  it.each<[string, Config, LayerMode]>([
    ['its own', withModes({ team: 'read-only', project: 'off' }), 'read-only'],
    ['off where its project is off', withModes({}, { 'app-0123abcd': { mode: 'off' } }), 'off'],
    ['its own where its project waits for review', withModes({}, { 'app-0123abcd': { mode: 'review' } }), 'auto'],
  ])('a team has the mode %s', (_, config, mode) => {
    expect(modeOf({ name: 'team', key: 'projects/app-0123abcd/team' }, config)).toBe(mode)
  })

  it.each<[string, Config, string[]]>([
    ['all', withModes({}), ['project', 'global']],
    ['read-only and review too', withModes({ global: 'read-only', project: 'review' }), ['project', 'global']],
    ['no project that is off', withModes({}, { 'app-0123abcd': { mode: 'off' } }), ['global']],
    ['no global layer that is off', withModes({ global: 'off' }), ['project']],
    ['none', withModes({ global: 'off', project: 'off' }), []],
  ])('what may be read, nearest first: %s', (_, config, names) => {
    expect(readableLayers(layers(known), config).map(({ name }) => name)).toEqual(names)
  })

  it('what may be read outside any project is the global layer', () => {
    const outside = layers({ kind: 'none', reason: 'home' })
    expect(readableLayers(outside, DEFAULT_CONFIG).map(({ name }) => name)).toEqual(['global'])
  })
})
