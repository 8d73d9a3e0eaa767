/**
 * What a transcript says about its conversation without any model (spec F1): a fold over its batches at flat memory. Every
 * text is masked whole before it is cut, so that no half of a secret remains; our own blocks are nobody's words.
 */
import { estimateTokenCount } from 'tokenx'
import type { TranscriptBatch, TranscriptMessage, TranscriptToolCall } from '../domain/index.ts'
import { isOwnQuestion, redact, stripOwnBlocks } from '../guard/index.ts'
import { cutGraphemes, oneLine, wellFormed } from '../util/index.ts'
import { asksNextStep, nextStepIn } from './next-step.ts'

/** How many of each are remembered: the newest. */
const MAX_REQUESTS = 40
const MAX_TROUBLES = 60
const MAX_FILES = 200
const MAX_COMMANDS = 60
const MAX_TURNS = 200
/** Graphemes. */
const MAX_SAID = 400
const MAX_COMMAND = 200
const MAX_PATH = 200
const MAX_ERROR = 200
const MAX_TITLE = 80
/** UTF-16 units of one message that are counted and searched: an answer of a tool may be a whole file. */
const MAX_COUNTED = 400_000
/** More than any secret has. */
const MAX_SECRET = 10_000

export interface Said {
  readonly words: string
  /** ISO 8601, or null. */
  readonly time: string | null
}

export interface CommandRun {
  readonly command: string
  readonly exit: number | null
  readonly failed: boolean | null
  readonly time: string | null
  readonly runs: number
}

export type Trouble =
  | { readonly kind: 'correction'; readonly words: string; readonly time: string | null }
  | {
      readonly kind: 'error'
      /** Of a command, or null for another tool. */
      readonly command: string | null
      readonly tool: string
      readonly exit: number | null
      readonly words: string
      readonly time: string | null
    }

export interface FileUse {
  readonly path: string
  readonly reads: number
  readonly writes: number
  readonly time: string | null
}

export interface TurnDone {
  readonly request: string | null
  readonly answer: string | null
  readonly time: string | null
  readonly read: number
  readonly written: number
  readonly commands: number
  readonly failed: number
}

export interface ConversationFacts {
  readonly title: string | null
  readonly cwd: string | null
  readonly branch: string | null
  /** The first thing that the user wanted; then the newest others, oldest first. */
  readonly task: Said | null
  readonly requests: readonly Said[]
  readonly lastRequest: Said | null
  /** What the agent said last, since then. */
  readonly lastAnswer: Said | null
  readonly nextStep: string | null
  /** The one used last comes last. */
  readonly files: readonly FileUse[]
  readonly commands: readonly CommandRun[]
  readonly troubles: readonly Trouble[]
  readonly turns: readonly TurnDone[]
  /** tokenx tokens of all that was said and answered. */
  readonly tokens: number
  readonly toolCalls: number
  readonly turnEnded: boolean
  readonly lastTime: string | null
  /** Bytes of the transcript that are in this. */
  readonly readTo: number
}

export interface FactsRules {
  /** Whether the user corrects the agent in this message. */
  readonly isCorrection: (content: string) => boolean
  /** Whether a message proved what the user had forgotten. */
  readonly isForgotten: (message: TranscriptMessage) => boolean
}

export interface FactsFold {
  add(batch: TranscriptBatch): void
  facts(): ConversationFacts
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

export function foldFacts(from: number, rules: FactsRules): FactsFold {
  const facts: Mutable<ConversationFacts> & { requests: Said[]; troubles: Trouble[]; turns: TurnDone[] } = {
    ...nothingYet,
    requests: [],
    troubles: [],
    turns: [],
    readTo: from,
  }
  const files = new Map<string, FileUse>()
  const commands = new Map<string, CommandRun>()
  const say = (message: TranscriptMessage) => {
    const words = spoken(message)
    if (words === '') return
    const said = { words: cutGraphemes(oneLine(words), MAX_SAID), time: message.time }
    if (message.role === 'user') {
      facts.lastRequest = said
      facts.lastAnswer = null
      facts.nextStep = nextStepIn(words)
      if (facts.task === null) facts.task = said
      else pushWithin(facts.requests, said, MAX_REQUESTS)
      if (rules.isCorrection(message.content)) pushWithin(facts.troubles, { kind: 'correction', ...said }, MAX_TROUBLES)
    } else if (message.role === 'assistant') {
      facts.lastAnswer = said
      const isAnswer = facts.lastRequest !== null && asksNextStep(facts.lastRequest.words)
      facts.nextStep = nextStepIn(words) ?? (isAnswer ? oneLine(words) : facts.nextStep)
    }
  }
  const use = (call: TranscriptToolCall, cwd: string | null) => {
    for (const path of call.read) touch(files, pathWithin(path, cwd), { reads: 1, writes: 0, time: call.time })
    if (call.failed !== true)
      for (const path of call.written) touch(files, pathWithin(path, cwd), { reads: 0, writes: 1, time: call.time })
    const command = call.command === null ? null : masked(call.command, MAX_COMMAND)
    if (command !== null && command !== '') run(commands, command, call)
    if (call.failed === true) pushWithin(facts.troubles, errorOf(call, command), MAX_TROUBLES)
  }
  return {
    add(batch) {
      const { messages, toolCalls = [], cwd, branch, title } = batch
      const heard = messages.filter((each) => !rules.isForgotten(each) && !isOwnQuestion(each.content))
      facts.title = title === null ? facts.title : masked(title, MAX_TITLE)
      facts.cwd = cwd === null ? facts.cwd : redact(wellFormed(cwd)).text
      facts.branch = branch === null ? facts.branch : masked(branch, MAX_TITLE)
      for (const message of heard) say(message)
      for (const call of toolCalls) use(call, cwd)
      facts.tokens += messages.reduce((sum, { content }) => sum + estimateTokenCount(content.slice(0, MAX_COUNTED)), 0)
      facts.toolCalls += toolCalls.length
      facts.turnEnded = batch.turnEnded
      facts.lastTime = messages.findLast(({ time }) => time !== null)?.time ?? facts.lastTime
      facts.readTo = batch.endOffset
      if (messages.length + toolCalls.length > 0) pushWithin(facts.turns, turnOf(heard, toolCalls), MAX_TURNS)
    },
    facts: () => ({
      ...facts,
      nextStep: facts.nextStep === null ? null : cutGraphemes(facts.nextStep, MAX_SAID),
      files: [...files.values()],
      commands: [...commands.values()],
    }),
  }
}

const nothingYet: ConversationFacts = {
  title: null,
  cwd: null,
  branch: null,
  task: null,
  requests: [],
  lastRequest: null,
  lastAnswer: null,
  nextStep: null,
  files: [],
  commands: [],
  troubles: [],
  turns: [],
  tokens: 0,
  toolCalls: 0,
  turnEnded: false,
  lastTime: null,
  readTo: 0,
}

/** Masked; without blocks of ours. Answers of tools are not said by anybody. */
function spoken({ role, content }: TranscriptMessage): string {
  if (role === 'tool') return ''
  const words = role === 'user' ? stripOwnBlocks(content) : content
  const looked = words.slice(0, MAX_COUNTED + MAX_SECRET)
  const { text } = redact(wellFormed(looked))
  // Where a message is cut, its end may be half of a secret, which nothing masks.
  return wellFormed(looked.length < words.length ? text.slice(0, -MAX_SECRET) : text).trim()
}

function masked(text: string, maxGraphemes: number): string {
  return cutGraphemes(oneLine(redact(wellFormed(text)).text), maxGraphemes)
}

function turnOf(messages: readonly TranscriptMessage[], calls: readonly TranscriptToolCall[]): TurnDone {
  const wordsOf = (message: TranscriptMessage | undefined) => {
    const words = message ? oneLine(spoken(message)) : ''
    return words === '' ? null : cutGraphemes(words, MAX_SAID)
  }
  const count = (paths: readonly (readonly string[])[]) => new Set(paths.flat()).size
  return {
    request: wordsOf(messages.find(({ role }) => role === 'user')),
    answer: wordsOf(messages.findLast(({ role }) => role === 'assistant')),
    time: messages.find(({ time }) => time !== null)?.time ?? calls[0]?.time ?? null,
    read: count(calls.map(({ read }) => read)),
    written: count(calls.filter(({ failed }) => failed !== true).map(({ written }) => written)),
    commands: calls.filter(({ command }) => command !== null).length,
    failed: calls.filter(({ failed }) => failed === true).length,
  }
}

/** Below the folder of the conversation, from there. */
function pathWithin(path: string, cwd: string | null): string {
  const isInside = cwd !== null && path.startsWith(`${cwd.replace(/[\\/]+$/, '')}/`)
  return masked(isInside ? path.slice(cwd.replace(/[\\/]+$/, '').length + 1) : path, MAX_PATH)
}

function touch(files: Map<string, FileUse>, path: string, use: Omit<FileUse, 'path'>): void {
  if (path === '') return
  const known = files.get(path)
  files.delete(path)
  files.set(path, {
    path,
    reads: (known?.reads ?? 0) + use.reads,
    writes: (known?.writes ?? 0) + use.writes,
    time: use.time ?? known?.time ?? null,
  })
  dropOldest(files, MAX_FILES)
}

function run(commands: Map<string, CommandRun>, command: string, { exit, failed, time }: TranscriptToolCall): void {
  const runs = (commands.get(command)?.runs ?? 0) + 1
  commands.delete(command)
  commands.set(command, { command, exit, failed, time, runs })
  dropOldest(commands, MAX_COMMANDS)
}

/** Of a long answer the line that says what went wrong: the first that names a fault, else the last. */
function errorOf({ name, exit, error, time }: TranscriptToolCall, command: string | null): Trouble {
  const lines = redact(wellFormed(error ?? ''))
    .text.split('\n')
    .map(oneLine)
    .filter((line) => line !== '' && !/^Exit code -?\d+$/.test(line))
  const telling = lines.find((line) => namesFault.test(line)) ?? lines.at(-1) ?? ''
  return { kind: 'error', command, tool: masked(name, MAX_TITLE), exit, words: cutGraphemes(telling, MAX_ERROR), time }
}

const namesFault =
  /\b(?:\w*error|fail(?:ed|ure|s)?|exception|cannot|can't|could not|not found|no such|denied|refused|fatal|panic|timed? ?out|unexpected|undefined)\b|错误|失败|异常|无法|找不到|拒绝|超时/i

function pushWithin<T>(list: T[], value: T, most: number): void {
  list.push(value)
  if (list.length > most) list.shift()
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  if (map.size > most) map.delete(map.keys().next().value ?? '')
}
