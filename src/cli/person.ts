/** What only a person may do (spec W4, W11): not in the shell of an agent, and some of it only at a terminal. */
import type { Memory, ReviewFilter } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import type { CliContext } from './context.ts'

/** What agents set in the commands that they run. */
const agentShells = {
  CLAUDECODE: 'claude-code',
  CODEX_SANDBOX: 'codex',
  CODEX_SANDBOX_NETWORK_DISABLED: 'codex',
  GEMINI_CLI: 'gemini',
  OPENCODE: 'opencode',
} as const

/**
 * Who writes by a command: the person, or the agent whose shell this is. What an agent types is its own word (spec I11);
 * at a terminal a person types.
 */
export function writerOf(cli: Shell): { readonly author: 'person' | 'agent'; readonly agent?: string } {
  const mark = agentMark(cli)
  return mark === null ? { author: 'person' } : { author: 'agent', agent: agentShells[mark] }
}

type Shell = Pick<CliContext, 'surroundings' | 'isTerminal'>

function agentMark({ surroundings, isTerminal }: Shell): keyof typeof agentShells | null {
  if (isTerminal()) return null
  // Its own keys, written above.
  const marks = Object.keys(agentShells) as (keyof typeof agentShells)[]
  return marks.find((name) => surroundings.environment[name]) ?? null
}

/** A yes or a no is the person's word: what an agent could say for them would be none, and a no drops what waits. */
export function assertPerson(cli: Shell, { what, field } = { what: 'a yes or a no', field: 'review' }): void {
  const mark = agentMark(cli)
  if (mark === null) return
  throw new MemoryError(
    'INPUT_INVALID',
    `This is the shell of an agent (${mark} is set); ${what} is the person's own`,
    {
      hint: 'Ask the user to run it in a terminal of their own. Nothing was changed.',
      data: { field },
    },
  )
}

/** Asked in words, at a terminal, about one text; without a terminal it is refused. */
export async function confirmThreat(cli: CliContext, memory: Memory, ids: readonly string[]): Promise<void> {
  const [id, ...others] = ids
  if (!cli.isTerminal())
    throw new MemoryError('INPUT_INVALID', '--confirm-threat asks at a terminal, and there is none', {
      hint: 'Run it by hand. Nothing was changed.',
      data: { field: 'confirmThreat' },
    })
  if (id === undefined || others.length > 0)
    throw new MemoryError('INPUT_INVALID', 'A text that reads like an attack is confirmed alone, by its id', {
      hint: 'Nothing was changed.',
      data: { field: 'confirmThreat' },
    })
  const { proposal } = await memory.review({ action: 'show', id })
  const question = `You read ${proposal?.file ?? 'the text'} and want it kept, although it reads like an attack?`
  if (!(await cli.confirm(question))) throw new MemoryError('CANCELLED', 'Nothing was decided')
}

/** How many that is, before it is done. */
export async function confirmAll(
  cli: CliContext,
  memory: Memory,
  action: 'approve' | 'reject',
  { layer, author, operation }: ReviewFilter,
): Promise<void> {
  const { total } = await memory.review({ action: 'list', layer, author, operation, limit: 1 })
  if (total === 0) return
  const question = `${action === 'approve' ? 'Approve' : 'Reject'} ${total} ${total === 1 ? 'proposal' : 'proposals'}?`
  if (!(await cli.confirm(question))) throw new MemoryError('CANCELLED', 'Nothing was decided')
}
