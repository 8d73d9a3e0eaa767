/** `memory.review`: what waits for a person's yes, over every layer of the home, and what became of each decision. */
import type {
  Layer,
  NoteSummary,
  Proposal,
  ReviewApprove,
  ReviewChoice,
  ReviewEdit,
  ReviewFilter,
  ReviewInput,
  ReviewList,
  ReviewNote,
  ReviewOutcome,
  ReviewReject,
  ReviewResult,
} from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { safeText } from '../guard/index.ts'
import type { NoteHistory } from '../store/notes/history.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import type { Proposals } from '../store/proposals.ts'
import type { Approved, Decided, Judged, Writer } from '../write/index.ts'
import { findById, shortIdsOf } from './find-by-id.ts'
import { boundedLimit, offsetOf } from './notes.ts'
import { summaryOf, viewOf } from './review-view.ts'

export interface ReviewDependencies {
  readonly proposals: Proposals
  readonly review: Writer['review']
  readonly files: NoteFiles
  readonly history: NoteHistory
  readonly everyLayer: () => readonly Layer[]
  /** Layer key of the project of here, or null. */
  readonly projectKey: () => string | null
  /** Records a person's word on a note; gives the note as it is then. Throws NOTE_NOT_FOUND, NOTE_AMBIGUOUS. */
  readonly judgeNote: (input: ReviewNote) => Promise<NoteSummary>
  /** Decisions write; the engine refuses them when config.json cannot be read. */
  readonly writing: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** Ids of one call. */
const MAX_IDS = 500

export function createReviewAccess(given: ReviewDependencies): (input?: ReviewInput) => Promise<ReviewResult> {
  return async (input = { action: 'list' }) => {
    // Looked up on disk: once for each call, not for each proposal.
    const layers = given.everyLayer()
    const dependencies = { ...given, everyLayer: () => layers }
    switch (input.action) {
      case 'list':
        return list(dependencies, input)
      case 'show':
        return show(dependencies, input.id)
      case 'approve':
        return dependencies.writing(() => decide(dependencies, input))
      case 'reject':
        return dependencies.writing(() => decide(dependencies, input))
      case 'edit':
        return dependencies.writing(() => edit(dependencies, input))
      case 'helped':
      case 'misled':
        return dependencies.writing(async () => ({
          ...nothing,
          note: await dependencies.judgeNote(input),
          total: await dependencies.proposals.count(),
        }))
      default:
        throw invalid('action', 'Say list, show, approve, reject, edit, helped or misled.')
    }
  }
}

async function waiting({ proposals }: ReviewDependencies): Promise<readonly Proposal[]> {
  return (await proposals.list({ limit: Number.POSITIVE_INFINITY })).proposals
}

const nothing = { proposals: [], proposal: null, outcomes: [], nextCursor: null, notices: [] } as const

async function list(dependencies: ReviewDependencies, input: ReviewList): Promise<ReviewResult> {
  const all = await waiting(dependencies)
  const wanted = grouped(all.filter((each) => matches(dependencies, each, input)))
  const start = offsetOf(input.cursor)
  const end = start + boundedLimit(input.limit)
  const judge = dependencies.review.judge()
  const shortIds = shortIdsOf(all)
  const proposals = []
  for (const proposal of wanted.slice(start, end))
    proposals.push(await summaryOf(proposal, await judge(proposal), { ...dependencies, shortIds }))
  return { ...nothing, proposals, total: wanted.length, nextCursor: end < wanted.length ? `o${end}` : null }
}

/** Layer by layer, what asks for the same together, newest first. */
function grouped(proposals: readonly Proposal[]): Proposal[] {
  const group = ({ layer, asks, operation }: Proposal) => [layer, asks, operation].join('\n')
  const order = [...new Set(proposals.map(group))].sort()
  return order.flatMap((key) => proposals.filter((each) => group(each) === key))
}

function matches({ projectKey }: ReviewDependencies, proposal: Proposal, filter: ReviewFilter): boolean {
  const { layer, author, operation } = filter
  const key = layer === 'project' ? projectKey() : layer
  return (
    (layer === undefined || proposal.layer === key) &&
    (author === undefined || proposal.author === author) &&
    (operation === undefined || proposal.operation === operation)
  )
}

async function show(dependencies: ReviewDependencies, reference: string): Promise<ReviewResult> {
  const all = await waiting(dependencies)
  const proposal = only(reference, all)
  const tools = { ...dependencies, shortIds: shortIdsOf(all) }
  const view = await viewOf(proposal, await dependencies.review.judge()(proposal), tools)
  return { ...nothing, proposal: view, total: all.length }
}

async function decide(dependencies: ReviewDependencies, input: ReviewApprove | ReviewReject): Promise<ReviewResult> {
  const all = await waiting(dependencies)
  if (input.action === 'approve' && input.confirmThreat && !(isNamed(input) && input.ids.length === 1))
    throw invalid('confirmThreat', 'A text that reads like an attack is confirmed alone, by its id.')
  const { chosen, unknown } = choose(dependencies, input, all)
  const done =
    input.action === 'approve'
      ? await dependencies.review.approve(chosen, input)
      : { decided: await dependencies.review.reject(chosen, input), notices: [] }
  return told(dependencies, done, { all, unknown })
}

async function edit(dependencies: ReviewDependencies, input: ReviewEdit): Promise<ReviewResult> {
  if (typeof input.text !== 'string') throw invalid('text', 'Say the new text.')
  const all = await waiting(dependencies)
  const proposal = only(input.id, all)
  const edited = await dependencies.review.edit(proposal, input)
  if (edited.outcome !== 'edited' || !input.approve)
    return told(dependencies, { decided: [edited], notices: [] }, { all, unknown: [] })
  return told(dependencies, await dependencies.review.approve([edited.proposal], input), { all, unknown: [] })
}

interface Asked {
  readonly all: readonly Proposal[]
  readonly unknown: readonly ReviewOutcome[]
}

async function told(dependencies: ReviewDependencies, done: Approved, { all, unknown }: Asked): Promise<ReviewResult> {
  const judge = dependencies.review.judge()
  const tools = { ...dependencies, shortIds: shortIdsOf(all) }
  const outcomes: ReviewOutcome[] = []
  for (const each of done.decided) outcomes.push(await outcomeOf(each, judge, tools))
  const notices = done.notices.map((notice) => safeText(notice, 'notice').text)
  return { ...nothing, outcomes: [...outcomes, ...unknown], total: await dependencies.proposals.count(), notices }
}

async function outcomeOf(
  { proposal, outcome, refusal, message, undo }: Decided,
  judge: (proposal: Proposal) => Promise<Judged>,
  tools: Parameters<typeof viewOf>[2],
): Promise<ReviewOutcome> {
  const judged: Judged = outcome === 'stale' ? await judge(proposal) : { state: 'done', why: message }
  const summary = await summaryOf(proposal, judged, tools)
  const view = outcome === 'stale' ? await viewOf(proposal, judged, tools) : null
  return { id: proposal.id, outcome, refusal, message: safeText(message, 'reason').text, proposal: summary, view, undo }
}

function isNamed(choice: ReviewChoice): choice is Extract<ReviewChoice, { ids: readonly string[] }> {
  return 'ids' in choice
}

function choose(dependencies: ReviewDependencies, choice: ReviewChoice, all: readonly Proposal[]) {
  if (!isNamed(choice)) {
    if (choice.all !== true) throw invalid('ids', 'Name proposals, or say that all are meant.')
    return { chosen: all.filter((each) => matches(dependencies, each, choice)), unknown: [] }
  }
  if (choice.ids.length === 0) throw invalid('ids', 'Name proposals, or say that all are meant.')
  if (choice.ids.length > MAX_IDS) throw invalid('ids', `At most ${MAX_IDS} proposals at one time.`)
  const chosen = new Map<string, Proposal>()
  const unknown: ReviewOutcome[] = []
  for (const reference of choice.ids) {
    const [found, ...others] = findById(reference, all)
    if (found && others.length === 0) chosen.set(found.id, found)
    else unknown.push(notFound(reference, others.length + (found ? 1 : 0)))
  }
  return { chosen: [...chosen.values()], unknown }
}

function only(reference: string, all: readonly Proposal[]): Proposal {
  const found = findById(reference, all)
  const [proposal, ...others] = found
  if (proposal && others.length === 0) return proposal
  const shown = safeText(String(reference).slice(0, 100), 'id').text
  if (!proposal)
    throw new MemoryError('PROPOSAL_NOT_FOUND', `No proposal is called ${JSON.stringify(shown)}`, {
      hint: 'keepsake review shows what waits; it may have been decided meanwhile.',
      data: { reference: shown },
    })
  throw new MemoryError('PROPOSAL_AMBIGUOUS', `${found.length} proposals begin or end with ${JSON.stringify(shown)}`, {
    hint: 'Use more of the id.',
    data: { reference: shown, candidates: found.slice(0, 10).map(({ id }) => ({ id })) },
  })
}

function notFound(reference: string, count: number): ReviewOutcome {
  const id = safeText(String(reference).slice(0, 100), 'id').text
  const none = { id, proposal: null, refusal: null, view: null, undo: null }
  return count === 0
    ? { ...none, outcome: 'not-found', message: 'Nothing of this id waits; it may have been decided meanwhile.' }
    : { ...none, outcome: 'ambiguous', message: `${count} begin or end so; use more of the id.` }
}

function invalid(field: string, message: string): MemoryError {
  return new MemoryError('INPUT_INVALID', message, { hint: 'Nothing was changed.', data: { field } })
}
