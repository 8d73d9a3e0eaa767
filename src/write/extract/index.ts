/** Door of the extractor. */
export { extractNotes, takenBackMessages } from './extract-notes.ts'
export type { ExistingNote, ExtractedNote, ExtractInput, ExtractMessage } from './types.ts'
export { type ProposedNote, vetoNote } from './veto.ts'
