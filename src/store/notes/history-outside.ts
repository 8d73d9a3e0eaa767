/**
 * What is on disk and not in the last commit, told apart from what the change at hand wrote. Files whose stat is as it
 * was when they were read last are not read again; what cannot be read now is left for another time, never "gone".
 */
import type { HistoryModes } from './history-modes.ts'
import { type CommitFile, DEFAULT_MODE, type RecordedFile, type SeenStat, versionKey } from './history-port.ts'
import type { LayerListing, LockedLayer, NoteBytes, NoteFileStat } from './note-files.ts'

/** What a change did to one file. */
export interface Touched {
  readonly before: NoteBytes | null
  readonly modeBefore: number | null
  after: NoteBytes | null
}

export interface Look {
  readonly locked: LockedLayer
  readonly head: ReadonlyMap<string, RecordedFile>
  readonly touched: ReadonlyMap<string, Touched>
  readonly modes: HistoryModes
  /** Outside changes beyond this many bytes are left for the next look. */
  readonly maxBytes: number
}

export interface Outside {
  readonly before: readonly CommitFile[]
  readonly own: readonly CommitFile[]
  readonly after: readonly CommitFile[]
  /** Files that were read and are as recorded. */
  readonly seen: ReadonlyMap<string, SeenStat>
}

interface Found {
  readonly before: CommitFile[]
  readonly own: CommitFile[]
  readonly after: CommitFile[]
  readonly seen: Map<string, SeenStat>
  bytes: number
}

export async function lookOutside(look: Look): Promise<Outside> {
  const { locked, head, touched, maxBytes } = look
  const listing = await locked.list()
  const found: Found = { before: [], own: [], after: [], seen: new Map(), bytes: 0 }
  const present = new Map(listing.files.map((stat) => [stat.file, stat]))
  for (const [file, change] of touched) await addTouched(look, found, { file, change, stat: present.get(file) ?? null })
  if (listing.state !== 'ok') return found
  for (const stat of listing.files) {
    if (found.bytes >= maxBytes) break
    if (!touched.has(stat.file)) await addChanged(look, found, stat)
  }
  for (const file of head.keys()) {
    if (present.has(file) || touched.has(file) || isIgnored(listing, file)) continue
    found.before.push({ file, version: null, seen: null })
  }
  return found
}

/** A file that this change wrote: as it was, as it was written, and as it is when somebody wrote to it since. */
async function addTouched(
  { locked, head, modes }: Look,
  found: Found,
  { file, change, stat }: { readonly file: string; readonly change: Touched; readonly stat: NoteFileStat | null },
): Promise<void> {
  const { before, after, modeBefore } = change
  const recorded = head.get(file) ?? null
  const mode = modes.of(locked.layer, file) ?? modeBefore ?? DEFAULT_MODE
  const was = modeBefore ?? mode
  if (!isRecorded(recorded, before, was)) found.before.push(fileOf(file, before, { mode: was, seen: null }))
  const isSame = before?.hash === after?.hash && (after === null || was === mode)
  const seen = stat && after && isSameStat(stat, after) ? seenOf(stat) : null
  if (!isSame) found.own.push(fileOf(file, after, { mode, seen }))
  if (seen || (!stat && !after)) return
  const now = await readable(locked, file)
  if (now === 'unreadable' || now?.hash === after?.hash) return
  found.after.push(fileOf(file, now, { mode, seen: null }))
}

async function addChanged({ locked, head, modes }: Look, found: Found, stat: NoteFileStat): Promise<void> {
  const recorded = head.get(stat.file) ?? null
  if (recorded?.seen && isSameStat(stat, recorded.seen)) return
  const now = await readable(locked, stat.file)
  if (now === 'unreadable' || now === null) return
  const mode = modes.of(locked.layer, stat.file) ?? recorded?.mode ?? DEFAULT_MODE
  const seen = { size: now.size, mtimeMs: now.mtimeMs, inode: now.inode }
  if (isRecorded(recorded, now, mode)) {
    found.seen.set(stat.file, seen)
    return
  }
  found.before.push(fileOf(stat.file, now, { mode, seen }))
  found.bytes += now.size
}

function isRecorded(recorded: RecordedFile | null, bytes: NoteBytes | null, mode: number): boolean {
  if (!recorded || !bytes) return !recorded && !bytes
  return recorded.mode === mode && recorded.key === versionKey(bytes.bytes)
}

function fileOf(
  file: string,
  found: NoteBytes | null,
  { mode, seen }: { readonly mode: number; readonly seen: SeenStat | null },
): CommitFile {
  return { file, version: found && { bytes: found.bytes, mode }, seen: found && seen }
}

async function readable(locked: LockedLayer, file: string): Promise<NoteBytes | 'unreadable' | null> {
  try {
    return await locked.read(file)
  } catch {
    // Named by doctor; its last version stays the recorded one until it can be read.
    return 'unreadable'
  }
}

/** What still lies there, though it counts as no note now, was not removed. An ignored folder ends with a slash. */
function isIgnored({ ignored }: LayerListing, file: string): boolean {
  return ignored.some((each) => (each.file.endsWith('/') ? file.startsWith(each.file) : each.file === file))
}

function isSameStat(one: SeenStat, other: SeenStat): boolean {
  return one.size === other.size && one.mtimeMs === other.mtimeMs && one.inode === other.inode
}

function seenOf({ size, mtimeMs, inode }: SeenStat): SeenStat {
  return { size, mtimeMs, inode }
}
