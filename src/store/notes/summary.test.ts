import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readNote } from './note-format.ts'
import { toSummary } from './summary.ts'

it('a summary has one line per text, an absolute path and the name of the layer', () => {
  const bytes = new TextEncoder().encode('---\nname: "two\\nlines"\ndescription: "a\\n b"\npinned: true\n---\nBody')
  const note = readNote(bytes, { layer: 'projects/demo-1', file: 'sub/x.md' })
  const directory = join('/home', 'demo')
  expect(toSummary(note, { name: 'project', key: 'projects/demo-1', directory })).toEqual({
    id: note.id,
    name: 'two lines',
    type: 'project',
    layer: 'project',
    file: join(directory, 'sub', 'x.md'),
    description: 'a b',
    updated: null,
    pinned: true,
    status: 'active',
  })
})
