/**
 * Which note a citation or a call means (spec I7), by words that a model or a transcript wrote: its id, the beginning of
 * it, its name, the path of its file, or its line in a start block, which may be all that a model saw of it. What could be
 * two notes is none.
 */
import { realpathSync } from 'node:fs'
import { isAbsolute, join, normalize } from 'node:path'
import { hasCode } from '../errors.ts'
import { indexText } from '../inject/index.ts'
import { comparableName } from '../util/index.ts'
import type { NoteFinder } from '../write/index.ts'
import type { JudgedNote, Notes, PlacedNote } from './notes.ts'

/** UTF-16 units of a cut line; shorter ones begin many lines. */
const MIN_CUT_LINE = 12

export async function usedNoteFinder(notes: Pick<Notes, 'scan' | 'finder'>, userHome: string): Promise<NoteFinder> {
  const scanned = await notes.scan()
  const find = notes.finder(scanned)
  const folders = new Map(scanned.map(({ layer: { directory } }) => [directory, [directory, realPathOf(directory)]]))
  const byPath = new Map(
    scanned.flatMap(({ note, layer }) =>
      (folders.get(layer.directory) ?? []).map((folder) => [comparable(join(folder, note.file)), note.id]),
    ),
  )
  const byLine = lineFinder(scanned)
  const atPath = (path: string) => byPath.get(comparable(path)) ?? byPath.get(comparable(realPathOf(path))) ?? null
  return (reference, by) => {
    const path = reference.startsWith('~/') ? join(userHome, reference.slice(2)) : reference
    if (isAbsolute(path)) return atPath(path)
    if (by === 'path') return null
    const named = found(find, reference) ?? inFolder(reference, byPath)
    // No tool opens a note by its line.
    return named ?? (by === 'citation' ? byLine(reference) : null)
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

/** `- Ana owns the ledger (2026-11-18)`, whole or cut with `…`; notes that do not count are shown on no line. */
function lineFinder(scanned: readonly PlacedNote[]): (reference: string) => string | null {
  let lines: readonly { readonly id: string; readonly line: string }[] | null = null
  return (reference) => {
    lines ??= scanned
      .filter(({ note }) => note.status === 'active')
      .map(({ note }) => ({ id: note.id, line: comparableName(indexText(note)) }))
    const [, shown = '', mark] = /^(?:[-*•]\s+)?(.*?)(…)?(?:\s\(\d{4}-\d\d-\d\d\))?$/u.exec(reference.trim()) ?? []
    const wanted = comparableName(shown)
    if (wanted === '' || (mark !== undefined && wanted.length < MIN_CUT_LINE)) return null
    const [first, ...others] = lines.filter(({ line }) =>
      mark === undefined ? line === wanted : line.startsWith(wanted),
    )
    return others.length === 0 ? (first?.id ?? null) : null
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
