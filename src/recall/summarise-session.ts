/**
 * One conversation summed up for one question (spec R8), one light call. The model sees the stretch around the matches,
 * masked, in a fence. When none is set up, it cannot be asked, or says nothing that can be used, the passages are given
 * and the reason is said.
 */
import { estimateTokenCount } from 'tokenx'
import { messageReference, type Session, type SessionPassage, type SessionSummary } from '../domain/index.ts'
import { throwIfCancelled } from '../errors.ts'
import { fence, safeText } from '../guard/index.ts'
import { estimateInput, type ModelJobs } from '../models/index.ts'
import type { OrderedMessage, SessionStore } from '../store/sessions/session-store.ts'
import { cutGraphemes } from '../util/index.ts'
import { readSummary } from './answer-summary.ts'
import { chooseWindow, type WeighedMessage } from './choose-window.ts'
import { type MatchKind, matchKinds, type Sought, soughtIn } from './match-places.ts'
import { parseQuery } from './parse-query.ts'
import system from './prompts/summary.md'
import { cutPassage } from './snippet.ts'

/** UTF-16 units that a model is shown at most (spec R8); the budget of tokens is usually reached before. */
const MAX_SHOWN_LENGTH = 100_000
/** UTF-16 units of one message: of a long one the part around the matches, of a tool's answer a line. */
const MAX_SAID_LENGTH = 3_000
const MAX_TOOL_LENGTH = 300
/** Newest messages that are looked at. */
const MAX_MESSAGES = 5_000
const PAGE = 200
const MAX_PASSAGES = 5
const PASSAGE_LENGTH = 400
const QUESTION_GRAPHEMES = 1_000
/** Kept free for number, speaker and time of a message, and for what masking adds. */
const TOKENS_BESIDE = 16
const LENGTH_BESIDE = 64

export interface SummaryTools {
  readonly store: SessionStore
  readonly models: ModelJobs
}

export interface SummaryInput {
  readonly session: Session
  readonly question: string
  readonly signal?: AbortSignal
}

export async function summariseSession(tools: SummaryTools, input: SummaryInput): Promise<SessionSummary> {
  const { store, models } = tools
  const { session, signal } = input
  const question = safeText(cutGraphemes(input.question, QUESTION_GRAPHEMES), 'question').text
  const sought = soughtIn(parseQuery(input.question), input.question)
  const looked = await lookThrough(store, session.id, sought, signal)
  const cut = (ordinal: number, length: number) =>
    safeCut(store.message(session.id, ordinal)?.content ?? '', sought, length)
  const passages = bestPassages(looked).map(({ message, role, time, ordinal, kind }): SessionPassage => {
    const place = { ordinal, reference: messageReference(session.id, ordinal), message, role, time }
    return { ...place, snippet: cut(ordinal, PASSAGE_LENGTH), match: kind }
  })
  const without = (reason: string): SessionSummary => ({ outcome: 'passages', session, reason, passages })
  const begun = models.begin('summary', { signal })
  if (!begun.ok) return without(begun.message)
  const { job } = begun
  const fixed = promptOf(question, '')
  const tokens = job.budget.inputTokens - estimateInput({ system, prompt: fixed })
  const window = chooseWindow(weighed(looked), { tokens, length: MAX_SHOWN_LENGTH })
  if (window === null) return without('the conversation holds no messages')
  const shown = looked.slice(window.from, window.to + 1)
  const material = shown.map(({ ordinal, who, role }) => `#${ordinal + 1} ${who}: ${cut(ordinal, lengthFor(role))}`)
  const prompt = promptOf(question, material.join('\n'))
  const answer = await job.ask({ system, prompt })
  if (!answer.ok) return without(answer.message)
  const read = readSummary(answer.text, material.join('\n'))
  if (read === null) return without('the answer of the model holds no such summary')
  const { total } = store.messages(session.id, { limit: 0, offset: 0 })
  return {
    outcome: 'summarised',
    session,
    model: job.model,
    ...read,
    from: messageReference(session.id, shown[0]?.ordinal ?? 0),
    to: messageReference(session.id, shown.at(-1)?.ordinal ?? 0),
    leftOut: total - shown.length,
    passages,
  }
}

function promptOf(question: string, material: string): string {
  return `Question:\n${fence('quoted', question)}\n\nMessages:\n${fence('quoted', material)}`
}

/** A message without its text, which may be long. */
interface Looked extends Pick<SessionPassage, 'ordinal' | 'message' | 'role' | 'time'> {
  readonly who: string
  /** Of what is shown of it: a long one is cut around the matches. */
  readonly tokens: number
  readonly length: number
  readonly kind: MatchKind
}

/** The newest messages, each cut; a long conversation lets the event loop of a server breathe. */
async function lookThrough(
  store: SessionStore,
  session: string,
  sought: Sought,
  signal: AbortSignal | undefined,
): Promise<Looked[]> {
  const looked: Looked[] = []
  const { total } = store.messages(session, { limit: 0, offset: 0 })
  for (let ordinal = Math.max(0, total - MAX_MESSAGES); ordinal < total; ordinal += PAGE) {
    throwIfCancelled(signal)
    const page = store.messagesFrom(session, { ordinal, direction: 'on', limit: PAGE, tools: true })
    looked.push(...page.map((each) => look(each, sought)))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return looked
}

function look({ ordinal, message }: OrderedMessage, sought: Sought): Looked {
  const { id, role, toolName, time, content } = message
  const who = `${role}${toolName ? ` ${toolName}` : ''}${time ? ` (${time.slice(0, 16)})` : ''}`
  const { text, kind } = cutPassage(content, sought, lengthFor(role))
  const size = { tokens: estimateTokenCount(text) + TOKENS_BESIDE, length: text.length + LENGTH_BESIDE }
  return { ordinal, message: id, role, time, who, kind, ...size }
}

function lengthFor(role: string): number {
  return role === 'tool' ? MAX_TOOL_LENGTH : MAX_SAID_LENGTH
}

/** Judged whole: half of an attack would not be known as one. */
function safeCut(content: string, sought: Sought, length: number): string {
  const whole = safeText(content, 'message')
  return whole.blocked.length > 0 ? whole.text : safeText(cutPassage(content, sought, length).text, 'message').text
}

/** Of several kinds of matches only the best counts. */
function weighed(looked: readonly Looked[]): WeighedMessage[] {
  const best = matchKinds.find((kind) => looked.some((each) => each.kind === kind)) ?? 'none'
  return looked.map(({ tokens, length, kind }) => ({ tokens, length, isMatch: kind === best && kind !== 'none' }))
}

/** How it begins, and the best matches; without any how it begins and ends. */
function bestPassages(looked: readonly Looked[]): Looked[] {
  const matched = matchKinds.flatMap((kind) => (kind === 'none' ? [] : looked.filter((each) => each.kind === kind)))
  const said = looked.filter(({ role }) => role !== 'tool')
  const rest = matched.length > 0 ? matched.slice(0, MAX_PASSAGES) : said.slice(-1)
  return [...new Set([...said.slice(0, 1), ...rest])]
}
