/**
 * The start block (spec I1): guidance, pinned notes whole, one line per other note, and what was left out. What one share
 * leaves goes on to the next. Nothing in it depends on the clock, so the same notes give the same bytes on any day.
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
import { type Dialect, MAX_GUIDANCE_BYTES } from './dialects/dialect.ts'
import { type Composed, explainBlock, type Judged, reasonFor } from './start-explain.ts'
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
import type { StartNote } from './start-note.ts'
import { CLOSING, frameBytes, type Labels, OPENING, renderSections } from './start-sections.ts'

/** UTF-8 bytes of a block of the default size; another size is shared out alike. */
export const SHARES = { guidance: MAX_GUIDANCE_BYTES, profile: 3_600, index: 4_000, rest: 900 } as const
const ALL_SHARES = SHARES.guidance + SHARES.profile + SHARES.index + SHARES.rest
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
export function linesThatFit(maxBytes: number, { guidance }: Dialect): number {
  return Math.max(1, Math.ceil((maxBytes - utf8Bytes(guidance)) / TIGHT_LINE_BYTES))
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
  const judged = judge(input)
  let maxBytes = input.maxBytes
  const texts = createSafeTexts()
  texts.judge(likelyTexts(judged.counting, maxBytes, linesThatFit(maxBytes, input.dialect)))
  let composed = compose(judged, input.dialect, maxBytes, texts)
  for (let round = 0; composed.tokens > input.maxTokens && round < MAX_ROUNDS; round++) {
    maxBytes = Math.floor(maxBytes * Math.min(1 - STEP * (round + 1), (input.maxTokens / composed.tokens) * 0.99))
    composed = compose(judged, input.dialect, maxBytes, texts)
  }
  const taken = [...composed.profile, ...composed.index]
  const shown = new Set(taken.map(({ note }) => note))
  const block = {
    text: composed.text,
    bytes: utf8Bytes(composed.text),
    tokens: composed.tokens,
    entries: taken.map((each) => toEntry(each, judged)),
    omitted: Math.max(0, judged.total - taken.length),
    problems: input.problems,
    ...(input.explain ? { explanation: explainBlock(judged, composed, input) } : {}),
  }
  return { block, cut: new Set(judged.counting.filter((note) => !shown.has(note))), pieces: taken.map(toPiece) }
}

/** The notes that count here, best first; the others with the reason. */
function judge({ notes, total, here = ANYWHERE, projectName, profile }: StartBlockInput): Judged {
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
  }
}

function usageOf(notes: readonly StartNote[], limits: Config['profile']): readonly ProfileUsage[] {
  const pinned = notes.flatMap((note) =>
    note.body === null ? [] : [{ ...note, body: note.body, layer: layerNameOf(note.layer) }],
  )
  return profileUsage(pinned, ['global', 'project'], limits).filter(({ entries }) => entries > 0)
}

function compose(judged: Judged, { guidance }: Dialect, maxBytes: number, texts: SafeTexts): Composed {
  const { counting, total } = judged
  const labels: Labels = judged
  const frame = frameBytes(counting, labels, total)
  const scale = maxBytes / ALL_SHARES
  const left = maxBytes - frame - utf8Bytes(guidance) - 1
  const unused = Math.max(0, SHARES.guidance * scale - utf8Bytes(guidance))
  // Where headings take more than the rest leaves, the index keeps its share and the profile pays; never with all it has.
  const behindIndex = Math.max(left - SHARES.index * scale, left / MIN_PROFILE_PART)
  const profileShare = Math.floor(Math.min(SHARES.profile * scale + unused, behindIndex))
  const profile = takeProfile(counting, profileShare, texts)
  const whole = new Set(profile.map(({ note }) => note))
  const indexShare = left - sumOf(profile)
  const index = takeIndex(
    counting.filter((note) => !whole.has(note)),
    indexShare,
    texts,
  )
  const cutPins = index.filter(({ note }) => note.pinned && note.body !== null).length
  const taken = [...profile, ...index]
  const sections = renderSections(taken, labels, { shown: taken.length, total, cutPins })
  const text = [OPENING, guidance, ...sections, CLOSING].join('\n')
  const shares = { guidance: Math.floor(SHARES.guidance * scale), profile: profileShare, index: indexShare, frame }
  return { text, tokens: estimateTokenCount(text), guidance, profile, index, shares }
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
