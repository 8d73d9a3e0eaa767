/** Contract of the port `History`; every driver passes it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Layer } from '../domain/index.ts'
import {
  type CommitFile,
  type History,
  MAX_COMMIT_FILES,
  type NewCommit,
  type Version,
  versionKey,
} from '../store/notes/history-port.ts'

export interface HistoryHarness {
  readonly history: History
  dispose(): void
}

const global: Layer = { name: 'global', key: 'global', directory: '/nowhere/global' }
const project: Layer = { name: 'project', key: 'projects/billing-abc', directory: '/nowhere/billing' }
const encode = (text: string) => new TextEncoder().encode(text)
const version = (text: string | Uint8Array, mode = 0o600): Version => ({
  bytes: typeof text === 'string' ? encode(text) : text,
  mode,
})
const put = (file: string, text: string | Uint8Array, mode?: number): CommitFile => ({
  file,
  version: version(text, mode),
  seen: null,
})
const gone = (file: string): CommitFile => ({ file, version: null, seen: null })
const ulid = (count: number) => `01K${String(count).padStart(23, '0')}`

function commitOf(count: number, files: readonly CommitFile[], more: Partial<NewCommit> = {}): NewCommit {
  return {
    change: ulid(count),
    kind: 'remember',
    author: 'person',
    why: 'Remembered a new note',
    noteIds: [],
    layers: ['global'],
    undoes: null,
    timeMs: Date.UTC(2026, 0, 1, 0, 0, count),
    files,
    ...more,
  }
}

export function testHistory(name: string, create: () => HistoryHarness): void {
  describe(`History contract: ${name}`, () => {
    let harness: HistoryHarness
    let history: History
    beforeEach(() => {
      harness = create()
      history = harness.history
    })
    afterEach(() => harness.dispose())

    it('holds nothing before the first commit', async () => {
      expect(history.unavailable()).toBeNull()
      expect((await history.head(global)).size).toBe(0)
      expect(await history.log(global, { limit: 10 })).toEqual([])
      expect(await history.find(global, 'abcdef')).toEqual([])
      expect(await history.latest(global, 'a.md')).toBeNull()
      await history.upkeep(global)
    })

    it('gives back what a commit said, newest first', async () => {
      const first = commitOf(1, [put('a.md', 'one')], { noteIds: ['n1', 'n2'], author: 'claude-code' })
      const undoes = { change: ulid(1), id: 'abcdefabcdef' }
      const second = commitOf(2, [put('a.md', 'two'), put('b.md', 'x')], {
        kind: 'undo',
        undoes,
        layers: ['global', 'p'],
      })
      const third = commitOf(3, [gone('b.md')], { kind: 'outside' })
      const [id1 = ''] = await history.append(global, [first])
      const [id2 = '', id3 = ''] = await history.append(global, [second, third])
      const { files: _1, ...said1 } = first
      const { files: _2, ...said2 } = second
      const { files: _3, ...said3 } = third
      expect(await history.log(global, { limit: 10 })).toEqual([
        { ...said3, id: id3, files: [{ file: 'b.md', change: 'removed' }], omittedFiles: 0 },
        {
          ...said2,
          id: id2,
          files: [
            { file: 'a.md', change: 'changed' },
            { file: 'b.md', change: 'added' },
          ],
          omittedFiles: 0,
        },
        { ...said1, id: id1, files: [{ file: 'a.md', change: 'added' }], omittedFiles: 0 },
      ])
      expect((await history.log(global, { limit: 2 })).map(({ id }) => id)).toEqual([id3, id2])
      expect(await history.log(project, { limit: 10 })).toEqual([])
    })

    it('finds by the start of an id, by the change, and by nothing shorter', async () => {
      const [id1 = '', id2 = ''] = await history.append(global, [
        commitOf(1, [put('a.md', 'one')]),
        commitOf(2, [put('a.md', 'two')]),
      ])
      expect((await history.find(global, id1)).map(({ id }) => id)).toEqual([id1])
      expect((await history.find(global, id2.slice(0, 12).toUpperCase())).map(({ id }) => id)).toEqual([id2])
      expect((await history.find(global, ulid(2))).map(({ id }) => id)).toEqual([id2])
      for (const reference of [id1.slice(0, 5), '', 'zzzzzz', ulid(3), '--all', 'main'])
        expect(await history.find(global, reference)).toEqual([])
    })

    const awkward = [
      ['CRLF and BOM', encode('\ufeffa\r\nb\r\n')],
      ['no last line end', encode('a\nb')],
      ['empty', new Uint8Array()],
      ['bytes that are no text', Uint8Array.from([0, 255, 254, 10, 13, 0, 128])],
      ['a conflict marker and commands', encode('<<<<<<< a\ndone\ncommit refs/heads/main\nfrom :1\n')],
      ['white space at line ends', encode('a  \t\r\n\r\n\n')],
    ] as const
    it.each(awkward)('keeps bytes: %s', async (_, bytes) => {
      const [id = ''] = await history.append(global, [commitOf(1, [put('a.md', bytes), put('b.md', 'x')])])
      const [last = ''] = await history.append(global, [commitOf(2, [put('a.md', 'other')])])
      const found = (await history.versions(global, id)).find(({ file }) => file === 'a.md')
      expect(found).toEqual({ file: 'a.md', before: null, after: version(bytes) })
      expect((await history.versions(global, last))[0]?.before).toEqual(version(bytes))
    })

    it.each([0o600, 0o644, 0o755, 0o400, 0o700, 0o664])('keeps permission bits %o', async (mode) => {
      const [, , id = ''] = await history.append(global, [
        commitOf(1, [put('a.md', 'one', mode), put('b.md', 'two')]),
        commitOf(2, [put('b.md', 'three', mode)]),
        commitOf(3, [gone('a.md')]),
      ])
      expect((await history.head(global)).get('b.md')?.mode).toBe(mode)
      expect(await history.versions(global, id)).toEqual([{ file: 'a.md', before: version('one', mode), after: null }])
      expect(await history.latest(global, 'b.md')).toEqual(version('three', mode))
    })

    it('keeps a change of permission bits alone', async () => {
      await history.append(global, [commitOf(1, [put('a.md', 'one'), put('b.md', 'x', 0o644)])])
      const [id = ''] = await history.append(global, [commitOf(2, [put('a.md', 'one', 0o644)])])
      expect(await history.versions(global, id)).toEqual([
        { file: 'a.md', before: version('one', 0o600), after: version('one', 0o644) },
      ])
    })

    it.each([
      'folder/deep/a.md',
      'a b.md',
      '中文 笔记.md',
      'quote".md',
      'back\\slash.md',
      'line\nbreak.md',
      'tab\t.md',
      '-dash.md',
      ':colon.md',
      'git~1/a.md',
      '*.md',
      'e\u0301.md'.normalize('NFC'),
    ])('keeps the file name %j', async (file) => {
      const [id = ''] = await history.append(global, [commitOf(1, [put(file, 'one'), put('other.md', 'x', 0o644)])])
      const [last = ''] = await history.append(global, [commitOf(2, [put(file, 'two', 0o644)])])
      expect([...(await history.head(global)).keys()].sort()).toEqual([file, 'other.md'].sort())
      expect(await history.versions(global, last)).toEqual([
        { file, before: version('one'), after: version('two', 0o644) },
      ])
      expect((await history.log(global, { file, limit: 5 })).map((commit) => commit.id)).toEqual([last, id])
    })

    it('a file may become a folder and a folder a file', async () => {
      await history.append(global, [commitOf(1, [put('a.md', 'one')])])
      await history.append(global, [commitOf(2, [put('a.md/b.md', 'two'), gone('a.md')])])
      expect([...(await history.head(global)).keys()]).toEqual(['a.md/b.md'])
      await history.append(global, [commitOf(3, [gone('a.md/b.md'), put('a.md', 'three')])])
      expect([...(await history.head(global)).keys()]).toEqual(['a.md'])
    })

    it('log by file, by note, by either, in the order of the commits', async () => {
      const ids = await history.append(global, [
        commitOf(1, [put('a.md', 'one')], { noteIds: [ulid(71)] }),
        commitOf(2, [put('b.md', 'two')], { noteIds: [ulid(72)] }),
        commitOf(3, [gone('a.md'), put('c.md', 'one')], { noteIds: [ulid(71)] }),
        commitOf(4, [put('c.md', 'four')], { noteIds: [] }),
      ])
      const numbers = async (query: { file?: string; noteId?: string }) =>
        (await history.log(global, { ...query, limit: 9 })).map(({ id }) => ids.indexOf(id) + 1)
      expect(await numbers({ file: 'c.md' })).toEqual([4, 3])
      expect(await numbers({ noteId: ulid(71) })).toEqual([3, 1])
      expect(await numbers({ file: 'c.md', noteId: ulid(71) })).toEqual([4, 3, 1])
      expect(await numbers({ file: 'no.md', noteId: ulid(79) })).toEqual([])
      expect((await history.log(global, { file: 'c.md', noteId: ulid(71), limit: 2 })).length).toBe(2)
    })

    it('what the head holds can be compared without reading, and what was seen is kept', async () => {
      const seen = { size: 3, mtimeMs: 1_000, inode: 7 }
      await history.append(global, [commitOf(1, [{ ...put('a.md', 'one'), seen }, put('b.md', 'two')])])
      const head = await history.head(global)
      expect(head.get('a.md')).toEqual({ key: versionKey(encode('one')), mode: 0o600, seen })
      expect(head.get('b.md')?.seen).toBeNull()
      expect(await history.append(global, [], new Map([['b.md', seen]]))).toEqual([])
      expect((await history.head(global)).get('b.md')?.seen).toEqual(seen)
      expect(await history.log(global, { limit: 9 })).toHaveLength(1)
    })

    it('names a bounded number of files and counts the rest', async () => {
      const files = Array.from({ length: MAX_COMMIT_FILES + 5 }, (_, at) => put(`n${100 + at}.md`, `text ${at}`))
      const [id = ''] = await history.append(global, [commitOf(1, files)])
      const [commit] = await history.log(global, { limit: 1 })
      expect([commit?.files.length, commit?.omittedFiles]).toEqual([MAX_COMMIT_FILES, 5])
      expect(await history.versions(global, id)).toHaveLength(MAX_COMMIT_FILES + 5)
    })

    it('layers do not see each other', async () => {
      const [id = ''] = await history.append(global, [commitOf(1, [put('a.md', 'one')])])
      await history.append(project, [commitOf(2, [put('a.md', 'two')])])
      expect(await history.find(project, id)).toEqual([])
      expect((await history.latest(global, 'a.md'))?.bytes).toEqual(encode('one'))
    })
  })
}
