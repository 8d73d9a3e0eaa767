/** Runs the real Claude Code, headless, against the scripted model, with its own home in a temporary folder. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ClaudeRun {
  readonly code: number | string
  readonly stdout: string
  readonly stderr: string
  readonly sessionId: string
  readonly result: string
}

export interface ClaudeClient {
  readonly home: string
  readonly configDirectory: string
  /** The person opened these folders once and trusted them. */
  trust(directory: string): void
  run(options: {
    readonly cwd: string
    readonly prompt: string
    readonly resume?: string
    readonly arguments?: readonly string[]
    readonly environment?: Readonly<Record<string, string>>
    readonly timeoutMs?: number
    /** Given on stdin instead of an argument (stream-json). */
    readonly stdin?: string
  }): Promise<ClaudeRun>
  /** Transcript files that the client wrote, newest last. */
  transcripts(): readonly string[]
}

export function createClaudeClient(options: {
  readonly binary: string
  readonly home: string
  readonly modelUrl: string
}): ClaudeClient {
  const configDirectory = join(options.home, '.claude')
  mkdirSync(configDirectory, { recursive: true })
  const stateFile = join(configDirectory, '.claude.json')
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: options.home,
    CLAUDE_CONFIG_DIR: configDirectory,
    ANTHROPIC_BASE_URL: options.modelUrl,
    ANTHROPIC_API_KEY: 'fake',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
  }
  return {
    home: options.home,
    configDirectory,
    trust(directory) {
      const state = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : {}
      state.hasCompletedOnboarding = true
      state.projects = {
        ...state.projects,
        [directory]: { ...state.projects?.[directory], hasTrustDialogAccepted: true },
      }
      writeFileSync(stateFile, JSON.stringify(state, null, 2))
    },
    async run(run) {
      const resume = run.resume ? ['--resume', run.resume] : []
      const prompt = run.stdin === undefined ? ['-p', run.prompt, '--output-format', 'json'] : []
      const child = spawn(
        options.binary,
        [...prompt, '--model', 'claude-sonnet-4-5', ...resume, ...(run.arguments ?? [])],
        { cwd: run.cwd, env: { ...environment, ...run.environment }, stdio: ['pipe', 'pipe', 'pipe'] },
      )
      child.stdin.end(run.stdin ?? '')
      let stdout = ''
      let stderr = ''
      child.stdout.on('data', (data) => {
        stdout += data
      })
      child.stderr.on('data', (data) => {
        stderr += data
      })
      const timer = setTimeout(() => child.kill('SIGKILL'), run.timeoutMs ?? 60_000)
      const code = await new Promise<number | string>((resolve) =>
        child.on('close', (status, signal) => resolve(status ?? signal ?? 'unknown')),
      )
      clearTimeout(timer)
      const { session_id: sessionId = '', result = '' } = parseResult(stdout)
      return { code, stdout, stderr, sessionId, result }
    },
    transcripts() {
      const projects = join(configDirectory, 'projects')
      if (!existsSync(projects)) return []
      return readdirSync(projects, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.jsonl'))
        .map((file) => join(projects, file))
    },
  }
}

function parseResult(stdout: string): { session_id?: string; result?: string } {
  try {
    const parsed = JSON.parse(stdout)
    return Array.isArray(parsed) ? parsed.at(-1) : parsed
  } catch {
    // Not JSON: the run failed, and the caller sees code and stderr.
    return {}
  }
}
