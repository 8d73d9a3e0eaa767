import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type Memory, noteTypes, notToSave, type RememberResult, typeGuide } from '../../domain/index.ts'
import { escapeFenced, fence } from '../../guard/index.ts'
import { oneLine } from '../../util/index.ts'
import { answer, guarded, refusal, type ToolAnswer } from '../answer.ts'

const types = noteTypes.map((type) => `${type}: ${typeGuide[type]}`).join('. ')

export function addMemorySave(server: McpServer, memory: Memory, agent: () => string): void {
  server.registerTool(
    'memory_save',
    {
      title: 'Save a memory',
      description: `Keep one memory for later sessions: when the user asks to remember, corrects you with the right form, states a standing preference or decides something with a reason. ${types}. Do not save ${notToSave}. Search first; saving under the same name makes a new version.`,
      inputSchema: z.object({
        text: z
          .string()
          .describe('One memory in plain words; for rules add **Why:** and **How to apply:** when known.'),
        type: z.enum(noteTypes).optional(),
        name: z.string().optional().describe('Short title. The same name replaces the earlier text.'),
        description: z.string().optional().describe('One line that the index shows.'),
        layer: z.enum(['global', 'project']).optional().describe('global = everywhere; default by content.'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    (input) => guarded(async () => told(await memory.remember({ ...input, author: 'agent', agent: agent() }))),
  )
}

function told(result: RememberResult): ToolAnswer {
  const masked = result.masked.length > 0 ? `Masked before storing: ${result.masked.join(', ')}.` : ''
  const near = result.similar
    .slice(0, 5)
    .map(({ name, id, description }) => `- ${oneLine(name)} (${id}): ${oneLine(description)}`)
  const similar =
    near.length > 0 ? `Near notes, in case one should be updated instead:\n${fence('facts', near.join('\n'))}` : ''
  if (result.outcome === 'rejected')
    return refusal(`Not saved (${result.reason.code}): ${result.reason.message}`, result.reason.hint, similar)
  if (result.outcome === 'proposed')
    return answer(`Waits for the user's yes: ${escapeFenced(result.reason)}`, masked, similar)
  const { note } = result
  const place = `${note.type}, ${note.layer}, ${note.id}`
  const words = { written: 'Saved', merged: 'Saved as a new version', unchanged: 'Already known, nothing changed' }[
    result.outcome
  ]
  return answer(
    `${words}: ${escapeFenced(oneLine(note.name))} (${place}). Tell the user in one line.`,
    ...result.notices.map(escapeFenced),
    masked,
    similar,
  )
}
