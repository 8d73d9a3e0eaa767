/** Notes and waiting changes as a prompt shows them: one line each, masked, fenced, and what is left out is said. */
import type { Memory, ProposalSummary } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import { type FenceKind, fence, safeLines } from '../../guard/index.ts'
import { cutGraphemes, oneLine } from '../../util/index.ts'

const LINE_GRAPHEMES = 240

/** Newest first, as `list` gives them. */
export function keptNotes(memory: Memory, limit: number): Promise<string> {
  return section(
    { title: 'Notes that are kept', kind: 'facts', others: 'memory_search finds the others' },
    async () => {
      const { notes, total } = await memory.list({ limit })
      const lines = notes.map(({ type, layer, name, description, updated, pinned }) => ({
        fields: [
          type,
          layer,
          updated?.slice(0, 10) ?? 'undated',
          ...(pinned ? ['in the profile'] : []),
          name,
          description,
        ],
        name,
        description,
      }))
      return { lines, total }
    },
  )
}

/** Of this project and of the global layer: what waits elsewhere is nothing that an agent sees here. */
export function waitingChanges(memory: Memory, limit: number): Promise<string> {
  const what = { title: 'Changes that wait for a yes of the user', others: 'keepsake review lists them' }
  return section({ ...what, kind: 'quoted' }, async () => {
    const layers = ['project', 'global'] as const
    const lists = await Promise.all(layers.map((layer) => memory.review({ action: 'list', layer, limit })))
    const proposals = lists.flatMap((list) => list.proposals).slice(0, limit)
    return { lines: proposals.map(lineOf), total: lists.reduce((sum, list) => sum + list.total, 0) }
  })
}

function lineOf({ shortId, layer, asks, operation, name, author, reason }: ProposalSummary): Line {
  const what = asks === 'change' ? operation : asks
  return { fields: [shortId, layer, what, name, `asked by ${author}`, reason], name, description: reason }
}

interface Line {
  readonly fields: readonly string[]
  readonly name: string
  readonly description: string
}

/** A store that cannot be read takes nothing away from the prompt: what is known is said. */
async function section(
  {
    title,
    kind,
    others,
  }: {
    readonly title: string
    readonly kind: FenceKind
    /** Where those are that are not shown. */
    readonly others: string
  },
  read: () => Promise<{ readonly lines: readonly Line[]; readonly total: number }>,
): Promise<string> {
  try {
    const { lines, total } = await read()
    if (total === 0) return `${title}: none.`
    const shown = safeLines(
      lines.map(({ fields, name, description }) => ({
        line: cutGraphemes(oneLine(fields.join(' | ')), LINE_GRAPHEMES),
        name,
        description,
        label: 'entry',
      })),
    )
    const more = total > lines.length ? `\n${total - lines.length} more are not shown: ${others}.` : ''
    return `${title}:\n${fence(kind, shown.join('\n'))}${more}`
  } catch (error) {
    if (!MemoryError.isInstance(error) || error.code === 'INTERNAL') throw error
    return `${title}: they cannot be read at the moment (${error.code}).`
  }
}
