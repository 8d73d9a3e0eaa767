/**
 * One pass of stage two over the notes of one layer (spec W14). The agent plans, and nothing is written before its plan is
 * whole: a model that gives out, a lost lease or a kill before that leaves everything as it was. The plan is then kept,
 * carried out, and only after that the watermark moves; a kill in between is finished by the next pass.
 */
import type { PassReport } from '../../domain/index.ts'
import { MemoryError, messageOf, throwIfCancelled } from '../../errors.ts'
import { redact } from '../../guard/index.ts'
import { type AgentResult, runAgent } from '../../models/index.ts'
import { readSummary } from '../../store/notes/summary-file.ts'
import type { Pass, SessionRead } from '../../store/state/session-memories.ts'
import { cutCodePoints, oneLine } from '../../util/index.ts'
import { vetoNote } from '../extract/index.ts'
import { contradictionsIn, type PlanBook, type Room, readTools, writeTools } from '../sandbox/index.ts'
import { type Applied, applyPlan, refusalOf } from './apply-plan.ts'
import { type ChangesSince, changesSince } from './changes-since.ts'
import { activeNotes, findNote } from './known-notes.ts'
import { type Material, materialOf } from './material.ts'
import { baseFromText, baseToText, type DecidedPass, decidedFromText, decidedToText } from './pass-texts.ts'
import { prove } from './prove.ts'
import { stageTwoPrompt } from './stage-prompts.ts'
import { summaryFrom, writeSummary } from './summary.ts'
import { type DeferredDependencies, failureAfter, type Held, type PassPlace } from './types.ts'

/** Memories that one pass looks at; those that do not fit into its prompt wait. */
const MAX_MEMORIES = 64
const MAX_REFUSED = 20
const MAX_PROBLEM = 300

export type PassOutcome =
  | { readonly kind: 'ended'; readonly report: PassReport }
  /** This layer cannot be tidied now; others may. */
  | { readonly kind: 'skipped'; readonly reason: string }
  /** Nothing more can be asked now; nothing was changed. */
  | { readonly kind: 'stopped'; readonly reason: string }

/** Throws CANCELLED; what the write path throws is a failed pass. */
export async function runPass(
  dependencies: DeferredDependencies,
  layer: string,
  { place, held }: { readonly place: PassPlace; readonly held: Held },
): Promise<PassOutcome> {
  const { memories } = dependencies
  const pass = memories.pass(layer) ?? { layer, sequence: 0, base: null, plan: null, succeededAt: null, failure: null }
  const kept = pass.plan === null ? null : decidedFromText(pass.plan)
  if (kept) return finish(dependencies, pass, { decided: kept, turns: 0, seen: 0, place, held })
  const waiting = memories
    .memoriesAfter(layer, pass.sequence, MAX_MEMORIES)
    // One that was set off is gone for every reader, before its rows are.
    .memories.filter(({ session }) => dependencies.sessions.session(session) !== null)
  if (waiting.length === 0) return { kind: 'skipped', reason: 'nothing is new' }
  const begun = dependencies.jobs.begin('stage-two', { signal: held.signal })
  if (!begun.ok) return { kind: 'stopped', reason: begun.message }
  const changes = await changesSince(place, baseFromText(pass.base))
  const desk = await deskOf(dependencies, { place, waiting, changes, signal: held.signal })
  const answer = await runAgent(begun.job, {
    system: stageTwoPrompt.text,
    prompt: desk.material.prompt,
    tools: desk.tools,
    maxTurns: begun.job.budget.calls,
    signal: held.signal,
    onTurn: (turn) => dependencies.onProgress({ stage: 'two', layer, turn }),
  })
  throwIfCancelled(held.signal)
  const seen = desk.material.memories.length
  if (!answer.ok) return isWorthWaiting(answer) ? failed(dependencies, pass, { answer, seen }) : stopped(answer)
  const [contradiction] = contradictionsIn(desk.book.changes())
  if (contradiction !== undefined)
    return failed(dependencies, pass, {
      answer: { ...answer, message: `its plan contradicts itself: ${contradiction}` },
      seen,
    })
  if (!held.isHeld()) return { kind: 'stopped', reason: 'another process goes on with it' }
  const decided: DecidedPass = {
    changes: [...desk.book.changes()],
    answer: answer.text,
    skipped: [...desk.book.skipped()],
    sequence: desk.material.memories.at(-1)?.sequence ?? pass.sequence,
    base: baseToText(changes.base),
  }
  // The plan may hold the words of a note that was forgotten while the model worked.
  if (desk.material.memories.some(({ session }) => memories.read(session)?.memory === null))
    return { kind: 'stopped', reason: 'a note of these conversations was forgotten meanwhile' }
  memories.putPass({ ...pass, plan: decidedToText(decided) })
  return finish(dependencies, pass, { decided, turns: answer.turns, seen, place, held })
}

/** A run that cost something must not begin again at once. Where nothing was asked, the next start may try. */
function isWorthWaiting({ reason, turns }: Extract<AgentResult, { ok: false }>): boolean {
  return reason === 'turns' || reason === 'late' || turns > 0
}

function stopped({ message }: { readonly message: string }): PassOutcome {
  return { kind: 'stopped', reason: message }
}

interface Desk {
  readonly material: Material
  readonly tools: Parameters<typeof runAgent>[1]['tools']
  readonly book: PlanBook
}

async function deskOf(
  { sessions }: DeferredDependencies,
  given: { place: PassPlace; waiting: readonly SessionRead[]; changes: ChangesSince; signal: AbortSignal },
): Promise<Desk> {
  const { place, waiting, changes, signal } = given
  const bare = roomOf(place, [])
  const notes = await activeNotes(place, bare)
  const summary = summaryLayer(place)
  const material = materialOf({ sessions, waiting, changes, notes, summary: summary && readSummary(summary) })
  const room = roomOf(place, [material.texts])
  const sources = {
    sessions,
    conversations: material.conversations,
    findNote: (reference: string) => findNote(place, room, reference),
    existing: async () => (await activeNotes(place, room)).map(({ scanned }) => scanned),
    sensitive: place.sensitive,
    veto: vetoNote,
  }
  const { tools, book } = writeTools({
    find: sources.findNote,
    prove: (note, quotes, instead) => prove(sources, note, { quotes, instead }),
    refusal: (change) => refusalOf(place, change, signal),
  })
  return { material, tools: [...readTools(room), ...tools], book }
}

function roomOf({ files, roots }: PassPlace, texts: Room['texts']): Room {
  return { files, notes: roots, texts }
}

/** Only a project has a summary. */
function summaryLayer({ roots }: PassPlace) {
  return roots.find(({ name }) => name === 'project')?.layer ?? null
}

interface Finishing {
  readonly decided: DecidedPass
  readonly turns: number
  readonly seen: number
  readonly place: PassPlace
  readonly held: Held
}

/** The plan is on disk: from here on everything may be done again. */
async function finish(
  { memories, clock, modeOf }: DeferredDependencies,
  pass: Pass,
  { decided, turns, seen, place, held }: Finishing,
): Promise<PassOutcome> {
  const room = roomOf(place, [])
  // What a conversation proved that was set off meanwhile proves nothing any more.
  const isOff = ({ session }: { readonly session: string | null }) => session !== null && modeOf(session) === 'off'
  const changes = decided.changes.filter((each) => each.kind === 'remove' || !each.evidence.some(isOff))
  const work = { changes, signal: held.signal }
  const applied = await attempt(() => applyPlan(place, room, work), held.signal)
  if ('problem' in applied) {
    const tries = pass.failure?.tries ?? 0
    // As it is on disk now: one that a forgotten note took along is not put back.
    const plan = memories.pass(pass.layer)?.plan ?? null
    memories.putPass({ ...pass, plan, failure: failureAfter(tries, applied.problem, clock.now()) })
    return ended(pass, { turns, seen, problem: applied.problem, skipped: decided.skipped })
  }
  const layer = summaryLayer(place)
  const names = layer === null ? [] : (await activeNotes(place, room)).map(({ scanned }) => scanned.name)
  const summary = layer === null ? null : summaryFrom(decided.answer, names)
  if (!held.isHeld()) return { kind: 'stopped', reason: 'another process goes on with it' }
  if (layer !== null && summary !== null) await writeSummary(place.files, layer, summary)
  memories.putPass({
    layer: pass.layer,
    sequence: Math.max(pass.sequence, decided.sequence),
    base: decided.base,
    plan: null,
    succeededAt: clock.now(),
    failure: null,
  })
  return ended(pass, { turns, seen, problem: null, skipped: decided.skipped, applied, summary: summary !== null })
}

async function attempt(work: () => Promise<Applied>, signal: AbortSignal): Promise<Applied | { problem: string }> {
  try {
    return await work()
  } catch (error) {
    throwIfCancelled(signal)
    if (!MemoryError.isInstance(error)) throw error
    return { problem: shortened(messageOf(error)) }
  }
}

/** Nothing was written; it is tried again, later each time. */
function failed(
  { memories, clock }: DeferredDependencies,
  pass: Pass,
  {
    answer,
    seen,
  }: { readonly answer: Pick<AgentResult, 'turns'> & { readonly message: string }; readonly seen: number },
): PassOutcome {
  const problem = shortened(answer.message)
  memories.putPass({ ...pass, failure: failureAfter(pass.failure?.tries ?? 0, problem, clock.now()) })
  return ended(pass, { turns: answer.turns, seen, problem, skipped: [] })
}

function ended(
  { layer }: Pass,
  given: {
    readonly turns: number
    readonly seen: number
    readonly problem: string | null
    readonly skipped: readonly string[]
    readonly applied?: Applied
    readonly summary?: boolean
  },
): PassOutcome {
  const { turns, seen, problem, skipped, applied, summary = false } = given
  const refused = [...skipped, ...(applied?.refused ?? [])].map(shortened)
  const report: PassReport = {
    layer,
    outcome: problem === null ? 'done' : 'failed',
    memories: seen,
    turns,
    changed: applied?.changed ?? 0,
    proposed: applied?.proposed ?? 0,
    refused: refused.slice(0, MAX_REFUSED),
    omittedRefused: Math.max(0, refused.length - MAX_REFUSED),
    summary,
    problem,
  }
  return { kind: 'ended', report }
}

function shortened(text: string): string {
  return cutCodePoints(oneLine(redact(text).text), MAX_PROBLEM)
}
