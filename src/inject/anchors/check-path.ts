/**
 * Paths. A file that is there holds only while it is the same file: one that lost more than half of its lines since the
 * note was written is `changed`. What is not there is looked for in the history: moved, removed, or never there.
 */
import type { PathAnchor } from './anchor.ts'
import { type Check, changed, gone, holds, NO_ANCHOR, notCheckable, notChecked, type Outcome } from './check.ts'
import { isIgnored } from './ignored-paths.ts'
import { isRewritten } from './similar.ts'

/** Where projects have their files: people leave these out. */
const usualFolders = ['src', 'lib', 'app', 'source', 'internal', 'packages', 'crates']

export async function checkPath({ path, isSure }: PathAnchor, check: Check): Promise<Outcome> {
  const { tree } = check.look
  const entry = tree.entryAt(path)
  if (entry === 'refused') return isSure ? notCheckable() : NO_ANCHOR
  if (entry === 'folder') return holds()
  if (entry === 'file') return checkPresent(path, check)
  if (isIgnored(tree, path)) return isSure ? notCheckable('no file of the repository') : NO_ANCHOR
  return checkAbsent(path, isSure, check)
}

/** A file that is there now. */
export async function checkPresent(path: string, check: Check): Promise<Outcome> {
  const { look, past } = check
  if (!look.tree.hasHistory || isUntouched(path, check)) return holds()
  const then = await past.at(path)
  if (look.signal.aborted) return notChecked
  if (then?.entry?.kind !== 'file') return holds()
  const [before, now] = [then.entry.text, look.textNow(path)]
  if (before === null || now === null || before === now) return holds()
  const commits = await look.changesSince(then.commit, path)
  if (isRewritten(before, now)) return changed(`rewritten since${inCommits(commits)}`)
  return commits ? holds(`changed since${inCommits(commits)}`) : holds()
}

/** Last written before the note: nothing needs to be compared. A copy or checkout makes every file new. */
export function isUntouched(path: string, { look, past }: Check): boolean {
  const changedMs = look.tree.changedMsAt(path)
  return changedMs !== null && past.timeMs !== null && changedMs <= past.timeMs
}

function inCommits(commits: number | null): string {
  return commits ? `, in ${commits} commit${commits === 1 ? '' : 's'}` : ''
}

async function checkAbsent(path: string, isSure: boolean, check: Check): Promise<Outcome> {
  const { look, past } = check
  const isBare = !path.includes('/')
  if (!look.tree.hasHistory) {
    const nearby = usualFolders.map((folder) => `${folder}/${path}`).find((each) => look.tree.entryAt(each) === 'file')
    if (nearby !== undefined) return holds()
    return !isSure ? NO_ANCHOR : isBare ? notCheckable() : gone()
  }
  // A path whose first folder is not there may leave out its beginning.
  if (isSure && !isBare && look.tree.entryAt(path.slice(0, path.indexOf('/'))) === 'folder') check.tell(gone())
  if (!isSure) check.tell(notChecked)
  const then = await past.at(path)
  if (then?.entry) return goneOrMoved(path, then.commit, check)
  const elsewhere = await fullPathOf(path, then?.commit ?? null, check)
  if (look.signal.aborted) return notChecked
  if (elsewhere === 'several') return notCheckable('several files have that name')
  if (elsewhere !== null) {
    const entry = look.tree.entryAt(elsewhere)
    if (entry === 'absent') return goneOrMoved(elsewhere, then?.commit ?? null, check)
    return entry === 'folder' ? holds() : checkPresent(elsewhere, check)
  }
  const commit = then?.commit ?? (await look.past(null).commit())
  const moved = commit === null || isBare ? null : await look.newPlaceOf(commit, path)
  if (moved !== null) return changed(`moved to ${moved}`)
  if (!isSure) return NO_ANCHOR
  return isBare ? notCheckable() : gone('never in its history')
}

async function goneOrMoved(path: string, commit: string | null, { look, tell }: Check): Promise<Outcome> {
  tell(gone())
  const moved = commit === null ? null : await look.newPlaceOf(commit, path)
  return moved === null ? gone() : changed(`moved to ${moved}`)
}

/** A path that leaves out its beginning: the file or folder that ends so, then or now. */
async function fullPathOf(path: string, commit: string | null, { look }: Check): Promise<string | 'several' | null> {
  for (const each of commit === null ? [null] : [commit, null]) {
    const found = new Set((await look.files(each))?.flatMap((file) => endingSo(file, path)))
    if (found.size > 1) return 'several'
    for (const only of found) return only
  }
  return null
}

function endingSo(file: string, path: string): string[] {
  if (file.endsWith(`/${path}`)) return [file]
  const at = file.indexOf(`/${path}/`)
  return at < 0 ? [] : [file.slice(0, at + 1 + path.length)]
}
