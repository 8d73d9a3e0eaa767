/**
 * `memory.context({ compare })`: the start block as it would be made now beside an earlier one. The earlier one is kept for
 * a session, stands in its transcript, or in a file that is named.
 */
import { resolve } from 'node:path'
import type { Block, BlockComparison, ContextInput, StartBlock } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { FENCE_TAGS, safeText } from '../guard/index.ts'
import { type ComparedBlock, compareBlocks } from '../inject/index.ts'
import { lookAtFile, oneLine, readTail } from '../util/index.ts'
import type { Core } from './core.ts'
import { rootOf, sessionIdOf, withoutPieces } from './kept-context.ts'
import { createNotes } from './notes.ts'
import type { Place } from './place.ts'
import { transcriptOf } from './transcript-of.ts'

/** Bytes of a file in which a block is looked for, from its end. */
const MAX_FILE_BYTES = 64 * 1024 * 1024

interface Earlier extends ComparedBlock {
  readonly with: BlockComparison['with']
  /** Whose dialect it was made in, where that is known. */
  readonly agent: string | null
}

export interface CompareInput extends Pick<ContextInput, 'agent'> {
  readonly compare: string
  readonly agents: readonly string[]
  readonly make: (agent: string) => Promise<StartBlock>
}

/** Throws SESSION_NOT_FOUND, TRANSCRIPT_UNREADABLE. */
export async function comparedContext(core: Core, place: Place, input: CompareInput): Promise<Block> {
  const earlier =
    (await inFile(core, resolve(core.options.cwd, input.compare))) ?? (await ofSession(core, place, input))
  const now = await input.make(input.agent ?? earlier.agent ?? 'plain')
  const comparison = compareBlocks({ with: earlier.with, earlier, now, fateOf: await fates(core, place) })
  return { ...withoutPieces(now), comparison: shownComparison(comparison) }
}

/** Null when no file is called so. */
async function inFile({ options }: Core, file: string): Promise<Earlier | null> {
  if (!(await lookAtFile(file))) return null
  const text = await readTail(file, MAX_FILE_BYTES)
  for (const [agent, { shownBlocks }] of Object.entries(options.readers)) {
    const shown = shownBlocks?.(text).findLast(({ kind }) => kind === 'start')
    const block = shown && blockIn(shown.text)
    if (block) return { agent, text: block, pieces: [], with: { kind: 'transcript', name: file, made: shown.time } }
  }
  const block = blockIn(text)
  if (block) return { agent: null, text: block, pieces: [], with: { kind: 'file', name: file, made: null } }
  throw new MemoryError('TRANSCRIPT_UNREADABLE', `${file} holds no start block`, {
    hint: 'Name a transcript of a known agent, a text with a block in it, or a session.',
    data: { file },
  })
}

/** The last whole start block of a text. */
function blockIn(text: string): string | null {
  const start = text.lastIndexOf(`<${FENCE_TAGS.block} kind="start">`)
  const closing = `</${FENCE_TAGS.block}>`
  const end = start < 0 ? -1 : text.indexOf(closing, start)
  return end < 0 ? null : text.slice(start, end + closing.length)
}

async function ofSession(core: Core, place: Place, { compare, agent, agents }: CompareInput): Promise<Earlier> {
  const id = sessionIdOf(compare, agent ?? 'plain', agents)
  const kept = core.startBlocks.all().filter(({ session }) => session === id)
  const block = kept.find((each) => each.place === rootOf(place)) ?? kept[0]
  if (block) return { ...block, with: { kind: 'session', name: id, made: block.made } }
  const transcript = transcriptOf(core.stores.state(), id)
  const found = transcript === null ? null : await inFile(core, transcript)
  if (found) return found
  throw new MemoryError('SESSION_NOT_FOUND', `No start block of ${JSON.stringify(compare)} is known`, {
    hint: 'It is no file, none is kept for a session of this id, and no transcript of it was captured.',
    data: { reference: compare },
  })
}

async function fates(core: Core, place: Place): Promise<Parameters<typeof compareBlocks>[0]['fateOf']> {
  const notes = createNotes({ ...core, layers: place.layers, here: place.here, clock: core.options.clock })
  const there = (await notes.scan()).map(({ note }) => note)
  const { tombstones } = core.writerParts
  const buried = tombstones.since(0)
  const [ids, names] = [new Set(buried.map(({ noteId }) => noteId)), new Set(buried.map(({ nameKey }) => nameKey))]
  return ({ id, name }) => {
    if (there.some((note) => (id === null ? name.startsWith(oneLine(note.name)) : note.id === id))) return 'left out'
    return (id !== null && ids.has(id)) || names.has(tombstones.nameKey(name)) ? 'forgotten' : 'gone'
  }
}

/** Lines of a file are words of others. */
function shownComparison(comparison: BlockComparison): BlockComparison {
  const safe = (text: string) => safeText(text, 'line').text
  const { first } = comparison
  return {
    ...comparison,
    first: first && { ...first, earlier: first.earlier && safe(first.earlier), now: first.now && safe(first.now) },
    causes: comparison.causes.map((each) => ({ ...each, name: safe(each.name) })),
    lines: comparison.lines.map((each) => ({ ...each, text: safe(each.text) })),
  }
}
