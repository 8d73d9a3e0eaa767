import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import {
  type Edit,
  editActions,
  MAX_EDITS,
  type Memory,
  moveTargets,
  noteTypes,
  notToSave,
  typeGuide,
} from '../../domain/index.ts'
import { guarded, refusal } from '../answer.ts'
import { toldEdits } from './told-edits.ts'

const types = noteTypes.map((type) => `${type}: ${typeGuide[type]}`).join('. ')

const fields = {
  action: z.enum(editActions).optional().describe('Default add.'),
  text: z
    .string()
    .optional()
    .describe(
      'add: one memory in plain words; for rules add **Why:** and **How to apply:** when known. replace: the new words.',
    ),
  find: z
    .string()
    .optional()
    .describe('The entry to change: exact words of it that stand nowhere else. replace swaps just these words.'),
  in: z.string().optional().describe('Note to look in (id or name).'),
  to: z.enum(moveTargets).optional().describe('move: profile = shown whole at every start, note = not.'),
  type: z.enum(noteTypes).optional(),
  name: z.string().optional().describe('Short title. The same name replaces the earlier text.'),
  description: z.string().optional().describe('One line that the index shows.'),
  layer: z.enum(['global', 'project']).optional().describe('global = everywhere; default by content.'),
  pin: z.boolean().optional().describe('Put it in the profile.'),
}
const one = z.object(fields)
type Fields = z.infer<typeof one>

export function addMemorySave(server: McpServer, memory: Memory, agent: () => string): void {
  server.registerTool(
    'memory_save',
    {
      title: 'Save or edit memories',
      description: `Keep one memory for later sessions: when the user asks to remember, corrects you with the right form, states a standing preference or decides something with a reason. ${types}. Do not save ${notToSave}. Search first. To correct what is kept, replace, remove or move an entry instead of adding.`,
      inputSchema: z.object({
        ...fields,
        edits: z
          .array(z.record(z.string(), z.unknown()))
          .max(MAX_EDITS)
          .optional()
          .describe('Several at once, all or none: objects with the fields of this tool.'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    ({ edits, ...single }) =>
      guarded(async () => {
        const wished: Edit[] = []
        for (const [index, each] of (edits ?? [single]).entries()) {
          const place = edits ? ` in edit ${index + 1}` : ''
          const parsed = one.safeParse(each)
          const edit = parsed.success ? editFrom(parsed.data) : `a field that is no such value${place}`
          if (typeof edit === 'string') return refusal(`Nothing was changed: it needs ${edit}${place}.`)
          wished.push(edit)
        }
        return toldEdits(await memory.remember({ edits: wished, author: 'agent', agent: agent() }))
      }),
  )
}

/** The edit, or what is missing for it. What `find` must be is judged by the engine, which shows what is there. */
function editFrom(given: Fields): Edit | string {
  const { action = 'add', text, find, in: note, to, ...memory } = given
  if (action === 'add') return text === undefined ? '`text`' : { action, text, ...memory }
  if (action === 'replace') return { action, find: find ?? '', text: text ?? '', in: note }
  if (find === undefined && note === undefined) return '`find` or `in`'
  if (action === 'remove') return { action, find, in: note }
  return to === undefined ? '`to`' : { action, find, in: note, to }
}
