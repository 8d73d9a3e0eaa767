import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyFile, noteCorpus } from '../../test/support/note-corpus.ts'
import type { Layer } from '../domain/index.ts'
import { scannedFrom } from '../store/notes/layer-scan.ts'
import { readNote } from '../store/notes/note-format.ts'
import { sha256 } from '../util/index.ts'
import { readerOf, textKeyOf } from './read-layer.ts'

const layer: Layer = { key: 'global', name: 'global', directory: '/nowhere/global' }
const file = 'feedback_x.md'

async function scanOf(bytes: Uint8Array) {
  const stat = { file, size: bytes.length, mtimeMs: 1, inode: 1 }
  const source = {
    list: async () => ({ state: 'ok' as const, files: [stat], ignored: [] }),
    read: async () => ({ bytes, hash: sha256(bytes), size: bytes.length, mtimeMs: 1, inode: 1 }),
  }
  const [found] = await readerOf(source, layer, { isToolWritten: () => false, cache: new Map() }).scan()
  return found
}

/** What the parser says of the same bytes. */
function parsed(bytes: Uint8Array) {
  const note = readNote(bytes, { layer: layer.key, file })
  const stat = { file, size: bytes.length, mtimeMs: 1, inode: 1 }
  return { ...scannedFrom({ ...note, body: '' }, stat, false), textKey: textKeyOf(note.body) }
}

async function expectSame(bytes: Uint8Array): Promise<void> {
  const { shown: _shown, ...found } = (await scanOf(bytes)) ?? {}
  expect(found).toEqual(parsed(bytes))
}

describe('a note as the write path compares it', () => {
  it.each(noteCorpus.map((text) => [text.slice(0, 60), text]))('is what the parser reads: %j', (_, text) =>
    expectSame(new TextEncoder().encode(text)),
  )

  it('is what the parser reads, for any file', async () => {
    const withId = anyFile.map((bytes) => {
      const text = Buffer.from(bytes).toString('utf8')
      return new TextEncoder().encode(text.replace('---\n', '---\nid: 01JD0000000000000000000009\n'))
    })
    await fc.assert(fc.asyncProperty(fc.oneof(anyFile, withId), expectSame), { numRuns: 3_000 })
  })
})
