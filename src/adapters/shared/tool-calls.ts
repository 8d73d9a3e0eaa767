/**
 * Tool calls of one transcript until their results come: which tool answered, and which calls may have written memory
 * (whether such a file is a note is for those to say who know the folders). A call that failed wrote nothing.
 */
import { isAbsolute, resolve } from 'node:path'
import type { TranscriptMemoryWrite } from '../../domain/index.ts'
import type { ToolCall, ToolResult } from './row-content.ts'

/** Calls kept while they wait; far more than one turn has. The oldest goes first. */
const MAX_WAITING = 10_000

const noteFile = /\.md$/i

/** Our own tools as any MCP server name makes them: `mcp__keepsake__memory_save`. */
const ownTool = /^mcp__[A-Za-z0-9_-]*keepsake[A-Za-z0-9_-]*__memory_(?:save|forget)$/

/** Where and when a call was made. */
export interface CallPlace {
  readonly cwd: string | null
  readonly time: string | null
}

/** Paths that a call of this agent's file tools writes, as the call names them. */
export type WrittenPaths = (call: ToolCall) => readonly string[]

interface WaitingCall {
  readonly name: string
  readonly writes: readonly TranscriptMemoryWrite[]
}

export interface ToolCalls {
  open(calls: readonly ToolCall[], place: CallPlace): void
  nameOf(callId: string): string | null
  /** Writes whose result says that they happened. */
  settle(results: readonly ToolResult[]): TranscriptMemoryWrite[]
  /** Writes that have no result yet: at the end of what can be read they count, on the side of less trust. */
  unsettled(): TranscriptMemoryWrite[]
}

export function createToolCalls(writtenPaths: WrittenPaths): ToolCalls {
  const waiting = new Map<string, WaitingCall>()
  return {
    open(calls, place) {
      for (const call of calls) {
        waiting.set(call.id, { name: call.name, writes: memoryWrites(call, place, writtenPaths) })
        if (waiting.size > MAX_WAITING) waiting.delete(waiting.keys().next().value ?? '')
      }
    },
    nameOf: (callId) => waiting.get(callId)?.name ?? null,
    settle(results) {
      return results.flatMap(({ id, isError }) => {
        const call = waiting.get(id)
        // A result may be told in two rows; the second one still wants the name.
        if (call) waiting.set(id, { ...call, writes: [] })
        return call && !isError ? call.writes : []
      })
    },
    unsettled: () => [...waiting.values()].flatMap((call) => call.writes),
  }
}

function memoryWrites(call: ToolCall, place: CallPlace, writtenPaths: WrittenPaths): TranscriptMemoryWrite[] {
  if (ownTool.test(call.name)) return [{ path: null, tool: call.name, time: place.time }]
  return writtenPaths(call).flatMap((path) => noteWrite(path, call.name, place) ?? [])
}

/** A write of a Markdown file with its absolute path; null for other files and for paths that cannot be resolved. */
export function noteWrite(path: string, tool: string, { cwd, time }: CallPlace): TranscriptMemoryWrite | null {
  if (path.includes('\0') || !noteFile.test(path)) return null
  if (isAbsolute(path)) return { path: resolve(path), tool, time }
  return cwd !== null && isAbsolute(cwd) ? { path: resolve(cwd, path), tool, time } : null
}
