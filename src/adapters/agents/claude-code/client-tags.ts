/**
 * Elements that Claude Code itself puts into user rows and prompts: commands and their output, notices, editor state.
 * What stands in them was not typed by the user. Shared by the reader and the hooks, so that both judge alike.
 */

const clientTag =
  /^<(command-(?:name|message|args|contents)|local-command-[a-z-]+|bash-(?:input|stdout|stderr)|task-[a-z-]+|system-reminder|user-memory-input|ide_[a-z_]+|[a-z-]+-hook|teammate-message|agent-message|tools-used-before-summary|tick)(?:\s[^<>]*)?>/

const interrupted = /^\[Request interrupted by user(?: for tool use)?\]$/

/** Name of the client's element that the text begins with, or null. */
export function leadingClientTag(text: string): string | null {
  return clientTag.exec(text.trimStart())?.[1] ?? null
}

/** The marker that the client writes when the user stops a turn. */
export function isInterruptedMarker(text: string): boolean {
  return interrupted.test(text.trim())
}

/** What the user typed: leading elements of the client that are closed are taken off; the rest is word for word. */
export function withoutClientElements(text: string): string {
  let rest = text
  for (;;) {
    const tag = leadingClientTag(rest)
    if (tag === null) return rest
    const close = `</${tag}>`
    const end = rest.indexOf(close)
    if (end < 0) return ''
    rest = rest.slice(end + close.length)
    if (rest.trim() === '') return ''
    rest = rest.replace(/^\s+/, '')
  }
}
