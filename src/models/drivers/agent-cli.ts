/**
 * A signed-in program of an agent as the model (spec W18): no key is needed, its login is used. The child must not become
 * an agent that watches itself (BL-20): its hooks, memory, tools and servers are off, it leaves no session, it runs in an
 * empty folder, and it is marked, so that a hook of ours that it should start all the same ends at once. A question from
 * inside such a child is refused.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentProgram } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import type { Completer, CompletionRequest } from '../completer.ts'
import { readClaude, readCodex } from './agent-answers.ts'
import { runProgram } from './run-program.ts'
import { spokenCalls, spokenRequest } from './text-protocol.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface AgentCliOptions {
  readonly program: AgentProgram
  /** Null: the one that the program is set to. */
  readonly model: string | null
  readonly environment: Environment
  readonly temporaryDirectory: string
}

/** Says to a process below that it runs inside a question of ours. */
const CHILD_MARK = 'KEEPSAKE_MODEL_CHILD'

interface Command {
  readonly given: readonly string[]
  readonly input: string
  /** Throws for what the program itself calls an error. */
  readonly read: (output: string) => string
}

const commands: Readonly<Record<AgentProgram, (model: string | null, request: CompletionRequest) => Command>> = {
  claude(model, request) {
    const { system, prompt } = spokenRequest(request)
    const off = ['--safe-mode', '--strict-mcp-config', '--settings', '{"disableAllHooks":true}', '--tools', '']
    const how = ['--output-format', 'json', '--no-session-persistence', '--system-prompt', system]
    return {
      given: ['-p', ...off, ...how, ...(model === null ? [] : ['--model', model])],
      input: prompt,
      read: readClaude,
    }
  },
  codex(model, request) {
    const { system, prompt } = spokenRequest(request)
    const features = ['hooks', 'shell_tool', 'apps', 'plugins', 'memories', 'multi_agent']
    const off = [
      ...['--ignore-user-config', '--ignore-rules', '--skip-git-repo-check', '-s', 'read-only'],
      ...features.flatMap((feature) => ['-c', `features.${feature}=false`]),
      ...['-c', 'web_search="disabled"', '-c', 'project_doc_max_bytes=0'],
    ]
    const how = ['--ephemeral', '--json', '--color', 'never', ...(model === null ? [] : ['-m', model])]
    return { given: ['exec', ...off, ...how, '-'], input: `${system}\n\n${prompt}`, read: readCodex }
  },
}

export function createAgentCli({ program, model, environment, temporaryDirectory }: AgentCliOptions): Completer {
  const id = model === null ? `agent:${program}` : `agent:${program}:${model}`
  return {
    id,
    async complete(request) {
      request.signal?.throwIfAborted()
      if (environment[CHILD_MARK] === '1')
        throw new MemoryError('MODEL_UNAVAILABLE', `${program} is not asked from inside a question of its own`, {
          hint: 'This process was started by a model that Keepsake asked.',
          data: { model: id },
        })
      const { given, input, read } = commands[program](model, request)
      const folder = mkdtempSync(join(temporaryDirectory, 'keepsake-model-'))
      try {
        const cwd = folder
        const output = await runProgram(program, given, {
          cwd,
          input,
          env: markedOf(environment),
          signal: request.signal,
        })
        const text = read(output)
        const calls = spokenCalls(text, request)
        // What such a program counts is its whole setting too: the tokens of the question are ours to estimate.
        return { text: calls.length > 0 ? '' : text, calls, tokens: null }
      } finally {
        // One that was just killed may have left a file a moment ago.
        rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 })
      }
    },
  }
}

/** Of the session that a worker was started from nothing is handed on: the child is none of it. */
const SESSION = [
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_PROJECT_DIR',
]

function markedOf(environment: Environment): Environment {
  return {
    ...environment,
    ...Object.fromEntries(SESSION.map((name) => [name, undefined])),
    KEEPSAKE_WORKER: '1',
    KEEPSAKE_SESSION_MODE: 'off',
    [CHILD_MARK]: '1',
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
}
