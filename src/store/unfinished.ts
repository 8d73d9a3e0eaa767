/**
 * Changes of several files that count as one (spec W2). A change is written down here before its first file is touched;
 * whoever holds the lock of a layer next carries out what a killed writer left undone there. The rename of the folder
 * is the moment from which the change holds. Plain files: it must work without SQLite and without git.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Clock, homeFiles } from '../domain/index.ts'
import { fromFileSystemError, systemCode } from '../errors.ts'
import { makeFolder, sha256 } from '../util/index.ts'
import { ensureDirectory, removeQuietly, syncDirectory, writeWholeFile } from './notes/atomic-write.ts'
import type { ChangeWords } from './notes/history.ts'

export interface UnfinishedFile {
  /** Path below the layer's folder. */
  readonly file: string
  /** What the file is before; null when it is new. */
  readonly baseHash: string | null
  /** What it becomes; null when it goes. */
  readonly bytes: Uint8Array | null
}

/** What one change does to one layer. */
export interface UnfinishedPart {
  readonly words: ChangeWords & { readonly change: string }
  /** Layer key. */
  readonly layer: string
  readonly files: readonly UnfinishedFile[]
}

export interface Unfinished {
  /** Durable when it resolves: from then on the change is made, whoever has to finish it. */
  begin(parts: readonly UnfinishedPart[]): Promise<void>
  /** Parts of a layer that were begun, oldest change first. Ask only under the layer's lock: then nobody is at work. */
  of(layerKey: string): readonly UnfinishedPart[]
  /** The part of the layer is made, or was taken back. */
  done(change: string, layerKey: string): void
}

/** Folders that were never renamed belong to a writer that died before its change began. */
const STALE_TEMP_MS = 3_600_000
const TEMP_PREFIX = '.begun-'

export function createUnfinished({ home, clock }: { readonly home: string; readonly clock: Clock }): Unfinished {
  const folder = join(home, homeFiles.unfinished)
  const aside = join(home, homeFiles.conflicts)
  const fileOf = (layerKey: string) => `${sha256(layerKey).slice(0, 16)}.json`
  return {
    async begin(parts) {
      const [first] = parts
      if (!first) return
      const temp = join(folder, `${TEMP_PREFIX}${randomBytes(8).toString('hex')}`)
      try {
        await ensureDirectory(temp)
        for (const part of parts) await writeWholeFile(join(temp, fileOf(part.layer)), printPart(part))
        renameSync(temp, join(folder, first.words.change))
      } catch (error) {
        rmSync(temp, { recursive: true, force: true })
        throw fromFileSystemError(error, folder)
      }
      await syncDirectory(folder)
    },
    of(layerKey) {
      return foldersIn(folder, clock).flatMap((change) => readPart(join(folder, change, fileOf(layerKey)), aside) ?? [])
    },
    done(change, layerKey) {
      removeQuietly(join(folder, change, fileOf(layerKey)))
      try {
        rmdirSync(join(folder, change))
      } catch {
        // The part of another layer still waits there, or somebody else was faster.
      }
    },
  }
}

function foldersIn(folder: string, clock: Clock): string[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw fromFileSystemError(error, folder)
  }
  for (const name of names) if (name.startsWith(TEMP_PREFIX)) removeStale(join(folder, name), clock)
  return names.filter((name) => !name.startsWith('.')).sort()
}

function removeStale(temp: string, clock: Clock): void {
  const found = statSync(temp, { throwIfNoEntry: false })
  if (found && clock.now() - found.mtimeMs > STALE_TEMP_MS) rmSync(temp, { recursive: true, force: true })
}

function printPart({ files, ...part }: UnfinishedPart): Uint8Array {
  const encoded = files.map(({ bytes, ...file }) => ({
    ...file,
    bytes: bytes === null ? null : Buffer.from(bytes).toString('base64'),
  }))
  return new TextEncoder().encode(JSON.stringify({ ...part, files: encoded }))
}

/** Null when there is none. One that holds no change is set aside and named: it must not stop every later write. */
function readPart(path: string, asideFolder: string): UnfinishedPart | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null
    throw fromFileSystemError(error, path)
  }
  const part = partFrom(text)
  if (part === null) setAside(path, asideFolder)
  return part
}

/** `doctor` lists what lies among the conflicts. */
function setAside(path: string, asideFolder: string): void {
  makeFolder(asideFolder)
  renameSync(path, join(asideFolder, `unfinished-${basename(dirname(path))}-${basename(path)}`))
}

function partFrom(text: string): UnfinishedPart | null {
  try {
    const found: unknown = JSON.parse(text)
    if (!isPrinted(found)) return null
    return { ...found, files: found.files.map(({ bytes, ...file }) => ({ ...file, bytes: decoded(bytes) })) }
  } catch {
    // Damaged on disk: what it held cannot be known, and is kept where a person sees it.
    return null
  }
}

function decoded(bytes: string | null): Uint8Array | null {
  return bytes === null ? null : new Uint8Array(Buffer.from(bytes, 'base64'))
}

type Printed = Omit<UnfinishedPart, 'files'> & {
  readonly files: readonly (Omit<UnfinishedFile, 'bytes'> & { readonly bytes: string | null })[]
}

function isPrinted(value: unknown): value is Printed {
  // Every property that is read below is looked at first.
  const { words, layer, files } = (value ?? {}) as { [key in keyof Printed]?: unknown }
  // Looked at in the next line.
  const change = (words as { change?: unknown } | null | undefined)?.change
  if (typeof layer !== 'string' || typeof change !== 'string' || !Array.isArray(files)) return false
  return files.every(
    (each: { file?: unknown; baseHash?: unknown; bytes?: unknown } | null) =>
      typeof each?.file === 'string' && isTextOrNull(each.baseHash) && isTextOrNull(each.bytes),
  )
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string'
}
