/**
 * Environment and config.json to one typed Config, once. No schema library: hooks load this file.
 * A value that cannot be used is named and the default holds; a file that is not JSON makes the store read-only for
 * us (`usable: false`), because a mode such as `off` may be written in it.
 */
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { type Config, configKeys, DEFAULT_CONFIG, homeFiles, valueProblem } from './domain/index.ts'
import { fromFileSystemError, MemoryError, messageOf, systemCode } from './errors.ts'
import { makeFolder } from './util/index.ts'

export interface LoadedConfig {
  readonly config: Config
  /** Keys of config.json that no version we know has. */
  readonly unknownKeys: readonly string[]
  /** One sentence per value that could not be used. */
  readonly problems: readonly string[]
  /** False when config.json is there and cannot be read as JSON. */
  readonly usable: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The machine around us, read once by an entry file. */
export interface Surroundings {
  readonly environment: Environment
  readonly userHome: string
  readonly temporaryDirectory: string
}

export function surroundings(): Surroundings {
  return { environment: process.env, userHome: homedir(), temporaryDirectory: tmpdir() }
}

/** `--home` > `KEEPSAKE_HOME` > `~/.keepsake`; `~/` expands. Throws INPUT_INVALID for a relative path. */
export function homeDirectory(explicit: string | undefined, around: Surroundings): string {
  const given = explicit ?? around.environment.KEEPSAKE_HOME
  if (given === undefined || given === '') return join(around.userHome, '.keepsake')
  const expanded = given === '~' || given.startsWith('~/') ? join(around.userHome, given.slice(1)) : given
  if (given.includes('\0') || !isAbsolute(expanded))
    throw new MemoryError('INPUT_INVALID', `The home must be an absolute path, got ${JSON.stringify(given)}`, {
      hint: 'Give a path that begins with / or ~/.',
      data: { field: 'home' },
    })
  return resolve(expanded)
}

/** Reads `<home>/config.json` and `KEEPSAKE_*` overrides. Never throws. */
export function loadConfig(home: string, environment: Environment): LoadedConfig {
  const file = join(home, homeFiles.config)
  let text: string
  try {
    // A pipe would wait for its other end, and with it the agent that runs a hook.
    if (!statSync(file).isFile()) throw new Error('not a plain file')
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const missing = systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR'
    const loaded = parseConfig('{}', environment)
    return missing ? loaded : { ...loaded, usable: false, problems: [`${file} cannot be read`] }
  }
  return parseConfig(text, environment)
}

/** The same from text, for `config set` and tests. */
export function parseConfig(text: string, environment: Environment): LoadedConfig {
  let given: unknown
  try {
    given = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    return {
      config: DEFAULT_CONFIG,
      unknownKeys: [],
      problems: [`config.json is not JSON: ${messageOf(error)}`],
      usable: false,
    }
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { config: DEFAULT_CONFIG, unknownKeys: [], problems: ['config.json must hold an object'], usable: false }

  const config = structuredClone(DEFAULT_CONFIG)
  const problems: string[] = []
  for (const { key, value: kind, whenWrong } of configKeys) {
    const fromEnvironment = environmentValue(key, environment)
    const value = fromEnvironment ?? valueAt(given, key)
    if (value === undefined) continue
    const problem = valueProblem(kind, value)
    if (problem) problems.push(`${key} ${problem}; ${whenWrong === undefined ? 'the default' : whenWrong} holds`)
    const holds = problem ? whenWrong : value
    if (holds !== undefined) setAt(config, key, holds)
  }
  return { config, unknownKeys: unknownKeysOf(given), problems, usable: true }
}

/** `inject.startTokens` is `KEEPSAKE_INJECT_START_TOKENS`. `worker` has none: that name marks our own child processes. */
export function environmentName(key: string): string | null {
  if (key === 'worker') return null
  return `KEEPSAKE_${key
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/\./g, '_')
    .toUpperCase()}`
}

function environmentValue(key: string, environment: Environment): unknown {
  const name = environmentName(key)
  const text = name === null ? undefined : environment[name]
  return text === undefined || text === '' ? undefined : parseValue(text)
}

/** A value as people write it: JSON, else the text itself. */
export function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: a bare word such as `off` is meant as text.
    return text
  }
}

/**
 * Sets one value in `<home>/config.json`, made when it is missing. Every other key stays, also an unknown one. Throws
 * CONFIG_INVALID for a file that could not be read whole, STORE_READ_ONLY and the like; then nothing was changed.
 */
export function writeSetting(home: string, key: string, value: unknown): void {
  const file = join(home, homeFiles.config)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '{}'
  if (!parseConfig(text, {}).usable)
    throw new MemoryError('CONFIG_INVALID', `${file} is not a JSON object`, {
      hint: 'Mend or remove it; nothing was changed.',
      data: { key, file },
    })
  const content = JSON.parse(text.replace(/^\uFEFF/, ''))
  setAt(content, key, value)
  const temporary = `${file}.${process.pid}.tmp`
  try {
    makeFolder(home)
    writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true })
    chmodSync(temporary, 0o600)
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw fromFileSystemError(error, file)
  }
}

export function valueAt(object: unknown, key: string): unknown {
  return key.split('.').reduce<unknown>((value, part) => (isObject(value) ? value[part] : undefined), object)
}

/** Sets a value by its dotted key, making the objects on the way. */
function setAt(object: object, key: string, value: unknown): void {
  const parts = key.split('.')
  const last = parts.pop()
  let place = object as Record<string, unknown> // A plain object made from JSON or from the defaults.
  for (const part of parts) {
    const next = place[part]
    if (!isObject(next)) place[part] = {}
    place = place[part] as Record<string, unknown> // Just made sure of.
  }
  if (last !== undefined) place[last] = value
}

/** An object that is a group of keys is looked into; one that is a value has keys of its own. */
function unknownKeysOf(given: object, group = ''): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const key = `${group}${name}`
    if (configKeys.some((each) => each.key === key)) return []
    const isGroup = isObject(value) && configKeys.some((each) => each.key.startsWith(`${key}.`))
    return isGroup ? unknownKeysOf(value, `${key}.`) : [key]
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
