/** What the repository's own scripts use (docs, evaluations). Not part of the package's interface. */

export { exitCodes } from './cli/exit-codes.ts'
export { createProgram } from './cli/program.ts'
export { environmentName, valueAt } from './config.ts'
export { configKeys, DEFAULT_CONFIG } from './domain/index.ts'
export { createStores } from './engine/index.ts'
export { createReadMemory } from './engine-read.ts'
export { errorCodes } from './errors.ts'
export { isSecretOnly, redact, safeText, scanThreats } from './guard/index.ts'
export { createMcpServer, reflectSkill } from './mcp/index.ts'
export { createQueryParser } from './recall/index.ts'
export { compileHook } from './worker/compile-hook.ts'
export { extractNotes } from './write/index.ts'
