import type { Command } from 'commander'
import { MemoryError } from '../../errors.ts'
import type { CliContext, GlobalOptions } from '../context.ts'
import { readLines, whyLines } from '../render/notes.ts'
import { withJson } from './options.ts'

export function addRead(program: Command, cli: CliContext): void {
  withJson(program.command('read'))
    .summary('read one note')
    .description('Read one note by id, unique id prefix of 6 or more, file name or name.')
    .argument('<note>', 'id, id prefix, file name or name')
    .option('--why', 'only why it is known: who said it, when, where, in which words')
    .addHelpText('after', '\nExample:\n  keepsake read feedback_use-pnpm.md')
    .action(async (note: string, _options: GlobalOptions, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly why?: boolean }>()
      const found = await (await cli.memory(options)).read(note)
      if (found === null)
        throw new MemoryError('NOTE_NOT_FOUND', `No note is called ${JSON.stringify(note)}`, {
          hint: "See 'keepsake list', or find it with 'keepsake recall'.",
          data: { reference: note },
        })
      cli.print(options, found, () => (options.why ? whyLines(found) : readLines(found)))
    })
}
