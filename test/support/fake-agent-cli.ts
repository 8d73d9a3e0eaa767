/** A program of an agent that answers as it is told, and writes down how it was started. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { AgentProgram } from '../../src/domain/index.ts'

export interface AgentRun {
  readonly given: readonly string[]
  readonly input: string
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
}

export interface AgentBehaviour {
  readonly stdout?: string
  readonly stderr?: string
  readonly code?: number
  readonly neverEnds?: boolean
  /** Commands that it runs before it answers, as an agent runs hooks: with its own environment, this on their stdin. */
  readonly hooks?: readonly { readonly command: readonly string[]; readonly stdin: string }[]
}

export interface FakeAgentCli {
  /** For PATH, before all others. */
  readonly path: string
  behave(behaviour: AgentBehaviour): void
  runs(): AgentRun[]
}

const SOURCE = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs')
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const here = __dirname
const input = readFileSync(0, 'utf8')
const run = { given: process.argv.slice(2), input, cwd: process.cwd(), environment: process.env }
const { stdout = '', stderr = '', code = 0, neverEnds = false, hooks = [] } = JSON.parse(readFileSync(join(here, 'behaviour.json'), 'utf8'))
for (const { command: [program, ...given], stdin } of hooks) spawnSync(program, given, { input: stdin, stdio: ['pipe', 'ignore', 'ignore'] })
appendFileSync(join(here, 'runs.jsonl'), JSON.stringify(run) + '\\n')
if (neverEnds) setInterval(() => undefined, 1000)
else {
  process.stderr.write(stderr)
  process.stdout.write(stdout, () => process.exit(code))
}
`

/** Makes the program in this folder. */
export function makeFakeAgentCli(folder: string, program: AgentProgram): FakeAgentCli {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, program), SOURCE, { mode: 0o755 })
  writeFileSync(join(folder, 'runs.jsonl'), '')
  const behave = (behaviour: AgentBehaviour) => writeFileSync(join(folder, 'behaviour.json'), JSON.stringify(behaviour))
  behave({})
  const lines = () => readFileSync(join(folder, 'runs.jsonl'), 'utf8').split('\n').filter(Boolean)
  return {
    path: [folder, process.env.PATH ?? ''].join(delimiter),
    behave,
    runs: () => lines().map((line) => JSON.parse(line)),
  }
}

/** As each program prints an answer. */
export function printedBy(program: AgentProgram, text: string, isError = false): string {
  if (program === 'claude')
    return JSON.stringify({ type: 'result', subtype: 'success', is_error: isError, result: text })
  const item = { id: 'item_0', type: 'agent_message', text }
  const events = isError
    ? [
        { type: 'error', message: text },
        { type: 'turn.failed', error: { message: text } },
      ]
    : [
        { type: 'item.completed', item },
        { type: 'turn.completed', usage: { input_tokens: 9_000, output_tokens: 5 } },
      ]
  return [{ type: 'thread.started', thread_id: 't' }, ...events].map((event) => JSON.stringify(event)).join('\n')
}
