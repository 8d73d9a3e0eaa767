/**
 * Our entries in Claude Code's settings: found by their marks, put in, taken out. Pure: text to edits. What is not
 * ours keeps its bytes and its order.
 */
import { applySplices, insertMember, removeMembers, type Splice } from '../../settings/json-edit.ts'
import { endOf, invalidSettings, type JsonNode, memberOf, parseSettings, propertyOf } from '../../settings/json-text.ts'
import { HOOK_MARK, MCP_MARK, MCP_NAME } from './settings-places.ts'

/** A text with the edits that led to it. */
export interface Edited {
  readonly text: string
  readonly steps: readonly (readonly Splice[])[]
  /** Containers made on the way, as dotted keys. */
  readonly created: readonly string[]
}

interface OwnHandler {
  readonly event: JsonNode
  readonly list: JsonNode
  readonly group: JsonNode
  readonly handler: JsonNode
}

/** The file must be one that we understand before anything is planned. */
export function checkSettings(text: string, file: string): void {
  const hooks = memberOf(parseSettings(text, file), 'hooks')
  if (!hooks) return
  if (hooks.type !== 'object') throw invalidSettings(file, text, hooks.offset, '"hooks" is no object')
  for (const { children = [] } of hooks.children ?? [])
    if (children[1] && children[1].type !== 'array')
      throw invalidSettings(file, text, children[1].offset, `"hooks.${children[0]?.value}" is no list`)
}

export function checkState(text: string, file: string): void {
  const servers = memberOf(parseSettings(text, file), 'mcpServers')
  if (servers && servers.type !== 'object')
    throw invalidSettings(file, text, servers.offset, '"mcpServers" is no object')
}

/** Our handlers as they stand, by event, as parsed JSON text. */
export function ownHooks(text: string, file: string): readonly { readonly event: string; readonly text: string }[] {
  return findOwnHandlers(text, file).map(({ event, handler }) => ({
    event: String(event.children?.[0]?.value),
    text: text.slice(handler.offset, endOf(handler)),
  }))
}

/** The MCP entry with our name: ours (by its mark), another's, or none. */
export function mcpState(
  text: string,
  file: string,
): { readonly owner: 'none' | 'ours' | 'other'; readonly text: string } {
  const entry = memberOf(memberOf(parseSettings(text, file), 'mcpServers'), MCP_NAME)
  if (!entry) return { owner: 'none', text: '' }
  const marked = memberOf(memberOf(entry, 'env'), MCP_MARK)?.value === 'claude-code'
  return { owner: marked ? 'ours' : 'other', text: text.slice(entry.offset, endOf(entry)) }
}

/** Adds one value at a path of object keys, making containers that are missing; `append` puts it at the end of a list. */
export function addEntry(
  start: Edited,
  file: string,
  place: { readonly keys: readonly string[]; readonly value: unknown; readonly append: boolean },
): Edited {
  const root = parseSettings(start.text, file)
  if (!root) return addEntry(withStep(start, [{ at: start.text.length, removed: '', inserted: '{}' }], []), file, place)
  let container = root
  for (const [index, key] of place.keys.entries()) {
    const next = memberOf(container, key)
    if (next) {
      container = next
      continue
    }
    const value = valueFrom(place, index + 1)
    const created = place.keys.slice(index, place.append ? undefined : -1)
    const made = created.map((_, count) => place.keys.slice(0, index + count + 1).join('.'))
    return withStep(start, insertMember(start.text, container, { key, value }), made)
  }
  if (!place.append) return start
  return withStep(start, insertMember(start.text, container, { value: place.value }), [])
}

/** What stands at the key before `depth`: the value, wrapped in the containers that are still missing. */
function valueFrom(place: Parameters<typeof addEntry>[2], depth: number): unknown {
  const innermost = place.append ? [place.value] : place.value
  return place.keys.slice(depth).reduceRight<unknown>((value, key) => ({ [key]: value }), innermost)
}

/** Takes our handlers out, and the groups, lists and objects that only they filled, if `created` names them as ours. */
export function removeHooks(start: Edited, file: string, created: readonly string[]): Edited {
  let edited = start
  for (;;) {
    const own = findOwnHandlers(edited.text, file)[0]
    if (!own) break
    const isAlone = own.group.children?.length === 1 && groupHandlers(own.group).length === 1
    edited = isAlone
      ? withStep(edited, removeMembers(edited.text, own.list, [own.group]), [])
      : withStep(edited, removeMembers(edited.text, handlerList(own.group) ?? own.group, [own.handler]), [])
  }
  for (const key of created.filter((each) => each.startsWith('hooks.'))) edited = removeIfEmpty(edited, file, key)
  return created.includes('hooks') ? removeIfEmpty(edited, file, 'hooks') : edited
}

export function removeMcp(start: Edited, file: string, created: readonly string[]): Edited {
  if (mcpState(start.text, file).owner !== 'ours') return start
  const servers = memberOf(parseSettings(start.text, file), 'mcpServers')
  const entry = servers && propertyOf(servers, MCP_NAME)
  if (!servers || !entry) return start
  const edited = withStep(start, removeMembers(start.text, servers, [entry]), [])
  return created.includes('mcpServers') ? removeIfEmpty(edited, file, 'mcpServers') : edited
}

function removeIfEmpty(edited: Edited, file: string, dottedKey: string): Edited {
  const keys = dottedKey.split('.')
  const last = keys.pop() ?? ''
  const parent = keys.reduce<JsonNode | null>((node, key) => memberOf(node, key), parseSettings(edited.text, file))
  const property = parent && propertyOf(parent, last)
  const value = property?.children?.[1]
  if (!parent || !property || !value || (value.children?.length ?? 0) > 0) return edited
  // A comment in it was written by someone.
  if (edited.text.slice(value.offset + 1, endOf(value) - 1).trim() !== '') return edited
  return withStep(edited, removeMembers(edited.text, parent, [property]), [])
}

function withStep(edited: Edited, splices: readonly Splice[], created: readonly string[]): Edited {
  return {
    text: applySplices(edited.text, splices),
    steps: [...edited.steps, splices],
    created: [...edited.created, ...created],
  }
}

function findOwnHandlers(text: string, file: string): OwnHandler[] {
  const hooks = memberOf(parseSettings(text, file), 'hooks')
  return (hooks?.children ?? []).flatMap((event) => {
    const list = event.children?.[1]
    return (list?.children ?? []).flatMap(
      (group) =>
        groupHandlers(group)
          .filter(isOwnHandler)
          .map((handler) => ({ event, list: list as JsonNode, group, handler })), // It has children, so it is there.
    )
  })
}

function handlerList(group: JsonNode): JsonNode | null {
  return group.type === 'object' ? memberOf(group, 'hooks') : null
}

function groupHandlers(group: JsonNode): readonly JsonNode[] {
  return handlerList(group)?.children ?? []
}

function isOwnHandler(handler: JsonNode): boolean {
  const command = handler.type === 'object' ? memberOf(handler, 'command')?.value : null
  return typeof command === 'string' && command.split(' ').includes(HOOK_MARK)
}
