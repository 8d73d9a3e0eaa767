/** Door of the MCP surface. */
export { createMcpServer, instructions } from './server.ts'
export { serveMcpOverStdio } from './stdio.ts'
