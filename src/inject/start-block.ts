/**
 * The start block (spec I1): guidance, pinned notes whole, one line per other note, what stands beside them, and what was
 * left out. What one share leaves goes on to the next. Nothing in it depends on the clock, so the same notes give the same
 * bytes on any day. What stands in it is chosen once for all dialects; one of them says it.
 */
import { estimateTokenCount } from 'tokenx'
import {
  type Block,
  type BlockEntry,
  type BlockPiece,
  type Config,
  EMPTY_BLOCK,
  layerNameOf,
  type ProfileUsage,
  profileUsage,
} from '../domain/index.ts'
import { escapeFenced, safeText } from '../guard/index.ts'
import { ANYWHERE, type Here, standingsOf } from '../store/notes/precedence.ts'
import { mostValuableFirst } from '../store/notes/value-order.ts'
import { cutBytes, oneLine, utf8Bytes, wellFormed } from '../util/index.ts'
import { type Dialect, MAX_BETWEEN_BYTES, MAX_GUIDANCE_BYTES } from './dialects/dialect.ts'
import { dialectsIn } from './dialects/registry.ts'
import { type Composed, explainBlock, type Judged, reasonFor } from './start-explain.ts'
import { type Around, renderBlock, widestAround, widestTokens } from './start-frame.ts'
import {
  createSafeTexts,
  likelyTexts,
  type SafeTexts,
  sumOf,
  type Taken,
  TIGHT_LINE_BYTES,
  takeIndex,
  takeProfile,
} from './start-lines.ts'
import { isEntry, type StartNote } from './start-note.ts'
import { judgeRest, type StartRest, takeRest, wantedBytes } from './start-rest.ts'
import { restPieces } from './start-sections.ts'

/** UTF-8 bytes of a block of the default size; another size is shared out alike. */
export const SHARES = { guidance: MAX_GUIDANCE_BYTES, profile: 3_600, index: 4_000, rest: 900 } as const
const ALL_SHARES = SHARES.guidance + SHARES.profile + SHARES.index + SHARES.rest
/** Of its share the rest keeps this much where headings take the whole of it: a line about the last session. */
const MIN_REST = 300
/** In a very small block the profile may still have this part of what is left: one in four. */
const MIN_PROFILE_PART = 4
/** Recomposing with a smaller budget converges in two or three rounds; with steps that grow it always ends. */
const MAX_ROUNDS = 16
const STEP = 0.03
const MAX_PROJECT_BYTES = 60

export interface StartBlockInput {
  readonly dialect: Dialect
  /** Active notes, of any layer. */
  readonly notes: readonly StartNote[]
  /** How many active notes the layers hold in all, read or not. */
  readonly total: number
  /** What stands beside the notes. */
  readonly rest: StartRest
  /** Shown when a project is known. */
  readonly projectName: string | null
  /** Where the agent stands; default: nothing is narrowed out. */
  readonly here?: Here
  readonly maxBytes: number
  readonly maxTokens: number
  /** Caps of the profile, for its pressure. */
  readonly profile: Config['profile']
  readonly problems: readonly string[]
  readonly explain?: boolean
}

/** How many lines a block of this size can hold, each as short as it is made when space is tight. */
export function linesThatFit(maxBytes: number): number {
  const scale = maxBytes / ALL_SHARES
  return Math.max(1, Math.ceil((maxBytes - SHARES.guidance * scale) / TIGHT_LINE_BYTES))
}

export interface StartBlock {
  readonly block: Block
  /** Notes that count and for which there was no room. */
  readonly cut: ReadonlySet<StartNote>
  readonly pieces: readonly BlockPiece[]
}

/** The block for these notes. Empty text only when `notes` is empty and something could not be read. */
export function createStartBlock(input: StartBlockInput): StartBlock {
  if (input.notes.length === 0 && input.problems.length > 0)
    return { block: { ...EMPTY_BLOCK, problems: input.problems }, cut: new Set(), pieces: [] }
  const { dialect } = input
  const judged = judge(input)
  const composed = composeWithin(judged, dialectsIn(dialect.language), input)
  const text = renderBlock(dialect, composed)
  const tokens = estimateTokenCount(text)
  const shown = new Set(composed.taken.map(({ note }) => note))
  const block = {
    text,
    bytes: utf8Bytes(text),
    tokens,
    entries: composed.taken.map((each) => toEntry(each, judged)),
    omitted: Math.max(0, judged.total - composed.taken.length),
    problems: input.problems,
    ...(input.explain ? { explanation: explainBlock(judged, composed, { ...input, text, tokens }) } : {}),
  }
  return {
    block,
    cut: new Set(judged.counting.filter((note) => !shown.has(note))),
    pieces: [...composed.taken.map(toPiece), ...restPieces(composed.rest, dialect)],
  }
}

/** As much as fits into bytes and tokens, whichever bites first. */
function composeWithin(judged: Judged, dialects: readonly Dialect[], input: StartBlockInput): Composed {
  const { maxTokens } = input
  const texts = createSafeTexts()
  let { maxBytes } = input
  texts.judge(likelyTexts(judged.counting, maxBytes, linesThatFit(maxBytes)))
  const around = widestAround(dialects, {
    notes: judged.counting,
    labels: judged,
    total: judged.total,
    rest: judged.rest,
  })
  let composed = compose(judged, { maxBytes, around }, texts)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const tokens = widestTokens(dialects, composed)
    if (tokens <= maxTokens) break
    maxBytes = Math.floor(maxBytes * Math.min(1 - STEP * (round + 1), (maxTokens / tokens) * 0.99))
    composed = compose(judged, { maxBytes, around }, texts)
  }
  return composed
}

/** The notes that count here, best first; the others with the reason. */
function judge({ notes, total, rest, here = ANYWHERE, projectName, profile }: StartBlockInput): Judged {
  const standings = standingsOf(notes, here)
  const counting = notes.filter((note) => standings.get(note)?.state === 'stands').sort(mostValuableFirst)
  const others = notes.filter((note) => standings.get(note)?.state !== 'stands').sort(mostValuableFirst)
  return {
    standings,
    counting,
    others,
    total: Math.max(0, total - others.length),
    // A folder is named by whoever made the repository.
    project: projectName === null ? null : cutBytes(safeText(oneLine(projectName), 'project').text, MAX_PROJECT_BYTES),
    usage: usageOf(notes, profile),
    rest: judgeRest(rest, { counting, others, isWhole: total <= notes.length }),
  }
}

function usageOf(notes: readonly StartNote[], limits: Config['profile']): readonly ProfileUsage[] {
  const pinned = notes.flatMap((note) =>
    note.body === null ? [] : [{ ...note, body: note.body, layer: layerNameOf(note.layer) }],
  )
  return profileUsage(pinned, ['global', 'project'], limits).filter(({ entries }) => entries > 0)
}

function compose(
  judged: Judged,
  { maxBytes, around }: { maxBytes: number; around: Around },
  texts: SafeTexts,
): Composed {
  const { counting, total } = judged
  const scale = maxBytes / ALL_SHARES
  const left = maxBytes - around.guidance - around.frame
  const restShare = restShareOf(judged, scale, around)
  const unused = Math.max(0, SHARES.guidance * scale - around.guidance)
  // Where headings take more than the rest leaves, the index keeps its share and the profile pays; never with all it has.
  const behindIndex = Math.max(left - restShare - SHARES.index * scale, left / MIN_PROFILE_PART)
  const profileShare = Math.floor(Math.min(SHARES.profile * scale + unused, behindIndex))
  const profile = takeProfile(counting, profileShare, texts)
  const whole = new Set(profile.map(({ note }) => note))
  const behindProfile = left - sumOf(profile) - profile.length * MAX_BETWEEN_BYTES
  const indexShare = Math.max(0, behindProfile - restShare)
  const index = takeIndex(
    counting.filter((note) => !whole.has(note)),
    indexShare,
    texts,
  )
  const shown = new Set([...profile, ...index].map(({ note }) => note))
  const rest = takeRest(judged.rest, behindProfile - sumOf(index), (note) => shown.has(note))
  const cutPins = index.filter(({ note }) => isEntry(note)).length
  return {
    taken: [...profile, ...index],
    rest,
    labels: judged,
    counts: { shown: shown.size, total, cutPins },
    shares: {
      guidance: SHARES.guidance * scale,
      profile: profileShare,
      index: indexShare,
      rest: restShare,
      frame: around.frame,
    },
  }
}

/** Headings are paid from the share of the rest; what it does not want goes on to the index. */
function restShareOf({ rest }: Judged, scale: number, { frame }: Around): number {
  return Math.min(wantedBytes(rest), Math.floor(Math.max(SHARES.rest * scale - frame, MIN_REST * scale)))
}

function toEntry(taken: Taken, judged: Judged): BlockEntry {
  const { note, bytes, form } = taken
  const section = note.voice === 'rule' ? 'rules' : note.voice === 'fact' ? 'facts' : 'quoted'
  return {
    id: note.id,
    name: note.name,
    layer: layerNameOf(note.layer),
    section: form === 'body' ? 'profile' : section,
    bytes,
    why: reasonFor(taken, judged),
  }
}

/** Facts and quoted words are escaped by their fence. */
export function toPiece({ note, text }: Pick<Taken, 'note' | 'text'>): BlockPiece {
  const { id, name, layer, file, hash } = note
  const asItStands = note.voice === 'rule' ? text : escapeFenced(wellFormed(text))
  return { text: asItStands, note: { name, version: { id, layer, file, hash } }, session: null }
}
