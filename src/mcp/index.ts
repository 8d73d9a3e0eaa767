/** Door of the MCP surface. */
export { reflectSkill } from './prompts/reflect-skill.ts'
export { createMcpServer, instructions } from './server.ts'
export { serveMcpOverStdio } from './stdio.ts'
