/**
 * An answer that a host got from its model (spec I7): which notes it cites, counted for its conversation, and its text
 * without the block. For hosts whose conversations no transcript tells of; what an agent's transcript tells is counted
 * when it is captured.
 */
import type { AnsweredInput, AnsweredResult, NoteUse, ReadOptions } from '../domain/index.ts'
import { readCitations } from '../guard/index.ts'
import { dialectNames } from '../inject/index.ts'
import type { Core } from './core.ts'
import { sessionIdOf } from './kept-context.ts'
import type { Notes } from './notes.ts'
import { whyNothingIsKept } from './session-mode.ts'
import { usedNoteFinder } from './used-note.ts'

/** References of one answer that are looked up. */
const MAX_REFERENCES = 100

/** Throws INPUT_INVALID for a session without an id. */
export async function answered(
  core: Core,
  notes: Notes,
  { session: id, agent = 'plain', text, message }: AnsweredInput,
): Promise<AnsweredResult> {
  const session = sessionIdOf(id, agent, agentsKnown(core, agent))
  const { text: shown, references } = readCitations(text)
  const looked = references.slice(0, MAX_REFERENCES)
  const find = looked.length === 0 ? () => null : await usedNoteFinder(notes, core.options.userHome)
  const found = looked.map((reference) => ({ reference, note: find(reference, 'citation') }))
  const used = [...new Set(found.flatMap(({ note }) => note ?? []))]
  const act = message === undefined ? undefined : `${agent}:${message}`
  const at = core.options.clock.now()
  const uses = used.map((note): NoteUse => ({ note, session, kind: 'cited', at, ...(act && { act }) }))
  const added = whyNotCounted(core, session) === null ? core.uses.record(uses) : []
  for (const { note } of added) helped(core, note, session, at)
  return {
    text: shown,
    used,
    counted: added.length,
    unknown: found.filter(({ note }) => note === null).map(({ reference }) => reference),
    omitted: references.length - looked.length,
    reason: whyNotCounted(core, session),
  }
}

/** A note that was read for a conversation. Of an agent whose transcripts are captured, they tell it. */
export function countOpened(core: Core, note: string, { session: id, agent = 'plain' }: ReadOptions): void {
  if (id === undefined) return
  const agents = Object.keys(core.options.readers)
  const session = sessionIdOf(id, agent, agentsKnown(core, agent))
  // Clients call themselves after their agent: `codex-mcp-client`.
  const isCaptured = agents.some((name) => agent === name || agent.startsWith(`${name}-`))
  if (isCaptured || whyNotCounted(core, session) !== null) return
  core.uses.record([{ note, session, kind: 'opened', at: core.options.clock.now() }])
}

/** What may stand before the id of a session, as in `context`. */
function agentsKnown({ options }: Core, agent: string): string[] {
  return [agent, ...dialectNames, ...Object.keys(options.readers)]
}

function whyNotCounted(core: Core, session: string): string | null {
  return whyNothingIsKept(core, session) ?? core.stores.unavailable()
}

function helped({ trust, onProblem }: Core, note: string, session: string, at: number): void {
  try {
    trust.record({ note, session, signal: 'helped', at })
  } catch (error) {
    // A statistic: what it cannot keep is no reason to lose the answer.
    onProblem(error, 'trust')
  }
}
