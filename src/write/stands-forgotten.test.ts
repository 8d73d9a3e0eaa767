import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWriteHarness, harnessNow, projectLayer, type WriteHarness } from '../testing/write-harness.ts'
import { sha256 } from '../util/index.ts'

const HOUR_MS = 3_600_000
const text = 'Deploys go out on Fridays'

let home: string
let store: WriteHarness
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keepsake-forgotten-'))
  store = createWriteHarness({ home })
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const at = (ms: number) => new Date(ms).toISOString()

/** The extractor keeps `text` from a message of the user that was said at `saidMs`. */
function extracted(words: string, saidMs: number | null, session = 'one') {
  const time = saidMs === null ? null : at(saidMs)
  const evidence = [
    { session, message: null, role: 'user' as const, time, quote: words, hash: sha256(`${session} ${words}`) },
  ]
  return store.writer.remember({
    text,
    type: 'project',
    layer: 'project',
    author: 'extractor',
    agent: 'claude-code',
    time: time ?? undefined,
    evidence,
  })
}

async function onlyFile(): Promise<string> {
  const [file = ''] = (await store.list(projectLayer)).filter((name) => name.startsWith('project_'))
  return file
}

describe('what was forgotten does not come back by itself [G1]', () => {
  const said = harnessNow - 24 * HOUR_MS

  /** What a person did to the note before it was forgotten. */
  const edits: readonly [string, (whole: string) => string][] = [
    ['nothing', (whole) => whole],
    ['front matter taken off', (whole) => whole.replace(/^---\n[\s\S]*?\n---\n/, '')],
    ['evidence taken out', (whole) => whole.replace(/source:\n(?: {2}.*\n)+/, '')],
    ['hash taken out', (whole) => whole.replace(/, "hash": "[0-9a-f]{64}"/, '')],
    ['body rewritten', (whole) => whole.replace(/\n---\n[\s\S]*$/, '\n---\n\nEntirely other words\n')],
    ['body in other case', (whole) => whole.replace(text, text.toUpperCase())],
  ]
  it.each(edits)('before the same message is read again: %s', async (_what, edit) => {
    await extracted(text, said)
    const file = await onlyFile()
    store.files.person.put(projectLayer, file, new TextEncoder().encode(edit(await store.text(projectLayer, file))))
    expect((await store.writer.forget(file)).outcome).toBe('forgotten')
    expect(await extracted(text, said)).toMatchObject({ outcome: 'rejected', reason: { code: 'forgotten' } })
  })

  it.each([
    ['the same words in an older conversation', said - HOUR_MS, 'two'],
    ['a fork that copied the words', said, 'fork'],
    ['words that have no time', null, 'three'],
  ] as const)('from %s', async (_what, saidMs, session) => {
    await extracted(text, said)
    await store.writer.forget(await onlyFile())
    expect((await extracted(text, saidMs, session)).outcome).toBe('rejected')
  })

  it.each([
    ['a little', HOUR_MS],
    ['days', 72 * HOUR_MS],
    ['years', 3 * 365 * 24 * HOUR_MS],
  ])('while the clock ran behind by %s', async (_how, behindMs) => {
    await extracted(text, said)
    store.clock.set(said - behindMs)
    await store.writer.forget(await onlyFile())
    store.clock.set(harnessNow)
    expect((await extracted(text, said)).outcome).toBe('rejected')
    expect((await extracted(text, said + HOUR_MS, 'two')).outcome).toBe('written')
  })

  it('said again afterwards, even in the same words, it is kept', async () => {
    await extracted(text, said)
    await store.writer.forget(await onlyFile())
    store.clock.set(harnessNow + HOUR_MS)
    expect((await extracted(text, harnessNow + HOUR_MS, 'two')).outcome).toBe('written')
  })

  it('a tombstone says when, and nothing of the words', async () => {
    await extracted(text, said)
    await store.writer.forget(await onlyFile())
    const line = readFileSync(join(home, 'tombstones.jsonl'), 'utf8')
    expect(Object.keys(JSON.parse(line)).sort()).toEqual(
      ['evidenceKeys', 'id', 'nameKey', 'noteId', 'op', 'textKey', 'time'].sort(),
    )
    expect(line).not.toMatch(/friday/i)
  })
})
