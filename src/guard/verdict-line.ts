/**
 * What a look at the working tree says of a note, in one line for whoever reads the note (spec I5). Anchors are words of
 * the note and details words of the working tree, so the line is masked and scanned here; the fence is the caller's.
 */
import type { AnchorVerdict, Voice } from '../domain/index.ts'
import { cutGraphemes, oneLine } from '../util/index.ts'
import { safeText } from './safe-text.ts'

/** Anchors that are named; more are counted. */
const MAX_NAMED = 4
const MAX_ANCHOR_GRAPHEMES = 80
const MAX_DETAIL_GRAPHEMES = 100

export interface VerdictLineOptions {
  /** False where no word of the working tree may stand: among the rules of the user. Default true. */
  readonly withDetails?: boolean
}

/** `Checked now: src/auth.ts: moved to src/session/auth.ts; 2 hold; 1 not checked.` Null when nothing was to be looked up. */
export function verdictLine(
  verdicts: readonly AnchorVerdict[],
  { withDetails = true }: VerdictLineOptions = {},
): string | null {
  const of = (wanted: AnchorVerdict['verdict']) => verdicts.filter(({ verdict }) => verdict === wanted)
  const [holding, unchecked] = [of('holds'), of('not checked').length]
  const told = [...of('gone'), ...of('changed')]
  if (told.length + holding.length + unchecked === 0) return null
  const named = told.slice(0, MAX_NAMED).map((each) => wordsOf(each, withDetails))
  const [only] = holding
  const parts = [
    ...named,
    ...(told.length > MAX_NAMED ? [`${told.length - MAX_NAMED} more are not as noted`] : []),
    ...(told.length === 0 && holding.length === 1 && only ? [`${anchorOf(only)} holds`] : holdCount(holding.length)),
    ...(unchecked > 0 ? [`${unchecked} not checked`] : []),
  ]
  return safeText(`Checked now: ${parts.join('; ')}.`, 'check').text
}

function holdCount(count: number): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? 'holds' : 'hold'}`]
}

function wordsOf(found: AnchorVerdict, withDetails: boolean): string {
  const { verdict, detail } = found
  const more = withDetails && detail !== null ? cutGraphemes(oneLine(detail), MAX_DETAIL_GRAPHEMES) : null
  const said = verdict === 'gone' ? (more === null ? 'gone' : `gone, ${more}`) : (more ?? 'changed')
  return `${anchorOf(found)}: ${said}`
}

function anchorOf({ anchor }: AnchorVerdict): string {
  const words = cutGraphemes(oneLine(anchor), MAX_ANCHOR_GRAPHEMES)
  return /\s/.test(words) ? `"${words}"` : words
}

/** Whether something that the note names is not there any more. */
export function namesWhatIsGone(verdicts: readonly AnchorVerdict[]): boolean {
  return verdicts.some(({ verdict }) => verdict === 'gone')
}

/** Whether all that could be looked up is as the note says, and nothing was left out. */
export function isConfirmedNow(verdicts: readonly AnchorVerdict[]): boolean {
  const looked = verdicts.filter(({ verdict }) => verdict !== 'not checkable')
  return looked.length > 0 && looked.every(({ verdict }) => verdict === 'holds')
}

export interface CheckedNote {
  readonly id: string
  readonly voice: Voice
  readonly verdicts: readonly AnchorVerdict[]
}

/**
 * The line and, where something is gone, the call that puts it right; none when there is nothing to say. In a prompt a
 * rule stands among the user's own words, so it hears what is wrong and no word of the working tree.
 */
export function checkedLines({ id, voice, verdicts }: CheckedNote, reader: 'agent' | 'person'): string[] {
  const line = verdictLine(verdicts, { withDetails: voice !== 'rule' || reader === 'person' })
  if (line === null) return []
  const confirmed = voice === 'fact' && isConfirmedNow(verdicts) ? ' What it names is confirmed now.' : ''
  return [`${line}${confirmed}`, ...(namesWhatIsGone(verdicts) ? [mending[reader](id)] : [])]
}

const mending: Readonly<Record<'agent' | 'person', (id: string) => string>> = {
  agent: (id) =>
    `If the note no longer holds: memory_save (action "replace", in "${id}", find the old words, text what holds now), or memory_forget "${id}".`,
  person: (id) =>
    `If the note no longer holds: keepsake remember --in ${id} --replace "OLD WORDS" "NEW WORDS", or keepsake forget ${id}.`,
}
