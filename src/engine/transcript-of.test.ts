import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMemoryStateStore } from '../store/state/memory-state-store.ts'
import type { StateStore } from '../store/state/state-store.ts'
import { transcriptOf } from './transcript-of.ts'

let folder: string
let cursors: ReturnType<StateStore['cursors']>
const put = (name: string) => {
  writeFileSync(join(folder, name), '')
  return join(folder, name)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-transcripts-'))
  const state = createMemoryStateStore()
  const at = { offset: 0, head: '', readAt: 0 }
  for (const [agent, transcript] of [
    ['codex', put('rollout-0199.jsonl')],
    ['claude-code', put('0199.jsonl')],
    ['claude-code', join(folder, 'gone.jsonl')],
  ] as const)
    state.putCursor({ ...at, agent, transcript })
  cursors = state.cursors()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each<[string, string | null]>([
  ['claude-code:0199', '0199.jsonl'],
  ['codex:0199', 'rollout-0199.jsonl'],
  ['hermes:0199', null],
  ['claude-code:gone', null],
  ['claude-code:', null],
  ['claude-code', null],
])('%s', (session, file) => {
  expect(transcriptOf({ cursors: () => cursors }, session)).toBe(file === null ? null : join(folder, file))
})

it('without a database nothing is known', () => {
  expect(transcriptOf(null, 'claude-code:0199')).toBeNull()
})
