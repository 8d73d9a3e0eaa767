/** A batch is all or nothing: judged on its final size, over two layers, and when the writer dies in the middle. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Edit } from '../../domain/index.ts'
import { MemoryError } from '../../errors.ts'
import { createNoteHistory } from '../../store/notes/history.ts'
import { createMemoryHistory } from '../../store/notes/memory-history.ts'
import { createWriteHarness, globalLayer, projectLayer, type WriteHarnessOptions } from '../../testing/write-harness.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keepsake-batch-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const start = (options: Partial<WriteHarnessOptions> = {}) => createWriteHarness({ home, ...options })
const bytes = (text: string) => new TextEncoder().encode(text)
const agent = { author: 'agent', agent: 'claude-code' } as const
const note = (pinned: boolean, text: string) =>
  bytes(`---\nname: ${text.slice(0, 12)}\npinned: ${pinned}\n---\n\n${text}\n`)

/** Two notes in each layer, and edits that touch all of them. */
const acrossLayers: readonly Edit[] = [
  { action: 'replace', find: 'global one', text: 'GLOBAL ONE' },
  { action: 'replace', find: 'project one', text: 'PROJECT ONE' },
  { action: 'remove', in: 'g2' },
  { action: 'move', in: 'p2', to: 'global' },
]
function seed(store: ReturnType<typeof start>) {
  store.files.person.put(globalLayer, 'g1.md', bytes('The global one.\n'))
  store.files.person.put(globalLayer, 'g2.md', bytes('The global two.\n'))
  store.files.person.put(projectLayer, 'p1.md', bytes('The project one.\n'))
  store.files.person.put(projectLayer, 'p2.md', bytes('---\nname: p2\ntype: project\n---\n\nThe project two.\n'))
}

async function state(store: ReturnType<typeof start>) {
  const found: Record<string, string> = {}
  for (const layer of [globalLayer, projectLayer])
    for (const file of await store.list(layer)) found[`${layer.name}/${file}`] = await store.text(layer, file)
  return found
}

describe('a batch [W2]', () => {
  it('makes every edit, over two layers, each seeing the ones before', async () => {
    const store = start()
    seed(store)
    const result = await store.writer.edit({
      edits: [
        ...acrossLayers,
        { action: 'replace', find: 'GLOBAL ONE', text: 'first' },
        { action: 'add', text: 'And one more, new', layer: 'global' },
      ],
      ...agent,
    })
    expect(result.outcome).toBe('written')
    const after = await state(store)
    expect(after['global/g1.md']).toContain('The first.')
    expect(after['global/g2.md']).toContain('status: archived')
    expect(after['global/p2.md']).toContain('The project two.')
    expect(after['project/p2.md']).toBeUndefined()
    expect(after['project/p1.md']).toContain('PROJECT ONE')
    expect(Object.values(after).join()).toContain('And one more, new')
  })

  it.each([0, 2, 4])('the refusal of edit %i leaves everything as it was and names it', async (place) => {
    const store = start()
    seed(store)
    const before = await state(store)
    const bad: Edit = { action: 'remove', find: 'no such words' }
    const edits = [...acrossLayers.slice(0, place), bad, ...acrossLayers.slice(place)]
    const result = await store.writer.edit({ edits, ...agent })
    expect(result).toMatchObject({ outcome: 'rejected', edit: place + 1, reason: { code: 'no-match' } })
    expect(await state(store)).toEqual(before)
  })

  it('is judged on its final size: it may pass through an overflow', async () => {
    const store = start()
    store.files.person.put(globalLayer, 'a.md', note(true, 'a'.repeat(700)))
    store.files.person.put(globalLayer, 'b.md', note(true, 'b'.repeat(600)))
    const add: Edit = { action: 'add', text: `User: ${'c'.repeat(500)}`, type: 'user', pin: true }
    const refused = await store.writer.edit({ edits: [add, { action: 'replace', find: 'bbb', text: 'x' }], ...agent })
    expect(refused.outcome).toBe('rejected')
    const full = await store.writer.edit({ edits: [add], ...agent })
    expect(full).toMatchObject({ outcome: 'rejected', reason: { code: 'profile-full' } })
    const done = await store.writer.edit({ edits: [add, { action: 'move', in: 'b', to: 'note' }], ...agent })
    expect(done).toMatchObject({ outcome: 'written' })
    expect(done.profile.find(({ store: name }) => name === 'user')).toMatchObject({ chars: 700 + 3 + 506, entries: 2 })
  })

  it('is one change in the history of each layer, taken back as one', async () => {
    const store = start()
    const { clock, ids, proposals, unfinished } = store.dependencies
    const history = createNoteHistory({
      versions: createMemoryHistory(),
      modes: { of: () => 0o600, set: () => undefined },
      clock,
      ids,
      off: false,
      onProblem: (error) => {
        throw error
      },
    })
    expect([proposals, unfinished]).toBeDefined()
    seed(store)
    const writer = store.with({ history })
    await writer.edit({ edits: acrossLayers, ...agent })
    for (const layer of [globalLayer, projectLayer]) {
      const own = (await history.versions.log(layer, { limit: 10 })).filter(({ kind }) => kind !== 'outside')
      expect(own.map(({ author, why }) => [author, why])).toEqual([['claude-code', 'Made 4 edits as one']])
    }
    const before = await state(store)
    await writer.undo()
    const after = await state(store)
    expect(after['project/p1.md']).toContain('The project one.')
    expect(after['project/p2.md']).toContain('The project two.')
    expect(after['global/p2.md']).toBeUndefined()
    expect(after).not.toEqual(before)
  })

  it('a file that a person changes meanwhile is looked at again, never overwritten', async () => {
    const state = { hits: 0 }
    const store = start({
      before: (step) => {
        if (step === 'write p1.md' && state.hits++ === 0)
          store.files.person.put(projectLayer, 'p1.md', bytes('The project one. And by hand.\n'))
      },
    })
    seed(store)
    const result = await store.writer.edit({ edits: acrossLayers, ...agent })
    expect(result.outcome).toBe('written')
    expect(await store.text(projectLayer, 'p1.md')).toContain('PROJECT ONE. And by hand.')
    expect(await store.text(globalLayer, 'g1.md')).toContain('GLOBAL ONE')
  })
})

describe('a writer that dies in the middle of a batch [W2]', () => {
  /** Every step of the store from the n-th on fails, as for a process that is no more. */
  function dyingStore(step: number) {
    const life = { steps: 0, isDead: false }
    const store = start({
      before: (name) => {
        if (name.startsWith('lock') || life.isDead) {
          if (life.isDead) throw new MemoryError('STORE_READ_ONLY', 'dead')
          return
        }
        if (life.steps++ === step) {
          life.isDead = true
          throw new MemoryError('STORE_READ_ONLY', 'killed')
        }
      },
    })
    return { store, life }
  }

  // g1, p1, g2, the copy of p2, then its removal: five steps, MEMORY.md after them.
  it.each([0, 1, 2, 3, 4])('killed at step %i: the next writer of each layer completes it', async (step) => {
    const { store, life } = dyingStore(step)
    seed(store)
    await expect(store.writer.edit({ edits: acrossLayers, ...agent })).rejects.toThrow()
    expect(readdirSync(join(home, 'unfinished'))).toHaveLength(step === 0 ? 0 : 1)
    life.isDead = false
    life.steps = 1_000
    await store.writer.remember({ text: 'Anything else', layer: 'global' })
    await store.writer.remember({ text: 'Something of this project', layer: 'project' })
    const after = await state(store)
    const isDone = step > 0
    expect(after['global/g1.md']?.includes('GLOBAL ONE')).toBe(isDone)
    expect(after['project/p1.md']?.includes('PROJECT ONE')).toBe(isDone)
    expect(after['global/g2.md']?.includes('status: archived')).toBe(isDone)
    expect(after['global/p2.md'] !== undefined).toBe(isDone)
    expect(after['project/p2.md'] === undefined).toBe(isDone)
    expect(readdirSync(join(home, 'unfinished'))).toEqual([])
  })

  it.each([1, 2, 3, 4])('a failure at step %i that leaves the process alive is taken back whole', async (step) => {
    const life = { steps: 0 }
    const store = start({
      before: (name) => {
        if (!name.startsWith('lock') && life.steps++ === step) throw new MemoryError('STORE_FULL', 'no space')
      },
    })
    seed(store)
    const before = await state(store)
    await expect(store.writer.edit({ edits: acrossLayers, ...agent })).rejects.toMatchObject({ code: 'STORE_FULL' })
    expect(await state(store)).toEqual(before)
    expect(readdirSync(join(home, 'unfinished'))).toEqual([])
  })

  it('a file that was edited by hand before the change could be ended stays; the rest is ended, it waits for a person', async () => {
    const { store, life } = dyingStore(1)
    seed(store)
    await expect(store.writer.edit({ edits: acrossLayers, ...agent })).rejects.toThrow()
    store.files.person.put(projectLayer, 'p1.md', bytes('Mine now.\n'))
    life.isDead = false
    life.steps = 1_000
    await store.writer.remember({ text: 'Something of this project', layer: 'project' })
    await store.writer.remember({ text: 'Anything else', layer: 'global' })
    expect(await store.text(projectLayer, 'p1.md')).toBe('Mine now.\n')
    expect((await store.waiting()).map(({ file, author }) => [file, author])).toEqual([['p1.md', 'claude-code']])
    expect((await state(store))['global/g2.md']).toContain('status: archived')
  })
})

describe('edits that do not rest on the same words, and edits that wait [W14]', () => {
  const said = (message: string, time: string) => ({
    ...{ evidence: [{ session: 's', message, role: 'user' as const, time, quote: message, hash: null }], time },
  })
  const unattended = { author: 'extractor', agent: 'keepsake' } as const

  it('each edit of a batch has its own proof and time', async () => {
    const store = start()
    const add = (name: string, text: string) => ({
      action: 'add' as const,
      type: 'project' as const,
      layer: 'project' as const,
      name,
      text,
    })
    const edits = [
      { ...add('Exports', 'Exports run at night.'), ...said('m1', '2026-03-01T10:00:00Z') },
      { ...add('Reviews', 'Reviews are on Mondays.'), ...said('m2', '2026-04-01T10:00:00Z') },
    ]
    expect(await store.writer.edit({ edits, ...unattended })).toMatchObject({ outcome: 'written' })
    const texts = await Promise.all((await store.list(projectLayer)).map((file) => store.text(projectLayer, file)))
    expect(texts[0]).toMatch(/created: 2026-03-01T10:00:00Z[\s\S]*"m1"/)
    expect(texts[0]).not.toContain('"m2"')
    expect(texts[1]).toMatch(/created: 2026-04-01T10:00:00Z[\s\S]*"m2"/)
    // The same batch again brings nothing new.
    expect(await store.writer.edit({ edits, ...unattended })).toMatchObject({ outcome: 'unchanged' })
  })

  it.each([1, 2])('%i edits that are to wait become proposals, whatever the mode of the layer', async (count) => {
    const store = start()
    store.files.person.put(projectLayer, 'project_a.md', bytes('# A\n\nOne.\n\nTwo.\n'))
    const edits = [
      { action: 'replace' as const, in: 'A', find: 'One.', text: 'Eins.', ...said('m1', '2026-11-29T20:00:00Z') },
      { action: 'replace' as const, in: 'A', find: 'Two.', text: 'Zwei.', ...said('m2', '2026-11-29T20:00:00Z') },
    ].slice(0, count)
    const result = await store.writer.edit({ edits, asProposal: 'You wrote it.', ...unattended })
    expect(result).toMatchObject({ outcome: 'proposed', reason: 'You wrote it.' })
    expect(await store.text(projectLayer, 'project_a.md')).toBe('# A\n\nOne.\n\nTwo.\n')
    expect(await store.waiting()).toMatchObject([{ operation: 'patch', reason: 'You wrote it.', author: 'keepsake' }])
  })

  it('a removal that is to wait leaves the note where it is', async () => {
    const store = start()
    store.files.person.put(projectLayer, 'project_a.md', bytes('# A\n\nOne.\n'))
    expect(await store.writer.forget('A', { agent: 'keepsake', asProposal: 'It is old.' })).toMatchObject({
      outcome: 'proposed',
    })
    expect(await store.list(projectLayer)).toEqual(['project_a.md'])
    expect(await store.waiting()).toMatchObject([{ operation: 'remove', reason: 'It is old.' }])
  })
})
