import { describe, expect, it } from 'vitest'
import { environmentName, homeDirectory, parseConfig } from './config.ts'
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
    expect(loaded.problems).toEqual(['inject.startBytes must be a whole number from 1000 to 100000; the default holds'])
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
