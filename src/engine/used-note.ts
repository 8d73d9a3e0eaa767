/**
 * Which note a citation or a call means (spec I7), by words that a model or a transcript wrote: its id, the beginning of
 * it, its name, or the path of its file. What could be two notes is none.
 */
import { realpathSync } from 'node:fs'
import { isAbsolute, join, normalize } from 'node:path'
import { hasCode } from '../errors.ts'
import type { NoteFinder } from '../write/index.ts'
import type { JudgedNote, Notes } from './notes.ts'

export async function usedNoteFinder(notes: Pick<Notes, 'scan' | 'finder'>, userHome: string): Promise<NoteFinder> {
  const scanned = await notes.scan()
  const find = notes.finder(scanned)
  const folders = new Map(scanned.map(({ layer: { directory } }) => [directory, [directory, realPathOf(directory)]]))
  const byPath = new Map(
    scanned.flatMap(({ note, layer }) =>
      (folders.get(layer.directory) ?? []).map((folder) => [comparable(join(folder, note.file)), note.id]),
    ),
  )
  const atPath = (path: string) => byPath.get(comparable(path)) ?? byPath.get(comparable(realPathOf(path))) ?? null
  return (reference, by) => {
    const path = reference.startsWith('~/') ? join(userHome, reference.slice(2)) : reference
    if (isAbsolute(path)) return atPath(path)
    if (by === 'path') return null
    return found(find, reference) ?? inFolder(reference, byPath)
  }
}

function found(find: (reference: string) => JudgedNote | null, reference: string): string | null {
  try {
    return find(reference)?.note.id ?? null
  } catch (error) {
    if (hasCode(error, 'NOTE_AMBIGUOUS')) return null
    throw error
  }
}

/** `global/feedback_tabs.md`, `memory/global/feedback_tabs.md`: the end of one path only. */
function inFolder(reference: string, byPath: ReadonlyMap<string, string>): string | null {
  const end = comparable(reference.replaceAll('\\', '/').replace(/^(?:\.\/)+/, ''))
  if (!end.includes('/') || !/\.md$/i.test(end) || end.split('/').includes('..')) return null
  const ids = new Set([...byPath].flatMap(([path, id]) => (path.endsWith(`/${end}`) ? [id] : [])))
  return ids.size === 1 ? ([...ids][0] ?? null) : null
}

function comparable(path: string): string {
  return normalize(path).normalize('NFC')
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // Gone meanwhile: then the path as it was written has to do.
    return path
  }
}
