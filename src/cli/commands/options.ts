/** Option parsers shared by the commands: wrong values are usage faults with a hint. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { layerModes, noteTypes, readableLayerNames } from '../../domain/index.ts'

export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
    return value
  }
}

export const layerOption = () =>
  new Option('--layer <layer>', 'global (everywhere) or project').choices(['global', 'project'])
export const readLayerOption = () =>
  new Option('--layer <layer>', 'global (everywhere), project or team').choices([...readableLayerNames])
export const modeOption = () =>
  new Option(
    '--mode <mode>',
    'what may become of it: review, read-only or off (default: as the session is set)',
  ).choices([...layerModes])
export const typeOption = () =>
  new Option('--type <type>', 'user, feedback, project or reference').choices([...noteTypes])

/** Every command takes `--json`; `--home` stands on the program. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print one JSON document')
}
