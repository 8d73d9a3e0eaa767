import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Memory } from '../../domain/index.ts'
import { escapeFenced } from '../../guard/index.ts'
import { oneLine } from '../../util/index.ts'
import { answer, guarded, refusal } from '../answer.ts'

export function addMemoryForget(server: McpServer, memory: Memory, agent: () => string): void {
  server.registerTool(
    'memory_forget',
    {
      title: 'Forget a memory',
      description:
        'Take one note out of memory when the user says to forget it, that it is wrong and has no replacement, or 别记这个. It does not come back by itself. Needs an exact or unique reference; never forgets more than one.',
      inputSchema: z.object({ note: z.string().describe('Id, id prefix of 6 or more, file name or name.') }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ note }) =>
      guarded(async () => {
        const result = await memory.forget(note, { agent: agent() })
        const name = result.note ? escapeFenced(oneLine(result.note.name)) : note
        const notices = result.notices.map(escapeFenced)
        if (result.outcome === 'rejected') return refusal(`Not forgotten: ${name}`, ...notices)
        return answer(
          result.outcome === 'forgotten' ? `Forgotten: ${name}` : `Waits for the user's yes: ${name}`,
          ...notices,
        )
      }),
  )
}
