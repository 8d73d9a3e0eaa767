/** Door of recall: from a question to ranked, floored, explained hits. */
export type { AliasTable } from './aliases.ts'
export { asksToContinue } from './asks-to-continue.ts'
export {
  type Candidate,
  type MessageReference,
  meantOnly,
  type SemanticSearch,
  type SemanticStep,
} from './candidates.ts'
export { createRecall } from './create-recall.ts'
export { goneBehind } from './gone-behind.ts'
export { type Entity, entityOf, isNamedIn } from './named-notes.ts'
export { isWanted, wantedFrom } from './note-wanted.ts'
export { thingOf } from './own-aliases.ts'
export { createQueryParser, parseQuery, type QueryParser } from './parse-query.ts'
export * from './recall.ts'
export { createFullRecall } from './recall-named.ts'
export { createRerank } from './rerank.ts'
export { createSelect } from './select-notes.ts'
export { createSemantic } from './semantic.ts'
export { summariseSession } from './summarise-session.ts'
export { timeBounds } from './time-bounds.ts'
export { closedGate, ownWords } from './turn-gates.ts'
