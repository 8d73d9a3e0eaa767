import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createToolWrites } from './tool-writes.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keepsake-tools-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))
const file = () => join(home, 'tool-writes.jsonl')

it('knows what was recorded, also from another reader and in another spelling', async () => {
  const writes = createToolWrites({ home })
  const other = createToolWrites({ home })
  expect(other.has('/notes/user_a.md')).toBe(false)
  await writes.record('/notes/user_a.md', 'claude-code:1', '2026-03-01T10:00:00Z')
  await writes.record('/notes/user_cafe\u0301.md', 'claude-code:1', null)
  for (const path of ['/notes/user_a.md', '/notes/x/../user_a.md', '/notes/user_caf\u00e9.md'])
    expect(other.has(path)).toBe(true)
  expect(other.has('/notes/user_b.md')).toBe(false)
  expect(other.all()).toEqual([
    { path: '/notes/user_a.md', session: 'claude-code:1', time: '2026-03-01T10:00:00Z' },
    { path: '/notes/user_caf\u00e9.md', session: 'claude-code:1', time: null },
  ])
  expect(statSync(file()).mode & 0o777).toBe(0o600)
})

it('does not grow by the same file', async () => {
  const writes = createToolWrites({ home })
  for (let round = 0; round < 5; round++) await writes.record('/notes/user_a.md', `claude-code:${round}`, null)
  expect(readFileSync(file(), 'utf8').trim().split('\n')).toHaveLength(1)
})

it('makes nothing by looking', () => {
  const writes = createToolWrites({ home })
  expect([writes.has('/notes/user_a.md'), writes.all()]).toEqual([false, []])
  expect(readdirSync(home)).toEqual([])
})

it('survives torn and strange lines', async () => {
  const writes = createToolWrites({ home })
  await writes.record('/notes/user_a.md', 'claude-code:1', null)
  appendFileSync(file(), '{"path":1}\nhello\n{"path":"/no')
  await writes.record('/notes/user_b.md', 'claude-code:2', null)
  expect(writes.all().map(({ path }) => path)).toEqual(['/notes/user_a.md', '/notes/user_b.md'])
})
