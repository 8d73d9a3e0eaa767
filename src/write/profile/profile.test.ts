/** The laws of the profile over any sequence of writes: never over its cap, nothing destroyed, overflow said. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  DEFAULT_CONFIG,
  type Edit,
  type EditResult,
  type Evidence,
  profileStoreOf,
  type RememberInput,
  type RememberResult,
  renderProfile,
  type WriteAuthor,
} from '../../domain/index.ts'
import { createNoteHistory } from '../../store/notes/history.ts'
import { createMemoryHistory } from '../../store/notes/memory-history.ts'
import { readNote } from '../../store/notes/note-format.ts'
import { createWriteHarness, globalLayer, projectLayer } from '../../testing/write-harness.ts'
import { codePoints } from '../../util/index.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keepsake-profile-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const limits = { userChars: 120, memoryChars: 160 }
/** So small that most sequences fill it. */
const tight = { userChars: 50, memoryChars: 70 }
const evidence: readonly Evidence[] = [
  { session: 's', message: 'm', role: 'user', time: null, quote: null, hash: 'a'.repeat(64) },
]

function stage(folder: string, profile = limits) {
  const store = createWriteHarness({ home: folder, config: { ...DEFAULT_CONFIG, profile } })
  const { clock, ids } = store.dependencies
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
  return { store, history, writer: store.with({ history }) }
}
type Stage = ReturnType<typeof stage>

/** Letters that have been miscounted before: emoji of several code points, Chinese, combining marks, plain words. */
const words = fc
  .array(
    fc.constantFrom('word ', '👩‍💻', '🏳️‍🌈', '偏好深色主题', 'e\u0301', 'न\u093f', '💰', '§ ', 'note ', '，用中文 '),
    { minLength: 1, maxLength: 14 },
  )
  .map((parts) => parts.join(''))
const author = fc.constantFrom<WriteAuthor>('person', 'agent', 'extractor', 'import')
const pick = fc.nat(1_000)
const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('remember' as const),
      words,
      author,
      type: fc.constantFrom('user' as const, 'feedback' as const),
      layer: fc.constantFrom('global' as const, 'project' as const),
      pin: fc.boolean(),
      name: fc.option(fc.constantFrom('one', 'two', 'three')),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('replace' as const), pick, words, author }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), pick, author }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      pick,
      author,
      to: fc.constantFrom('profile' as const, 'note' as const, 'global' as const, 'project' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('batch' as const), pick, words, author, other: pick }),
  },
)
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never

async function notesOf({ store }: Stage) {
  const notes = []
  for (const layer of [globalLayer, projectLayer])
    for (const file of await store.list(layer)) {
      const found = await store.files.read(layer, file)
      if (found) notes.push({ ...readNote(found.bytes, { layer: layer.key, file }), layer: layer.name })
    }
  return notes
}

/** By the definition, and not by the code that enforces it. */
async function expectWithinCaps(stage: Stage) {
  const notes = await notesOf(stage)
  for (const [store, layer, max] of [
    ['user', 'global', tight.userChars],
    ['memory', 'global', tight.memoryChars],
    ['memory', 'project', tight.memoryChars],
  ] as const) {
    const bodies = notes
      .filter((note) => {
        const place = profileStoreOf(note, note.layer)
        return place?.store === store && place.layer === layer
      })
      .map(({ body }) => body)
    expect(codePoints(renderProfile(bodies))).toBeLessThanOrEqual(max)
  }
}

async function perform(stage: Stage, one: Operation, index: number): Promise<RememberResult | EditResult | null> {
  const { writer } = stage
  if (one.kind === 'remember') {
    const input: RememberInput = {
      text: `${one.words} n${index}`,
      author: one.author,
      type: one.type,
      layer: one.layer,
      pin: one.pin,
      ...(one.name ? { name: one.name } : {}),
      ...(one.author === 'extractor' ? { evidence } : {}),
    }
    return writer.remember(input)
  }
  const notes = await notesOf(stage)
  const target = notes[one.pick % Math.max(1, notes.length)]
  if (!target) return null
  const other = notes[(one.kind === 'batch' ? one.other : 0) % notes.length] ?? target
  const who = { author: one.author, ...(one.author === 'extractor' ? { evidence } : {}) }
  return writer.edit({ edits: editsFor(one, { target, other, index }), ...who })
}

function editsFor(
  one: Exclude<Operation, { kind: 'remember' }>,
  { target, other, index }: { target: { id: string; body: string }; other: { id: string }; index: number },
): readonly Edit[] {
  switch (one.kind) {
    case 'replace':
      return [{ action: 'replace', find: target.body.trim(), text: `${one.words} r${index}`, in: target.id }]
    case 'remove':
      return [{ action: 'remove', in: target.id }]
    case 'move':
      return [{ action: 'move', in: target.id, to: one.to }]
    case 'batch':
      return [
        { action: 'add', text: `${one.words} b${index}`, pin: true },
        { action: 'move', in: other.id, to: 'profile' },
      ]
  }
}

describe('any sequence of writes by anybody [W3]', () => {
  it('never goes over a cap, destroys nothing, and says what overflowed', async () => {
    const seen = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 25 }), async (operations) => {
        const folder = mkdtempSync(join(home, 'run-'))
        const here = stage(folder, tight)
        const stored = new Set<string>()
        for (const [index, one] of operations.entries()) {
          const before = await notesOf(here)
          const result = await perform(here, one, index).catch((error: { code?: string }) => {
            // Two copies of one name: the edit names nothing that is unique.
            if (error.code === 'NOTE_AMBIGUOUS' || error.code === 'INPUT_INVALID') return null
            throw error
          })
          const after = await notesOf(here)
          await expectWithinCaps(here)
          for (const note of after) stored.add(note.body.trim())
          if (result === null) continue
          const code = result.outcome === 'rejected' ? result.reason.code : result.outcome
          seen.set(`${one.author} ${one.kind} ${code}`, (seen.get(`${one.author} ${one.kind} ${code}`) ?? 0) + 1)
          if (result.outcome === 'rejected') {
            expect(after.map(({ hash }) => hash).sort()).toEqual(before.map(({ hash }) => hash).sort())
            if (result.reason.code === 'profile-full') expect(result.profile?.length).toBeGreaterThan(0)
          }
          const isUnattended = one.author === 'extractor' || one.author === 'import'
          // What brings nothing new (the same words of the same message) leaves the note as it became since.
          const isNew = result.outcome === 'written' || result.outcome === 'merged'
          if (one.kind === 'remember' && isUnattended && one.pin && isNew && 'note' in result && !result.note.pinned)
            expect(result.notices.join()).toContain('ordinary note')
          if (one.kind === 'remember' && isUnattended) expect(code).not.toBe('profile-full')
        }
        // Every text that was ever stored is in a note, or in the history.
        const texts = (await notesOf(here)).map(({ body }) => body.trim())
        const kept = await everyVersion(here)
        for (const text of stored) expect(texts.includes(text) || kept.includes(text)).toBe(true)
      }),
      { numRuns: 30 },
    )
    // The law would be empty if nothing ever overflowed.
    const count = (pattern: RegExp) => [...seen].filter(([key]) => pattern.test(key)).reduce((sum, [, n]) => sum + n, 0)
    expect(count(/^(person|agent) .* profile-full/)).toBeGreaterThan(5)
    expect(count(/^(extractor|import) remember (written|merged)/)).toBeGreaterThan(5)
    expect(count(/ replace merged/)).toBeGreaterThan(5)
  }, 120_000)
})

async function everyVersion({ history }: Stage): Promise<string> {
  const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
  const found: string[] = []
  for (const layer of [globalLayer, projectLayer])
    for (const { id } of await history.versions.log(layer, { limit: 1_000 }))
      for (const { before, after } of await history.versions.versions(layer, id))
        found.push(decode(before?.bytes), decode(after?.bytes))
  return found.join('\n')
}

describe('a full profile [W3]', () => {
  const full = async () => {
    const { store, writer } = stage(home)
    await writer.remember({ text: `Person's own ${'p'.repeat(40)}`, type: 'user', pin: true, name: 'own' })
    await writer.remember({
      text: `An agent's ${'a'.repeat(40)}`,
      type: 'user',
      pin: true,
      name: 'ag',
      author: 'agent',
    })
    return { store, writer }
  }

  it('refuses an agent with the use and the entries, without those of the person', async () => {
    const { writer, store } = await full()
    const before = await store.everything()
    const result = await writer.edit({
      edits: [{ action: 'add', text: `More ${'m'.repeat(30)}`, type: 'user', pin: true }],
      author: 'agent',
    })
    if (result.outcome !== 'rejected') throw new Error(result.outcome)
    expect(result.reason.code).toBe('profile-full')
    expect(result.reason.message).toMatch(
      /User profile \[\d{3}% — 14\d\/120 chars\]\. One entry that the person pinned is not offered/,
    )
    expect(result.entries.map(({ note }) => note.name)).toEqual(['ag'])
    expect(result.profile.find(({ store: name }) => name === 'user')?.chars).toBe(53 + 3 + 51)
    expect(await store.everything()).toBe(before)
  })

  it('lets the agent consolidate in the same call, and what leaves stays as a note', async () => {
    const { writer, store } = await full()
    const result = await writer.edit({
      edits: [
        { action: 'move', in: 'ag', to: 'note' },
        { action: 'add', text: `More ${'m'.repeat(30)}`, type: 'user', pin: true },
      ],
      author: 'agent',
    })
    expect(result.outcome).toBe('written')
    expect(await store.everything()).toContain("An agent's aaaa")
  })

  it.each(['extractor', 'import'] as const)('an unattended %s gets an ordinary note and it is said', async (author) => {
    const { writer } = await full()
    const result = await writer.remember({
      text: `More ${'m'.repeat(30)}`,
      type: 'user',
      pin: true,
      author,
      ...(author === 'extractor' ? { evidence } : {}),
    })
    expect(result).toMatchObject({ outcome: 'written', note: { pinned: false } })
    expect(result.notices.join()).toMatch(/No room in the profile \(User profile \[.*\]\), so it is an ordinary note\./)
  })

  it('a move of a pinned note to a full layer is refused, and so is a person', async () => {
    const { writer } = await full()
    await writer.remember({ text: `Here ${'h'.repeat(30)}`, type: 'user', layer: 'project', pin: true, name: 'here' })
    const moved = await writer.edit({ edits: [{ action: 'move', in: 'here', to: 'global' }] })
    expect(moved).toMatchObject({ outcome: 'rejected', reason: { code: 'profile-full' } })
    const pinned = await writer.remember({ text: `Here ${'h'.repeat(40)}`, type: 'user', layer: 'global', pin: true })
    expect(pinned).toMatchObject({ outcome: 'rejected', reason: { code: 'profile-full' } })
  })

  it('a yes in review does not make it larger than it may be', async () => {
    const { store } = stage(home)
    const { config } = store.dependencies
    const review = store.with({ config: { ...config, modes: { ...config.modes, global: 'review' } } })
    await review.remember({ text: `More ${'m'.repeat(80)}`, type: 'user', layer: 'global', pin: true })
    await store.writer.remember({ text: `Mine ${'p'.repeat(60)}`, type: 'user', layer: 'global', pin: true })
    const waiting = await store.waiting()
    const { decided } = await store.writer.review.approve(waiting, {})
    expect(decided).toMatchObject([{ outcome: 'refused', refusal: 'profile-full' }])
    expect(await store.waiting()).toHaveLength(1)
  })

  it('that files made too large by hand may shrink and stay, never grow', async () => {
    const { writer, store } = await full()
    const text = `---\nname: hand\ntype: user\npinned: true\n---\n\n${'x'.repeat(300)} end\n`
    store.files.person.put(globalLayer, 'user_hand.md', new TextEncoder().encode(text))
    const edit = (find: string, to: string) =>
      writer.edit({ edits: [{ action: 'replace', find, text: to, in: 'hand' }], author: 'agent' })
    expect(await edit('end', 'end and more')).toMatchObject({ reason: { code: 'profile-full' } })
    expect((await edit('x'.repeat(300), 'x'.repeat(250))).outcome).toBe('merged')
    expect((await edit('end', 'fin')).outcome).toBe('merged')
  })
})
