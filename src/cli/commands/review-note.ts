/** A person's word on a note that is kept: the part of `review` that moves trust (spec R10). */
import type { Command } from 'commander'
import type { TrustSignal } from '../../domain/index.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { assertPerson } from '../person.ts'
import { trustLine } from '../render/review.ts'
import { withJson } from './options.ts'

const about: Record<TrustSignal, string> = {
  helped: 'Say that a note was of use: its trust rises by 0.05. Trusted notes come first where the words find several.',
  misled: 'Say that a note was wrong or in the way: its trust falls by 0.10. To take it away: keepsake forget.',
}

export function addNoteSignal(review: Command, cli: CliContext, action: TrustSignal): void {
  withJson(review.command(action))
    .summary(action === 'helped' ? 'a note was of use' : 'a note was wrong')
    .description(`${about[action]} It counts once a day; of both on one day the worse holds.`)
    .argument('<note>', 'id, id prefix, file name or name')
    .action(async (note: string, _options: GlobalOptions, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const memory = await cli.memory(options)
      assertPerson(cli, { what: 'what helped and what misled', field: 'review' })
      const result = await memory.review({ action, note })
      cli.print(options, result, () => trustLine(result))
    })
}
