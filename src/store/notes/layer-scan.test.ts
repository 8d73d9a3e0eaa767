import { describe, expect, it } from 'vitest'
import type { Layer } from '../../domain/index.ts'
import { sha256 } from '../../util/index.ts'
import type { LayerReader } from './layer-reader.ts'
import { type LayerScanOptions, scanLayer } from './layer-scan.ts'
import { derivedId } from './names.ts'
import type { LayerListing, NoteBytes } from './note-files.ts'
import { readNote } from './note-format.ts'

const layer: Layer = { name: 'project', key: 'projects/demo-1', directory: '/home/demo/projects/demo-1' }

type Contents = Record<string, string | Uint8Array | null | Error>

function reader(contents: Contents, state: LayerListing['state'] = 'ok'): LayerReader & { reads: string[] } {
  const bytesOf = (file: string): NoteBytes | null => {
    const content = contents[file]
    if (content instanceof Error) throw content
    if (content === null || content === undefined) return null
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    return { bytes, hash: sha256(bytes), mtimeMs: 7, size: bytes.length, inode: 3 }
  }
  const reads: string[] = []
  const files = Object.keys(contents).map((file) => ({ file, size: 1, mtimeMs: 1, inode: 1 }))
  return {
    layer,
    reads,
    list: async () => ({ state, files, ignored: [{ file: 'note.md~', reason: 'backup' }] }),
    read: async (file: string) => {
      reads.push(file)
      return bytesOf(file)
    },
  }
}

const scan = (contents: Contents, options?: LayerScanOptions) => scanLayer(reader(contents), layer, options)
const dated = (updated: string, id = '') => `---\nname: x\n${id && `id: ${id}\n`}updated: ${updated}\n---\nBody.\n`
const idOne = '01JD0000000000000000000001'
const idTwo = '01JD0000000000000000000002'

describe('scanLayer [R1]', () => {
  it('gives every field of a simple note', async () => {
    const text = `---\nname: "Two\\nlines"\ndescription: d\ntype: feedback\nid: ${idOne}\nupdated: 2026-11-29T20:24:00Z\npinned: true\nconfidence: 0.9\ntags: [a]\naliases: [k8s, 小王]\napplies_to: ["src/**"]\nsource:\n  - {"role": "user"}\n---\nBody.\n`
    const { notes, problems, state, omitted, ignored } = await scan({ 'feedback_x.md': text })
    expect({ problems, state, omitted, ignored }).toEqual({
      problems: [],
      state: 'ok',
      omitted: 0,
      ignored: [{ file: 'note.md~', reason: 'backup' }],
    })
    expect(notes).toEqual([
      {
        id: idOne,
        idDerived: false,
        layer: layer.key,
        file: 'feedback_x.md',
        name: 'Two lines',
        description: 'd',
        type: 'feedback',
        pinned: true,
        status: 'active',
        created: null,
        updated: '2026-11-29T20:24:00Z',
        voice: 'rule',
        confidence: 0.9,
        tags: ['a'],
        aliases: ['k8s', '小王'],
        appliesTo: ['src/**'],
        mutes: [],
        expires: null,
        unsure: false,
        hash: sha256(text),
        size: Buffer.byteLength(text),
        mtimeMs: 7,
        inode: 3,
      },
    ])
  })

  it('newest first, undated last, then by id', async () => {
    const { notes } = await scan({
      'a.md': 'bare',
      'b.md': dated('2026-01-01', idTwo),
      'c.md': dated('2026-03-01'),
      'd.md': dated('2026-01-01', idOne),
    })
    expect(notes.map(({ file }) => file)).toEqual(['c.md', 'd.md', 'b.md', 'a.md'])
  })

  it('of one id the first path keeps it, the others get the one of their path', async () => {
    const { notes, problems } = await scan({
      'z.md': dated('2026-03-01', idOne),
      'a.md': dated('2026-01-01', idOne.toLowerCase()),
      'm.md': dated('2026-02-01', idOne),
    })
    expect(notes.map(({ file, id, idDerived }) => [file, id, idDerived])).toEqual([
      ['z.md', derivedId(layer.key, 'z.md'), true],
      ['m.md', derivedId(layer.key, 'm.md'), true],
      ['a.md', idOne, false],
    ])
    expect(problems.map(({ file, kind }) => [file, kind])).toEqual([
      ['m.md', 'id-repeated'],
      ['z.md', 'id-repeated'],
    ])
  })

  it('without a parser an unsure file is listed by its name and is never a rule', async () => {
    const contents = { 'feedback_use-pnpm.md': '---\nname: |\n  Other\nsource: [{role: user}]\n---\nBody.\n' }
    const { notes } = await scan(contents)
    expect(notes).toMatchObject([{ name: 'use pnpm', description: '', type: 'feedback', unsure: true, voice: 'fact' }])
    const whole = await scan(contents, { parse: readNote })
    expect(whole.notes).toMatchObject([{ name: 'Other', description: 'Body.', unsure: false, voice: 'rule' }])
  })

  it('a broken, an unreadable and a vanished file never end the scan', async () => {
    const contents: Contents = {
      'broken.md': '---\ntitle: A: B\n---\nBody.\n',
      'bytes.md': new Uint8Array([0x61, 0xff]),
      'denied.md': new Error('EACCES: not allowed'),
      'gone.md': null,
      'fine.md': 'Fine.',
    }
    const { notes, problems } = await scan(contents, { parse: readNote })
    expect(notes.map(({ file }) => file).sort()).toEqual(['broken.md', 'bytes.md', 'fine.md'])
    expect(problems.map(({ file, kind, line }) => [file, kind, line])).toEqual([
      ['broken.md', 'front-matter-malformed', 2],
      ['bytes.md', 'not-utf8', 1],
      ['denied.md', 'unreadable', null],
    ])
  })

  it('asks by absolute path whether a tool wrote a file without evidence', async () => {
    const asked: string[] = []
    const isToolWritten = (path: string): boolean => {
      asked.push(path)
      return path.endsWith('feedback_b.md')
    }
    const { notes } = await scan({ 'feedback_a.md': 'A.', 'feedback_b.md': 'B.' }, { isToolWritten })
    expect(Object.fromEntries(notes.map(({ file, voice }) => [file, voice]))).toEqual({
      'feedback_a.md': 'rule',
      'feedback_b.md': 'fact',
    })
    expect(asked).toEqual([`${layer.directory}/feedback_a.md`, `${layer.directory}/feedback_b.md`])
  })

  it('reads only the files asked for, and bounds what it gives', async () => {
    const source = reader(
      Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`n${index}.md`, `Note ${index}.`])),
    )
    const some = await scanLayer(source, layer, { only: ['n7.md', 'n9.md', 'missing.md'] })
    expect([source.reads, some.notes.length]).toEqual([['n7.md', 'n9.md'], 2])
    const bounded = await scanLayer(source, layer, { limit: 30 })
    expect([bounded.notes.length, bounded.omitted]).toEqual([30, 70])
  })

  it('takes all layers or one locked layer, passes a vanished layer on, and stops when cancelled', async () => {
    const locked = reader({ 'a.md': 'A.' }, 'vanished')
    const all = { list: () => locked.list(layer), read: (_: Layer, file: string) => locked.read(file as never, file) }
    const files = {
      list: all.list,
      read: async (_: Layer, file: string) => (file === 'a.md' ? all.read(layer, file) : null),
    }
    expect((await scanLayer(files, layer)).state).toBe('vanished')
    expect((await scanLayer(files, layer)).notes.map(({ file }) => file)).toEqual(['a.md'])
    await expect(scanLayer(locked, layer, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})
