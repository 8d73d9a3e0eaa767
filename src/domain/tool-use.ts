/** Tools that an agent used just now: since the last message of the user. */

export interface ToolUse {
  /** As the agent calls it: `Bash`, `mcp__github__create_issue`. */
  readonly name: string
  readonly failed: boolean
}

/** Those that worked each time. One that failed does not count as used: how to use it is what is wanted (spec R2). */
export function workedTools(uses: readonly ToolUse[]): string[] {
  const failed = new Set(uses.flatMap(({ name, failed: isFailed }) => (isFailed ? [name] : [])))
  return [...new Set(uses.map(({ name }) => name))].filter((name) => !failed.has(name))
}
