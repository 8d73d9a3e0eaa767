/** Proposals and what became of them, as lines for a person. Control characters never reach the terminal. */
import type { ProposalSummary, ProposalView, ReviewOutcome, ReviewResult } from '../../domain/index.ts'
import { cutGraphemes, oneLine } from '../../util/index.ts'
import { printable } from './notes.ts'

const NAME_GRAPHEMES = 40
const REASON_GRAPHEMES = 60
/** Refused or stale ones that are told one by one; the rest is counted. */
const MAX_TOLD = 20

const kinds = {
  'change create': 'new notes',
  'change patch': 'new versions',
  'change remove': 'to forget',
  'change move': 'to move here',
  'lift move': 'rules of more than one project: everywhere?',
  'rule patch': 'your rule?',
  'withheld patch': 'withheld from prompts: keep?',
} as const

function kindOf({ asks, operation }: ProposalSummary): string {
  const known: Readonly<Record<string, string>> = kinds
  return known[`${asks} ${operation}`] ?? operation
}

function placeOf({ layer, layerKey }: ProposalSummary): string {
  return layer === 'global' ? 'global' : layerKey.replace(/^projects\//, 'project ')
}

export function trustLine({ note }: ReviewResult): string {
  return printable(
    `Trust of ${cutGraphemes(oneLine(note?.name ?? ''), NAME_GRAPHEMES)} is now ${note?.trust?.toFixed(2)}.`,
  )
}

export function reviewLines({ proposals, total, nextCursor }: ReviewResult): string {
  if (total === 0) return 'Nothing waits for your yes.'
  const width = Math.max(6, ...proposals.map(({ shortId }) => shortId.length))
  const lines: string[] = []
  let last = ''
  for (const proposal of proposals) {
    const group = `${placeOf(proposal)}: ${kindOf(proposal)}`
    if (group !== last) lines.push(group)
    last = group
    lines.push(proposalLine(proposal, width))
  }
  if (nextCursor !== null) lines.push(`${total - proposals.length} more of ${total}: --cursor ${nextCursor}`)
  return printable(
    [...lines, 'To see one: keepsake review show <id>. To decide: keepsake review approve|reject <ids…>|--all'].join(
      '\n',
    ),
  )
}

function proposalLine(proposal: ProposalSummary, width: number): string {
  const { shortId, name, author, reason, state, why } = proposal
  const words = [
    shortId.padEnd(width),
    cutGraphemes(oneLine(name), NAME_GRAPHEMES),
    `(${oneLine(author)}, ${proposal.created.slice(0, 10)})`,
    cutGraphemes(state === 'ready' || why === null ? oneLine(reason) : `${state}: ${oneLine(why)}`, REASON_GRAPHEMES),
  ]
  return `  ${words.join('  ')}`
}

export function proposalLines(view: ProposalView): string {
  const { id, name, type, author, created, reason, state, why, file, diff, changedSince, omittedLines, evidence } = view
  const said = evidence.map(
    (each) => `  ${each.role}${each.time ? `, ${each.time.slice(0, 10)}` : ''}: ${oneLine(each.quote ?? 'not quoted')}`,
  )
  return printable(
    [
      `${oneLine(name)}  (${[type, placeOf(view), kindOf(view)].filter(Boolean).join(', ')})`,
      `${id}  ${file}`,
      `asked by ${oneLine(author)} on ${created.slice(0, 10)}: ${oneLine(reason)}`,
      `now: ${state}${why ? `. ${oneLine(why)}` : ''}`,
      ...(diff === '' ? [] : ['', diff]),
      ...(changedSince === '' ? [] : ['', 'What changed since it was proposed:', changedSince]),
      ...(omittedLines > 0 ? [`${omittedLines} more lines`] : []),
      ...(said.length > 0 ? ['', 'Evidence:', ...said] : []),
    ].join('\n'),
  )
}

const doneWords = {
  applied: 'done',
  rebased: 'put onto the newer text',
  edited: 'edited',
  rejected: 'rejected',
} as const

export function outcomeLines({ outcomes, total, notices }: ReviewResult): string {
  const counts = Object.entries(doneWords).flatMap(([outcome, words]) => {
    const count = outcomes.filter((each) => each.outcome === outcome).length
    return count > 0 ? [`${count} ${words}`] : []
  })
  const open = outcomes.filter(({ outcome }) => !Object.hasOwn(doneWords, outcome))
  const undos = [...new Set(outcomes.flatMap(({ undo }) => undo ?? []))]
  const [only] = outcomes
  // "1 done" needs no second word for it.
  const isTold = outcomes.length === 1 && open.length === 0 && only?.outcome !== 'applied'
  const nothing =
    outcomes.length > 0
      ? 'Nothing was done'
      : total === 0
        ? 'Nothing waits for your yes.'
        : 'Nothing of what waits matches.'
  return printable(
    [
      counts.join(', ') || nothing,
      ...(isTold && only ? [`  ${oneLine(only.message)}`] : []),
      ...undos.map((id) => `  To take it back: keepsake undo ${id}`),
      ...open.slice(0, MAX_TOLD).flatMap((each) => openLines(each, outcomes.length === 1)),
      ...(open.length > MAX_TOLD ? [`  and ${open.length - MAX_TOLD} more; see keepsake review`] : []),
      ...notices.map((notice) => `  ${notice}`),
      ...(total > 0 ? [`${total} ${total === 1 ? 'waits' : 'wait'} for your yes`] : []),
    ].join('\n'),
  )
}

function openLines({ id, outcome, refusal, message, proposal, view }: ReviewOutcome, isOnly: boolean): string[] {
  const what = proposal ? `${proposal.shortId}  ${oneLine(proposal.name)}` : id
  const line = `  ${what}: ${outcome}${refusal ? ` (${refusal})` : ''}. ${oneLine(message)}`
  if (!isOnly || !view) return [line]
  return [line, '', 'Proposed:', view.diff, '', 'What changed since:', view.changedSince]
}
