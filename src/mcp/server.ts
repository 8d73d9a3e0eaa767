/** The MCP server: five tools and two prompts over one Memory. Of a connection it knows its id and what its client is called. */
import { randomUUID } from 'node:crypto'
import { McpServer } from '@modelcontextprotocol/server'
import type { Memory } from '../domain/index.ts'
import { slugify } from '../util/index.ts'
import { addReflect } from './prompts/reflect.ts'
import { addReview } from './prompts/review.ts'
import { addMemoryContext } from './tools/memory-context.ts'
import { addMemoryForget } from './tools/memory-forget.ts'
import { addMemoryGet } from './tools/memory-get.ts'
import { addMemorySave } from './tools/memory-save.ts'
import { addMemorySearch } from './tools/memory-search.ts'

/** Reaches the model in most clients; what matters stands in the tool descriptions too. */
export const instructions =
  "Keepsake is this user's long-term memory across sessions and agents. Search it (memory_search) before asking the user what they may have said before; open notes (memory_get) before relying on them; save (memory_save) corrections, standing preferences and decisions; forget (memory_forget) on request."

/** `connection`: its id, for the uses of notes. */
export function createMcpServer(memory: Memory, version: string, connection: string = randomUUID()): McpServer {
  const server = new McpServer(
    { name: 'keepsake', title: 'Keepsake memory', version },
    { capabilities: { tools: {}, prompts: {} }, instructions },
  )
  const agent = () => server.server.getClientVersion()?.name ?? 'mcp'
  addMemorySearch(server, memory)
  addMemoryGet(server, memory, () => ({ session: connection, agent: comparableAgent(agent()) }))
  addMemorySave(server, memory, agent)
  addMemoryForget(server, memory, agent)
  addMemoryContext(server, memory)
  addReflect(server, memory)
  addReview(server, memory)
  return server
}

/** `Claude Desktop (beta)` as `claude-desktop-beta`. */
function comparableAgent(name: string): string {
  return slugify(name).replace(/[^a-z0-9-]+/g, '') || 'mcp'
}
