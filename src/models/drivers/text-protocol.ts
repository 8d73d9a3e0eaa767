/** Tools and shapes for models that are only spoken to: told in words, and read out of words. */
import type { CompletionRequest, JsonSchema, ToolCall } from '../completer.ts'
import shapeByText from '../prompts/shape-by-text.md'
import toolsByText from '../prompts/tools-by-text.md'
import { scanAnswer } from '../scan-answer.ts'

export function withShape(system: string, schema: JsonSchema): string {
  return `${system}\n\n${shapeByText.replace('{{shape}}', () => JSON.stringify(schema)).trim()}`
}

/** The whole request as two texts. */
export function spokenRequest({ system, prompt, steps = [], tools = [], schema }: CompletionRequest): {
  readonly system: string
  readonly prompt: string
} {
  const lines = tools.map(
    ({ name, description, parameters }) =>
      `- ${name}: ${description}\n  Input, as JSON Schema: ${JSON.stringify(parameters)}`,
  )
  const shaped = schema ? withShape(system, schema) : system
  const told = steps.map(({ text, calls, results }) => {
    const asked = JSON.stringify({ calls: calls.map(({ name, input }) => ({ name, input })) })
    const given = results.map((result) => `What ${result.name} gave:\n${result.text}`)
    return [...(text === '' ? [] : [`You said: ${text}`]), `You asked: ${asked}`, ...given].join('\n')
  })
  return {
    system:
      tools.length > 0 ? `${shaped}\n\n${toolsByText.replace('{{tools}}', () => lines.join('\n')).trim()}` : shaped,
    prompt: told.length > 0 ? `${prompt}\n\nWhat you did until now:\n\n${told.join('\n\n')}\n\nGo on.` : prompt,
  }
}

/** The tools that an answer asks for; none when it is the answer. */
export function spokenCalls(text: string, { tools = [] }: Pick<CompletionRequest, 'tools'>): ToolCall[] {
  if (tools.length === 0) return []
  for (const value of scanAnswer(text).values) {
    const calls = isRecord(value) ? value.calls : undefined
    if (!Array.isArray(calls) || !calls.every(isCall)) continue
    return calls.map(({ name, input }, at) => ({ id: `call-${at + 1}`, name, input: input ?? {} }))
  }
  return []
}

function isCall(value: unknown): value is { readonly name: string; readonly input?: unknown } {
  return isRecord(value) && typeof value.name === 'string'
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
