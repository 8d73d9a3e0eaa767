import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIdSource } from '../util/index.ts'
import { createProposals, type NewProposal } from './proposals.ts'

const DAY_MS = 86_400_000
const clock = {
  ms: Date.UTC(2026, 2, 1),
  now() {
    return this.ms
  },
}
let home: string
const open = () => createProposals({ home, clock, ids: createIdSource(clock) })
beforeEach(() => {
  clock.ms = Date.UTC(2026, 2, 1)
  home = mkdtempSync(join(tmpdir(), 'keepsake-proposals-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const proposal = (change: Partial<NewProposal> = {}): NewProposal => ({
  layer: 'global',
  asks: 'change',
  operation: 'create',
  noteId: null,
  baseHash: null,
  base: null,
  from: null,
  file: 'user_tea.md',
  proposed: '---\nname: 茶\n---\nLikes tea.\n',
  evidence: [{ session: null, message: null, role: 'user', time: null, quote: 'tea', hash: null }],
  author: 'agent',
  reason: 'review',
  ...change,
})
const all = async () => (await open().list({ limit: 100 })).proposals

describe('proposals', () => {
  it('come back whole, newest first, bounded, and private', async () => {
    const proposals = open()
    const first = await proposals.put(proposal())
    clock.ms += 5
    const second = await proposals.put(proposal({ file: 'user_milk.md' }))
    expect(first).toMatchObject({ ...proposal(), id: expect.any(String), created: '2026-03-01T00:00:00Z' })
    expect(await proposals.list({ limit: 10 })).toEqual({ proposals: [second, first], omitted: 0, unreadable: [] })
    expect(await proposals.list({ limit: 1 })).toEqual({ proposals: [second], omitted: 1, unreadable: [] })
    expect(await proposals.count()).toBe(2)
    expect(statSync(join(home, 'proposals', `${first.id}.json`)).mode & 0o777).toBe(0o600)
  })

  it('are none where nothing is, and nothing is made', async () => {
    expect(await open().list({ limit: 5 })).toEqual({ proposals: [], omitted: 0, unreadable: [] })
    expect(await open().count()).toBe(0)
    expect(readdirSync(home)).toEqual([])
  })

  it.each([
    [
      'the same note and operation',
      { operation: 'patch', noteId: 'n1' },
      { operation: 'patch', noteId: 'n1', file: 'other.md' },
      1,
    ],
    ['the same new file', {}, { proposed: 'other' }, 1],
    [
      'another operation',
      { operation: 'patch', noteId: 'n1' },
      { operation: 'remove', noteId: 'n1', proposed: null },
      2,
    ],
    ['another note', { operation: 'patch', noteId: 'n1' }, { operation: 'patch', noteId: 'n2' }, 2],
    ['another layer', {}, { layer: 'projects/x-aaaaaaaa' }, 2],
    ['another new file', {}, { file: 'user_milk.md' }, 2],
  ] as const)('%s: the newer replaces, or both stand', async (_case, first, second, count) => {
    await open().put(proposal(first))
    clock.ms += 5
    const newer = await open().put(proposal(second))
    expect(await open().count()).toBe(count)
    expect((await all())[0]).toEqual(newer)
    expect(readdirSync(join(home, 'proposals'))).toHaveLength(count)
  })

  it('are gone after 90 days', async () => {
    await open().put(proposal())
    clock.ms += 90 * DAY_MS
    expect(await open().count()).toBe(1)
    clock.ms += 1_000
    expect(await open().count()).toBe(0)
    await open().put(proposal({ file: 'user_milk.md' }))
    expect(readdirSync(join(home, 'proposals'))).toHaveLength(1)
  })

  it.each([
    ['torn', '{"id":"x","lay'],
    ['null', 'null'],
    ['another thing', '{"a":1}'],
    [
      'an unknown operation',
      JSON.stringify({ ...proposal(), id: 'x', created: '2026-03-01T00:00:00Z', operation: 'burn' }),
    ],
    [
      'evidence that is none',
      JSON.stringify({ ...proposal(), id: 'x', created: '2026-03-01T00:00:00Z', evidence: 'no' }),
    ],
    ...[[1], [null], [{ role: 'person', quote: 5 }], [{ quote: 'x' }], [{ role: 'owner' }]].map((evidence) => [
      `evidence ${JSON.stringify(evidence)}`,
      JSON.stringify({ ...proposal(), id: 'x', created: '2026-03-01T00:00:00Z', evidence }),
    ]),
    ['of no known time', JSON.stringify({ ...proposal(), id: 'x', created: 'never' })],
  ])('a file that is %s is named, and the rest still counts', async (_case, text) => {
    const good = await open().put(proposal())
    writeFileSync(join(home, 'proposals', 'odd.json'), text)
    expect(await open().list({ limit: 5 })).toEqual({ proposals: [good], omitted: 0, unreadable: ['odd.json'] })
    expect(await open().count()).toBe(1)
  })

  it.each<[string, (path: string, good: string) => void]>([
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
    ['a link', (path, good) => symlinkSync(good, path)],
    ['a link to nothing', (path) => symlinkSync('/nowhere', path)],
    ['a file without end', (path) => symlinkSync('/dev/zero', path)],
  ])('%s in the folder is named and not waited for', async (_case, make) => {
    const good = await open().put(proposal())
    make(join(home, 'proposals', '01AAAAAAAAAAAAAAAAAAAAAAAA.json'), join(home, 'proposals', `${good.id}.json`))
    expect(await open().list({ limit: 5 })).toMatchObject({
      proposals: [good],
      unreadable: ['01AAAAAAAAAAAAAAAAAAAAAAAA.json'],
    })
    expect(await open().get('01AAAAAAAAAAAAAAAAAAAAAAAA')).toBeNull()
  })
})
