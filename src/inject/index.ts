/** Door of the inject room: it costs nothing to load, so the hook enters here too. */

export { type AnchorVerifierOptions, createAnchorVerifier, MAX_ANCHORS } from './anchors/create-anchor-verifier.ts'
export { dialectNames } from './dialects/registry.ts'
export { readShown, type Shown, versionOf } from './shown.ts'
export { readStartBlock, type StartOptions } from './start.ts'
export { WHOLE_LAYER_FILES } from './start-notes.ts'
export { createTurnBlock, type KeptNote, type TurnBlockInput, type TurnNote } from './turn-block.ts'
