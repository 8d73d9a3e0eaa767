/**
 * The start block of one conversation (spec I1): made once, kept, and given again byte for byte by whoever asks, on any
 * day. Only forgetting changes it. What stands in the way of keeping it is said; the block itself is given in any case.
 */
import { estimateTokenCount } from 'tokenx'
import { type Block, type BlockPiece, isoSeconds, type KeptFor, type StartBlock } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { safeText } from '../guard/index.ts'
import { type KeptBlock, withoutLines } from '../store/kept-block.ts'
import { oneLine, utf8Bytes } from '../util/index.ts'
import type { Core } from './core.ts'
import type { Place } from './place.ts'
import { whyNothingIsKept } from './session-mode.ts'
import { shownBlock } from './shown.ts'

const NATIVE_ID = /^\S{1,200}$/

/** `<agent>:<native id>` of what a host calls its conversation. Throws INPUT_INVALID. */
export function sessionIdOf(session: string, agent: string, agents: readonly string[]): string {
  if (!NATIVE_ID.test(session))
    throw new MemoryError('INPUT_INVALID', 'The id of a session has 1 to 200 characters and no spaces', {
      hint: 'Nothing was kept.',
      data: { field: 'session' },
    })
  const isWhole = agents.some((name) => session.startsWith(`${name}:`) && session.length > name.length + 1)
  return isWhole ? session : `${agent}:${session}`
}

export interface KeptContextInput {
  /** `<agent>:<native id>` */
  readonly session: string
  readonly agent: string
  /** Made anew, whatever is kept. */
  readonly renew: boolean
  readonly make: () => Promise<StartBlock>
}

export async function keptContext(core: Core, place: Place, input: KeptContextInput): Promise<Block> {
  const reason = whyNothingIsKept(core, input.session)
  if (reason !== null) return withProblem(withoutPieces(await input.make()), notKept(`${reason}.`))
  try {
    return await keepOrGive(core, place, input)
  } catch (error) {
    if (!MemoryError.isInstance(error)) throw error
    const why = [error.message, error.hint].filter((each) => each !== undefined).join('. ')
    return withProblem(withoutPieces(await input.make()), notKept(why))
  }
}

async function keepOrGive(core: Core, place: Place, { session, agent, renew, make }: KeptContextInput): Promise<Block> {
  const key = { session, agent, place: rootOf(place) }
  const found = renew ? null : core.startBlocks.get(key)
  if (found !== null && found !== 'damaged')
    return given(await withoutForgotten(core, found), { isNew: false, dropped: [] })
  const made = await make()
  // An empty block says that nothing could be read: the next call may do better.
  if (made.text === '') return withoutPieces(made)
  await core.writerParts.ensureHome()
  const fresh = { ...key, ...storable(made), made: isoSeconds(core.options.clock.now()), forgotten: 0 }
  const { kept, ...put } = await core.startBlocks.put(fresh, { replace: renew || found === 'damaged' })
  // What was forgotten while the block was made could not reach it before it was kept.
  const block = given(await withoutForgotten(core, kept), put)
  const problems = found === 'damaged' ? ['What was kept for this session could not be read; it was made anew.'] : []
  return { ...block, problems: [...made.problems, ...problems] }
}

function notKept(why: string): string {
  return `The block is not kept, so it may change: ${why}`
}

/** A project that gets its folder during the conversation stays the same place. */
export function rootOf(place: Place): string {
  const resolution = place.resolution()
  return resolution.kind === 'none' ? '' : resolution.root.path
}

/** By tombstones too: a process may have died between the tombstone and the kept blocks. */
async function withoutForgotten({ startBlocks, writerParts }: Core, kept: KeptBlock): Promise<KeptBlock> {
  const gone = new Set(writerParts.tombstones.since(Date.parse(kept.made)).map(({ noteId }) => noteId))
  if (gone.size === 0) return kept
  const isGone = ({ note }: BlockPiece) => note?.version != null && gone.has(note.version.id)
  if (withoutLines(kept, isGone) === kept) return kept
  await startBlocks.forget(isGone)
  const left = startBlocks.get(kept)
  if (left !== null && left !== 'damaged') return left
  throw new MemoryError('STORE_UNREADABLE', 'A line that was forgotten could not be taken out of it', {
    data: { path: kept.session },
  })
}

function given(
  { session, made, forgotten, text, entries, omitted }: KeptBlock,
  put: Pick<KeptFor, 'isNew' | 'dropped'>,
): Block {
  const kept = { session, made, forgotten, ...put }
  return { text, bytes: utf8Bytes(text), tokens: estimateTokenCount(text), entries, omitted, problems: [], kept }
}

/** Names and reasons are words of notes: on disk they stand as they may be shown. */
function storable(made: StartBlock): Pick<KeptBlock, 'text' | 'entries' | 'omitted' | 'pieces'> {
  const { text, entries, omitted } = shownBlock(made)
  const pieces = made.pieces.map((piece) => ({
    ...piece,
    note: piece.note && { ...piece.note, name: safeText(oneLine(piece.note.name), 'name').text },
  }))
  return { text, entries, omitted, pieces }
}

/** As the block leaves the engine. */
export function withoutPieces({ pieces: _, ...block }: StartBlock): Block {
  return shownBlock(block)
}

function withProblem(block: Block, problem: string): Block {
  return { ...block, problems: [...block.problems, problem] }
}
