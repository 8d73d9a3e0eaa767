import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { environmentName, loadConfig, parseConfig, setAt, valueAt } from '../../config.ts'
import { type ConfigKey, configKeys, DEFAULT_CONFIG, homeFiles, valueProblem } from '../../domain/index.ts'
import { fromFileSystemError, MemoryError } from '../../errors.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { printable } from '../render/notes.ts'
import { withJson } from './options.ts'

export function addConfig(program: Command, cli: CliContext): void {
  const config = program
    .command('config')
    .summary('settings')
    .description('Show and set what Keepsake does. Environment variables KEEPSAKE_* win over the file.')

  withJson(config.command('show', { isDefault: true }))
    .description('Every setting with its value and meaning.')
    .action((_options: GlobalOptions, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const loaded = loadConfig(cli.home(options), cli.surroundings.environment)
      for (const problem of [...loaded.problems, ...loaded.unknownKeys.map((key) => `unknown key ${key}`)])
        cli.remark(problem)
      cli.print(options, loaded.config, () =>
        printable(configKeys.map((key) => settingLine(key, loaded.config)).join('\n')),
      )
    })

  withJson(config.command('get'))
    .description('One value.')
    .argument('<key>')
    .action((key: string, _options: GlobalOptions, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const value = valueAt(loadConfig(cli.home(options), cli.surroundings.environment).config, known(key).key)
      cli.print(options, { key, value }, () => (typeof value === 'string' ? value : JSON.stringify(value)))
    })

  withJson(config.command('set'))
    .description('Set one value in config.json.')
    .argument('<key>')
    .argument('<value>', 'text, number, true, false, null or JSON')
    .action((key: string, text: string, _options: GlobalOptions, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const value = parseValue(text)
      const problem = valueProblem(known(key).value, value)
      if (problem) throw new MemoryError('CONFIG_INVALID', `${key} ${problem}`, { hint: `Got ${text}.`, data: { key } })
      writeSetting(cli.home(options), key, value)
      cli.print(options, { key, value }, () => `${key} = ${JSON.stringify(value)}`)
    })
}

function settingLine({ key, about }: ConfigKey, config: object): string {
  const value = valueAt(config, key)
  const changed = JSON.stringify(value) === JSON.stringify(valueAt(DEFAULT_CONFIG, key)) ? '' : '  (changed)'
  const variable = environmentName(key)
  return `${key} = ${JSON.stringify(value)}${changed}\n    ${about}${variable ? `; ${variable}` : ''}`
}

function known(key: string): ConfigKey {
  const found = configKeys.find((each) => each.key === key)
  if (!found)
    throw new MemoryError('CONFIG_INVALID', `There is no setting ${JSON.stringify(key)}`, {
      hint: "See 'keepsake config'.",
      data: { key },
    })
  return found
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A bare word such as `review` is meant as text.
    return text
  }
}

/** Keeps every other key, also unknown ones; refuses a file that it could not read whole. */
function writeSetting(home: string, key: string, value: unknown): void {
  const file = join(home, homeFiles.config)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '{}'
  if (!parseConfig(text, {}).usable)
    throw new MemoryError('CONFIG_INVALID', `${file} is not a JSON object`, {
      hint: 'Mend or remove it; nothing was changed.',
      data: { file },
    })
  const content = JSON.parse(text.replace(/^\uFEFF/, ''))
  setAt(content, key, value)
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    const temporary = `${file}.${process.pid}.tmp`
    writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
    chmodSync(temporary, 0o600)
    renameSync(temporary, file)
  } catch (error) {
    throw fromFileSystemError(error, file)
  }
}
