/** What the programs of agents print, read. What is not in their form is taken as it stands: it may be prose about a login. */

/** `claude -p --output-format json`: one object with `result`. Throws what it calls an error. */
export function readClaude(output: string): string {
  const { result, is_error: isError } = objectOf(output.trim())
  if (typeof result !== 'string') return output.trim()
  if (isError === true) throw new Error(result)
  return result
}

/** `codex exec --json`: one event a line; the last message counts. Throws what it calls an error, when no message came. */
export function readCodex(output: string): string {
  const events = output.split('\n').map(objectOf)
  let message: string | null = null
  let problem: string | null = null
  for (const event of events) {
    const item = recordOf(event.item)
    if (event.type === 'item.completed' && item.type === 'agent_message' && typeof item.text === 'string')
      message = item.text
    if (event.type === 'error' && typeof event.message === 'string') problem = event.message
    const failed = recordOf(event.error).message
    if (event.type === 'turn.failed') problem = typeof failed === 'string' ? failed : 'the turn failed'
  }
  if (problem !== null && (message === null || events.some(({ type }) => type === 'turn.failed')))
    throw new Error(problem)
  return message ?? (events.some(({ type }) => type !== undefined) ? '' : output.trim())
}

type JsonRecord = Readonly<Record<string, unknown>>

function objectOf(text: string): JsonRecord {
  try {
    return recordOf(JSON.parse(text))
  } catch {
    // A line for people between those for programs.
    return {}
  }
}

function recordOf(value: unknown): JsonRecord {
  // Evidence: an object that is no list has keys.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : {}
}
