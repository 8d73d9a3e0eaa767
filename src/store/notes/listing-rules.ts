/**
 * Which names in a layer's folder are notes (spec S1, BL-49). Pure: decides by name alone, so that both drivers and
 * every platform agree. Everything that is no note has a reason; nothing of ours feeds itself.
 */
import { homeFiles } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'

/** A larger file is no note; it is reported, not read. */
export const MAX_NOTE_BYTES = 1_048_576

/** Folders of a layer that hold something else than its notes. */
const reservedFolders = new Set(['team', 'skills', 'worktrees'])

/** Files of our own that everyone expects: neither notes nor worth a report. */
const expectedFiles = new Set([
  homeFiles.index.toLowerCase(),
  homeFiles.summary.toLowerCase(),
  homeFiles.projectJson.toLowerCase(),
])

const conflictCopies: readonly RegExp[] = [
  /\.sync-conflict-\d{8}-\d{6}(-[a-z0-9]+)?\.md$/i,
  /[(（][^()（）]*(conflicted copy|case conflict|冲突副本|衝突複本|衝突的副本|競合コピー)[^()（）]*[)）]\.md$/iu,
  /[._](backup|base|local|remote)[._]\d+\.md$/i,
]

const backups: readonly RegExp[] = [
  /~$/,
  /~\.md$/i,
  /^~\$/,
  /^#.*#$/,
  /\.(orig|bak|backup|tmp|temp|swp|rej)\.md$/i,
  /\.md\.(orig|bak|backup|tmp|temp|sw[a-p]|rej|old|save)$/i,
]

/**
 * Names, each behind a `/`, that are not plainly notes: most are, and hold no sign of the lists above. Ranges are quick to
 * compile.
 */
const NOT_PLAIN = /\/(?![A-Za-z0-9\u3400-\u4dbf\u4e00-\u9fff][\w\u3400-\u4dbf\u4e00-\u9fff-]*\.md(?:\/|$))[^/]*/g
/** What a plain name may hold and be no note: signs of merges, and the files that everyone expects. */
const TELLING_WORD = /backup|base|local|remote|memory/gi

export type NameVerdict = 'note' | 'expected' | { readonly ignored: string }

/**
 * Those of the names of one folder that `judgeFileName` has to look at; all others are notes. Looking for them together
 * costs a fraction of judging each.
 */
export function doubtfulNames(names: readonly string[]): ReadonlySet<string> {
  // No name holds the separator.
  const joined = names.map((name) => `/${name}`).join('')
  const unusual = [...joined.matchAll(NOT_PLAIN)].map(([name]) => name.slice(1))
  const telling = [...joined.matchAll(TELLING_WORD)].map(({ index }) => {
    const end = joined.indexOf('/', index)
    return joined.slice(joined.lastIndexOf('/', index) + 1, end < 0 ? undefined : end)
  })
  return new Set([...unusual, ...telling])
}

/** Verdict on a file name: the last segment of a path. */
export function judgeFileName(name: string): NameVerdict {
  if (expectedFiles.has(name.toLowerCase())) return 'expected'
  if (name.startsWith('.keepsake-')) return 'expected'
  if (name.startsWith('.')) return { ignored: 'hidden' }
  if (name.startsWith('_')) return { ignored: 'underscore' }
  if (conflictCopies.some((pattern) => pattern.test(name))) return { ignored: 'conflict-copy' }
  if (backups.some((pattern) => pattern.test(name))) return { ignored: 'backup' }
  return /\.md$/i.test(name) ? 'note' : { ignored: 'not-markdown' }
}

/** Why a folder is not entered, or null when it is. */
export function judgeFolderName(name: string): string | null {
  if (name.startsWith('.')) return 'hidden'
  if (name.startsWith('_')) return 'underscore'
  return reservedFolders.has(name.toLowerCase()) ? 'reserved-folder' : null
}

/** Throws INPUT_INVALID for a file that no listing would show: writing it would lose it in plain sight. */
export function assertNoteFile(file: string): void {
  const segments = file.split('/')
  const name = segments.pop() ?? ''
  if (judgeFileName(name) === 'note' && segments.every((folder) => judgeFolderName(folder) === null)) return
  throw new MemoryError('INPUT_INVALID', `${file} is no name for a note`, {
    hint: 'Notes are .md files outside hidden and reserved folders.',
    data: { field: 'file' },
  })
}

/** Throws INPUT_INVALID for bytes that no listing would show. */
export function assertNoteSize(file: string, bytes: Uint8Array): void {
  if (bytes.length <= MAX_NOTE_BYTES) return
  throw new MemoryError('INPUT_INVALID', `${file} would be larger than ${MAX_NOTE_BYTES} bytes`, {
    hint: 'Split it into several notes.',
    data: { field: 'text' },
  })
}
