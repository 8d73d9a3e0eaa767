import {
  type DeferredStatus,
  type EmbeddingStatus,
  type KindSpend,
  MONEY_UNIT,
  type ModelStatus,
  profileHeader,
  type QueueStatus,
  type StatusReport,
} from '../../domain/index.ts'
import { oneLine } from '../../util/index.ts'
import { printable } from './notes.ts'

const marks = { ok: 'ok     ', warning: 'warning', broken: 'BROKEN ' } as const

export function statusLines(report: StatusReport): string {
  const notes = Object.entries(report.notes).map(([layer, count]) => `${count} ${layer}`)
  const { count, messages } = report.sessions
  const lines = [
    `Keepsake ${report.version}  ${report.home}`,
    `project   ${report.project.name ?? (report.project.notice ? 'none here' : 'nothing kept here yet')}${report.project.folder ? `  (${report.project.folder})` : ''}`,
    ...(report.project.notice ? [`          ${report.project.notice}`] : []),
    `notes     ${notes.join(', ') || 'none'}`,
    ...report.profile.map((usage) => `profile   ${profileHeader(usage)}`),
    `sessions  ${count === null ? 'not available' : `${count} with ${messages} messages`}`,
    ...(report.embedding ? [embeddingLine(report.embedding)] : []),
    ...modelLines(report.models),
    ...(report.deferred ? [deferredLine(report.deferred)] : []),
    `proposals ${report.proposals}${report.oldestProposal ? `  wait for your yes, the oldest since ${report.oldestProposal.slice(0, 10)}: keepsake review` : ''}`,
    ...queueLines(report.queue),
    ...(report.candidates ? [`tentative ${report.candidates}  wait to be said again or carried out`] : []),
    `last      note written ${timeOf(report.lastSuccess.write)}, conversation read ${timeOf(report.lastSuccess.capture)}`,
    ...report.conflicts.map((file) => `conflict  ${file}`),
    ...report.checks.map(
      (check) =>
        `${marks[check.state]}  ${check.name}: ${check.detail}${check.hint ? `\n           ${check.hint}` : ''}`,
    ),
    ...(report.failures.length > 0 ? ['last failures:'] : []),
    ...report.failures.map(
      (failure) => `  ${failure.time}  ${failure.where}: ${failure.code} ${oneLine(failure.message)}`,
    ),
  ]
  return printable(lines.join('\n'))
}

function queueLines({ journalLines, workerRunning, waiting, running, dead, nextDue, lastRun }: QueueStatus): string[] {
  const jobs =
    waiting + running + dead === 0 ? '' : `, ${waiting + running} for a model${dead > 0 ? `, ${dead} dead` : ''}`
  const next = nextDue === null ? '' : `, next ${nextDue}`
  const head = `queue     ${journalLines} waiting${jobs}${next}, worker ${workerRunning ? 'running' : 'idle'}`
  if (lastRun === null) return [head]
  const { about, time, seconds, calls, inputTokens, outputTokens, isEstimated, written } = lastRun
  const tokens = `${isEstimated ? 'about ' : ''}${inputTokens} tokens in, ${outputTokens} out`
  return [head, `read      ${about} ${time}: ${written} notes, ${calls} calls, ${tokens}, ${seconds.toFixed(1)} s`]
}

function deferredLine({ memories, nothing, failed, lastPass, nextPass, problem }: DeferredStatus): string {
  const read = memories + nothing
  const next = nextPass === null ? 'nothing waits' : `next from ${nextPass}`
  const said = problem === null ? '' : `, last try failed: ${problem}`
  const tried = failed > 0 ? `, ${failed} failed` : ''
  return `deferred  ${read} conversations read, ${memories} gave something${tried}; notes tidied ${timeOf(lastPass)}, ${next}${said}`
}

function embeddingLine({ model, notes, messages }: EmbeddingStatus): string {
  const part = (name: string, { done, of }: EmbeddingStatus['notes']) => `${done} of ${of} ${name}`
  const rest = notes.done < notes.of || messages.done < messages.of ? '; the rest with the next refresh' : ''
  return `embedded  ${part('notes', notes)}, ${part('messages', messages)} by ${model}${rest}`
}

function modelLines({ small, large, spent, ceilings }: ModelStatus): string[] {
  if (small === null && large === null && spent.length === 0)
    return ['models    none set up: notes are made by rules alone']
  const names = small === large ? [small] : [small ?? 'none', `consolidation by ${large}`]
  const sum = (read: (each: KindSpend) => number) => spent.reduce((total, each) => total + read(each), 0)
  const used = sum(({ inputTokens, outputTokens }) => inputTokens + outputTokens)
  const about = spent.some(({ estimated }) => estimated) ? '~' : ''
  const money = ceilings.money === null ? [] : [`${sum((each) => each.money) / MONEY_UNIT} of ${ceilings.money} money`]
  const calls = `${sum((each) => each.calls)} of ${ceilings.calls} calls`
  const today = [calls, `${about}${used} of ${ceilings.tokens} tokens`, ...money].join(', ')
  return [
    `models    ${names.map((name) => name ?? 'none').join(', ')}`,
    `today     ${today}${about === '' ? '' : '  (~ in part our estimate)'}`,
    ...spent.map(
      (each) =>
        `          ${each.kind}: ${each.calls} calls, ${each.estimated ? '~' : ''}${each.inputTokens} tokens read, ${each.outputTokens} written`,
    ),
  ]
}

function timeOf(time: string | null): string {
  return time ?? 'never'
}
