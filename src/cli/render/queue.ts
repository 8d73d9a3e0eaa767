import type { Job, JobChangeResult, JobListResult, JobRunResult } from '../../domain/index.ts'
import { cutGraphemes, oneLine } from '../../util/index.ts'
import { printable } from './notes.ts'

/** Enough to see what a model said instead; --json has more. */
const RAW_GRAPHEMES = 200

export function jobListLines({ jobs, total, omitted, nextCursor }: JobListResult): string {
  if (total === 0) return 'Nothing waits.'
  const more = nextCursor === null ? [] : [`${omitted} more; continue with --cursor ${nextCursor}`]
  return [...jobs.flatMap(jobLines), ...more].join('\n')
}

function jobLines({ shortId, kind, about, state, due, signals, attempts, lastError, raw }: Job): string[] {
  const when = state === 'waiting' ? `due ${due}` : state
  const why = signals.length === 0 ? '' : `  (${signals.join(', ')})`
  return [
    printable(`${shortId}  ${kind}  ${about}  ${when}${why}`),
    ...(lastError === null
      ? []
      : [printable(`        ${attempts > 1 ? `${attempts} times: ` : ''}${oneLine(lastError)}`)]),
    ...(raw === null ? [] : [printable(`        it said: ${cutGraphemes(oneLine(raw), RAW_GRAPHEMES)}`)]),
  ]
}

export function jobRunLines({ done, written, waiting, dead, problems }: JobRunResult): string {
  const left = waiting + dead === 0 ? '' : `; ${waiting} wait on${dead > 0 ? `, ${dead} could not be done` : ''}`
  return printable([`${done} done, ${written} notes written or proposed${left}`, ...problems].join('\n'))
}

export function jobChangeLines({ jobs }: JobChangeResult, action: 'retry' | 'drop'): string {
  if (jobs.length === 0) return 'Nothing waits.'
  const end = action === 'retry' ? 'due now' : 'given up'
  return printable(jobs.map(({ shortId, about }) => `${shortId}  ${about}: ${end}`).join('\n'))
}
