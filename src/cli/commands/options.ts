/** Option parsers shared by the commands: wrong values are usage faults with a hint. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { layerModes, type NoteNarrowing, noteStatuses, noteTypes, readableLayerNames } from '../../domain/index.ts'

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
const readLayerOption = () =>
  new Option('--layer <layer>', 'global (everywhere), project or team').choices([...readableLayerNames])
export const modeOption = () =>
  new Option(
    '--mode <mode>',
    'what may become of it: review, read-only or off (default: as the session is set)',
  ).choices([...layerModes])
export const typeOption = () =>
  new Option('--type <type>', 'user, feedback, project or reference').choices([...noteTypes])

/** What narrows notes, the same for every command that finds or lists them (spec R9). */
export function withNarrowing(command: Command): Command {
  return command
    .addOption(readLayerOption())
    .addOption(typeOption())
    .option('--tag <tag>', 'only notes with this tag')
    .option('--about <name>', 'only notes that name this person, project, tool or thing, under any of its names')
    .option('--together <name>', 'beside --about: only notes that name both')
    .option('--since <time>', 'changed then or later: 2026-05-01, 7d, "last week", 上周')
    .option('--until <time>', 'changed then or before')
    .option('--min-trust <trust>', 'from 0 to 1; what nobody tried has 0.5', share)
    .addOption(
      new Option('--status <status>', `${noteStatuses.join(', ')} or all`)
        .choices([...noteStatuses, 'all'])
        .default('active'),
    )
}

export function narrowingOf(options: NoteNarrowing): NoteNarrowing {
  const { layer, type, tag, about, together, since, until, minTrust, status } = options
  return { layer, type, tag, about, together, since, until, minTrust, status }
}

function share(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('It must be a number from 0 to 1.')
  return value
}

/** Every command takes `--json`; `--home` stands on the program. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print one JSON document')
}
