/** Our MCP server in Claude Code's state file: `mcpServers.keepsake`, known by a variable of its environment. */
import type { WiringOptions } from '../../../domain/index.ts'
import { removeMembers } from '../../settings/json-edit.ts'
import { endOf, invalidSettings, memberOf, parseSettings, propertyOf } from '../../settings/json-text.ts'
import { MCP_MARK, MCP_NAME } from '../../shared/commands.ts'
import {
  addEntry,
  asEdited,
  isEmptyObject,
  isSameJson,
  looseRemark,
  removeIfEmpty,
  withStep,
} from '../../shared/hook-entries.ts'
import type { Part } from '../../shared/wiring.ts'

const container = 'mcpServers'

export function mcpPart(file: string, options: WiringOptions): Part {
  const entry = mcpEntry(options.mcpCommand)
  return {
    path: file,
    installed: `MCP server "${MCP_NAME}"`,
    check: (text) => checkState(text, file),
    hasOurs: (text) => mcpState(text, file).owner === 'ours',
    isWired: (text) => {
      const { owner, text: found } = mcpState(text, file)
      return owner === 'ours' && isSameJson(found, entry)
    },
    leftAlone: (text) =>
      mcpState(text, file).owner === 'other'
        ? `an MCP server "${MCP_NAME}" that is not ours is there already: left alone`
        : null,
    add: (start) => addEntry(start, file, { keys: [container, MCP_NAME], value: entry, append: false }),
    remove: (text, earlier) => removeMcp(text, file, earlier?.created ?? [container]),
    isEmpty: isEmptyObject,
    remark: looseRemark,
  }
}

function mcpEntry(mcpCommand: readonly string[]) {
  const [command = '', ...rest] = mcpCommand
  return { type: 'stdio', command, args: rest, env: { [MCP_MARK]: 'claude-code' } }
}

function checkState(text: string, file: string): void {
  const servers = memberOf(parseSettings(text, file), container)
  if (servers && servers.type !== 'object')
    throw invalidSettings(file, text, servers.offset, `"${container}" is no object`)
}

/** The MCP entry with our name: ours (by its mark), another's, or none. */
export function mcpState(
  text: string,
  file: string,
): { readonly owner: 'none' | 'ours' | 'other'; readonly text: string } {
  const entry = memberOf(memberOf(parseSettings(text, file), container), MCP_NAME)
  if (!entry) return { owner: 'none', text: '' }
  const marked = memberOf(memberOf(entry, 'env'), MCP_MARK)?.value === 'claude-code'
  return { owner: marked ? 'ours' : 'other', text: text.slice(entry.offset, endOf(entry)) }
}

function removeMcp(text: string, file: string, created: readonly string[]): string {
  if (mcpState(text, file).owner !== 'ours') return text
  const servers = memberOf(parseSettings(text, file), container)
  const entry = servers && propertyOf(servers, MCP_NAME)
  if (!servers || !entry) return text
  const edited = withStep(asEdited(text), removeMembers(text, servers, [entry]), [])
  return created.includes(container) ? removeIfEmpty(edited, file, container).text : edited.text
}
