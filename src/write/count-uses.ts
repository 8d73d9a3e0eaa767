/**
 * Uses of notes that a turn shows (spec I7): its answers cite one, or a call opened one. Being shown is no use. Must stay
 * true: what names no note of the session's layers is counted as unknown, never guessed; the same call or answer counts
 * once, however often it is read and in whatever fork it stands.
 */
import type { NoteUse, TranscriptBatch, TranscriptNoteRead, UseKind } from '../domain/index.ts'
import { readCitations } from '../guard/index.ts'
import type { MaskedTurn } from './capture-notes.ts'
import type { CaptureRun, KnownPlace } from './capture-run.ts'
import type { MaskedMessage } from './message-identity.ts'

/** How a note is named; a citation also by the line of it that was shown. */
export type NamedBy = TranscriptNoteRead['by'] | 'citation'

/** The id of the note that is meant, or null: by its id, name or file, or by the path of its file. */
export type NoteFinder = (reference: string, by: NamedBy) => string | null

/** What the state database keeps of uses. */
export interface UseBook {
  /** Returns those that were not known. */
  record(uses: readonly NoteUse[]): readonly NoteUse[]
  /** By time. */
  inSession(session: string): readonly NoteUse[]
}

export async function countUses(
  run: CaptureRun,
  place: KnownPlace,
  { turn, batch }: { readonly turn: MaskedTurn; readonly batch: TranscriptBatch },
): Promise<void> {
  const { uses: book, guidance, clock } = run.dependencies
  if (!book) return
  const named = namedIn(turn, batch, run.input.agent)
  if (named.length === 0) return
  place.finder ??= await place.place.noteFinder()
  const uses: NoteUse[] = []
  for (const { reference, by, kind, act, time } of named) {
    const note = place.finder(reference, by)
    if (note !== null) uses.push({ note, session: turn.session, kind, act, at: msOf(time) ?? clock.now() })
    // A file that was read is mostly no note at all; what is cited should be one.
    else if (kind === 'cited') run.tally.unknownUses++
  }
  const added = book.record(uses)
  run.tally.uses += new Set(added.map(({ note }) => note)).size
  // What was opened helped only if the user's next words do not correct it.
  for (const { note, session, kind, at } of added)
    if (kind === 'cited') guidance?.record({ note, session, signal: 'helped', at })
}

interface Named {
  readonly reference: string
  readonly by: NamedBy
  readonly kind: UseKind
  readonly act: string
  readonly time: string | null
}

function namedIn({ session, messages }: MaskedTurn, { noteReads = [] }: TranscriptBatch, agent: string): Named[] {
  const cited = messages.flatMap((message) => {
    if (message.role !== 'assistant') return []
    const told = { by: 'citation', kind: 'cited', act: actOfMessage(message, agent), time: message.time } as const
    return readCitations(message.content).references.map((reference) => ({ reference, ...told }))
  })
  const opened = noteReads.map(({ reference, by, call, time }) => {
    // A short id is unique in its conversation only.
    const act = call.length < MIN_UNIQUE_ID ? `${session}:call:${call}` : `${agent}:call:${call}`
    return { reference, by, kind: 'opened', act, time } as const
  })
  return [...cited, ...opened]
}

/** Ids of calls that are random are longer than this. */
const MIN_UNIQUE_ID = 16

/** An id that we computed differs from session to session, the words do not. */
function actOfMessage({ idGiven, id, hash }: MaskedMessage, agent: string): string {
  return idGiven ? id : `${agent}:answer:${hash}`
}

function msOf(time: string | null): number | null {
  const ms = Date.parse(time ?? '')
  return Number.isNaN(ms) ? null : ms
}
