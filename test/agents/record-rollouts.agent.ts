/**
 * Records the rollouts below test/fixtures/transcripts/codex anew, with the real client and an invented conversation:
 * `npm run test:agents -- --record`. Not part of a normal run.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startFakeModel } from '../support/fake-model.ts'
import { createCodexClient } from './codex-client.ts'
import { codexFirstLight } from './record/codex-first-light.ts'
import { trimRollout } from './record/codex-trim.ts'
import { answerFrom } from './record/conversation.ts'
import { makeProject } from './record/project.ts'

const fixtures = join(import.meta.dirname, '..', 'fixtures', 'transcripts', 'codex')

it.skipIf(!process.env.KEEPSAKE_RECORD || !process.env.KEEPSAKE_CODEX)(
  'records a rollout',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'keepsake-record-'))
    const project = makeProject(root, codexFirstLight)
    const model = await startFakeModel(answerFrom(codexFirstLight))
    const home = join(root, 'home')
    const client = createCodexClient({ binary: process.env.KEEPSAKE_CODEX ?? '', home, modelUrl: model.url })
    writeHook(root, client.configDirectory)
    let sessionId = ''
    for (const [index, turn] of codexFirstLight.turns.entries()) {
      const compact = index === codexFirstLight.turns.length - 1
      const run = await client.run({ cwd: project, prompt: turn.user, resume: sessionId || undefined, compact })
      expect(run.code, run.stderr).toBe(0)
      sessionId = sessionId || run.sessionId
    }
    await model.close()

    const [rollout = ''] = client.transcripts()
    const rows = trimRollout(readFileSync(rollout, 'utf8').split('\n').filter(Boolean), {
      project,
      paths: { [project]: `/home/dev/${codexFirstLight.project}`, [root]: '/home/dev' },
      start: '2026-11-19T14:00:00Z',
      minutesPerTurn: 6,
    })
    mkdirSync(fixtures, { recursive: true })
    writeFileSync(join(fixtures, `${codexFirstLight.name}.jsonl`), `${rows.join('\n')}\n`)
    rmSync(root, { recursive: true, force: true })
  },
  180_000,
)

function writeHook(root: string, directory: string): void {
  const block = join(root, 'block.txt')
  writeFileSync(block, codexFirstLight.startBlock)
  const script = join(import.meta.dirname, 'record', 'hook.mjs')
  const command = `${process.execPath} ${script} SessionStart ${block}`
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command, timeout: 10 }] }] }
  writeFileSync(join(directory, 'hooks.json'), JSON.stringify({ hooks }))
}
