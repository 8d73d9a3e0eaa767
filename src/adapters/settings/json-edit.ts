/**
 * Edits of JSON text by splices: what is there keeps its bytes, what comes in follows the indentation and line ends
 * around it, and every splice can be undone. Offsets of a list of splices are those of the text before all of them.
 */
import { commaBetween, endOf, type JsonNode } from './json-text.ts'

export interface Splice {
  readonly at: number
  readonly removed: string
  readonly inserted: string
}

export interface JsonStyle {
  readonly indent: string
  readonly lineEnd: string
}

/** Applies splices that do not overlap; those at one place in the given order. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = ''
  let position = 0
  for (const { at, removed, inserted } of inOrder(splices)) {
    result += text.slice(position, at) + inserted
    position = at + removed.length
  }
  return result + text.slice(position)
}

/** The text before the splices, from the text after them. Null when it is not the text that they gave. */
export function undoSplices(text: string, splices: readonly Splice[]): string | null {
  let result = ''
  let position = 0
  let shift = 0
  for (const { at, removed, inserted } of inOrder(splices)) {
    const start = at + shift
    if (text.slice(start, start + inserted.length) !== inserted) return null
    result += text.slice(position, start) + removed
    position = start + inserted.length
    shift += inserted.length - removed.length
  }
  return result + text.slice(position)
}

function inOrder(splices: readonly Splice[]): readonly Splice[] {
  return splices.toSorted((first, second) => first.at - second.at)
}

/** Indentation and line ends as the text has them; two spaces and LF where it shows none. */
export function styleOf(text: string): JsonStyle {
  return {
    indent: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ',
    lineEnd: text.includes('\r\n') ? '\r\n' : '\n',
  }
}

/** Adds `member` (`"key": value`, or an array element) as the last one of an object or array. */
export function insertMember(
  text: string,
  container: JsonNode,
  member: { readonly key?: string; readonly value: unknown },
): Splice[] {
  const style = styleOf(text)
  const close = endOf(container) - 1
  const contentEnd = container.offset + text.slice(container.offset, close).trimEnd().length
  const last = container.children?.at(-1)
  const isOneLine = !text.slice(container.offset, close).includes('\n')
  // A compact text stays compact; an empty container in a text of several lines is opened up.
  const isCompact = isOneLine && (last !== undefined || (container.parent !== undefined && !text.includes('\n')))
  if (isCompact) return [...commaAfter(text, last, close), insert(contentEnd, `${last ? ' ' : ''}${print(member)}`)]
  const outer = indentAt(text, close)
  const inner = last ? indentAt(text, last.offset) : outer + style.indent
  const body = `${style.lineEnd}${inner}${print(member, { ...style, base: inner })}`
  return [...commaAfter(text, last, close), insert(contentEnd, isOneLine ? `${body}${style.lineEnd}${outer}` : body)]
}

function commaAfter(text: string, last: JsonNode | undefined, close: number): Splice[] {
  if (last === undefined || commaBetween(text, endOf(last), close) >= 0) return []
  return [insert(endOf(last), ',')]
}

function insert(at: number, inserted: string): Splice {
  return { at, removed: '', inserted }
}

/** White space that the line of `offset` begins with. */
function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? ''
}

/** On one line without `layout`, else below `base`. */
function print(
  member: { readonly key?: string; readonly value: unknown },
  layout?: JsonStyle & { readonly base: string },
): string {
  const value = JSON.stringify(member.value, null, layout?.indent)
  const laidOut = layout ? value.replaceAll('\n', `${layout.lineEnd}${layout.base}`) : value
  return member.key === undefined ? laidOut : `${JSON.stringify(member.key)}: ${laidOut}`
}

/**
 * Takes members out of one container, with their commas and the white space before them; comments of others stay.
 * `members` are children of `container` (properties or elements).
 */
export function removeMembers(text: string, container: JsonNode, members: readonly JsonNode[]): Splice[] {
  const children = container.children ?? []
  const close = endOf(container) - 1
  const splices = members.flatMap((member) => {
    const next = children[children.indexOf(member) + 1]
    const comma = commaBetween(text, endOf(member), next?.offset ?? close)
    const end = comma === endOf(member) ? comma + 1 : endOf(member)
    const start = startWithSpace(text, member.offset, comma >= 0 ? comma + 1 : end)
    const apart = comma > endOf(member) ? [cut(text, comma, comma + 1)] : []
    return [cut(text, start, end), ...apart]
  })
  const kept = children.filter((child) => !members.includes(child))
  const lastKept = kept.at(-1)
  const follower = lastKept && children[children.indexOf(lastKept) + 1]
  if (!lastKept || !follower) return splices
  // What was before our last members is the last one now: its comma goes too.
  const comma = commaBetween(text, endOf(lastKept), follower.offset)
  return comma >= 0 ? [cut(text, comma, comma + 1), ...splices] : splices
}

function cut(text: string, start: number, end: number): Splice {
  return { at: start, removed: text.slice(start, end), inserted: '' }
}

/** Where the white space before a member begins. Its line end stays when something else follows on the same line. */
function startWithSpace(text: string, offset: number, end: number): number {
  const lineEnds = /^[ \t]*(?:\r?\n|$)/.test(text.slice(end))
  const space = (lineEnds ? /\s*$/ : /[ \t]*$/).exec(text.slice(0, offset))?.[0] ?? ''
  return offset - space.length
}
