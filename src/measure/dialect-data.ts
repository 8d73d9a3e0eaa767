/**
 * Rules that were taught, each with a task that calls for it (spec I12). The set that ships is invented; everybody who
 * wants figures about their own rules writes a file of them.
 */
import { type NoteType, noteTypes } from '../domain/index.ts'
import { readRows, textAt, textsOf } from './data-rows.ts'
import shipped from './dialect-rules.json' with { type: 'json' }

const HINT =
  'A rule is {id, lang, kind, type, name, description, text, task, opens, gone, must, mustNot, tree}: what is remembered, what the user asks later, whether the note must be opened for it, a file that it names and that is not there (or null), patterns that the answer must and must not hold, files of the working tree by path. One JSON object a line.'

export interface TaughtRule {
  readonly id: string
  readonly lang: string
  readonly kind: string
  readonly type: NoteType
  readonly name: string
  readonly description: string
  readonly text: string
  /** What the user asks in a later conversation. */
  readonly task: string
  /** Its line in the index is not enough: the note must be opened. */
  readonly opens: boolean
  /** A file that the note names and that is not in the working tree. */
  readonly gone: string | null
  /** Sources of regular expressions, flags `imu`. */
  readonly must: readonly string[]
  readonly mustNot: readonly string[]
}

export interface TaughtRules {
  readonly rules: readonly TaughtRule[]
  /** Files of the working tree, which all of them share, by path. */
  readonly tree: Readonly<Record<string, string>>
}

/** Beside what a rule is, an answer that obeys it and one that does not. */
export const exampleAnswers: readonly { readonly id: string; readonly right: string; readonly wrong: string }[] =
  shipped.rules

/** The rules of a file, or those that ship. Throws INPUT_INVALID that names the line. */
export function readTaughtRules(file: string | null): TaughtRules {
  if (file === null) return { rules: shipped.rules.flatMap((row) => ruleOf(row) ?? []), tree: shipped.tree }
  const rows = readRows(file, HINT, (row) => {
    const rule = ruleOf(row)
    return rule && { rule, tree: treeOf(row.tree) }
  })
  return { rules: rows.map(({ rule }) => rule), tree: Object.assign({}, ...rows.map(({ tree }) => tree)) }
}

type Row = Readonly<Record<string, unknown>>

function ruleOf(row: Row): TaughtRule | null {
  const type = noteTypes.find((each) => each === row.type)
  const [id, name, description] = [textAt(row, 'id'), textAt(row, 'name'), textAt(row, 'description')]
  const [text, task] = [textAt(row, 'text'), textAt(row, 'task')]
  const [must, mustNot] = [textsOf(row.must), textsOf(row.mustNot)]
  const [lang, kind] = [textAt(row, 'lang') ?? 'all', textAt(row, 'kind') ?? 'all']
  if (id === null || name === null || description === null || text === null || task === null) return null
  if (type === undefined || must.length + mustNot.length === 0 || ![...must, ...mustNot].every(isPattern)) return null
  const more = { opens: row.opens === true, gone: textAt(row, 'gone'), must, mustNot }
  return { id, lang, kind, type, name, description, text, task, ...more }
}

function treeOf(value: unknown): Record<string, string> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'imu') instanceof RegExp
  } catch {
    // The row is told as wrong by its line.
    return false
  }
}
