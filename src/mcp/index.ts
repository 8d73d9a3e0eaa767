/** Door of the MCP surface. */
export { type InProcessTools, openInProcess } from './in-process.ts'
export { reflectSkill } from './prompts/reflect-skill.ts'
export { createMcpServer, instructions } from './server.ts'
export { serveMcpOverStdio } from './stdio.ts'
