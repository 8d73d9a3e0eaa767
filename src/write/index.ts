/** Door of the write room: how memory comes in and goes out. */
export { createReadingBook, EXTRACTION, type ReadingBook } from './after-turn/book.ts'
export type { SessionEvent } from './after-turn/decide.ts'
export { type ExtractionDependencies, extractSession } from './after-turn/extract-session.ts'
export { CANDIDATE_DAYS, type CandidateBook, createCandidateBook } from './candidates.ts'
export { createCapture } from './capture.ts'
export type { CaptureDependencies, Guidance, SessionPlace } from './capture-run.ts'
export type { ProjectFacts } from './choose-layer.ts'
export type { NoteFinder, UseBook } from './count-uses.ts'
export { type AbsoluteDates, absoluteDates } from './dates/index.ts'
export type { Decided } from './decided.ts'
export {
  type Holding,
  layersDue,
  nextPassAt,
  type PassPlace,
  pruneSummary,
  runDeferred,
} from './deferred/index.ts'
export type { Approved, Writer, WriterDependencies } from './dependencies.ts'
export {
  type ExistingNote,
  type ExtractedNote,
  type ExtractInput,
  type ExtractMessage,
  extractNotes,
} from './extract/index.ts'
export { type FinishDependencies, finishingFiles } from './finish-unfinished.ts'
export type { Judged } from './judge-proposal.ts'
export { type RegenerateOptions, regenerateIndex } from './regenerate-index.ts'
export { readCues, type SignalTable } from './signals/index.ts'
export { saysCorrection } from './signals/says-correction.ts'
export { isForgottenMessage, isForgottenSaying } from './stands-forgotten.ts'
export { createWriter } from './writer.ts'
