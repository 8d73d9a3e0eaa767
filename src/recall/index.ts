/** Door of recall: from a question to ranked, floored, explained hits. */
export type { AliasTable } from './aliases.ts'
export * from './recall.ts'
