import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { environmentName, homeDirectory, loadConfig, parseConfig, writeSetting } from './config.ts'
import { DEFAULT_CONFIG } from './domain/index.ts'

const around = { environment: {}, userHome: '/home/mira', temporaryDirectory: '/tmp' }

describe('homeDirectory', () => {
  it.each([
    [undefined, {}, '/home/mira/.keepsake'],
    [undefined, { KEEPSAKE_HOME: '/srv/memory' }, '/srv/memory'],
    ['/given', { KEEPSAKE_HOME: '/srv/memory' }, '/given'],
    ['~/notes', {}, '/home/mira/notes'],
    [undefined, { KEEPSAKE_HOME: '' }, '/home/mira/.keepsake'],
  ])('%s with %o is %s', (explicit, environment, expected) => {
    expect(homeDirectory(explicit, { ...around, environment })).toBe(expected)
  })

  it.each(['relative/path', './x', 'a\0b', '~other/x'])('refuses %j', (given) => {
    expect(() => homeDirectory(given, around)).toThrowError(/absolute path/)
  })
})

describe('parseConfig', () => {
  it('defaults hold for an empty file', () => {
    expect(parseConfig('{}', {})).toEqual({ config: DEFAULT_CONFIG, unknownKeys: [], problems: [], usable: true })
  })

  it('takes given values, names unknown keys and unusable values, and keeps the rest', () => {
    const loaded = parseConfig(
      JSON.stringify({ modes: { project: 'review', planet: 'mars' }, inject: { startBytes: 'many' }, colour: 1 }),
      {},
    )
    expect(loaded.config.modes.project).toBe('review')
    expect(loaded.config.inject.startBytes).toBe(DEFAULT_CONFIG.inject.startBytes)
    expect(loaded.unknownKeys).toEqual(['modes.planet', 'colour'])
    expect(loaded.problems).toEqual(['inject.startBytes must be a whole number from 1500 to 100000; the default holds'])
  })

  it('groups of keys may lie in each other, and what is none of their keys is named', () => {
    const loaded = parseConfig(
      JSON.stringify({ budget: { perDay: { calls: 7, cals: 1 }, perWeek: {}, perJob: { extraction: { calls: 2 } } } }),
      { KEEPSAKE_BUDGET_PER_DAY_TOKENS: '900' },
    )
    expect(loaded.config.budget).toEqual({
      perDay: { calls: 7, tokens: 900, money: null },
      perJob: { extraction: { calls: 2 } },
    })
    expect([loaded.unknownKeys, loaded.problems]).toEqual([['budget.perDay.cals', 'budget.perWeek'], []])
  })

  it('a mistyped mode never means more than asked: what it guards waits for review', () => {
    const loaded = parseConfig('{"modes":{"global":"sometimes","project":"Review"}}', {})
    expect(loaded.config.modes).toMatchObject({ global: 'review', project: 'review', team: 'auto' })
    expect(loaded.problems[0]).toContain('modes.global')
    expect(loaded.problems[0]).toContain('review holds')
  })

  it('the environment wins over the file', () => {
    const loaded = parseConfig('{"modes":{"global":"auto"}}', {
      KEEPSAKE_MODES_GLOBAL: 'off',
      KEEPSAKE_INJECT_START_TOKENS: '900',
    })
    expect(loaded.config.modes.global).toBe('off')
    expect(loaded.config.inject.startTokens).toBe(900)
  })

  it.each(['{', '[]', 'null', '"x"', '{"a":1,}'])('%s is not usable, and nothing is guessed', (text) => {
    const loaded = parseConfig(text, {})
    expect(loaded.usable).toBe(false)
    expect(loaded.config).toEqual(DEFAULT_CONFIG)
    expect(loaded.problems).toHaveLength(1)
  })

  it('the mark of our own child processes is never read as a setting', () => {
    expect(environmentName('worker')).toBeNull()
    expect(parseConfig('{}', { KEEPSAKE_WORKER: '1' })).toEqual(parseConfig('{}', {}))
  })
})

describe('writeSetting', () => {
  let folder: string
  let home: string
  const file = () => join(home, 'config.json')
  const given = (text: string) => {
    mkdirSync(home)
    writeFileSync(file(), text)
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keepsake-config-'))
    home = join(folder, 'home')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('makes home and file when they are missing, for their owner only', () => {
    writeSetting(home, 'modes.project', 'review')
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ modes: { project: 'review' } })
    expect(loadConfig(home, {}).config.modes.project).toBe('review')
    expect([statSync(home).mode & 0o777, statSync(file()).mode & 0o777]).toEqual([0o700, 0o600])
  })

  it('keeps every other key, also unknown ones', () => {
    given('\uFEFF{"modes": {"global": "off"}, "colour": {"deep": [1]}}')
    writeSetting(home, 'modes.project', 'auto')
    const kept = { modes: { global: 'off', project: 'auto' }, colour: { deep: [1] } }
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual(kept)
  })

  it.each(['{"modes":', '[]', '', 'null'])('leaves a file alone that it cannot read whole: %j', (text) => {
    given(text)
    expect(() => writeSetting(home, 'history', false)).toThrowError(expect.objectContaining({ code: 'CONFIG_INVALID' }))
    expect(readFileSync(file(), 'utf8')).toBe(text)
  })

  it('a write that fails leaves nothing behind', () => {
    mkdirSync(join(home, 'config.json', 'taken'), { recursive: true })
    expect(() => writeSetting(home, 'history', false)).toThrowError()
    expect(readdirSync(home)).toEqual(['config.json'])
  })
})
