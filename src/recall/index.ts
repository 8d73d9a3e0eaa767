/** Door of recall: from a question to ranked, floored, explained hits. */
export type { AliasTable } from './aliases.ts'
export {
  type Candidate,
  type MessageReference,
  meantOnly,
  type SemanticSearch,
  type SemanticStep,
} from './candidates.ts'
export { createRecall } from './create-recall.ts'
export { createQueryParser, parseQuery, type QueryParser } from './parse-query.ts'
export * from './recall.ts'
export { createRerank } from './rerank.ts'
