import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import {
  type Memory,
  noteTypes,
  type RecallHit,
  type RecallResult,
  saidByWords,
  standingWords,
} from '../../domain/index.ts'
import { checkedLines, escapeFenced, fence } from '../../guard/index.ts'
import { oneLine } from '../../util/index.ts'
import { answer, guarded, refusal, searchState } from '../answer.ts'
import { toldNote, toldPassages } from './told-sessions.ts'

export function addMemorySearch(server: McpServer, memory: Memory): void {
  server.registerTool(
    'memory_search',
    {
      title: 'Search memory',
      description:
        'Find what is remembered about the user, this project or earlier conversations. Call it before you ask the user something they may have told before, when they say "as usual", "last time", 上次, or before work in an area you know nothing about yet.',
      inputSchema: z.object({
        query: z
          .string()
          .optional()
          .describe('A question or a few words, any language. "quoted phrase" and prefix* work.'),
        about: z.string().optional().describe('Only notes that name this person or thing; without query: all of them.'),
        together: z.string().optional().describe('Beside about: notes that name both.'),
        contradicts: z.boolean().optional().describe('Pairs of notes that cannot both hold.'),
        since: z.string().optional().describe('2026-05-01, 7d, last week.'),
        in: z.enum(['notes', 'sessions', 'all']).optional().describe('Default notes; sessions = past conversations.'),
        type: z.enum(noteTypes).optional(),
        limit: z.number().int().min(1).max(50).optional().describe('Default 10.'),
        explain: z.boolean().optional().describe('Also say what each score is made of.'),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ in: target = 'notes', limit, ...asked }) =>
      guarded(async () => {
        const { query, about, contradicts, since, type, explain } = asked
        if (query === undefined && about === undefined && !contradicts) return refusal('It needs `query` or `about`.')
        const isNarrowed = about !== undefined || contradicts || since !== undefined || type !== undefined || explain
        if (target === 'sessions' && query !== undefined && !isNarrowed)
          return toldPassages(await memory.sessions.search({ query, limit: limit ?? 5 }))
        const found = await memory.recall({ ...asked, in: target, limit: limit ?? 10 })
        const state = searchState(found)
        if (found.contradictions) return answer(...contrary(found), state)
        const opened = found.sessionNote ? toldNote(found.sessionNote) : []
        if (found.results.length === 0) return answer(...opened, 'Nothing in memory matches.', state)
        const more = found.omitted > 0 ? `${found.omitted} more match; ask more narrowly or raise limit.` : ''
        const scores = explain ? explanation(found.results) : ''
        return answer(
          ...opened,
          'Open a note or message with memory_get before you rely on it.',
          ...fences(found.results),
          scores,
          more,
          state,
        )
      }),
  )
}

/** Both sides are quoted; which one holds is for the user to say. */
function contrary({ contradictions = [], results, omitted }: RecallResult): string[] {
  if (contradictions.length === 0) return ['No notes contradict each other.']
  const nameOf = (id: string) => oneLine(results.find((hit) => hit.id === id)?.name ?? '')
  const lines = contradictions.flatMap(({ newer, older, newerQuote, olderQuote }) => [
    `- newer, ${nameOf(newer)} (${newer}): ${oneLine(newerQuote)}`,
    `  older, ${nameOf(older)} (${older}): ${oneLine(olderQuote)}`,
  ])
  return ['Ask the user which holds.', fence('facts', lines.join('\n')), omitted > 0 ? `${omitted} more pairs.` : '']
}

/** What was said or what a tool answered is quoted; it never stands among the notes (spec I11). */
function fences(results: readonly RecallHit[]): string[] {
  const lines = (kind: RecallHit['kind']) => results.filter((hit) => hit.kind === kind).map(lineOf)
  const [notes, messages] = [lines('note'), lines('message')]
  return [
    ...(notes.length > 0 ? [fence('facts', notes.join('\n'))] : []),
    ...(messages.length > 0 ? ['From earlier conversations:', fence('quoted', messages.join('\n'))] : []),
  ]
}

function lineOf(hit: RecallHit): string {
  const facts = [
    hit.score.toFixed(2),
    hit.type ?? hit.role ?? hit.kind,
    hit.layer,
    ...(hit.date === null ? [] : [hit.date.slice(0, 10)]),
    hit.age,
    `${saidByWords(hit.saidBy)}${hit.source?.session ? ` in ${hit.source.session}` : ''}`,
    ...(hit.weak ? ['weak match'] : []),
    ...[standingWords(hit.standing) ?? []].flat(),
  ].join(', ')
  const text = oneLine(hit.kind === 'note' ? `${hit.description} … ${hit.snippet}` : hit.snippet)
  const line = `- ${oneLine(hit.name)} (${hit.reference ?? hit.id}; ${oneLine(facts)}): ${text}`
  const checked = checkedLines({ id: hit.id, voice: 'quoted', verdicts: hit.verdicts }, 'agent')
  return [line, ...checked.map((each) => `  ${each}`)].join('\n')
}

/** The data of `recall({ explain: true })`; words in it are those of the question. */
function explanation(results: readonly RecallHit[]): string {
  return escapeFenced(results.map(({ id, score, explain }) => JSON.stringify({ id, score, ...explain })).join('\n'))
}
