/** Door of the small pure things. */
export * from './hash.ts'
export * from './ids.ts'
export * from './json-object.ts'
export * from './make-folder.ts'
export * from './same-list.ts'
export * from './sleep.ts'
export * from './slug.ts'
export * from './text.ts'
