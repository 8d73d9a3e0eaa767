import type { McpServer } from '@modelcontextprotocol/server'
import { type Memory, worthKeeping } from '../../domain/index.ts'
import { readPrompt } from '../../util/index.ts'
import { keptNotes } from './kept-notes.ts'
import markdown from './reflect.md'

export const reflectPrompt = readPrompt(markdown, { worthKeeping: worthKeeping() })

/** Enough to see what is kept already; the agent searches for the rest. */
const MAX_NOTES = 40

export function addReflect(server: McpServer, memory: Memory): void {
  server.registerPrompt(
    'reflect',
    {
      title: 'Keep what later sessions need',
      description:
        'Makes you look back over this conversation and keep what later sessions need, with memory_save. For the end of a piece of work, before a compaction, or when the user asks what was learnt (复盘).',
    },
    async () => {
      const text = `${reflectPrompt.text}\n\n${await keptNotes(memory, MAX_NOTES)}`
      return { messages: [{ role: 'user', content: { type: 'text', text } }] }
    },
  )
}
