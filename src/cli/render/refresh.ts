/** What a refresh did, line by line, and where its models are while it runs. */
import type { DeferredProgress, DeferredReport, PassReport, RefreshResult } from '../../domain/index.ts'
import { counted } from '../../util/index.ts'
import { printable } from './notes.ts'

export function refreshLines(result: RefreshResult): string {
  const lines = [
    ...result.layers.map(({ layer, changed, removed }) => `${layer}: ${changed} changed, ${removed} removed`),
    `${counted(result.captured, 'message')} captured`,
    ...(result.jobs.done > 0
      ? [`${counted(result.jobs.done, 'conversation')} read by a model, ${counted(result.jobs.written, 'note')}`]
      : []),
    ...(result.jobs.waiting > 0
      ? [`${result.jobs.waiting} ${wait(result.jobs.waiting)} for a model: keepsake queue`]
      : []),
    ...(result.deferred ? deferredLines(result.deferred) : []),
    ...(result.embedding ? [`${counted(result.embedding.shown, 'text')} shown to ${result.embedding.model}`] : []),
    ...(result.settled > 0 ? [`earlier copies of ${counted(result.settled, 'file')} checked and cleared`] : []),
    ...result.conflicts.map((file) => `conflict: ${file}`),
    ...result.problems,
  ]
  return printable(lines.join('\n'))
}

/** Nothing at all where nothing was due. */
function deferredLines({ one, two }: DeferredReport): string[] {
  const read = one.memories + one.nothing + one.failed
  const gave = `${one.memories} gave something, ${one.nothing} nothing, ${one.failed} failed`
  return [
    ...(read > 0 ? [`${counted(read, 'idle conversation')} read by a model: ${gave}`] : []),
    ...(one.waiting > 0
      ? [`${counted(one.waiting, 'idle conversation')} ${wait(one.waiting)}${why(one.stopped)}`]
      : []),
    ...two.passes.flatMap(passLines),
    ...(two.waiting > 0 ? [`notes of ${counted(two.waiting, 'layer')} wait to be tidied${why(two.stopped)}`] : []),
  ]
}

function passLines({ layer, changed, proposed, refused, omittedRefused, summary, problem }: PassReport): string[] {
  if (problem !== null) return []
  const written = summary ? ', summary written' : ''
  const more = omittedRefused > 0 ? [`  ${omittedRefused} more ${omittedRefused === 1 ? 'was' : 'were'} refused`] : []
  const waiting = proposed > 0 ? `, ${proposed} ${wait(proposed)} for your yes: keepsake review` : ''
  return [
    `notes of ${layer} tidied by a model: ${changed} changed${waiting}${written}`,
    ...refused.map((each) => `  refused: ${each}`),
    ...more,
  ]
}

function wait(count: number): string {
  return count === 1 ? 'waits' : 'wait'
}

function why(stopped: string | null): string {
  return stopped === null ? '' : `: ${stopped}`
}

export function progressLine(progress: DeferredProgress): string {
  if (progress.stage === 'one') return `reading conversation ${progress.number} of ${progress.of}`
  return `tidying the notes of ${progress.layer}, turn ${progress.turn}`
}
