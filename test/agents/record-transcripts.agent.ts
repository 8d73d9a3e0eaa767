/**
 * Records the transcripts below test/fixtures/transcripts/claude-code anew, with the real client and invented
 * conversations: `npm run test:agents -- --record`. Not part of a normal run.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type FakeReply, startFakeModel } from '../support/fake-model.ts'
import { createClaudeClient } from './claude-client.ts'
import { answerFrom, type Conversation } from './record/conversation.ts'
import { firstLight } from './record/first-light.ts'
import { firstLightZh } from './record/first-light-zh.ts'
import { makeProject } from './record/project.ts'
import { trimTranscript } from './record/trim.ts'

const fixtures = join(import.meta.dirname, '..', 'fixtures', 'transcripts', 'claude-code')

it.skipIf(!process.env.KEEPSAKE_RECORD || !process.env.KEEPSAKE_CLAUDE).each([firstLight, firstLightZh])(
  'records $name',
  async (conversation) => {
    const root = mkdtempSync(join(tmpdir(), 'keepsake-record-'))
    const project = makeProject(root, conversation)
    const script = answerFrom(conversation)
    const model = await startFakeModel((request) => withProject(script(request), project))
    const home = join(root, 'home')
    const client = createClaudeClient({ binary: process.env.KEEPSAKE_CLAUDE ?? '', home, modelUrl: model.url })
    writeSettings(root, client.configDirectory, conversation)
    client.trust(project)
    const environment = { PATH: `${join(root, 'bin')}:${process.env.PATH}` }

    let sessionId = ''
    for (const [index, turn] of conversation.turns.entries()) {
      if (index === conversation.turns.length - 1)
        await client.run({ cwd: project, prompt: '/compact', resume: sessionId, environment })
      const run = turn.meanwhile
        ? await client.run({ cwd: project, resume: sessionId, environment, ...typed(turn.user, turn.meanwhile) })
        : await client.run({ cwd: project, prompt: turn.user, resume: sessionId || undefined, environment })
      expect(run.code, run.stderr).toBe(0)
      sessionId = sessionId || run.sessionId
    }
    await model.close()

    write(conversation, sessionId, client.transcripts(), {
      project,
      paths: {
        [project]: `/home/dev/${conversation.project}`,
        [project.replaceAll(/[^A-Za-z0-9]/g, '-')]: `-home-dev-${conversation.project}`,
        [root]: '/home/dev',
        [process.execPath]: 'node',
        [join(import.meta.dirname, 'record')]: '/home/dev/keepsake',
      },
      start: '2026-11-18T09:02:00Z',
      minutesPerTurn: 7,
    })
    rmSync(root, { recursive: true, force: true })
  },
  180_000,
)

function typed(first: string, second: string) {
  const row = (text: string) => `${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`
  const format = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose']
  return { prompt: '', stdin: row(first) + row(second), arguments: ['-p', ...format] }
}

function writeSettings(root: string, directory: string, { startBlock }: Conversation): void {
  const block = join(root, 'block.txt')
  writeFileSync(block, startBlock)
  const hook = (event: string) => [
    {
      hooks: [
        {
          type: 'command',
          command: `${process.execPath} ${join(import.meta.dirname, 'record', 'hook.mjs')} ${event} ${block}`,
          timeout: 10,
        },
      ],
    },
  ]
  writeFileSync(
    join(directory, 'settings.json'),
    JSON.stringify({
      permissions: { allow: ['Read', 'Edit', 'Write', 'Bash', 'Agent'] },
      hooks: { SessionStart: hook('SessionStart') },
    }),
  )
}

/** Paths of the project stand as `{project}` in the conversation. */
function withProject(reply: FakeReply, project: string): FakeReply {
  return JSON.parse(JSON.stringify(reply).replaceAll('{project}', project))
}

function write(
  conversation: Conversation,
  sessionId: string,
  files: readonly string[],
  options: Parameters<typeof trimTranscript>[1],
): void {
  const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const main = files.find((file) => file.endsWith(`${sessionId}.jsonl`)) ?? ''
  const helper = files.find(
    (file) => file.includes('subagents') && linesOf(file).some((line) => line.includes('readCache')),
  )
  const rows = trimTranscript(linesOf(main), options)
  const helperRows = trimTranscript(linesOf(helper ?? ''), { ...options, start: '2026-11-18T09:23:01Z' })
  // Clients of 2025 keep the rows of a sub-agent in the same file, newer ones beside it; readers must know both.
  const delegation = rows.findIndex((row) => row.includes('"name":"Agent"'))
  const inline = [...rows.slice(0, delegation + 1), ...helperRows, ...rows.slice(delegation + 1)]
  mkdirSync(fixtures, { recursive: true })
  writeFileSync(join(fixtures, `${conversation.name}.jsonl`), `${inline.join('\n')}\n`)
  const beside = join(fixtures, conversation.name, 'subagents')
  mkdirSync(beside, { recursive: true })
  for (const old of readdirSync(beside)) rmSync(join(beside, old))
  writeFileSync(join(beside, 'agent-1.jsonl'), `${helperRows.join('\n')}\n`)
}
