/** Runs the real Codex, headless, against the scripted model, with its own home in a temporary folder. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface CodexRun {
  readonly code: number | string
  readonly stdout: string
  readonly stderr: string
  readonly sessionId: string
}

export interface CodexClient {
  readonly configDirectory: string
  run(options: {
    readonly cwd: string
    readonly prompt: string
    readonly resume?: string
    /** The conversation is compacted before this prompt is answered. */
    readonly compact?: boolean
    readonly environment?: Readonly<Record<string, string>>
    /** False: hooks wait for the person's trust, as they do outside tests. */
    readonly trustHooks?: boolean
  }): Promise<CodexRun>
  /** Rollouts that the client wrote, oldest first. */
  transcripts(): readonly string[]
}

export function createCodexClient(options: {
  readonly binary: string
  readonly home: string
  readonly modelUrl: string
}): CodexClient {
  const configDirectory = join(options.home, '.codex')
  mkdirSync(configDirectory, { recursive: true })
  return {
    configDirectory,
    async run(run) {
      const settings = {
        ...settingsFor(options.modelUrl, run.cwd),
        // A limit that any conversation is over.
        ...(run.compact ? { model_auto_compact_token_limit: '1000', model_context_window: '40000' } : {}),
      }
      const flags = ['--json', '--skip-git-repo-check', '-s', 'danger-full-access']
      const trust = run.trustHooks === false ? [] : ['--dangerously-bypass-hook-trust']
      const given = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])
      const words = run.resume ? ['resume', run.resume, run.prompt] : [run.prompt]
      const child = spawn(options.binary, ['exec', ...flags, ...trust, ...given, ...words], {
        cwd: run.cwd,
        env: {
          PATH: process.env.PATH ?? '',
          HOME: options.home,
          CODEX_HOME: configDirectory,
          FAKE_KEY: 'fake',
          ...run.environment,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const text = { stdout: '', stderr: '' }
      for (const stream of ['stdout', 'stderr'] as const)
        child[stream].on('data', (data) => {
          text[stream] += data
        })
      const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
      const code = await new Promise<number | string>((resolve) =>
        child.on('close', (status, signal) => resolve(status ?? signal ?? 'unknown')),
      )
      clearTimeout(timer)
      const sessionId = /"thread_id":"([0-9a-f-]+)"/.exec(text.stdout)?.[1] ?? ''
      return { code, ...text, sessionId }
    },
    transcripts() {
      const sessions = join(configDirectory, 'sessions')
      if (!existsSync(sessions)) return []
      return readdirSync(sessions, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.jsonl'))
        .sort()
        .map((file) => join(sessions, file))
    },
  }
}

/** As `key=value`, for `-c`. */
export function codexSettings(modelUrl: string, project: string): string[] {
  return Object.entries(settingsFor(modelUrl, project)).map(([key, value]) => `${key}=${value}`)
}

/** Everything goes in as overrides, so that `config.toml` stays what the installer and the person made it. */
function settingsFor(modelUrl: string, project: string): Record<string, string> {
  const quoted = JSON.stringify
  return {
    model: quoted('gpt-5-codex'),
    model_provider: quoted('fake'),
    approval_policy: quoted('never'),
    check_for_update_on_startup: 'false',
    'analytics.enabled': 'false',
    'feedback.enabled': 'false',
    'model_providers.fake': `{name="Loopback",base_url=${quoted(`${modelUrl}/v1`)},wire_api="responses",env_key="FAKE_KEY",request_max_retries=0,stream_max_retries=0}`,
    projects: `{${quoted(project)}={trust_level="trusted"}}`,
  }
}
