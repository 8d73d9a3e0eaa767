/**
 * Start blocks that are kept for conversations (docs/decisions/0020): one file each under `start/`, mode 0600, named after
 * the conversation. Losing one costs a provider's cache of the prompt, never a memory; so what cannot be changed goes.
 */
import { lstatSync, readdirSync, readFileSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type BlockPiece, type Clock, homeFiles } from '../domain/index.ts'
import { fromFileSystemError, MemoryError, systemCode } from '../errors.ts'
import { sha256, slugify } from '../util/index.ts'
import { type KeptBlock, type KeptBlockKey, keptBlockFrom, withoutLines } from './kept-block.ts'
import { writeWholeFile } from './notes/atomic-write.ts'

export interface StartBlocks {
  /** Null: none is kept. `damaged`: what is kept cannot be read. */
  get(key: KeptBlockKey): KeptBlock | 'damaged' | null
  /**
   * Keeps a block; without `replace` the one that another process kept meanwhile stays and is given back. `dropped`:
   * conversations whose blocks had to go for it. Durable when it resolves.
   */
  put(block: KeptBlock, options: { readonly replace: boolean }): Promise<PutBlock>
  all(): readonly KeptBlock[]
  /** Takes these lines out of every kept block. How many blocks changed. Durable when it resolves. */
  forget(isGone: (piece: BlockPiece) => boolean): Promise<number>
  /** Blocks of one conversation. How many went. */
  removeSession(session: string): number
  /** Those that are too old, by the time that stands in them, and files that are none. Conversations that lost one. */
  removeOld(): readonly string[]
}

export interface PutBlock {
  readonly kept: KeptBlock
  /** False: another process had kept one. */
  readonly isNew: boolean
  readonly dropped: readonly string[]
}

/** A conversation that is taken up later than this gets a new block. */
const KEPT_BLOCK_DAYS = 30
/** Every forget reads them all. */
const MAX_KEPT_BLOCKS = 200
const DAY_MS = 86_400_000
/** A block of the largest size with all that is said of its notes is a tenth of this. */
const MAX_FILE_BYTES = 1_048_576
const KEY_DIGITS = 16

export function createStartBlocks({ home, clock }: { readonly home: string; readonly clock: Clock }): StartBlocks {
  const folder = join(home, homeFiles.startBlocks)
  const fileOf = (key: KeptBlockKey) => join(folder, fileNameOf(key))
  const all = () => namesIn(folder).flatMap((name) => readBlock(join(folder, name)) ?? [])
  const remove = (blocks: readonly KeptBlock[]) => {
    for (const block of blocks) removeFile(fileOf(block))
    return [...new Set(blocks.map(({ session }) => session))]
  }
  return {
    all,
    get(key) {
      const file = fileOf(key)
      const block = readBlock(file)
      if (block === null) return namesIn(folder).includes(fileNameOf(key)) ? 'damaged' : null
      return isSameKey(block, key) ? block : 'damaged'
    },
    async put(block, { replace }) {
      const isPlaced = await writeWholeFile(fileOf(block), bytesOf(block), { exclusive: !replace })
      const kept = isPlaced ? block : (readBlock(fileOf(block)) ?? block)
      const others = all().filter((each) => !isSameKey(each, block))
      const newestFirst = others.sort((one, other) => Date.parse(other.made) - Date.parse(one.made))
      return { kept, isNew: kept === block, dropped: remove(newestFirst.slice(MAX_KEPT_BLOCKS - 1)) }
    },
    async forget(isGone) {
      let changed = 0
      for (const block of all()) {
        const left = withoutLines(block, isGone)
        if (left === block) continue
        await replaceOrRemove(fileOf(block), left)
        changed++
      }
      return changed
    },
    removeSession: (session) => {
      const own = all().filter((each) => each.session === session)
      remove(own)
      return own.length
    },
    removeOld() {
      for (const name of namesIn(folder)) if (readBlock(join(folder, name)) === null) removeFile(join(folder, name))
      const oldestMs = clock.now() - KEPT_BLOCK_DAYS * DAY_MS
      return remove(all().filter(({ made }) => Date.parse(made) < oldestMs))
    },
  }
}

/** What was forgotten must not stay because a disk is full. */
async function replaceOrRemove(file: string, block: KeptBlock | null): Promise<void> {
  try {
    if (block) await writeWholeFile(file, bytesOf(block))
    else removeFile(file)
  } catch (error) {
    if (!MemoryError.isInstance(error)) throw error
    removeFile(file)
  }
}

/** Names that differ in case only, or behind the cut, are told apart by the hash. */
function fileNameOf({ session, agent, place }: KeptBlockKey): string {
  const hash = sha256(JSON.stringify([session, agent, place])).slice(0, KEY_DIGITS)
  return `${slugify(session) || 'session'}-${hash}.json`
}

function isSameKey(one: KeptBlockKey, other: KeptBlockKey): boolean {
  return one.session === other.session && one.agent === other.agent && one.place === other.place
}

function bytesOf(block: KeptBlock): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(block, null, 2)}\n`)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return []
    throw fromFileSystemError(error, folder)
  }
}

function readBlock(file: string): KeptBlock | null {
  try {
    const stat = lstatSync(file)
    // Reading a pipe would wait for ever, and a link leads out of the home.
    if (!stat.isFile() || stat.size > MAX_FILE_BYTES) return null
    return keptBlockFrom(readFileSync(file, 'utf8'))
  } catch (error) {
    // Not there, or not ours to read.
    if (systemCode(error) !== undefined) return null
    throw error
  }
}

function removeFile(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return
    throw fromFileSystemError(error, file)
  }
}
