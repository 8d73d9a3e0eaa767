/** What one run of a model says about one taught rule, and what many say about a dialect. Pure. */
import type { TaughtRule } from './dialect-data.ts'
import { pathIn } from './dialect-tools.ts'
import { type Interval, wilson } from './wilson.ts'

export interface ToolUseInRun {
  readonly tool: string
  readonly input: unknown
  readonly result: string
}

export interface DialectRun {
  /** Without its list of used notes; empty when the model never came to one. */
  readonly answer: string
  /** Notes that the answer says it used, by id; null for one that is no note of the store. */
  readonly cited: readonly (string | null)[]
  readonly uses: readonly ToolUseInRun[]
}

/** Null: the rule or the dialect does not call for it. */
export interface RuleMarks {
  readonly opened: boolean | null
  readonly verified: boolean | null
  readonly cited: boolean | null
  readonly obeyed: boolean
}

export const disciplines = ['opened', 'verified', 'cited', 'obeyed'] as const
export type Discipline = (typeof disciplines)[number]

export interface DisciplineShare {
  readonly n: number
  readonly of: number
  readonly ci95: Interval
}

export interface RuleInRun {
  readonly rule: TaughtRule
  /** Its note. */
  readonly note: string
  /** The dialect asks for a list of used notes at the end of an answer. */
  readonly asksForList: boolean
}

export function markRun(run: DialectRun, { rule, note, asksForList }: RuleInRun): RuleMarks {
  return {
    opened: rule.opens ? hasOpened(run, note) : null,
    verified: rule.gone === null ? null : knows(run, rule.gone) && !isAsserted(run.answer, rule.gone),
    cited: asksForList ? hasCited(run, note) : null,
    obeyed: hasObeyed(run, rule),
  }
}

/** What memory gave of it, whichever tool was asked. */
function hasOpened({ uses }: DialectRun, note: string): boolean {
  return uses.some(({ tool, result }) => tool.startsWith('memory_') && result.includes(note))
}

/** It looked by itself (at the path, or into a folder above it), or heard from memory what the look-up found. */
function knows({ uses }: DialectRun, path: string): boolean {
  return uses.some(({ tool, input, result }) => {
    const asked = pathIn(input)
    if (tool === 'read_file') return asked === path
    if (tool === 'list_files') return asked === '' || path.startsWith(`${asked}/`)
    return result.split('\n').some((line) => line.startsWith(CHECKED) && line.includes(path))
  })
}

/** How the line about a look-up begins in answers of memory. */
const CHECKED = 'Checked now: '

const SAYS_IT_IS_GONE =
  /\b(?:gone|missing|absent|removed|deleted|moved|renamed|replaced|no longer|not (?:there|exist|found|present)|n['’]t (?:exist|there|find|see|present)|can ?not find|no such|any ?more|used to)\b|没有|不在|不存在|不见|找不到|没找到|已(?:经)?(?:被)?(?:删|移|改|不)|改名/iu

/** The answer names the file as if it were there. */
function isAsserted(answer: string, path: string): boolean {
  return answer.includes(path) && !SAYS_IT_IS_GONE.test(answer)
}

/** The note, and beside it only notes that were opened: a list of everything says nothing. */
function hasCited(run: DialectRun, note: string): boolean {
  return run.cited.includes(note) && run.cited.every((id) => id === note || (id !== null && hasOpened(run, id)))
}

function hasObeyed({ answer }: DialectRun, { must, mustNot }: TaughtRule): boolean {
  const finds = (pattern: string) => new RegExp(pattern, 'imu').test(answer)
  return answer.trim() !== '' && must.every(finds) && !mustNot.some(finds)
}

export function shareOfMarks(marks: readonly RuleMarks[], discipline: Discipline): DisciplineShare | null {
  const asked = marks.flatMap((each) => each[discipline] ?? [])
  if (asked.length === 0) return null
  const n = asked.filter(Boolean).length
  return { n, of: asked.length, ci95: wilson(n, asked.length) }
}
