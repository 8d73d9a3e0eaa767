/** Results of a search as lines for a person, and what a score is made of. */
import {
  type RecallHit,
  type RecallResult,
  type RerankReport,
  type ScoreExplanation,
  saidByWords,
  standingWords,
} from '../../domain/index.ts'
import { cutGraphemes, oneLine } from '../../util/index.ts'
import { LINE_GRAPHEMES, printable } from './notes.ts'

export function recallLines(result: RecallResult): string {
  const lines = result.results.flatMap((hit) => [
    hitLine(hit),
    `    ${cutGraphemes(oneLine(hit.snippet || hit.description), LINE_GRAPHEMES)}`,
    ...(hit.explain ? explainLines(hit.explain) : []),
  ])
  if (result.results.length === 0) lines.push('Nothing matches.')
  if (result.omitted > 0) lines.push(`${result.omitted} more; raise --limit to see them.`)
  if (result.rerank) lines.push(rerankLine(result.rerank))
  if (result.searched === 'scan')
    lines.push(`The index could not be used (${result.reason ?? 'unknown'}); files were scanned.`)
  return printable(lines.join('\n'))
}

function rerankLine({ model, candidates, leftOut, named, reason }: RerankReport): string {
  if (reason !== null) return `The order is that of the words: ${reason}.`
  const less = leftOut > 0 ? ` (${leftOut} did not fit)` : ''
  return `Put into order by ${model}: it named ${named} of ${candidates}${less}.`
}

function hitLine(hit: RecallHit): string {
  const facts = [
    hit.type ?? 'message',
    hit.layer,
    hit.date === null ? hit.age : `${hit.date.slice(0, 10)}, ${hit.age}`,
    `${saidByWords(hit.saidBy)}${hit.source?.session ? ` in ${hit.source.session}` : ''}`,
    ...hit.verdicts,
    ...(hit.weak ? ['weak'] : []),
    ...[standingWords(hit.standing) ?? []].flat(),
  ].join(', ')
  return `${hit.score.toFixed(2)}  ${oneLine(hit.name)}  (${oneLine(facts)})  ${hit.id}`
}

function explainLines({ found, missing, steps }: ScoreExplanation): string[] {
  const words = found.map(
    ({ word, points, where, alias }) =>
      `${word} ${points.toFixed(2)}${where === 'title' ? ' in the title' : ''}${alias ? ' as another word' : ''}`,
  )
  return [
    ...(words.length > 0 ? [`      found: ${words.join(', ')}`] : []),
    ...(missing.length > 0 ? [`      not found: ${missing.join(', ')}`] : []),
    ...steps.map(
      ({ part, by, value, because }) =>
        `      ${part.padEnd(10)} ${by === 'plus' ? (value < 0 ? '-' : '+') : '×'} ${Math.abs(value).toFixed(3)}  ${because}`,
    ),
  ]
}
