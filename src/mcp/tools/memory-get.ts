import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type Memory, type ReadOptions, type ReadResult, standingWords } from '../../domain/index.ts'
import { checkedLines, escapeFenced, fence } from '../../guard/index.ts'
import { oneLine } from '../../util/index.ts'
import { answer, guarded, refusal } from '../answer.ts'
import { toldMessages } from './told-sessions.ts'

/** A session, a message or a reference, as memory_search gives them. */
const CONVERSATION = /^[a-z][a-z0-9-]*:\S+$/

/** `reader`: the conversation, as far as the server knows it. */
export function addMemoryGet(server: McpServer, memory: Memory, reader: () => ReadOptions): void {
  server.registerTool(
    'memory_get',
    {
      title: 'Read a memory',
      description:
        'Read one whole note with its age and where it comes from, the note of an earlier conversation, or the messages around one of its messages. Call it before you rely on what you saw only one line of.',
      inputSchema: z.object({
        note: z
          .string()
          .describe(
            'Id, id prefix of 6 or more, file name or name; or a conversation (agent:…) or a message of it (agent:…#12).',
          ),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ note }) =>
      guarded(async () => {
        const found = await memory.read(note, reader())
        if (found === null && CONVERSATION.test(note))
          return toldMessages(
            await memory.sessions.show({ id: note, before: 4, after: 8, limit: 12, note: !note.includes('#') }),
          )
        if (found === null)
          return refusal('NOTE_NOT_FOUND: no note has this id, file or name.', 'Find it with memory_search.')
        return answer(...textOf(found))
      }),
  )
}

/** A rule stands as the user's own words; everything else is fenced (spec I11). */
function textOf({ summary, text, age, warning, workaround, verdicts, voice, note }: ReadResult): string[] {
  const when = voice === 'rule' && summary.updated !== null ? summary.updated.slice(0, 10) : age
  const facts = [summary.id, summary.type, summary.layer, when].join(', ')
  const heading = escapeFenced(`${oneLine(summary.name)} (${facts})`)
  const quotes = note.source.flatMap(({ quote, role, time }) =>
    quote ? [`${role}${time ? `, ${time.slice(0, 10)}` : ''}: ${oneLine(quote)}`] : [],
  )
  const evidence = quotes.length > 0 ? ['Evidence:', fence('quoted', quotes.slice(0, 5).join('\n'))] : []
  const silent = standingWords(summary.standing)
  const standing = silent === null ? '' : escapeFenced(`Does not count here: ${oneLine(silent)}.`)
  const checked = checkedLines({ id: summary.id, voice, verdicts }, 'agent')
  const doubts = [warning ?? '', workaround ?? '']
  if (voice === 'rule' && silent === null)
    return ['A standing rule of the user.', ...doubts, heading, ...[...checked, text].map(escapeFenced), ...evidence]
  // Details of a check are words of the working tree: they stand where the note's own words do.
  const words = [...checked, text].join('\n')
  return [standing, ...doubts, heading, fence(voice === 'quoted' ? 'quoted' : 'facts', words), ...evidence]
}
