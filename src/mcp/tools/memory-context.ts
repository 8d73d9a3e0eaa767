import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Memory } from '../../domain/index.ts'
import { answer, guarded } from '../answer.ts'

export function addMemoryContext(server: McpServer, memory: Memory): void {
  server.registerTool(
    'memory_context',
    {
      title: 'Memory at a glance',
      description:
        'The start block: standing rules of the user and one line per note of this project. Call it once at the start of a session when no keepsake-memory block stands in the conversation yet.',
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () =>
      guarded(async () => {
        const block = await memory.context({})
        return answer(block.text === '' ? 'Memory cannot be read at the moment.' : block.text, ...block.problems)
      }),
  )
}
