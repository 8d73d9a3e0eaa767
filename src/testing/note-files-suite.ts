/**
 * Contract of the port `NoteFiles`: bytes come back as they went in, nobody is overwritten unseen, one writer per
 * layer, and a listing says what it leaves out. Every driver runs it with the hands of a person beside it.
 */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Layer } from '../domain/index.ts'
import type { NoteFiles } from '../store/notes/note-files.ts'
import { sha256 } from '../util/index.ts'

export interface NoteFilesHarness {
  readonly files: NoteFiles
  layer(key: string): Layer
  /** A person who edits without asking. */
  readonly person: {
    put(layer: Layer, file: string, bytes: Uint8Array): void
    append(layer: Layer, file: string, bytes: Uint8Array): void
    remove(layer: Layer, file: string): void
    /** The whole folder goes. */
    vanish(layer: Layer): void
  }
  dispose(): void
}

type Current = () => NoteFilesHarness

export function testNoteFiles(name: string, create: () => NoteFilesHarness): void {
  describe(name, () => {
    let harness: NoteFilesHarness
    beforeEach(() => {
      harness = create()
    })
    afterEach(() => harness.dispose())
    const current = () => harness

    describe('bytes', () => testBytes(current))
    describe('expected hash', () => testExpectedHash(current))
    describe('names', () => testNames(current))
    describe('listing', () => testListing(current))
    describe('lock', () => testLock(current))
  })
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function textOf(found: { readonly bytes: Uint8Array } | null): string | null {
  return found ? new TextDecoder().decode(found.bytes) : null
}

function writeNote(harness: NoteFilesHarness, layer: Layer, file: string, text: string) {
  return harness.files.withLock(layer, {}, async (locked) => {
    const before = await locked.read(file)
    return locked.write(file, bytesOf(text), before?.hash ?? null)
  })
}

function testBytes(current: Current) {
  it('gives any bytes back, with their hash and size', async () => {
    const { files, layer } = current()
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (bytes) => {
        const global = layer('global')
        const written = await files.withLock(global, {}, async (locked) => {
          const before = await locked.read('project_any.md')
          return locked.write('project_any.md', bytes, before?.hash ?? null)
        })
        const found = await files.read(global, 'project_any.md')
        expect(Buffer.compare(found?.bytes ?? Buffer.from('none'), bytes)).toBe(0)
        expect(found).toMatchObject({ hash: sha256(bytes), size: bytes.length })
        expect(written).toMatchObject({ hash: sha256(bytes), size: bytes.length })
      }),
      { numRuns: 25 },
    )
  })

  it('keeps layers apart', async () => {
    const harness = current()
    const { files, layer } = harness
    await writeNote(harness, layer('projects/one-aaaaaaaa'), 'project_x.md', 'one')
    await writeNote(harness, layer('projects/two-bbbbbbbb'), 'project_x.md', 'two')
    expect(textOf(await files.read(layer('projects/one-aaaaaaaa'), 'project_x.md'))).toBe('one')
    expect(textOf(await files.read(layer('projects/two-bbbbbbbb'), 'project_x.md'))).toBe('two')
    expect(await files.read(layer('global'), 'project_x.md')).toBeNull()
  })

  it('writes into sub-folders', async () => {
    const harness = current()
    await writeNote(harness, harness.layer('global'), 'areas/工具/user_editor.md', 'vim')
    expect(textOf(await harness.files.read(harness.layer('global'), 'areas/工具/user_editor.md'))).toBe('vim')
  })

  it('keeps the index apart from the notes', async () => {
    const { files, layer } = current()
    const global = layer('global')
    expect(await files.readIndex(global)).toBeNull()
    await files.withLock(global, {}, async (locked) => {
      await locked.writeIndex(bytesOf('# Memory\n'), null)
      expect(textOf(await locked.readIndex())).toBe('# Memory\n')
      await locked.writeIndex(bytesOf('# Memory\n- a\n'), sha256('# Memory\n'))
    })
    expect(textOf(await files.readIndex(global))).toBe('# Memory\n- a\n')
    expect((await files.list(global)).files).toEqual([])
  })

  it('leaves equal bytes alone', async () => {
    const harness = current()
    const global = harness.layer('global')
    const first = await writeNote(harness, global, 'user_a.md', 'same')
    expect(await writeNote(harness, global, 'user_a.md', 'same')).toEqual(first)
  })
}

function testExpectedHash(current: Current) {
  const wrong = sha256('something else')
  it.each([
    ['null, but it exists', 'there', null],
    ['another hash', 'there', wrong],
    ['a hash, but it does not exist', null, wrong],
  ])('refuses a write with %s', async (_case, existing, expected) => {
    const { files, layer, person } = current()
    const global = layer('global')
    if (existing !== null) person.put(global, 'user_a.md', bytesOf(existing))
    const write = files.withLock(global, {}, (locked) => locked.write('user_a.md', bytesOf('mine'), expected))
    await expect(write).rejects.toMatchObject({ code: 'NOTE_CHANGED_ON_DISK' })
    expect(textOf(await files.read(global, 'user_a.md'))).toBe(existing)
  })

  const betweenLookAndWrite = async (harness: NoteFilesHarness, act: (global: Layer) => void) => {
    const global = harness.layer('global')
    harness.person.put(global, 'user_a.md', bytesOf('first\n'))
    return harness.files.withLock(global, {}, async (locked) => {
      const before = await locked.read('user_a.md')
      act(global)
      return locked.write('user_a.md', bytesOf('mine\n'), before?.hash ?? null)
    })
  }

  it.each([
    ['by hand\n', 'mine\nby hand\n'],
    ['手写\n第二行\n', 'mine\n手写\n第二行\n'],
  ])('carries over what a person appends between the look and the write: %j', async (tail, expected) => {
    const harness = current()
    const written = await betweenLookAndWrite(harness, (global) =>
      harness.person.append(global, 'user_a.md', bytesOf(tail)),
    )
    expect(textOf(await harness.files.read(harness.layer('global'), 'user_a.md'))).toBe(expected)
    expect(written.hash).toBe(sha256(expected))
  })

  it.each(['changed\n', 'First\nby hand\n', 'fir', ''])('refuses when a person saves %j in between', async (text) => {
    const harness = current()
    const write = betweenLookAndWrite(harness, (global) => harness.person.put(global, 'user_a.md', bytesOf(text)))
    await expect(write).rejects.toMatchObject({ code: 'NOTE_CHANGED_ON_DISK' })
    expect(textOf(await harness.files.read(harness.layer('global'), 'user_a.md'))).toBe(text)
  })

  it('refuses when a person removes it in between', async () => {
    const harness = current()
    const write = betweenLookAndWrite(harness, (global) => harness.person.remove(global, 'user_a.md'))
    await expect(write).rejects.toMatchObject({ code: 'NOTE_CHANGED_ON_DISK' })
    expect(await harness.files.read(harness.layer('global'), 'user_a.md')).toBeNull()
  })

  it('refuses a hash from before the lock, although the file only grew', async () => {
    const { files, layer, person } = current()
    const global = layer('global')
    person.put(global, 'user_a.md', bytesOf('first\n'))
    const before = await files.read(global, 'user_a.md')
    person.append(global, 'user_a.md', bytesOf('by hand\n'))
    const write = files.withLock(global, {}, (locked) => locked.write('user_a.md', bytesOf('mine\n'), before!.hash))
    await expect(write).rejects.toMatchObject({ code: 'NOTE_CHANGED_ON_DISK' })
  })

  it('removes only what was looked at', async () => {
    const { files, layer, person } = current()
    const global = layer('global')
    person.put(global, 'user_a.md', bytesOf('text'))
    const remove = (hash: string) => files.withLock(global, {}, (locked) => locked.remove('user_a.md', hash))
    await expect(remove(wrong)).rejects.toMatchObject({ code: 'NOTE_CHANGED_ON_DISK' })
    expect(textOf(await files.read(global, 'user_a.md'))).toBe('text')
    await remove(sha256('text'))
    expect(await files.read(global, 'user_a.md')).toBeNull()
    await expect(remove(sha256('text'))).rejects.toMatchObject({ code: 'NOTE_CHANGED_ON_DISK' })
  })

  it('refuses the index of someone else', async () => {
    const { files, layer, person } = current()
    const global = layer('global')
    person.put(global, 'MEMORY.md', bytesOf('by hand'))
    const write = files.withLock(global, {}, (locked) => locked.writeIndex(bytesOf('ours'), null))
    await expect(write).rejects.toMatchObject({ code: 'NOTE_CHANGED_ON_DISK' })
    expect(textOf(await files.readIndex(global))).toBe('by hand')
  })
}

const outsideNames = [
  '../user_a.md',
  'a/../../user_a.md',
  '/etc/user_a.md',
  'C:/user_a.md',
  '..\\user_a.md',
  '%2e%2e/user_a.md',
  'user_a\0.md',
  '．．/user_a.md',
  '',
  '~/user_a.md',
]

function testNames(current: Current) {
  it.each(outsideNames)('refuses the path %j on every door', async (file) => {
    const { files, layer } = current()
    const global = layer('global')
    const doors = [
      () => files.read(global, file),
      () => files.withLock(global, {}, (locked) => locked.read(file)),
      () => files.withLock(global, {}, (locked) => locked.write(file, bytesOf('x'), null)),
      () => files.withLock(global, {}, (locked) => locked.remove(file, sha256('x'))),
    ]
    for (const door of doors) await expect(door()).rejects.toMatchObject({ code: 'PATH_OUTSIDE_STORE' })
  })

  it.each(['notes.txt', '.hidden.md', '_draft.md', 'user_a.bak.md', 'MEMORY.md', 'team/user_a.md', '.git/user_a.md'])(
    'does not write %j, which no listing would show',
    async (file) => {
      const { files, layer } = current()
      const write = files.withLock(layer('global'), {}, (locked) => locked.write(file, bytesOf('x'), null))
      await expect(write).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    },
  )

  it('does not write what is too large to be listed', async () => {
    const { files, layer } = current()
    const write = files.withLock(layer('global'), {}, (locked) =>
      locked.write('user_a.md', new Uint8Array(1_048_577), null),
    )
    await expect(write).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    expect(await files.read(layer('global'), 'user_a.md')).toBeNull()
  })

  it('finds a name in either Unicode form', async () => {
    const { files, layer, person } = current()
    person.put(layer('global'), 'user_caf\u0065\u0301.md', bytesOf('decomposed'))
    expect((await files.list(layer('global'))).files.map(({ file }) => file)).toEqual(['user_caf\u00e9.md'])
    expect(textOf(await files.read(layer('global'), 'user_caf\u00e9.md'))).toBe('decomposed')
  })
}

const work: [string, string | null][] = [
  ['user_name.md', null],
  ['反馈_用简体.md', null],
  ['deep/er/project_x.md', null],
  ['x (1).md', null],
  ['feedback_conflicted-copy.md', null],
  ['UPPER.MD', null],
  ['MEMORY.md', 'expected'],
  ['memory_summary.md', 'expected'],
  ['.draft.md', 'hidden'],
  ['_notes.md', 'underscore'],
  ['list.txt', 'not-markdown'],
  ['user_name.md~', 'backup'],
  ['user_name~.md', 'backup'],
  ['.#user_name.md', 'hidden'],
  ['#user_name.md#', 'backup'],
  ['user_name.orig.md', 'backup'],
  ['user_name.bak.md', 'backup'],
  ['user_name.md.swp', 'backup'],
  ['~$user_name.md', 'backup'],
  ["user_name (Ana's conflicted copy 2026-03-01).md", 'conflict-copy'],
  ['user_name (conflicted copy).md', 'conflict-copy'],
  ['笔记 (冲突副本 2026-03-01).md', 'conflict-copy'],
  ['筆記（小美的衝突複本）.md', 'conflict-copy'],
  ['user_name.sync-conflict-20260301-101500-ABCDEFG.md', 'conflict-copy'],
]

const ignoredFolders = [
  ['team/a.md', 'team/', 'reserved-folder'],
  ['skills/deploy/SKILL.md', 'skills/', 'reserved-folder'],
  ['worktrees/x/a.md', 'worktrees/', 'reserved-folder'],
  ['.git/a.md', '.git/', 'hidden'],
  ['_trash/a.md', '_trash/', 'underscore'],
] as const

function testListing(current: Current) {
  it('BL-49: takes notes only, and names the rest with a reason', async () => {
    const { files, layer, person } = current()
    const global = layer('global')
    for (const [file] of work) person.put(global, file, bytesOf('x'))
    for (const [file] of ignoredFolders) person.put(global, file, bytesOf('x'))
    person.put(global, 'project_transcript.md', new Uint8Array(1_048_577))
    const listing = await files.list(global)
    const notes = work.filter(([, reason]) => reason === null).map(([file]) => file.normalize('NFC'))
    expect(listing.files.map(({ file }) => file)).toEqual(notes.sort())
    const reasons = new Map(listing.ignored.map(({ file, reason }) => [file, reason]))
    for (const [file, reason] of work)
      expect([file, reasons.get(file.normalize('NFC'))]).toEqual([
        file,
        reason === 'expected' ? undefined : (reason ?? undefined),
      ])
    for (const [, folder, reason] of ignoredFolders) expect([folder, reasons.get(folder)]).toEqual([folder, reason])
    expect(reasons.get('project_transcript.md')).toBe('too-large')
  })

  it('tells a layer that never was from one that is gone', async () => {
    const harness = current()
    const { files, layer, person } = harness
    const global = layer('global')
    expect(await files.list(global)).toEqual({ state: 'empty', files: [], ignored: [] })
    await writeNote(harness, global, 'user_a.md', 'x')
    expect((await files.list(global)).state).toBe('ok')
    person.vanish(global)
    expect(await files.list(global)).toEqual({ state: 'vanished', files: [], ignored: [] })
  })

  it('is ok, and not gone, when the last note was removed', async () => {
    const harness = current()
    const global = harness.layer('global')
    const { hash } = await writeNote(harness, global, 'user_a.md', 'x')
    await harness.files.withLock(global, {}, (locked) => locked.remove('user_a.md', hash))
    expect(await harness.files.list(global)).toEqual({ state: 'ok', files: [], ignored: [] })
  })
}

function testLock(current: Current) {
  it('BL-01: loses nothing among 100 writers of one file', async () => {
    const harness = current()
    const global = harness.layer('global')
    const add = (line: string) =>
      harness.files.withLock(global, { waitMs: 60_000 }, async (locked) => {
        const before = await locked.read('project_log.md')
        await locked.write('project_log.md', bytesOf(`${textOf(before) ?? ''}${line}\n`), before?.hash ?? null)
      })
    await Promise.all(Array.from({ length: 100 }, (_, index) => add(`line ${index}`)))
    const lines = textOf(await harness.files.read(global, 'project_log.md'))
      ?.trim()
      .split('\n')
    expect(new Set(lines).size).toBe(100)
    expect(lines).toHaveLength(100)
  })

  it('lets one holder in at a time, in order, and other layers at once', async () => {
    const { files, layer } = current()
    const log: string[] = []
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const first = files.withLock(layer('global'), {}, async () => {
      log.push('first in')
      await gate
      log.push('first out')
    })
    const rest = ['second', 'third'].map((name) => files.withLock(layer('global'), {}, async () => log.push(name)))
    await files.withLock(layer('projects/other-aaaaaaaa'), {}, async () => log.push('other'))
    open()
    await Promise.all([first, ...rest])
    expect(log.filter((entry) => entry !== 'other')).toEqual(['first in', 'first out', 'second', 'third'])
    expect(log.indexOf('other')).toBeLessThan(log.indexOf('first out'))
  })

  it('is free again when the work fails', async () => {
    const { files, layer } = current()
    const failing = files.withLock(layer('global'), {}, async () => {
      throw new Error('work failed')
    })
    await expect(failing).rejects.toThrow('work failed')
    expect(await files.withLock(layer('global'), { waitMs: 0 }, async () => 'in')).toBe('in')
  })

  it('gives up after the wait with STORE_BUSY, and on abort with CANCELLED', async () => {
    const { files, layer } = current()
    const abort = new AbortController()
    await files.withLock(layer('global'), {}, async () => {
      const late = files.withLock(layer('global'), { waitMs: 20 }, async () => 'in')
      await expect(late).rejects.toMatchObject({ code: 'STORE_BUSY', data: { layer: 'global' } })
      const stopped = files.withLock(layer('global'), { signal: abort.signal }, async () => 'in')
      abort.abort()
      await expect(stopped).rejects.toMatchObject({ code: 'CANCELLED' })
    })
    const tooLate = files.withLock(layer('global'), { signal: abort.signal }, async () => 'in')
    await expect(tooLate).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(await files.withLock(layer('global'), {}, async () => 'in')).toBe('in')
  })

  it('cannot be written through after it was released', async () => {
    const { files, layer } = current()
    const locked = await files.withLock(layer('global'), {}, async (held) => held)
    await expect(locked.write('user_a.md', bytesOf('x'), null)).rejects.toMatchObject({ code: 'INTERNAL' })
    expect(await files.read(layer('global'), 'user_a.md')).toBeNull()
  })
}
