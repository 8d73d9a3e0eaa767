/** Carries approved proposals out: all of one layer under one lock, as one change in its history (spec S12, W11). */
import type { Proposal } from '../domain/index.ts'
import { hasCode, MemoryError, throwIfCancelled } from '../errors.ts'
import type { ChangeWords, Watch } from '../store/notes/history.ts'
import { readNote } from '../store/notes/note-format.ts'
import { updateIndexFile, updateSearchIndex } from './commit.ts'
import { type Decided, decidedAs, goneMeanwhile, notDone, refusedAs, threatened } from './decided.ts'
import type { Approved, ReviewOptions, WriteContext } from './dependencies.ts'
import { uniqueMatch } from './find-target.ts'
import { takeAway } from './forget.ts'
import { type Judged, judgeProposal, refusalOf } from './judge-proposal.ts'
import { moveLayers } from './move.ts'
import { type FileChange, retire } from './plan-write.ts'
import { readerOf } from './read-layer.ts'
import { retryWhenChanged } from './retry-when-changed.ts'
import { layersNow, type ReviewedLayer, readLayer } from './reviewed-layers.ts'

/** Oldest first within a layer. What stands in the way of one proposal, or of one layer, leaves the others alone. */
export async function approveAll(
  context: WriteContext,
  proposals: readonly Proposal[],
  options: ReviewOptions,
): Promise<Approved> {
  if (options.dryRun) return { decided: await wouldBe(context, proposals, options), notices: [] }
  const oldestFirst = [...proposals].sort((one, other) => (one.id < other.id ? -1 : 1))
  const done: Approved[] = []
  for (const key of new Set(oldestFirst.map(({ layer }) => layer))) {
    throwIfCancelled(options.signal)
    const here = oldestFirst.filter(({ layer }) => layer === key)
    const changes = here.filter(({ operation }) => operation !== 'move')
    if (changes.length > 0) done.push(await approveInLayer(context, { key, proposals: changes, options }))
    for (const move of here.filter(({ operation }) => operation === 'move'))
      done.push(await approveMove(context, move, options))
  }
  return { decided: done.flatMap(({ decided }) => decided), notices: done.flatMap(({ notices }) => notices) }
}

async function wouldBe(
  context: WriteContext,
  proposals: readonly Proposal[],
  options: ReviewOptions,
): Promise<Decided[]> {
  const find = layersNow(context)
  const decided: Decided[] = []
  for (const proposal of proposals) {
    const judged = await judgeProposal(context, proposal, find)
    const refused = notDone(proposal, judged) ?? threatened(proposal, judged, options)
    decided.push(refused ?? { ...doneAs(proposal, judged), message: 'Nothing was changed: this was a dry run.' })
  }
  return decided
}

async function approveInLayer(
  context: WriteContext,
  { key, proposals, options }: { key: string; proposals: readonly Proposal[]; options: ReviewOptions },
): Promise<Approved> {
  const layer = context.everyLayer().find((each) => each.key === key)
  try {
    // Where nothing can be written, nothing is locked: the judge says why.
    if (!layer || !context.writable) return { decided: await wouldBe(context, proposals, options), notices: [] }
    const done = await context.files.withLock(layer, { signal: options.signal }, async (locked) => {
      const watch = context.history.watch(locked)
      const here: Approving = { context, watch, reviewed: await readLayer(context, locked, layer), options }
      const decided: Decided[] = []
      for (const proposal of proposals) decided.push(await approveOne(here, proposal))
      return finish(here, decided)
    })
    const isChanged = done.decided.some(({ outcome }) => outcome === 'applied' || outcome === 'rebased')
    const lagging = await updateSearchIndex(context, isChanged ? [layer] : [])
    return { decided: done.decided, notices: [...done.notices, ...lagging] }
  } catch (error) {
    const refusal = refusalOf(error)
    return { decided: proposals.map((each) => refusedAs(each, refusal)), notices: [] }
  }
}

interface Approving {
  readonly context: WriteContext
  readonly watch: Watch
  readonly reviewed: ReviewedLayer
  readonly options: ReviewOptions
}

/** The proposal goes last: killed before that, the note already names it and the next yes finds it done. */
async function approveOne(here: Approving, asked: Proposal): Promise<Decided> {
  const { context, reviewed, options } = here
  throwIfCancelled(options.signal)
  const proposal = await context.proposals.get(asked.id)
  if (!proposal) return goneMeanwhile(asked)
  try {
    return await retryWhenChanged(async () => {
      const judged = await judgeProposal(context, proposal, async () => reviewed)
      const refused = notDone(proposal, judged) ?? threatened(proposal, judged, options)
      if (refused) return refused
      await carryOut(here, judged)
      await context.proposals.remove(proposal.id)
      return doneAs(proposal, judged)
    })
  } catch (error) {
    if (!hasCode(error, 'NOTE_CHANGED_ON_DISK')) return refusedAs(proposal, refusalOf(error))
    return decidedAs(proposal, 'stale', 'The file kept changing on disk, so nothing was changed; it waits on.')
  }
}

function doneAs(proposal: Proposal, judged: Judged): Decided {
  const message = 'why' in judged ? judged.why : judged.state === 'rebased' ? 'Put onto the newer text.' : 'Done.'
  return decidedAs(proposal, judged.state === 'rebased' ? 'rebased' : 'applied', message)
}

async function carryOut(here: Approving, judged: Judged): Promise<void> {
  if (!('act' in judged)) return
  const { context, watch, reviewed } = here
  switch (judged.act) {
    case 'write':
      await write(here, judged.change, judged.threats)
      return
    case 'remove':
      await takeAway(context, watch.locked, judged.loaded)
      reviewed.forget(judged.loaded.note.file)
      return
    case 'show':
      context.answers.record({ asks: 'withheld', hash: judged.hash }, 'yes')
      return
    case 'move':
      throw new MemoryError('INTERNAL', 'A move takes two locks')
  }
}

async function write(here: Approving, change: FileChange, threats: readonly string[]): Promise<void> {
  const { context, watch, reviewed } = here
  const { file, bytes, baseHash } = change
  const before = baseHash === null ? [] : ((await reviewed.load(file))?.note.supersedes ?? [])
  const written = await watch.locked.write(file, bytes, baseHash)
  if (threats.length > 0) context.answers.record({ asks: 'withheld', hash: written.hash }, 'yes')
  reviewed.keep(file, written)
  const { supersedes } = readNote(bytes, { layer: reviewed.layer.key, file })
  const named = supersedes.filter((each) => !before.includes(each))
  const replaced = named.flatMap((each) => uniqueMatch(each, reviewed.notes())).filter((note) => note.file !== file)
  for (const each of await retire(readerOf(watch.locked, reviewed.layer, context), replaced))
    reviewed.keep(each.file, await watch.locked.write(each.file, each.bytes, each.baseHash))
}

/** MEMORY.md, and one change in the history for all of them. */
async function finish({ context, watch, reviewed }: Approving, decided: readonly Decided[]): Promise<Approved> {
  const done = decided.filter(({ outcome }) => outcome === 'applied' || outcome === 'rebased')
  if (done.length === 0 || reviewed.isGone) return { decided, notices: [] }
  const lagging = await updateIndexFile(context, watch.locked, reviewed.layer)
  const { id, notices } = await watch.commit(wordsFor(done.map(({ proposal }) => proposal)))
  return {
    decided: decided.map((each) => (done.includes(each) ? { ...each, undo: id } : each)),
    notices: [...lagging, ...notices],
  }
}

/** Who asked for it is its author; that a person said yes stands in the reason. */
function wordsFor(proposals: readonly Proposal[]): ChangeWords {
  const authors = new Set(proposals.map(({ author }) => author))
  const [author = 'person'] = authors.size === 1 ? authors : ['person']
  const kind = proposals.every(({ operation }) => operation === 'remove') ? 'forget' : 'remember'
  const [first] = proposals
  const why = first && proposals.length === 1 ? reasonOf(first) : `Did ${proposals.length} proposals`
  return { kind, author, why: `${why}, approved in review` }
}

function reasonOf({ asks, operation }: Proposal): string {
  if (asks === 'rule') return "Made a note the user's rule"
  return { create: 'Remembered a new note', patch: 'Remembered a new version', remove: 'Forgot a note', move: '' }[
    operation
  ]
}

async function approveMove(context: WriteContext, proposal: Proposal, options: ReviewOptions): Promise<Approved> {
  const only = (decided: Decided, notices: readonly string[] = []) => ({ decided: [decided], notices })
  try {
    const judged = await judgeProposal(context, proposal, layersNow(context))
    const refused = notDone(proposal, judged)
    if (refused) return only(refused)
    if (!('act' in judged) || judged.act !== 'move') {
      const isMine = await context.proposals.remove(proposal.id)
      return only(isMine ? doneAs(proposal, judged) : goneMeanwhile(proposal))
    }
    const target = context.everyLayer().find(({ key }) => key === proposal.layer)
    if (!target) return only(goneMeanwhile(proposal))
    const source = { layer: judged.from.layer, scanned: judged.scanned }
    const { change, notices, clash, full } = await moveLayers(context, {
      source,
      target,
      signal: options.signal,
      author: proposal.author,
      approved: () => stillWaits(context, proposal),
    })
    if (clash) return only(refusedAs(proposal, { refusal: 'name-taken', why: 'Another note has its name there.' }))
    if (full !== null) return only(refusedAs(proposal, { refusal: 'profile-full', why: full }))
    await context.proposals.remove(proposal.id)
    const lagging = await updateSearchIndex(context, [target, source.layer])
    return only({ ...doneAs(proposal, judged), undo: change }, [...notices, ...lagging])
  } catch (error) {
    if (hasCode(error, 'PROPOSAL_NOT_FOUND')) return only(goneMeanwhile(proposal))
    if (hasCode(error, 'NOTE_NOT_FOUND') || hasCode(error, 'NOTE_CHANGED_ON_DISK'))
      return only(decidedAs(proposal, 'stale', 'The note changed or went meanwhile. Nothing was changed; it waits on.'))
    return only(refusedAs(proposal, refusalOf(error)))
  }
}

/** Asked under both locks. */
async function stillWaits({ proposals }: WriteContext, { id }: Proposal): Promise<void> {
  if (await proposals.get(id)) return
  throw new MemoryError('PROPOSAL_NOT_FOUND', 'It was decided meanwhile', { data: { reference: id } })
}
