/** Results of a search as lines for a person, and what a score is made of. */
import {
  type NamedEntity,
  type RecallHit,
  type RecallResult,
  type RerankReport,
  type ScoreExplanation,
  saidByWords,
  standingWords,
} from '../../domain/index.ts'
import { checkedLines } from '../../guard/index.ts'
import { cutGraphemes, oneLine } from '../../util/index.ts'
import { LINE_GRAPHEMES, printable } from './notes.ts'
import { noteStart } from './session-note.ts'

export function recallLines(result: RecallResult): string {
  const opened = result.sessionNote ? [...noteStart(result.sessionNote), ''] : []
  const lines = [...opened, ...(result.entities ?? []).map(entityLine), ...bodyLines(result)]
  if (result.omitted > 0) lines.push(`${result.omitted} more; raise --limit to see them.`)
  if (result.rerank) lines.push(rerankLine(result.rerank))
  if (result.notCompared) lines.push(`${result.notCompared} older notes were not compared; narrow it by --about.`)
  lines.push(...howLine(result))
  return printable(lines.join('\n'))
}

/** A broken index, and a model of meaning that was set up and does not work, are no answer of "nothing matches". */
export function howLine({ searched, reason }: Pick<RecallResult, 'searched' | 'reason'>): string[] {
  if (searched === 'scan') return [`The index could not be used (${reason ?? 'unknown'}); files were scanned.`]
  return reason === null ? [] : [`(${reason})`]
}

function rerankLine({ model, candidates, leftOut, named, reason }: RerankReport): string {
  if (reason !== null) return `The order is that of the words: ${reason}.`
  const less = leftOut > 0 ? ` (${leftOut} did not fit)` : ''
  return `Put into order by ${model}: it named ${named} of ${candidates}${less}.`
}

function bodyLines({ results, entities, contradictions }: RecallResult): string[] {
  if (contradictions) {
    const names = new Map(
      results.map(({ id, name, date }) => [id, `${oneLine(name)} (${date?.slice(0, 10) ?? 'undated'})`]),
    )
    return contradictions.length === 0
      ? ['Nothing contradicts.']
      : contradictions.flatMap(({ newer, older, newerQuote, olderQuote }) => [
          `${cutGraphemes(oneLine(newerQuote), LINE_GRAPHEMES)}   <- newer: ${names.get(newer)}  ${newer}`,
          `    ${cutGraphemes(oneLine(olderQuote), LINE_GRAPHEMES)}   <- ${names.get(older)}  ${older}`,
        ])
  }
  if (results.length === 0) return ['Nothing matches.']
  // A question has one order, that of its scores; what is known of something is read by kind.
  if (!entities || results.some(({ score }) => score !== results[0]?.score)) return results.flatMap(scoredLines)
  const types = [...new Set(results.map(({ type }) => type))]
  return types.flatMap((type) => [
    `${type}:`,
    ...results.filter((hit) => hit.type === type).flatMap((hit) => hitLines(hit).map((line) => `  ${line}`)),
  ])
}

function scoredLines(hit: RecallHit): string[] {
  const [head = '', ...more] = hitLines(hit)
  return [`${hit.score.toFixed(2)}  ${head}`, ...more]
}

function hitLines(hit: RecallHit): string[] {
  return [
    hitLine(hit),
    `    ${cutGraphemes(oneLine(hit.snippet || hit.description), LINE_GRAPHEMES)}`,
    ...checkedLines({ id: hit.id, voice: 'quoted', verdicts: hit.verdicts }, 'person').map((line) => `    ${line}`),
    ...(hit.explain ? explainLines(hit.explain) : []),
  ]
}

function entityLine({ asked, names, kind }: NamedEntity): string {
  const others = names.filter((name) => name !== asked)
  const also = others.length === 0 ? '' : `, also ${others.map(oneLine).join(', ')}`
  return `About ${oneLine(asked)}${kind === null ? '' : ` (${kind})`}${also}:`
}

function hitLine(hit: RecallHit): string {
  const facts = [
    hit.type ?? 'message',
    hit.layer,
    hit.date === null ? hit.age : `${hit.date.slice(0, 10)}, ${hit.age}`,
    `${saidByWords(hit.saidBy)}${hit.source?.session ? ` in ${hit.source.session}` : ''}`,
    ...(hit.weak ? ['weak'] : []),
    ...[standingWords(hit.standing) ?? []].flat(),
  ].join(', ')
  return `${oneLine(hit.name)}  (${oneLine(facts)})  ${hit.id}`
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
