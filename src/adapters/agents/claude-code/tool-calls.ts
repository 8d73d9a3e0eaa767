/**
 * Tool calls of one transcript until their results come: which tool answered, and which calls may have written memory:
 * our own tools, and file tools on Markdown files (whether such a file is a note is for those to say who know the
 * folders). A call that failed wrote nothing. Bash is not guessed.
 */
import { isAbsolute, resolve } from 'node:path'
import type { TranscriptMemoryWrite } from '../../../domain/index.ts'
import type { ToolCall, ToolResult } from './read-row.ts'
import { textAt } from './rows.ts'

/** Calls kept while they wait; far more than one turn has. The oldest goes first. */
const MAX_WAITING = 10_000

/** The file tools that can write a note; notebooks are none. */
const fileTools = new Set(['Write', 'Edit', 'MultiEdit'])
const noteFile = /\.md$/i

/** Our own tools as any MCP server name makes them: `mcp__keepsake__memory_save`. */
const ownTool = /^mcp__[A-Za-z0-9_-]*keepsake[A-Za-z0-9_-]*__memory_(?:save|forget)$/

interface WaitingCall {
  readonly name: string
  readonly write: TranscriptMemoryWrite | null
}

export interface ToolCalls {
  open(calls: readonly ToolCall[], place: { readonly cwd: string | null; readonly time: string | null }): void
  nameOf(callId: string): string | null
  /** Writes whose result says that they happened. */
  settle(results: readonly ToolResult[]): TranscriptMemoryWrite[]
  /** Writes that have no result yet: at the end of what can be read they count, on the side of less trust. */
  unsettled(): TranscriptMemoryWrite[]
}

export function createToolCalls(): ToolCalls {
  const waiting = new Map<string, WaitingCall>()
  return {
    open(calls, place) {
      for (const call of calls) {
        waiting.set(call.id, { name: call.name, write: memoryWrite(call, place) })
        if (waiting.size > MAX_WAITING) waiting.delete(waiting.keys().next().value ?? '')
      }
    },
    nameOf: (callId) => waiting.get(callId)?.name ?? null,
    settle(results) {
      return results.flatMap(({ id, isError }) => {
        const call = waiting.get(id)
        waiting.delete(id)
        return call?.write && !isError ? [call.write] : []
      })
    },
    unsettled: () => [...waiting.values()].flatMap((call) => (call.write ? [call.write] : [])),
  }
}

function memoryWrite(
  { name, input }: ToolCall,
  { cwd, time }: { readonly cwd: string | null; readonly time: string | null },
): TranscriptMemoryWrite | null {
  if (ownTool.test(name)) return { path: null, tool: name, time }
  const path = fileTools.has(name) ? textAt(input, 'file_path') : null
  if (!path || path.includes('\0') || !noteFile.test(path)) return null
  if (isAbsolute(path)) return { path: resolve(path), tool: name, time }
  return cwd !== null && isAbsolute(cwd) ? { path: resolve(cwd, path), tool: name, time } : null
}
