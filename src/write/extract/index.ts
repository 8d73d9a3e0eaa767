/** Door of the extractor. */
export { extractNotes, takenBackMessages } from './extract-notes.ts'
export { subjectNote } from './known-facts.ts'
export { findTentative, isSamePlan, type TentativeStatement } from './tentative.ts'
export { shared, termsOf } from './terms.ts'
export type { ExistingNote, ExtractedNote, ExtractInput, ExtractMessage } from './types.ts'
export { type ProposedNote, vetoNote } from './veto.ts'
