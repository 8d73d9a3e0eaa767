/**
 * The rule about tools that just worked (spec R2): a note tagged `usage` and `tool:<name>` says how to use what is being
 * used already, so it is left out; one tagged `gotcha` or `warning` stays.
 */

const TOOL_TAG = 'tool:'
const STAYS: ReadonlySet<string> = new Set(['gotcha', 'warning'])

/** Whether it is a usage note, and every tool that it is about just worked. */
export function isUsageOfWorkedTools(tags: readonly string[], worked: () => readonly string[]): boolean {
  const plain = tags.map((tag) => tag.trim().toLowerCase())
  if (!plain.includes('usage') || plain.some((tag) => STAYS.has(tag))) return false
  const tools = plain.flatMap((tag) => (tag.startsWith(TOOL_TAG) ? [tag.slice(TOOL_TAG.length).trim()] : []))
  if (tools.length === 0) return false
  const names = new Set(worked().flatMap(namesOf))
  return tools.every((tool) => names.has(tool))
}

/** `mcp__github__create_issue` is the tool create_issue of github. */
function namesOf(tool: string): string[] {
  const name = tool.trim().toLowerCase()
  const [protocol, server, ...rest] = name.split('__')
  return protocol === 'mcp' && server ? [name, server, rest.join('__')] : [name]
}
