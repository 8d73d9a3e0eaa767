import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createNoteHistory, type NoteHistory } from '../store/notes/history.ts'
import { readChanges } from '../store/notes/history-log.ts'
import { createMemoryHistoryModes } from '../store/notes/history-modes.ts'
import { createMemoryHistory } from '../store/notes/memory-history.ts'
import { createWriteHarness, globalLayer, projectLayer, type WriteHarness } from '../testing/write-harness.ts'
import type { Writer } from './dependencies.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const layers = [projectLayer, globalLayer]

describe('undo', () => {
  let home: string
  let harness: WriteHarness
  let history: NoteHistory
  let writer: Writer
  let problems: unknown[]
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'keepsake-undo-'))
    harness = createWriteHarness({ home })
    problems = []
    const { clock, ids } = harness.dependencies
    const versions = createMemoryHistory()
    const onProblem = (error: unknown) => problems.push(error)
    history = createNoteHistory({ versions, modes: createMemoryHistoryModes(), clock, ids, off: false, onProblem })
    writer = harness.with({ history })
  })
  afterEach(() => {
    rmSync(home, { recursive: true, force: true })
    expect(problems).toEqual([])
  })

  const state = async () => {
    const texts: Record<string, string> = {}
    for (const layer of layers)
      for (const file of await harness.list(layer)) texts[`${layer.key}/${file}`] = await harness.text(layer, file)
    return texts
  }
  const changes = async () => (await readChanges(history, layers, { limit: 100 })).map(({ change }) => change)
  const remember = (text: string, more = {}) => writer.remember({ text, layer: 'project', ...more })
  const idIn = (notices: readonly string[]) => /keepsake undo ([0-9a-f]{12})/.exec(notices.join('\n'))?.[1]

  it('a new note, a new version, a move, a forget: each notice names the change that takes it back', async () => {
    const states = [await state()]
    const ids: string[] = []
    const note = async (notices: readonly string[]) => {
      ids.push(idIn(notices) ?? 'none')
      states.push(await state())
    }
    await note((await remember('Invoices are sent on Mondays', { name: 'Invoices' })).notices)
    await note((await remember('Invoices are sent on Fridays', { name: 'Invoices' })).notices)
    await note((await writer.move({ reference: 'Invoices', layer: 'global' })).notices)
    await note((await writer.forget('Invoices')).notices)
    expect(new Set(ids).size).toBe(4)
    for (const [index, id] of ids.toReversed().entries()) {
      expect(await writer.undo(id)).toMatchObject({ outcome: 'undone', change: { id } })
      expect(await state()).toEqual(states[states.length - 2 - index])
    }
  })

  it('without an id: the last change of ours, then the one before it, never an undo or a change from outside', async () => {
    await remember('One fact about billing')
    harness.files.person.put(projectLayer, 'project_hand.md', encode('by hand'))
    await remember('Another fact about billing')
    expect((await writer.undo()).files.map(({ change }) => change)).toEqual(['removed'])
    await writer.undo()
    expect(Object.keys(await state())).toEqual([`${projectLayer.key}/project_hand.md`])
    await expect(writer.undo()).rejects.toMatchObject({ code: 'CHANGE_NOT_FOUND' })
  })

  it('an undo of an undo brings the change again, and so on', async () => {
    await remember('The ledger closes at noon', { name: 'Ledger' })
    const kept = await state()
    let id = idIn((await writer.undo()).notices)
    for (const expected of [kept, {}, kept, {}]) {
      id = idIn((await writer.undo(id)).notices)
      expect(await state()).toEqual(expected)
    }
    expect((await changes()).map(({ undone }) => undone)).toEqual([false, true, false, true, false, true])
  })

  it('undo of a forget lifts the tombstone, and undo of that sets it again', async () => {
    const words = { text: 'The vault is opened by Ana', author: 'agent' as const, layer: 'project' as const }
    await writer.remember(words)
    const found = (await harness.list(projectLayer))[0] ?? ''
    await writer.forget(found)
    expect((await writer.remember(words)).outcome).toBe('rejected')
    const back = await writer.undo()
    expect(harness.tombstones.since(0)).toEqual([])
    expect((await writer.remember(words)).outcome).toBe('unchanged')
    await writer.undo(idIn(back.notices))
    expect(harness.tombstones.since(0)).toHaveLength(1)
    expect((await writer.remember(words)).outcome).toBe('rejected')
  })

  it('a note whose writing is taken back does not come back by itself', async () => {
    const words = { text: 'Refunds need two approvals', author: 'agent' as const, layer: 'project' as const }
    await writer.remember(words)
    await writer.undo()
    expect((await writer.remember(words)).outcome).toBe('rejected')
  })

  it('a move is taken back in both layers, without a tombstone', async () => {
    await remember('The archive lives in Riga', { name: 'Archive' })
    const before = await state()
    await writer.move({ reference: 'Archive', layer: 'global' })
    const [moved] = await changes()
    expect(moved).toMatchObject({ kind: 'move', files: [{ change: 'added' }, { change: 'removed' }] })
    await writer.undo(moved?.id)
    expect(await state()).toEqual(before)
    expect(harness.tombstones.since(0)).toEqual([])
  })

  it('either half of a move names the whole', async () => {
    await remember('The archive lives in Oslo', { name: 'Archive' })
    const before = await state()
    await writer.move({ reference: 'Archive', layer: 'global' })
    const half = (await history.versions.log(globalLayer, { limit: 1 }))[0]?.id ?? ''
    await writer.undo(half)
    expect(await state()).toEqual(before)
  })

  describe('changed since', () => {
    const file = 'project_meetings.md'
    const long = Array.from({ length: 12 }, (_, at) => `Meeting ${at} is on day ${at}.`).join('\n')
    const edit = async (text: string) => {
      harness.files.person.put(projectLayer, file, encode(text))
      return text
    }
    beforeEach(async () => {
      await remember(long, { name: 'Meetings', type: 'project' })
      harness.clock.set(harness.clock.now() + 60_000)
      await remember(long.replace('day 3', 'day 33'), { name: 'Meetings' })
    })

    it('later words elsewhere in the file stay', async () => {
      const now = await harness.text(projectLayer, file)
      const at = now.lastIndexOf('day 9.')
      await edit(`${now.slice(0, at)}day 99.${now.slice(at + 6)}`)
      expect(await writer.undo()).toMatchObject({
        outcome: 'undone',
        notices: [expect.stringMatching(/Later words/), expect.anything()],
      })
      const text = await harness.text(projectLayer, file)
      expect(text).toContain('day 99')
      expect(text).toContain('day 3.')
      expect(text).not.toContain('day 33')
    })

    it.each([
      ['the same line', (text: string) => text.replace('day 33', 'day 34')],
      ['the next line', (text: string) => text.replace('day 4', 'day 44')],
      ['everything', () => 'other words\n'],
    ])('refused when later words touch it: %s', async (_, how) => {
      const words = await edit(how(await harness.text(projectLayer, file)))
      await expect(writer.undo()).rejects.toMatchObject({
        code: 'NOTE_CHANGED_ON_DISK',
        hint: expect.stringContaining('keepsake history'),
        data: { file },
      })
      expect(await harness.text(projectLayer, file)).toBe(words)
      expect((await changes()).filter(({ kind }) => kind === 'undo')).toEqual([])
    })

    it('refused when the note is gone, and when the note that it made was edited', async () => {
      const [, first] = (await changes()).map(({ id }) => id)
      harness.files.person.remove(projectLayer, file)
      await expect(writer.undo()).rejects.toMatchObject({ code: 'NOTE_CHANGED_ON_DISK' })
      await edit('other words\n')
      await expect(writer.undo(first)).rejects.toMatchObject({ code: 'NOTE_CHANGED_ON_DISK' })
      expect(await harness.text(projectLayer, file)).toBe('other words\n')
    })

    it('one file that cannot be taken back keeps all others as they are', async () => {
      const put = (name: string, text: string) => harness.files.person.put(projectLayer, name, encode(text))
      const catchUp = () => harness.files.withLock(projectLayer, {}, (locked) => history.catchUp(locked))
      for (const name of ['a.md', 'b.md']) put(name, 'old\n')
      await catchUp()
      for (const name of ['a.md', 'b.md']) put(name, 'new\n')
      await catchUp()
      const [bulk] = await changes()
      put('b.md', 'newer\n')
      await expect(writer.undo(bulk?.id)).rejects.toMatchObject({ code: 'NOTE_CHANGED_ON_DISK' })
      expect([await harness.text(projectLayer, 'a.md'), await harness.text(projectLayer, 'b.md')]).toEqual([
        'new\n',
        'newer\n',
      ])
    })

    it('what is already as it was is told as such', async () => {
      const [last] = await changes()
      await writer.undo(last?.id)
      const before = await changes()
      expect(await writer.undo(last?.id)).toMatchObject({ outcome: 'unchanged', files: [] })
      expect(await changes()).toEqual(before)
    })
  })

  it('says who did it: the person, or the agent by its name', async () => {
    await remember('The press starts at six', { name: 'Press', author: 'agent', agent: 'claude-code' })
    await remember('The press starts at seven', { name: 'Press' })
    await writer.forget('Press', { agent: 'codex' })
    await writer.undo()
    expect((await changes()).map(({ author }) => author)).toEqual(['person', 'codex', 'person', 'claude-code'])
  })

  it('a dry run changes nothing', async () => {
    await remember('The press starts at six')
    const before = [await state(), await changes()]
    expect(await writer.undo(undefined, { dryRun: true })).toMatchObject({
      outcome: 'undone',
      files: [{ change: 'removed' }],
    })
    expect([await state(), await changes()]).toEqual(before)
    expect(harness.tombstones.since(0)).toEqual([])
  })

  it('MEMORY.md follows', async () => {
    await remember('The press starts at six', { name: 'Press' })
    expect(await harness.index(projectLayer)).toContain('press')
    await writer.undo()
    expect(await harness.index(projectLayer)).not.toContain('press')
  })

  it.each([
    ['abcdef012345', 'CHANGE_NOT_FOUND'],
    ['abc', 'CHANGE_NOT_FOUND'],
    ['', 'CHANGE_NOT_FOUND'],
    ['--all', 'CHANGE_NOT_FOUND'],
  ])('the id %j names nothing', async (id, code) => {
    await remember('The press starts at six')
    await expect(writer.undo(id)).rejects.toMatchObject({ code })
  })

  it.each(['read-only', 'off'] as const)('a layer that is %s is not written', async (mode) => {
    await remember('The press starts at six')
    const before = await state()
    const closed = harness.with({
      history,
      config: { ...harness.dependencies.config, modes: { global: 'auto', project: mode, team: 'auto' } },
    })
    expect((await closed.undo()).outcome).toBe('rejected')
    expect(await state()).toEqual(before)
  })

  it('a change that also lies in a layer out of reach is refused', async () => {
    await remember('The archive lives in Riga', { name: 'Archive' })
    await writer.move({ reference: 'Archive', layer: 'global' })
    const before = await state()
    const elsewhere = harness.with({
      history,
      project: null,
      currentLayers: async () => ({ global: globalLayer, project: null }),
    })
    expect(await elsewhere.undo()).toMatchObject({
      outcome: 'rejected',
      notices: [expect.stringContaining(projectLayer.key)],
    })
    expect(await state()).toEqual(before)
  })

  it('without history it says why, and the notices of writes name what works', async () => {
    const without = harness.writer
    const kept = await without.remember({ text: 'The press starts at six' })
    expect(kept.notices.join()).toContain('keepsake forget')
    await expect(without.undo()).rejects.toMatchObject({ code: 'HISTORY_UNAVAILABLE', hint: expect.any(String) })
  })
})
