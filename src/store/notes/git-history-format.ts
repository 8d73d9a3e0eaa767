/**
 * Commits as text: what fast-import reads, and what `git log` prints. Pure. File names may hold any character, so
 * nothing here is split by anything a name could contain, except NUL.
 */
import type { HistoryKind } from '../../domain/index.ts'
import { cutGraphemes } from '../../util/index.ts'
import { type Commit, type CommitMessage, DEFAULT_MODE, MAX_COMMIT_FILES, type NewCommit } from './history-port.ts'

export const BRANCH = 'refs/heads/main'
/** Tracked beside the notes: permission bits that git cannot hold. No listing takes it for a note. */
export const MODES_FILE = '.keepsake-modes'

const kinds: readonly HistoryKind[] = ['remember', 'move', 'forget', 'undo', 'outside']
const MAX_NOTE_IDS = 50
const MAX_AUTHOR_GRAPHEMES = 40

/** One commit as commands of fast-import. `parent` is a commit id or a mark; `modes` the text of MODES_FILE when it changed. */
export function importCommands(
  commit: NewCommit,
  place: { readonly mark: number; readonly parent: string | null; readonly modes: string | null },
): Uint8Array[] {
  const seconds = `${Math.floor(commit.timeMs / 1_000)} +0000`
  const message = encode(printMessage(commit))
  const gone = commit.files.filter(({ version }) => version === null)
  const parts = [
    encode(`commit ${BRANCH}\nmark :${place.mark}\nauthor ${authorName(commit.author)} <> ${seconds}\n`),
    encode(`committer keepsake <> ${seconds}\ndata ${message.length}\n`),
    message,
    encode(`\n${place.parent === null ? '' : `from ${place.parent}\n`}`),
    // A path that was a file may now be a folder: what goes, goes first.
    ...gone.map(({ file }) => encode(`D ${quotePath(file)}\n`)),
    ...commit.files.flatMap(({ file, version }) => (version ? blobCommands(file, version.bytes, version.mode) : [])),
  ]
  if (place.modes === '') parts.push(encode(`D ${MODES_FILE}\n`))
  else if (place.modes !== null) parts.push(...blobCommands(MODES_FILE, encode(place.modes), DEFAULT_MODE))
  return [...parts, encode(`get-mark :${place.mark}\n`)]
}

function blobCommands(file: string, bytes: Uint8Array, mode: number): Uint8Array[] {
  const kind = mode & 0o100 ? '100755' : '100644'
  return [encode(`M ${kind} inline ${quotePath(file)}\ndata ${bytes.length}\n`), bytes, encode('\n')]
}

function quotePath(file: string): string {
  return `"${file.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`
}

/** Names come from callers: one line, no sign that git reads, short. */
function authorName(author: string): string {
  const plain = author.normalize('NFC').replace(/[^\p{L}\p{M}\p{N} ._@-]+/gu, ' ')
  return cutGraphemes(plain.trim(), MAX_AUTHOR_GRAPHEMES).replace(/…$/, '').trim() || 'unknown'
}

function printMessage({ why, kind, change, layers, noteIds, undoes }: CommitMessage): string {
  const named = noteIds.length <= MAX_NOTE_IDS ? noteIds : []
  const lines = [
    `Kind: ${kind}`,
    `Change: ${change}`,
    ...layers.map((layer) => `Layer: ${layer}`),
    ...named.map((id) => `Note: ${id}`),
    ...(undoes === null ? [] : [`Undoes: ${undoes.change} ${undoes.id}`]),
  ]
  return `${why}\n\n${lines.join('\n')}\n`
}

/** Of a commit that somebody made by hand, the first line is the reason and the kind is `outside`. */
export function parseMessage(text: string, id: string): Omit<CommitMessage, 'author'> {
  const values = (key: string) => [...text.matchAll(new RegExp(`^${key}: (.+)$`, 'gm'))].map((match) => match[1] ?? '')
  const [change, undone] = values('Undoes')[0]?.split(' ') ?? []
  return {
    why: text.split('\n')[0] ?? '',
    kind: kinds.find((kind) => kind === values('Kind')[0]) ?? 'outside',
    change: values('Change')[0] ?? id,
    layers: values('Layer'),
    noteIds: values('Note'),
    undoes: change && undone ? { change, id: undone } : null,
  }
}

/** For `git log -z --raw`: id, author, seconds, message, then pairs of raw line and path. */
export const LOG_ARGUMENTS = [
  '-z',
  '--raw',
  '--no-renames',
  '--no-abbrev',
  '--full-diff',
  '--root',
  '--format=%H%x01%an%x01%at%x01%B',
]

export function parseLog(output: string): Commit[] {
  const commits: (Omit<Commit, 'files' | 'omittedFiles'> & { files: RawChange[] })[] = []
  const tokens = output.split('\0')
  for (let at = 0; at < tokens.length; at++) {
    const token = (tokens[at] ?? '').replace(/^\n/, '')
    const raw = /^:\d{6} \d{6} ([0-9a-f]+) ([0-9a-f]+) [A-Z]/.exec(token)
    if (raw) commits.at(-1)?.files.push({ file: tokens[++at] ?? '', before: raw[1] ?? '', after: raw[2] ?? '' })
    else if (token !== '') commits.push(commitOf(token))
  }
  return commits.map((commit) => ({ ...commit, ...boundFiles(commit.files) }))
}

export interface RawChange {
  readonly file: string
  /** Object names; only zeros: not there. */
  readonly before: string
  readonly after: string
}

/** For `git diff-tree -z --raw` of one commit. */
export function parseRawChanges(output: string): RawChange[] {
  const tokens = output.split('\0')
  const changes: RawChange[] = []
  for (let at = 0; at + 1 < tokens.length; at += 2) {
    const raw = /^:\d{6} \d{6} ([0-9a-f]+) ([0-9a-f]+) [A-Z]/.exec(tokens[at] ?? '')
    if (raw) changes.push({ file: tokens[at + 1] ?? '', before: raw[1] ?? '', after: raw[2] ?? '' })
  }
  return changes
}

export function isAbsent(objectName: string): boolean {
  return /^0+$/.test(objectName)
}

function commitOf(header: string) {
  const [id = '', author = '', seconds = '0', ...message] = header.split('\x01')
  const parsed = parseMessage(message.join('\x01'), id)
  return { ...parsed, id, author, timeMs: Number(seconds) * 1_000, files: [] }
}

function boundFiles(raw: readonly RawChange[]): Pick<Commit, 'files' | 'omittedFiles'> {
  const notes = raw.filter(({ file }) => file !== MODES_FILE)
  const files = notes.slice(0, MAX_COMMIT_FILES).map(({ file, before, after }) => ({
    file,
    change: isAbsent(before) ? ('added' as const) : isAbsent(after) ? ('removed' as const) : ('changed' as const),
  }))
  return { files, omittedFiles: notes.length - files.length }
}

/** Only what differs from the usual: one line per file, in order. */
export function printModes(modes: ReadonlyMap<string, number>): string {
  return [...modes]
    .filter(([, mode]) => mode !== DEFAULT_MODE)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([file, mode]) => `${mode.toString(8).padStart(4, '0')} ${JSON.stringify(file)}\n`)
    .join('')
}

export function parseModes(text: string): Map<string, number> {
  const modes = new Map<string, number>()
  for (const line of text.split('\n')) {
    const match = /^([0-7]{4}) (".*")$/.exec(line)
    const file = match?.[2] === undefined ? null : unquoted(match[2])
    if (match?.[1] && file !== null) modes.set(file, Number.parseInt(match[1], 8))
  }
  return modes
}

function unquoted(text: string): string | null {
  try {
    return String(JSON.parse(text))
  } catch {
    // A line that somebody edited: its file counts as having the usual bits.
    return null
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
