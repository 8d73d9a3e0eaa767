import { testNoteFiles } from '../../testing/note-files-suite.ts'
import { createMemoryNoteFiles } from './memory-note-files.ts'

testNoteFiles('memory note files', () => {
  const files = createMemoryNoteFiles()
  const layer = (key: string) => ({
    name: key === 'global' ? ('global' as const) : ('project' as const),
    key,
    directory: `/nowhere/${key}`,
  })
  return { files, layer, person: files.person, dispose: () => undefined }
})
