/** Door of the inject room: it costs nothing to load, so the hook enters here too. */

export { readShown, type Shown, versionOf } from './shown.ts'
export { createStartBlock, type StartBlockInput } from './start-block.ts'
export type { StartNote } from './start-note.ts'
export { loadStartNotes, type StartNotes, type StartNotesOptions } from './start-notes.ts'
export { createTurnBlock, type TurnBlockInput, type TurnNote } from './turn-block.ts'
