import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_CONFIG, type LayerMode } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { readNote } from '../store/notes/note-format.ts'
import { createWriteHarness, globalLayer, projectLayer, type WriteHarnessOptions } from '../testing/write-harness.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keepsake-write-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const start = (options: Partial<WriteHarnessOptions> = {}) => createWriteHarness({ home, ...options })
const bytes = (text: string) => new TextEncoder().encode(text)
const configWith = (modes: Partial<Record<'global' | 'project', LayerMode>>) => ({
  ...DEFAULT_CONFIG,
  modes: { ...DEFAULT_CONFIG.modes, ...modes },
})

describe('move', () => {
  it('takes a note to another layer under the same id, and renews nothing', async () => {
    const store = start()
    const made = await store.writer.remember({ text: 'Use tabs in Go files.', name: 'indent' })
    store.clock.set(Date.UTC(2027, 1, 1))
    const moved = await store.writer.move({ reference: 'indent', layer: 'project' })
    expect(moved).toMatchObject({ outcome: 'written', note: { layer: 'project', updated: '2026-11-29T20:24:00Z' } })
    if (made.outcome !== 'written' || moved.outcome !== 'written') throw new Error('unexpected outcome')
    expect(moved.note.id).toBe(made.note.id)
    expect([await store.list(globalLayer), await store.list(projectLayer)]).toEqual([[], ['feedback_indent.md']])
    expect(await store.index(globalLayer)).not.toContain('indent')
    expect(await store.index(projectLayer)).toContain('feedback_indent.md')
  })

  it('keeps derived id, type and bytes of a file by hand', async () => {
    const store = start()
    store.files.person.put(globalLayer, 'about me.md', bytes('# About me\r\n\r\nI like tea.\r\n'))
    const id = readNote(bytes('# About me\n'), { layer: 'global', file: 'about me.md' }).id
    const moved = await store.writer.move({ reference: 'about me.md', layer: 'project' })
    expect(moved).toMatchObject({ outcome: 'written', note: { id, type: 'user', name: 'About me' } })
    expect(await store.text(projectLayer, 'about me.md')).toContain('# About me\r\n\r\nI like tea.\r\n')
  })

  it('to where it is already: unchanged', async () => {
    const store = start()
    await store.writer.remember({ text: 'Use tabs.', name: 'indent', layer: 'global' })
    expect((await store.writer.move({ reference: 'indent', layer: 'global' })).outcome).toBe('unchanged')
  })

  it('a name that is taken there is refused with the note that has it', async () => {
    const store = start()
    await store.writer.remember({ text: 'Use tabs.', name: 'indent', layer: 'global' })
    await store.writer.remember({ text: 'Use spaces here.', name: 'Indent!', layer: 'project' })
    const before = await store.everything()
    const moved = await store.writer.move({ reference: 'indent', layer: 'project' })
    expect(moved).toMatchObject({ outcome: 'rejected', reason: { code: 'name-taken' }, similar: [{ name: 'Indent!' }] })
    expect(await store.everything()).toBe(before)
  })

  it('a file name that is taken there gets a number; nothing is overwritten', async () => {
    const store = start()
    await store.writer.remember({ text: 'Use tabs.', name: 'indent', layer: 'global', type: 'feedback' })
    store.files.person.put(projectLayer, 'feedback_indent.md', bytes('---\nname: other\n---\nby hand\n'))
    expect((await store.writer.move({ reference: 'indent', layer: 'project' })).outcome).toBe('written')
    expect(await store.list(projectLayer)).toEqual(['feedback_indent-2.md', 'feedback_indent.md'])
  })

  it.each([
    ['before the copy is written', 'write feedback_indent.md'],
    ['between the two steps', 'remove feedback_indent.md'],
    ['before MEMORY.md', 'index'],
  ])('killed %s, moving again finishes it, and the note is never gone', async (_label, step) => {
    let armed = false
    const store = start({
      before: (each) => {
        if (armed && each === step) {
          armed = false
          throw new Error('killed')
        }
      },
    })
    const made = await store.writer.remember({ text: 'Use tabs.', name: 'indent', layer: 'global', type: 'feedback' })
    if (made.outcome !== 'written') throw new Error('unexpected outcome')
    armed = true
    // A fault at MEMORY.md is a notice; at the notes it ends the call.
    await store.writer.move({ reference: made.note.id, layer: 'project' }).catch((error: Error) => {
      expect(error.message).toBe('killed')
    })
    const copies = [...(await store.list(globalLayer)), ...(await store.list(projectLayer))]
    expect(copies.length).toBeGreaterThanOrEqual(1)
    const again = await store.writer.move({ reference: made.note.id, layer: 'project' })
    expect(['written', 'unchanged']).toContain(again.outcome)
    expect([await store.list(globalLayer), await store.list(projectLayer)]).toEqual([[], ['feedback_indent.md']])
  })

  it('words that were added while it moved are the ones that arrive', async () => {
    let armed = true
    const store = start({
      before: (step) => {
        if (!armed || step !== 'remove feedback_indent.md') return
        armed = false
        store.files.person.append(globalLayer, 'feedback_indent.md', bytes('Also in Rust.\n'))
      },
    })
    await store.writer.remember({ text: 'Use tabs.', name: 'indent', layer: 'global', type: 'feedback' })
    expect((await store.writer.move({ reference: 'indent', layer: 'project' })).outcome).toBe('written')
    expect(await store.list(globalLayer)).toEqual([])
    expect(await store.text(projectLayer, 'feedback_indent.md')).toContain('Also in Rust.')
    expect(await store.list(projectLayer)).toEqual(['feedback_indent.md'])
  })

  it.each<[LayerMode, string]>([
    ['off', 'rejected'],
    ['read-only', 'rejected'],
    ['review', 'proposed'],
  ])('a target that is %s: %s, nothing moved', async (mode, outcome) => {
    const store = start()
    await store.writer.remember({ text: 'Use tabs.', name: 'indent', layer: 'global' })
    const result = await store
      .with({ config: configWith({ project: mode }) })
      .move({ reference: 'indent', layer: 'project' })
    expect(result.outcome).toBe(outcome)
    expect(await store.list(projectLayer)).toEqual([])
    expect(await store.list(globalLayer)).toEqual(['feedback_indent.md'])
    if (mode === 'review') expect(await store.waiting()).toMatchObject([{ operation: 'move', layer: projectLayer.key }])
  })

  it('without a project, or to no layer, is wrong input', async () => {
    const store = start({ project: null })
    await store.writer.remember({ text: 'Use tabs.', name: 'indent' })
    const toProject = store.writer.move({ reference: 'indent', layer: 'project' })
    await expect(toProject).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    // Wrong on purpose: what a caller without types may pass.
    const toTeam = store.writer.move({ reference: 'indent', layer: 'team' as never })
    await expect(toTeam).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  })

  it('a note whose front matter cannot be read keeps its place', async () => {
    const store = start()
    store.files.person.put(globalLayer, 'odd.md', bytes('---\nname: odd\nx: [\n---\nwords\n'))
    await expect(store.writer.move({ reference: 'odd.md', layer: 'project' })).rejects.toMatchObject({
      code: 'NOTE_FORMAT_INVALID',
    })
    expect([await store.list(globalLayer), await store.list(projectLayer)]).toEqual([['odd.md'], []])
  })
})

describe('forget', () => {
  it('takes the file and its line away, and leaves hashes only', async () => {
    const store = start()
    const secretWord = 'zanzibar'
    await store.writer.remember({
      text: `The code word is ${secretWord}.`,
      name: `about ${secretWord}`,
      layer: 'global',
    })
    const result = await store.writer.forget(`about ${secretWord}`)
    expect(result).toMatchObject({ outcome: 'forgotten', note: { name: `about ${secretWord}` } })
    expect(result.notices.join(' ')).toContain('keepsake remember')
    expect(await store.everything()).not.toContain(secretWord)
    expect(readFileSync(join(home, 'tombstones.jsonl'), 'utf8')).not.toContain(secretWord)
    expect(store.tombstones.since(0)).toHaveLength(1)
  })

  it('sets the tombstone before the file goes', async () => {
    const seen: number[] = []
    const store = start({
      before: (step) => {
        if (step.startsWith('remove')) seen.push(store.tombstones.since(0).length)
      },
    })
    await store.writer.remember({ text: 'Use tabs.', name: 'indent', layer: 'global' })
    await store.writer.forget('indent')
    expect(seen).toEqual([1])
  })

  it('a removal that fails leaves note and no tombstone', async () => {
    const store = start({
      before: (step) => {
        if (step.startsWith('remove')) throw new MemoryError('STORE_READ_ONLY', 'read-only')
      },
    })
    await store.writer.remember({ text: 'Use tabs.', name: 'indent', layer: 'global' })
    await expect(store.writer.forget('indent')).rejects.toMatchObject({ code: 'STORE_READ_ONLY' })
    expect(await store.list(globalLayer)).toHaveLength(1)
    expect(store.tombstones.since(0)).toEqual([])
  })

  it('a note that changed meanwhile is forgotten as it is now', async () => {
    let armed = true
    const store = start({
      before: (step) => {
        if (!armed || !step.startsWith('remove')) return
        armed = false
        store.files.person.append(globalLayer, 'feedback_indent.md', bytes('Also in Rust.\n'))
      },
    })
    await store.writer.remember({ text: 'Use tabs.', name: 'indent', layer: 'global' })
    expect((await store.writer.forget('indent')).outcome).toBe('forgotten')
    expect(await store.list(globalLayer)).toEqual([])
    expect(store.tombstones.since(0)).toHaveLength(1)
  })

  it.each<[LayerMode, string]>([
    ['off', 'rejected'],
    ['read-only', 'rejected'],
    ['review', 'proposed'],
  ])('in a layer that is %s: %s, the note stays', async (mode, outcome) => {
    const store = start()
    await store.writer.remember({ text: 'Use tabs.', name: 'indent', layer: 'global' })
    const result = await store.with({ config: configWith({ global: mode }) }).forget('indent')
    expect(result.outcome).toBe(outcome)
    expect(await store.list(globalLayer)).toEqual(['feedback_indent.md'])
    expect(store.tombstones.since(0)).toEqual([])
    if (mode === 'review') expect(await store.waiting()).toMatchObject([{ operation: 'remove', proposed: null }])
  })

  it('a dry run, a newer home and a cancelled call change nothing', async () => {
    const store = start()
    await store.writer.remember({ text: 'Use tabs.', name: 'indent', layer: 'global' })
    expect((await store.writer.forget('indent', { dryRun: true })).outcome).toBe('forgotten')
    expect((await store.with({ writable: false }).forget('indent')).outcome).toBe('rejected')
    await expect(store.writer.forget('indent', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'CANCELLED',
    })
    expect(await store.list(globalLayer)).toEqual(['feedback_indent.md'])
    expect(store.tombstones.since(0)).toEqual([])
  })

  it('a file that cannot be parsed can still be forgotten', async () => {
    const store = start()
    store.files.person.put(globalLayer, 'odd.md', bytes('---\nname: odd\nx: [\n---\nwords\n'))
    expect((await store.writer.forget('odd.md')).outcome).toBe('forgotten')
    expect(await store.list(globalLayer)).toEqual([])
  })
})

describe('BL-32: never more than asked', () => {
  const idOf = (tail: string) => `01KA1B2C${tail.padStart(18, '0')}`
  const note = (id: string, name: string, text: string) =>
    bytes(`---\nid: ${id}\nname: ${name}\ntype: user\n---\n\n${text}\n`)
  const setUp = () => {
    const store = start()
    store.files.person.put(globalLayer, 'one.md', note(idOf('1'), 'I like tea', 'I like tea'))
    store.files.person.put(
      globalLayer,
      'two.md',
      note(idOf('2'), 'I like tea in the morning', 'I like tea in the morning'),
    )
    store.files.person.put(projectLayer, 'three.md', note(idOf('3'), 'coffee', 'I like coffee'))
    return store
  }

  it.each<[string, string]>([
    ['two characters of an id', '01'],
    ['five characters of an id', '01KA1'],
    ['a percent sign', '%'],
    ['a star', '*'],
    ['an underscore', '_'],
    ['a part of a name', 'tea'],
    ['a part of a text', 'like'],
    ['a path outside', '../global/one.md'],
    ['SQL', "' OR '1'='1"],
    ['an id that was cut', idOf('1').slice(0, 25).replace(/^01/, '02')],
  ])('%s finds nothing, says so, and removes nothing', async (_label, reference) => {
    const store = setUp()
    await expect(store.writer.forget(reference)).rejects.toMatchObject({ code: 'NOTE_NOT_FOUND' })
    expect([await store.list(globalLayer), await store.list(projectLayer)]).toEqual([
      ['one.md', 'two.md'],
      ['three.md'],
    ])
  })

  it.each(['', ' ', '\t\n'])('an empty reference (%j) is wrong input, not "not found"', async (reference) => {
    const store = setUp()
    await expect(store.writer.forget(reference)).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    expect(await store.list(globalLayer)).toHaveLength(2)
  })

  it('a prefix that several ids share gives the candidates and removes nothing', async () => {
    const store = setUp()
    await expect(store.writer.forget('01KA1B2C')).rejects.toMatchObject({
      code: 'NOTE_AMBIGUOUS',
      data: {
        candidates: [{ name: 'coffee' }, { name: 'I like tea' }, { name: 'I like tea in the morning' }],
        omitted: 0,
      },
    })
    expect(await store.list(globalLayer)).toHaveLength(2)
  })

  it.each([
    ['the whole name', 'I like tea'],
    ['the name in another case', 'i LIKE tea!'],
    ['the file', 'one.md'],
    ['the id', idOf('1')],
    ['the id in lower case', idOf('1').toLowerCase()],
  ])('%s takes exactly that one', async (_label, reference) => {
    const store = setUp()
    expect(await store.writer.forget(reference)).toMatchObject({ outcome: 'forgotten', note: { name: 'I like tea' } })
    expect([await store.list(globalLayer), await store.list(projectLayer)]).toEqual([['two.md'], ['three.md']])
  })

  it('one name in two layers is ambiguous', async () => {
    const store = setUp()
    store.files.person.put(projectLayer, 'four.md', note(idOf('4'), 'I like tea', 'here too'))
    await expect(store.writer.forget('I like tea')).rejects.toMatchObject({ code: 'NOTE_AMBIGUOUS' })
  })

  it('one id in two layers, as a killed move leaves it, is one note', async () => {
    const store = setUp()
    store.files.person.put(projectLayer, 'one.md', note(idOf('1'), 'I like tea', 'I like tea'))
    expect((await store.writer.forget(idOf('1'))).outcome).toBe('forgotten')
    expect([await store.list(globalLayer), await store.list(projectLayer)]).toEqual([['two.md'], ['three.md']])
  })
})
