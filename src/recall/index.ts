/** Door of recall: from a question to ranked, floored, explained hits. */
export type { AliasTable } from './aliases.ts'
export { createRecall } from './create-recall.ts'
export { createQueryParser, parseQuery, type QueryParser } from './parse-query.ts'
export * from './recall.ts'
