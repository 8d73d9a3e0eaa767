import { createFolderHome } from '../../testing/folder-home.ts'
import { testNoteFiles } from '../../testing/note-files-suite.ts'

testNoteFiles('note files on disk', () => createFolderHome())
