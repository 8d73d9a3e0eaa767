/**
 * Our handlers in JSON settings of the form `hooks.<event>[].hooks[]`: found by their mark, put in, taken out. Pure:
 * text to edits. What is not ours keeps its bytes and its order.
 */
import type { WiringOptions } from '../../domain/index.ts'
import { applySplices, insertMember, removeMembers, type Splice } from '../settings/json-edit.ts'
import {
  endOf,
  invalidSettings,
  isLooseJson,
  type JsonNode,
  memberOf,
  parseSettings,
  propertyOf,
} from '../settings/json-text.ts'
import { HOOK_MARK, hookHandler } from './commands.ts'
import { wiredEvents } from './hook-words.ts'
import type { Edited, Part } from './wiring.ts'

/** Every object and list that an install may make. */
const everyContainer: readonly string[] = ['hooks', ...wiredEvents.map((event) => `hooks.${event}`)]

/** The file that holds the hooks of an agent. */
export function hooksPart(
  agent: { readonly name: string; readonly file: string; readonly timeoutSeconds: (event: string) => number },
  options: WiringOptions,
): Part {
  const { file } = agent
  const handlerFor = (event: string) =>
    hookHandler(options.hookCommand, { agent: agent.name, event, timeoutSeconds: agent.timeoutSeconds(event) })
  return {
    path: file,
    installed: `hooks for ${wiredEvents.join(', ')}`,
    check: (text) => checkSettings(text, file),
    hasOurs: (text) => ownHooks(text, file).length > 0,
    isWired: (text) => {
      const own = ownHooks(text, file)
      const isThere = (event: string) =>
        own.some((each) => each.event === event && isSameJson(each.text, handlerFor(event)))
      return own.length === wiredEvents.length && wiredEvents.every(isThere)
    },
    add: (start) =>
      wiredEvents.reduce((edited, event) => {
        const value = { hooks: [handlerFor(event)] }
        return addEntry(edited, file, { keys: ['hooks', event], value, append: true })
      }, start),
    // Without a receipt, what is empty after our entries went is taken for ours.
    remove: (text, earlier) => removeHooks(asEdited(text), file, earlier?.created ?? everyContainer).text,
    isEmpty: isEmptyObject,
    remark: looseRemark,
  }
}

export function asEdited(text: string): Edited {
  return { text, steps: [], created: [] }
}

export function isEmptyObject(text: string): boolean {
  return text.trim() === '' || text.replaceAll(/\s/g, '') === '{}'
}

export function looseRemark(text: string): string {
  return isLooseJson(text) ? '; this file has comments or trailing commas, which the client itself refuses' : ''
}

export function isSameJson(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value)
  } catch {
    // Our entry with a comment in it: rewritten.
    return false
  }
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

/** Our handlers as they stand, by event, as parsed JSON text. */
export function ownHooks(text: string, file: string): readonly { readonly event: string; readonly text: string }[] {
  return findOwnHandlers(text, file).map(({ event, handler }) => ({
    event: String(event.children?.[0]?.value),
    text: text.slice(handler.offset, endOf(handler)),
  }))
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
function removeHooks(start: Edited, file: string, created: readonly string[]): Edited {
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

export function removeIfEmpty(edited: Edited, file: string, dottedKey: string): Edited {
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

export function withStep(edited: Edited, splices: readonly Splice[], created: readonly string[]): Edited {
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
