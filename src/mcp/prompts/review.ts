import type { McpServer } from '@modelcontextprotocol/server'
import type { Memory } from '../../domain/index.ts'
import { readPrompt } from '../../util/index.ts'
import { keptNotes, waitingChanges } from './kept-notes.ts'
import markdown from './review.md'

export const reviewPrompt = readPrompt(markdown)

const MAX_NOTES = 100
const MAX_CHANGES = 30

export function addReview(server: McpServer, memory: Memory): void {
  server.registerPrompt(
    'review',
    {
      title: 'Go through the memory together',
      description:
        'Makes you go through the memory with the user: what waits for a yes, what is double, contradicts itself or no longer holds. You change only what the user says yes to. For when the user wants to see or tidy what is kept (整理记忆).',
    },
    async () => {
      const parts = [reviewPrompt.text, await waitingChanges(memory, MAX_CHANGES), await keptNotes(memory, MAX_NOTES)]
      return { messages: [{ role: 'user', content: { type: 'text', text: parts.join('\n\n') } }] }
    },
  )
}
