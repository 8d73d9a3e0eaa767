/**
 * Reading an agent's JSON settings without losing a byte of them: a tree with offsets. Comments and trailing commas
 * are tolerated, because a person wrote them. Of a key that stands twice the last one counts, as for the agents.
 */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { MemoryError } from '../../errors.ts'

export type JsonNode = Node

/** The root object, or null for a file without content. Throws AGENT_SETTINGS_INVALID with the line. */
export function parseSettings(text: string, file: string): JsonNode | null {
  if (text.trim() === '') return null
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false })
  const first = errors[0]
  if (first) throw invalidSettings(file, text, first.offset, printParseErrorCode(first.error))
  if (root?.type !== 'object') throw invalidSettings(file, text, root?.offset ?? 0, 'not an object')
  return root
}

export function invalidSettings(file: string, text: string, offset: number, reason: string): MemoryError {
  const line = text.slice(0, offset).split('\n').length
  return new MemoryError('AGENT_SETTINGS_INVALID', `${file}, line ${line}: ${reason}`, {
    hint: 'Mend this line and try again; nothing was changed.',
    data: { file, line },
  })
}

/** The property node (key and value) of an object, or null. */
export function propertyOf(object: JsonNode, key: string): JsonNode | null {
  return object.children?.findLast((property) => property.children?.[0]?.value === key) ?? null
}

/** The value node of a property of an object, or null. */
export function memberOf(object: JsonNode | null, key: string): JsonNode | null {
  return (object && propertyOf(object, key)?.children?.[1]) ?? null
}

export function endOf(node: JsonNode): number {
  return node.offset + node.length
}

/** True when a strict JSON reader refuses the text, though we can read it. */
export function isLooseJson(text: string): boolean {
  if (text.trim() === '') return false
  try {
    JSON.parse(text)
    return false
  } catch {
    // The very question asked.
    return true
  }
}

/** Offset of the comma between `from` and `to`, where nothing else but space and comments stands, or -1. */
export function commaBetween(text: string, from: number, to: number): number {
  const before = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(text.slice(from, to))?.[0].length ?? 0
  return text.slice(from, to)[before] === ',' ? from + before : -1
}
