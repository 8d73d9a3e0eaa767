import { mkdtempSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { WiringOptions } from '../domain/index.ts'
import { type AgentSamples, testAgentAdapter } from '../testing/agent-adapter-suite.ts'
import { createMemoryAgent } from '../testing/memory-agent.ts'
import { type AgentAdapter, agents } from './index.ts'

const fixtures = join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'transcripts')

const common: Pick<AgentSamples, 'wordsOfUser'> = {
  wordsOfUser: [
    'use pnpm',
    '用 pnpm',
    'why is <div> here?',
    '<div> does not close',
    ' leading space',
    'a/b',
    '🙂',
    '用/還是不用',
  ],
}

function optionsIn(directory: string): WiringOptions {
  return {
    userHome: join(directory, 'user'),
    environment: {},
    keepsakeHome: join(directory, 'keepsake'),
    hookCommand: [process.execPath, join(import.meta.dirname, 'index.ts')],
    mcpCommand: [process.execPath, join(import.meta.dirname, 'index.ts'), 'mcp'],
  }
}

const foreignHooks = {
  model: 'opus',
  autoMemoryEnabled: true,
  hooks: {
    Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }],
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'check' }] }],
  },
}

const odd = `{
      // mine, do not touch
      "hooks" : { "SessionStart": [ ], /* later */ "Stop": [{"hooks":[]}] },
   "env":{"A":"1",},
}
`

testAgentAdapter(
  'claude-code',
  {
    ...common,
    transcript: readFileSync(join(fixtures, 'claude-code', 'first-light.jsonl')),
    start: {
      event: 'SessionStart',
      fresh: '{"session_id":"s","source":"startup"}',
      resumed: '{"session_id":"s","source":"resume"}',
    },
    prompt: { event: 'UserPromptSubmit', stdin: (prompt) => JSON.stringify({ session_id: 's', prompt }) },
    notOfUser: [
      '/compact',
      '/model opus',
      '<task-notification>\n<task-id>1</task-id>',
      '<command-name>/x</command-name>',
      '',
      '  \n',
      '<system-reminder>x</system-reminder>',
      '<local-command-stdout>x</local-command-stdout>',
      '<bash-input>ls</bash-input>',
    ],
    settings: [
      { 'settings.json': '' },
      { 'settings.json': '{}', '.claude.json': '{}\n' },
      { 'settings.json': JSON.stringify(foreignHooks), '.claude.json': '{"mcpServers":{}}' },
      {
        'settings.json': JSON.stringify(foreignHooks, null, 2),
        '.claude.json': JSON.stringify({ mcpServers: { other: { command: 'x' } }, numStartups: 3 }, null, 2),
      },
      { 'settings.json': JSON.stringify(foreignHooks, null, '\t').replaceAll('\n', '\r\n') },
      { 'settings.json': `\uFEFF${JSON.stringify(foreignHooks, null, 3)}\n\n` },
      { 'settings.json': odd, '.claude.json': '{ "mcpServers": { } }' },
      { 'settings.json': '{\n}\n' },
      { 'settings.json': '  {"hooks":{}}  ' },
      { 'settings.json': '{"name":"设置 🙂","hooks":{"Stop":[]}}' },
    ],
  },
  () =>
    onDisk(agents['claude-code']!, (userHome) => ({
      'settings.json': join(userHome, '.claude', 'settings.json'),
      '.claude.json': join(userHome, '.claude.json'),
    })),
)

const config = `# mine
model = "gpt-5"   # odd
notify = [
  "say", # done
]

[features]
memories = true

[mcp_servers.other]
command = 'x'
`

testAgentAdapter(
  'codex',
  {
    ...common,
    transcript: readFileSync(join(fixtures, 'codex', 'first-light.jsonl')),
    start: {
      event: 'SessionStart',
      fresh: '{"session_id":"s","source":"startup"}',
      resumed: '{"session_id":"s","source":"resume"}',
    },
    prompt: { event: 'UserPromptSubmit', stdin: (prompt) => JSON.stringify({ session_id: 's', prompt }) },
    notOfUser: [
      '/compact',
      '',
      '  \n',
      '<environment_context>x</environment_context>',
      '<user_instructions>x</user_instructions>',
      '<turn_aborted>x</turn_aborted>',
      '<skill>x</skill>',
      '# AGENTS.md instructions for /w',
    ],
    settings: [
      { 'hooks.json': '', 'config.toml': '' },
      { 'hooks.json': '{}', 'config.toml': '\n\n' },
      { 'hooks.json': JSON.stringify({ hooks: foreignHooks.hooks }, null, 2), 'config.toml': config },
      { 'config.toml': config.trimEnd() },
      { 'config.toml': config.replaceAll('\n', '\r\n') },
      { 'config.toml': `\uFEFF${config}\n\n` },
      { 'hooks.json': '{"hooks":{"Stop":[]}}', 'config.toml': 'mcp_servers.other.command = "x"' },
      { 'config.toml': 'name = "设置 🙂" # 我的' },
      { 'config.toml': "text = '''\n[mcp_servers.keepsake]\n'''" },
    ],
  },
  () =>
    onDisk(agents.codex!, (userHome) => ({
      'hooks.json': join(userHome, '.codex', 'hooks.json'),
      'config.toml': join(userHome, '.codex', 'config.toml'),
    })),
)

async function onDisk(adapter: AgentAdapter, placesBelow: (userHome: string) => Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), 'keepsake-agent-'))
  const options = optionsIn(directory)
  const places = placesBelow(options.userHome)
  let count = 0
  await mkdir(options.userHome, { recursive: true })
  return {
    ...adapter,
    options,
    async putTranscript(bytes: Uint8Array) {
      const file = join(directory, `${count++ % 8}.jsonl`)
      await writeFile(file, bytes)
      return file
    },
    async readSettings() {
      const entries = Object.entries(places).map(async ([name, path]) => [
        name,
        await readFile(path, 'utf8').catch(() => null),
      ])
      return Object.fromEntries(await Promise.all(entries))
    },
    async writeSettings(name: string, text: string) {
      await mkdir(dirname(places[name]!), { recursive: true })
      await writeFile(places[name]!, text)
    },
    close: () => rm(directory, { recursive: true, force: true }),
  }
}

const memoryRow = (role: string, text: string) =>
  `${JSON.stringify({ session: 's', id: `${role} ${text}`, role, text })}\n`

testAgentAdapter(
  'memory agent',
  {
    ...common,
    transcript: Buffer.from(
      ['one', '二', 'three']
        .flatMap((text) => [memoryRow('user', text), memoryRow('assistant', `re ${text}`)])
        .join(''),
    ),
    start: { event: 'start', fresh: 'new', resumed: 'old' },
    prompt: { event: 'prompt', stdin: (prompt) => prompt },
    notOfUser: ['/compact', '', ' \n'],
    settings: [{ 'settings.txt': 'mine\n' }, { 'settings.txt': '' }],
  },
  async () => {
    const agent = createMemoryAgent()
    return {
      ...agent,
      options: optionsIn('/nowhere'),
      async putTranscript(bytes) {
        const file = `memory-${agent.transcripts.size}`
        agent.transcripts.set(file, bytes)
        return file
      },
      readSettings: async () => ({ 'settings.txt': agent.settings.get('settings.txt') ?? null }),
      async writeSettings(name, text) {
        agent.settings.set(name, text)
      },
      close: async () => undefined,
    }
  },
)
