/** Door of the sandbox of background agents (spec W15). */
export {
  contradictionsIn,
  distinctChanges,
  type PlannedChange,
  plannedChange,
} from './plan.ts'
export { noteRow, readTools } from './read-tools.ts'
export { findPlace, type NoteRoot, type Room, readableFiles, type TextRoot } from './room.ts'
export {
  type Desk,
  type KnownNote,
  type OfferedNote,
  type PlanBook,
  type Proven,
  type Quote,
  writeTools,
} from './write-tools.ts'
