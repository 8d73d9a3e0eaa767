/** A tool made from a zod object: its schema for the model, and a check of what the model gives, strict about every field. */
import { z } from 'zod'
import type { AgentTool } from './agent-loop.ts'
import type { JsonSchema } from './completer.ts'

export interface ToolOf<Input> {
  readonly name: string
  readonly description: string
  /** A strict object: fields that are not named are refused. */
  readonly input: z.ZodType<Input>
  readonly run: (input: Input, signal?: AbortSignal) => Promise<string>
}

/** UTF-16 units of what is said about a wrong input: a model may have given hundreds of wrong fields. */
const MAX_PROBLEM_LENGTH = 600

export function agentTool<Input>({ name, description, input, run }: ToolOf<Input>): AgentTool {
  // A JSON Schema is a plain object; zod only types it more narrowly.
  const { $schema: _, ...parameters } = z.toJSONSchema(input) as JsonSchema
  return {
    name,
    description,
    parameters,
    async run(given, signal) {
      const read = input.safeParse(given)
      if (read.success) return run(read.data, signal)
      return `Not done, the input is wrong: ${z.prettifyError(read.error).slice(0, MAX_PROBLEM_LENGTH)}`
    },
  }
}
