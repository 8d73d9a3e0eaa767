/**
 * Door of the inject room: it costs nothing to load, so the hook enters here too. What looks into a working tree has a door
 * of its own (`anchors/index.ts`): the start of a session needs none of it.
 */

export { type ComparedBlock, compareBlocks } from './compare-blocks.ts'
export { dialectNames, dialectOf } from './dialects/registry.ts'
export { FACTS_VIEW } from './facts/facts-view.ts'
export { type FactsOptions, readFacts } from './facts/read-facts.ts'
export { keptSinceLastSession } from './kept-notes.ts'
export { lookUp } from './look-up.ts'
export { readShown, type Shown, versionOf } from './shown.ts'
export { readStartBlock, type StartOptions } from './start.ts'
export { indexText } from './start-lines.ts'
export { WHOLE_LAYER_FILES } from './start-notes.ts'
export { composeTurn, type TurnSources } from './turn.ts'
export type { KeptNote } from './turn-block.ts'
