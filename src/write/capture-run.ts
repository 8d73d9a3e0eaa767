/** State of one capture: bounded, and gone with the call. */
import type {
  CaptureInput,
  CaptureResult,
  Clock,
  Config,
  LayerMode,
  RememberInput,
  RememberResult,
  TranscriptReader,
  TrustStep,
} from '../domain/index.ts'
import type { SessionStore } from '../store/sessions/session-store.ts'
import type { StateStore } from '../store/state/state-store.ts'
import type { ReadingBook } from './after-turn/book.ts'
import type { CandidateBook } from './candidates.ts'
import type { NoteFinder, UseBook } from './count-uses.ts'
import type { ExistingNote, ExtractedNote, ExtractInput } from './extract/index.ts'
import type { MaskedMessage } from './message-identity.ts'
import type { SignalTable } from './signals/index.ts'
import type { TranscriptHead } from './transcript-head.ts'

/** Where the notes of one session go: decided by the session's own folder, never by the caller's. */
export interface SessionPlace {
  /** Layer key of the project, or null outside any. */
  readonly project: string | null
  /** False: every layer of it is closed to background writes, so no model is asked about its sessions. */
  readonly takesNotes: boolean
  /** The write path, for the layers of that project. */
  remember(input: RememberInput): Promise<RememberResult>
  /** What those layers hold now: name, type and description of each note. */
  existing(): Promise<readonly (ExistingNote & { readonly id: string })[]>
  /** Forgets the notes that rest on nothing but these messages (evidence hashes). Returns how many. */
  takeBack(session: string, hashes: ReadonlySet<string>): Promise<number>
  /** Over every note of those layers, whoever wrote it. */
  noteFinder(): Promise<NoteFinder>
  /** Whether this absolute path lies in a folder of notes: a tool that wrote anything else wrote no memory. */
  isNotePath(path: string): boolean
}

export interface Guidance {
  /** Ids of the notes whose text the conversation in this transcript was shown. */
  shownIn(agent: string, transcript: string): Promise<ReadonlySet<string>>
  record(step: TrustStep): void
}

export interface CaptureDependencies {
  /** By agent name. */
  readonly readers: Readonly<Record<string, TranscriptReader>>
  /** Null when no SQLite works here: then notes are made and no message is kept. */
  readonly sessions: SessionStore | null
  readonly state: StateStore | null
  /** Why one of the two is null, for people. */
  readonly unavailable: string | null
  readonly config: Config
  readonly clock: Clock
  /** Asked once for each folder and mode in a run. */
  readonly placeOf: (cwd: string | null, mode: LayerMode) => Promise<SessionPlace>
  /** What may become of this session (spec W11). */
  readonly modeOf: (session: string) => LayerMode
  /** Files that a tool call wrote (spec I11). Recording the same write again must change nothing. */
  readonly recordToolWrite: (write: {
    readonly path: string
    readonly session: string
    readonly time: string | null
  }) => Promise<void>
  /** Null: no model reads conversations here. */
  readonly reading: Pick<ReadingBook, 'begin' | 'passOver'> | null
  /** Tentative statements (spec W8); null where nothing can be kept about them. */
  readonly candidates: CandidateBook | null
  /** What the user's words say about the notes that were shown (spec W9); null where trust cannot be kept. */
  readonly guidance: Guidance | null
  /** Which notes were used (spec I7); null where that cannot be kept. */
  readonly uses: UseBook | null
  /** Cue tables of the user, and what is wrong with the ones that were left out. */
  readonly cues?: { readonly tables: readonly SignalTable[]; readonly problems: readonly string[] }
  /** Default: the rules of W17. */
  readonly extract?: (input: ExtractInput) => readonly ExtractedNote[]
  /** Default: reads the file. */
  readonly headOf?: (file: string) => Promise<TranscriptHead>
}

/** What the extractor needs of a message, from this read or from the store; of a tool's answer only the beginning. */
export type ContextMessage = Pick<
  MaskedMessage,
  'id' | 'role' | 'content' | 'toolName' | 'time' | 'hash' | 'nativeId' | 'writtenTime'
>

export interface KnownPlace {
  readonly place: SessionPlace
  /** Read once, then kept up with what this run writes. */
  existing: readonly (ExistingNote & { readonly id: string })[] | null
  finder: NoteFinder | null
}

export interface CaptureRun {
  readonly dependencies: CaptureDependencies
  readonly input: CaptureInput
  /** By mode and folder. */
  readonly places: Map<string, KnownPlace>
  /** Ids of the notes that this transcript shows; null: not looked yet. */
  shown: ReadonlySet<string> | null
  /** The last messages of each session. */
  readonly context: Map<string, readonly ContextMessage[]>
  /** How many messages of each session lie before the next one, counted from where this reading began. */
  readonly positions: Map<string, number>
  readonly tally: Tally
}

interface Tally {
  readonly sessions: Set<string>
  readonly skipped: Record<string, number>
  readonly outcomes: RememberResult[]
  /** Sentences, each once. */
  readonly problems: Set<string>
  messages: number
  /** Notes that the user took back. */
  takenBack: number
  unlistedOutcomes: number
  /** Notes in turns, and what was cited and is no note. */
  uses: number
  unknownUses: number
}

/** Outcomes listed in one result; the rest is counted. */
const MAX_LISTED_OUTCOMES = 1_000

export function startRun(dependencies: CaptureDependencies, input: CaptureInput): CaptureRun {
  const tally: Tally = {
    sessions: new Set(),
    skipped: {},
    outcomes: [],
    problems: new Set([
      ...(dependencies.unavailable === null ? [] : [dependencies.unavailable]),
      ...(dependencies.cues?.problems ?? []),
    ]),
    messages: 0,
    takenBack: 0,
    unlistedOutcomes: 0,
    uses: 0,
    unknownUses: 0,
  }
  return { dependencies, input, places: new Map(), context: new Map(), positions: new Map(), shown: null, tally }
}

/** The same run, for a reading that begins again at the start of the file. What was kept so far stays counted. */
export function restarted(run: CaptureRun): CaptureRun {
  return { ...run, context: new Map(), positions: new Map(), tally: { ...run.tally, skipped: {} } }
}

export function countOutcome({ tally }: CaptureRun, outcome: RememberResult): void {
  if (tally.outcomes.length < MAX_LISTED_OUTCOMES) tally.outcomes.push(outcome)
  else tally.unlistedOutcomes++
}

export function countSkipped({ tally }: CaptureRun, more: Readonly<Record<string, number>>): void {
  for (const [kind, count] of Object.entries(more)) tally.skipped[kind] = (tally.skipped[kind] ?? 0) + count
}

export function resultOf({ tally }: CaptureRun): CaptureResult {
  const unlisted = tally.unlistedOutcomes > 0 ? [`${tally.unlistedOutcomes} more outcomes are not listed.`] : []
  return {
    sessions: [...tally.sessions],
    messages: tally.messages,
    skipped: tally.skipped,
    outcomes: tally.outcomes,
    takenBack: tally.takenBack,
    uses: { counted: tally.uses, unknown: tally.unknownUses },
    problems: [...tally.problems, ...unlisted],
  }
}
