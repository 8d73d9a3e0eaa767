import type { Command } from 'commander'
import { environmentName, loadConfig, parseValue, valueAt, writeSetting } from '../../config.ts'
import { type ConfigKey, configKeys, DEFAULT_CONFIG, valueProblem } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { assertPerson } from '../person.ts'
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
      if (/(?:^modes\.|\bmode$)/.test(key)) assertPerson(cli, { what: 'what may be kept without asking', field: key })
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
