/**
 * Tool calls of one transcript until their results come: which tool answered, how it ended, and which calls may have
 * written or opened memory (whether such a file is a note is for those to say who know the folders). A call that failed
 * did neither.
 */
import { isAbsolute } from 'node:path'
import type { TranscriptMemoryWrite, TranscriptNoteRead, TranscriptToolCall } from '../../domain/index.ts'
import { wellFormed } from '../../util/index.ts'
import { markdownPath } from './absolute-path.ts'
import { noteReads } from './note-reads.ts'
import type { ToolCall, ToolResult } from './row-content.ts'

/** Calls kept while they wait; far more than one turn has. The oldest goes first. */
const MAX_WAITING = 10_000
/** Calls that one batch tells of, files of one call, and UTF-16 units of a command or an error. */
const MAX_TOLD = 1_000
const MAX_FILES = 100
const MAX_TEXT = 2_000

/** Our own tools as any MCP server name makes them: `mcp__keepsake__memory_save`. */
const ownTool = /^mcp__[A-Za-z0-9_-]*keepsake[A-Za-z0-9_-]*__memory_(?:save|forget)$/

/** Where and when a call was made. */
export interface CallPlace {
  readonly cwd: string | null
  readonly time: string | null
  /** Of a sub-agent: what it wrote counts, but it is no call of the conversation. */
  readonly isAside?: boolean
}

/** What a call does, in this agent's words. */
export interface CallLanguage {
  /** Paths that a call of the file tools writes, as the call names them. */
  writtenPaths(call: ToolCall): readonly string[]
  /** Paths that it reads. */
  readPaths(call: ToolCall): readonly string[]
  /** The command that it gives to a shell, or null. */
  commandOf(call: ToolCall): string | null
  /** The folder that the call names for itself, or null. */
  folderOf?(call: ToolCall): string | null
}

interface WaitingCall {
  readonly name: string
  readonly writes: readonly TranscriptMemoryWrite[]
  readonly reads: readonly TranscriptNoteRead[]
}

export interface ToolCalls {
  open(calls: readonly ToolCall[], place: CallPlace): void
  nameOf(callId: string): string | null
  /** Writes whose result says that they happened. */
  settle(results: readonly ToolResult[]): TranscriptMemoryWrite[]
  /** Writes that have no result yet: at the end of what can be read they count, on the side of less trust. */
  unsettled(): TranscriptMemoryWrite[]
  /** Calls since this was asked last, as far as they are answered. */
  takeTold(): TranscriptToolCall[]
  /** What was opened since this was asked last. */
  takeReads(): TranscriptNoteRead[]
}

export function createToolCalls(language: CallLanguage): ToolCalls {
  const waiting = new Map<string, WaitingCall>()
  let told = new Map<string, TranscriptToolCall>()
  let opened: TranscriptNoteRead[] = []
  return {
    open(calls, place) {
      for (const call of calls) {
        const writes = memoryWrites(call, place, language)
        waiting.set(call.id, { name: call.name, writes, reads: noteReads(call, place, language) })
        if (waiting.size > MAX_WAITING) waiting.delete(waiting.keys().next().value ?? '')
        if (place.isAside !== true) told.set(call.id, openCall(call, place, language))
        if (told.size > MAX_TOLD) told.delete(told.keys().next().value ?? '')
      }
    },
    nameOf: (callId) => waiting.get(callId)?.name ?? null,
    settle(results) {
      return results.flatMap((result) => {
        const { id, isError } = result
        const call = waiting.get(id)
        const open = told.get(id)
        if (open) told.set(id, endedCall(open, result))
        // A result may be told in two rows; the second one still wants the name.
        if (call) waiting.set(id, { ...call, writes: [], reads: [] })
        if (call && !isError && (result.exit ?? 0) === 0) opened = [...opened, ...call.reads].slice(-MAX_TOLD)
        return call && !isError ? call.writes : []
      })
    },
    unsettled: () => [...waiting.values()].flatMap((call) => call.writes),
    takeTold() {
      const calls = [...told.values()]
      told = new Map()
      return calls
    },
    takeReads() {
      const reads = opened
      opened = []
      return reads
    },
  }
}

function openCall(call: ToolCall, { time }: CallPlace, language: CallLanguage): TranscriptToolCall {
  const command = language.commandOf(call)
  const paths = (found: readonly string[]) =>
    found.filter((path) => path !== '' && path.length <= MAX_TEXT).slice(0, MAX_FILES)
  return {
    name: call.name,
    command: command === null ? null : wellFormed(command.slice(0, MAX_TEXT)),
    read: paths(language.readPaths(call)),
    written: paths(language.writtenPaths(call)),
    exit: null,
    failed: null,
    error: null,
    time,
  }
}

/** A result may be told in two rows: that it failed once is not taken back, and an exit code stays. */
function endedCall(call: TranscriptToolCall, { isError, exit, error }: ToolResult): TranscriptToolCall {
  const code = exit ?? call.exit
  const failed = isError || call.failed === true || (code !== null && code !== 0)
  const said = error === undefined || error.trim() === '' ? call.error : bothEnds(error.trim())
  // Of other tools no exit code is told.
  return { ...call, exit: call.command === null ? null : code, failed, error: failed ? said : null }
}

/** What went wrong stands at the beginning of an answer or at its end. A word that is cut goes: half a secret is not masked. */
function bothEnds(text: string): string {
  if (text.length <= MAX_TEXT) return wellFormed(text)
  const half = MAX_TEXT / 2 - 1
  const [head, tail] = [text.slice(0, half), text.slice(-half)]
  return wellFormed(`${head.slice(0, head.search(/\S*$/))}\n${tail.slice(tail.search(/\s|$/))}`)
}

function memoryWrites(call: ToolCall, place: CallPlace, { writtenPaths }: CallLanguage): TranscriptMemoryWrite[] {
  if (ownTool.test(call.name)) return [{ path: null, tool: call.name, time: place.time }]
  return writtenPaths(call).flatMap((path) => noteWrite(path, call.name, place) ?? [])
}

/** A write of a Markdown file with its absolute path; null for other files and for paths that cannot be resolved. */
export function noteWrite(path: string, tool: string, { cwd, time }: CallPlace): TranscriptMemoryWrite | null {
  const file = markdownPath(path, cwd)
  return file === null || !isAbsolute(file) ? null : { path: file, tool, time }
}
