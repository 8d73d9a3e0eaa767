import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { agents } from '../adapters/index.ts'
import { exampleSession } from '../testing/session-store-suite.ts'
import { resumeSession } from './resume-session.ts'

const native = '7f1c2a44-0000-4000-8000-000000000001'
const readers = Object.fromEntries(Object.entries(agents).map(([name, { reader }]) => [name, reader]))
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-resume-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = (agent: string, name: string) => {
  const transcript = join(folder, name)
  return { transcript, agent, offset: 0, head: '', readAt: 0 }
}
const resumed = (id: string, cursors: ReturnType<typeof read>[]) =>
  resumeSession(exampleSession(id, { agent: id.split(':')[0], cwd: '/home/ada/shop' }), {
    readers,
    state: { cursors: () => cursors },
  })

it.each([
  ['claude-code', `${native}.jsonl`, `claude --resume ${native}`],
  ['codex', `rollout-2026-11-20T09-00-00-${native}.jsonl`, `codex resume ${native}`],
])('%s: its own command, in its folder, while the transcript is there [R8]', (agent, name, line) => {
  const cursor = read(agent, name)
  expect(resumed(`${agent}:${native}`, [cursor])).toMatchObject({ outcome: 'gone' })
  writeFileSync(cursor.transcript, '')
  expect(resumed(`${agent}:${native}`, [cursor])).toEqual({
    outcome: 'ready',
    session: `${agent}:${native}`,
    command: line.split(' '),
    line,
    cwd: '/home/ada/shop',
    transcript: cursor.transcript,
  })
})

it.each([
  ['an agent that is not known', `hermes:${native}`],
  ['a name of every object', `constructor:${native}`],
  ['an id that a shell would read', 'claude-code:a;rm'],
  ['an id that is an option', 'claude-code:--help'],
  ['another conversation', 'claude-code:11111111-0000-4000-8000-000000000001'],
])('%s gives no command', (_, id) => {
  const cursors = [read('claude-code', `${native}.jsonl`), read('claude-code', 'a;rm.jsonl'), read('hermes', native)]
  for (const { transcript } of cursors) writeFileSync(transcript, '')
  expect(resumed(id, cursors)).toMatchObject({ outcome: 'gone', session: id })
})
