/**
 * Facts of a conversation as the bullets of its note (spec F1): oldest first, each one line. What a person or a script
 * looks for stands behind a label that never changes. Pure.
 */
import { sessionNoteLabels as label, type NewestSession, type SessionNoteSection } from '../domain/index.ts'
import { counted, cutGraphemes, oneLine } from '../util/index.ts'
import type { ConversationFacts, FileUse, Trouble, TurnDone } from './conversation-facts.ts'

/** Graphemes of a request within the worklog, of the parts of the one line, and turns whose answer is a result. */
const SHORT = 120
const LINE_TITLE = 80
const LINE_STATE = 110
const MAX_RESULTS = 20

export function factSections(facts: ConversationFacts): Readonly<Record<SessionNoteSection, readonly string[]>> {
  return {
    'Session Title': bullets([titleOf(facts)]),
    'Current State': stateBullets(facts),
    'Task specification': taskBullets(facts),
    'Files and Functions': facts.files.map(fileBullet),
    Workflow: workflowBullets(facts),
    'Errors & Corrections': troubleBullets(facts),
    'Codebase and System Documentation': bullets([
      facts.cwd === null ? null : `Folder: ${codeSpan(facts.cwd)}`,
      facts.branch === null ? null : `Branch: ${codeSpan(facts.branch)}`,
    ]),
    Learnings: [],
    'Key results': bullets(
      facts.turns.slice(-MAX_RESULTS).map(({ answer, time }) => answer && `${at(time)}${quoted(answer)}`),
    ),
    Worklog: bullets(facts.turns.map(worklogLine)),
  }
}

/** Title; state. */
export function newestLine(facts: ConversationFacts): NewestSession['line'] {
  const { nextStep, lastAnswer, lastRequest } = facts
  const state =
    nextStep !== null
      ? `next: ${nextStep}`
      : lastAnswer !== null
        ? `last said: ${quoted(lastAnswer.words)}`
        : lastRequest !== null
          ? `open: ${quoted(lastRequest.words)}`
          : null
  const title = cutGraphemes(titleOf(facts) ?? 'A conversation', LINE_TITLE)
  return state === null ? title : `${title}; ${cutGraphemes(state, LINE_STATE)}`
}

function titleOf({ title, task }: ConversationFacts): string | null {
  return title ?? (task === null ? null : cutGraphemes(task.words, LINE_TITLE))
}

function stateBullets({ turnEnded, lastRequest, lastAnswer, nextStep }: ConversationFacts): string[] {
  const said = lastAnswer === null ? '' : `; it said last: ${quoted(lastAnswer.words)}`
  const state = turnEnded ? `the agent has answered and waits for the user${said}` : `the agent is at work${said}`
  return bullets([
    lastRequest === null && lastAnswer === null ? null : `${label.state}: ${state}`,
    lastRequest === null ? null : `${label.lastRequest}: ${quoted(lastRequest.words)}`,
    nextStep === null ? null : `${label.nextStep}: ${quoted(nextStep)}`,
  ])
}

function taskBullets({ task, requests }: ConversationFacts): string[] {
  return bullets([
    task === null ? null : `${label.task}: ${quoted(task.words)}`,
    ...requests.map(({ words, time }) => `${at(time)}${quoted(words)}`),
  ])
}

function fileBullet({ path, reads, writes, time }: FileUse): string {
  const uses = [writes > 0 ? `changed ${writes}×` : '', reads > 0 ? `read ${reads}×` : ''].filter((use) => use !== '')
  return `- ${codeSpan(path)} ${uses.join(', ')}${time === null ? '' : `, last ${minute(time)}`}`
}

function workflowBullets({ commands }: ConversationFacts): string[] {
  const last = commands.at(-1)
  return bullets([
    last ? `${label.lastCommand}: ${codeSpan(last.command)}${ended(last)}` : null,
    ...commands.map(
      (each) => `${at(each.time)}${codeSpan(each.command)}${ended(each)}${each.runs > 1 ? ` (run ${each.runs}×)` : ''}`,
    ),
  ])
}

function troubleBullets({ troubles, commands }: ConversationFacts): string[] {
  const last = troubles.findLast((each) => each.kind === 'error')
  const again = commands.find(({ command, failed }) => command === last?.command && failed === false)
  return bullets([
    last ? `${label.lastError}: ${troubleWords(last)}${again ? '; the same command worked later' : ''}` : null,
    ...troubles.map(
      (each) => `${at(each.time)}${each.kind === 'correction' ? 'Correction: ' : ''}${troubleWords(each)}`,
    ),
  ])
}

function troubleWords(trouble: Trouble): string {
  if (trouble.kind === 'correction') return quoted(trouble.words)
  const { command, tool, exit, words } = trouble
  const what = command === null ? tool : codeSpan(command)
  return `${what} failed${exit === null ? '' : ` with exit ${exit}`}${words === '' ? '' : `: ${quoted(words)}`}`
}

function worklogLine({ request, time, read, written, commands, failed }: TurnDone): string | null {
  const done = [
    request === null ? '' : quoted(cutGraphemes(request, SHORT)),
    written > 0 ? `changed ${counted(written, 'file')}` : '',
    read > 0 ? `read ${counted(read, 'file')}` : '',
    commands > 0 ? `ran ${counted(commands, 'command')}` : '',
    failed > 0 ? `${failed} failed` : '',
  ].filter((part) => part !== '')
  return done.length === 0 ? null : `${at(time)}${done.join(', ')}`
}

function ended({ exit, failed }: { readonly exit: number | null; readonly failed: boolean | null }): string {
  if (exit !== null) return ` → exit ${exit}`
  return failed === null ? ' → no answer yet' : failed ? ' → failed' : ''
}

function bullets(lines: readonly (string | null)[]): string[] {
  return lines.flatMap((line) => (line === null || line === '' ? [] : [`- ${oneLine(line)}`]))
}

function at(time: string | null): string {
  return time === null ? '' : `${minute(time)} `
}

/** `2026-11-18T09:02Z` */
function minute(time: string): string {
  return `${new Date(time).toISOString().slice(0, 16)}Z`
}

function quoted(words: string): string {
  return `"${words}"`
}

/** Words with backticks in them get longer ones around. */
function codeSpan(words: string): string {
  const longest = Math.max(0, ...[...words.matchAll(/`+/g)].map(([run]) => run.length))
  const mark = '`'.repeat(longest + 1)
  return longest === 0 ? `${mark}${words}${mark}` : `${mark} ${words} ${mark}`
}
