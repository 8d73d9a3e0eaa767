/**
 * What a call of a tool opens that may be a note (spec I7): our own memory_get, a file tool, a plain shell command. Whether
 * there is such a note is for those to say who know the folders.
 */
import type { TranscriptNoteRead } from '../../domain/index.ts'
import { absolutePath, markdownPath } from './absolute-path.ts'
import type { ToolCall } from './row-content.ts'
import { textAt } from './rows.ts'
import { openedBy } from './shell-reads.ts'
import type { CallLanguage, CallPlace } from './tool-calls.ts'

/** As any name of our server makes it: `mcp__keepsake__memory_get`. */
const ownTool = /^mcp__[A-Za-z0-9_-]*keepsake[A-Za-z0-9_-]*__memory_get$/
/** Files that one call opens; UTF-16 units of one. */
const MAX_READS = 50
const MAX_LENGTH = 1_000

export function noteReads(call: ToolCall, { cwd, time }: CallPlace, language: CallLanguage): TranscriptNoteRead[] {
  const told = { tool: call.name, call: call.id, time }
  const note = ownTool.test(call.name) ? textAt(call.input, 'note') : null
  if (note !== null) return note.length > MAX_LENGTH ? [] : [{ by: 'note', reference: note, ...told }]
  const named = language.folderOf?.(call) ?? null
  const folder = named === null ? cwd : absolutePath(named, cwd)
  const command = language.commandOf(call)
  const opened = [
    ...language.readPaths(call).map((reference) => ({ by: 'path', reference, folder }) as const),
    ...(command === null ? [] : openedBy(command, folder)),
  ]
  return opened.slice(0, MAX_READS).flatMap(({ by, reference, folder: from }): TranscriptNoteRead[] => {
    if (reference.length > MAX_LENGTH) return []
    if (by === 'note') return [{ by, reference, ...told }]
    const path = markdownPath(reference, from)
    return path === null ? [] : [{ by, reference: path, ...told }]
  })
}
