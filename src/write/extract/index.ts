/** Door of the extractor. */
export { extractNotes, takenBackMessages } from './extract-notes.ts'
export { findTentative, isSamePlan, type TentativeStatement } from './tentative.ts'
export type { ExistingNote, ExtractedNote, ExtractInput, ExtractMessage } from './types.ts'
export { type ProposedNote, vetoNote } from './veto.ts'
