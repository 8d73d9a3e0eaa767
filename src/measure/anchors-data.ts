/** Labelled notes about invented repositories: what each names, and what has become of it. */
import { type AnchorKind, anchorKinds, type Verdict, verdicts } from '../domain/index.ts'
import { readRows, textAt } from './data-rows.ts'
import type { HistoryStep } from './history-repository.ts'

const HINT =
  'A row is {repository, history: [{date, message, files, move, remove, edit, tag, branchAt, branch}]} or {id, lang, repository, updated, body, anchors: [{kind, anchor, verdict}]}. One JSON object a line; {{repository:2}} in a note is the name of its second commit.'

export interface LabelledAnchor {
  readonly kind: AnchorKind
  readonly anchor: string
  readonly verdict: Exclude<Verdict, 'not checked'>
}

export interface AnchorNote {
  readonly id: string
  readonly lang: string
  readonly repository: string
  readonly updated: string
  readonly body: string
  /** Empty: it names nothing. */
  readonly anchors: readonly LabelledAnchor[]
}

export interface AnchorSet {
  readonly histories: ReadonlyMap<string, readonly HistoryStep[]>
  readonly notes: readonly AnchorNote[]
}

/** Throws INPUT_INVALID that names the line. */
export function readAnchorSet(file: string): AnchorSet {
  const histories = new Map<string, readonly HistoryStep[]>()
  const notes: AnchorNote[] = []
  readRows(file, HINT, (row) => {
    const repository = textAt(row, 'repository')
    if (repository === null) return null
    if (row.history !== undefined) {
      const history = Array.isArray(row.history) ? row.history.filter(isStep) : []
      return histories.set(repository, history) && history.length > 0 ? true : null
    }
    const note = noteOf(row, repository)
    if (note === null || !histories.has(repository)) return null
    return notes.push(note)
  })
  return { histories, notes }
}

/** What does not fit together is found when the repository is made. */
function isStep(value: unknown): value is HistoryStep {
  return (
    typeof value === 'object' &&
    value !== null &&
    'date' in value &&
    typeof value.date === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  )
}

function noteOf(row: Record<string, unknown>, repository: string): AnchorNote | null {
  const [id, updated, body] = [textAt(row, 'id'), textAt(row, 'updated'), textAt(row, 'body')]
  if (id === null || updated === null || body === null || !Array.isArray(row.anchors)) return null
  const anchors = row.anchors.map(anchorOf)
  if (anchors.some((each) => each === null)) return null
  return {
    id,
    lang: textAt(row, 'lang') ?? 'all',
    repository,
    updated,
    body,
    anchors: anchors.flatMap((each) => each ?? []),
  }
}

function anchorOf(value: unknown): LabelledAnchor | null {
  if (typeof value !== 'object' || value === null) return null
  // An object read from JSON has text keys; what they hold is looked at one by one.
  const fields = value as Record<string, unknown>
  const kind = anchorKinds.find((each) => each === fields.kind)
  const verdict = verdicts.find((each) => each === fields.verdict)
  const anchor = textAt(fields, 'anchor')
  if (kind === undefined || verdict === undefined || verdict === 'not checked' || anchor === null) return null
  return { kind, anchor, verdict }
}
