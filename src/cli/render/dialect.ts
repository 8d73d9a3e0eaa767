import type { DialectFigures, DialectReport } from '../../measure/index.ts'
import { counted } from '../../util/index.ts'

type Report = Omit<DialectReport, 'tasks'> & Partial<Pick<DialectReport, 'tasks'>>

const columns = ['opened', 'verified', 'cited', 'obeyed'] as const

/** A table, a dialect with its version a line: how many of the rules that called for it. `-`: nothing called for it. */
export function dialectLines(report: Report): string {
  const { model, rules, done, of, stopped, estimated, dialects, tasks = [] } = report
  const tokens = (each: DialectFigures) => `${estimated ? '~' : ''}${each.inputTokens + each.outputTokens}`
  const rows = [
    ['', ...columns, 'calls', 'tokens'],
    ...dialects.map((each) => [
      `${each.dialect} ${each.version}`,
      ...columns.map((column) => shareText(each[column])),
      String(each.calls),
      tokens(each),
    ]),
  ]
  const unanswered = tasks.filter((task) => task.unanswered !== null)
  const left = dialects.reduce((sum, each) => sum + each.tasks, 0)
  return [
    `${counted(rules, 'rule')}, ${counted(dialects.length, 'dialect')}, ${model}`,
    ...(stopped === null
      ? []
      : [`Not whole: ${done} of ${of} tasks were put (${stopped}); these are the figures so far.`]),
    ...aligned(rows),
    ...(left < done ? [`${counted(done - left, 'task')} without an answer count for nothing.`] : []),
    ...unanswered.map((task) => `${task.dialect}, ${task.rule}: ${task.unanswered}`),
    ...tasks.flatMap((task) => {
      const missed = columns.filter((column) => task.unanswered === null && task[column] === false)
      return missed.length === 0 ? [] : [`${task.dialect}, ${task.rule}: not ${missed.join(', not ')}`]
    }),
  ].join('\n')
}

function shareText(share: DialectFigures['opened']): string {
  return share === null ? '-' : `${share.n}/${share.of}`
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
