import type { AgentWiring } from '../../../domain/index.ts'

export const claudeCodeWiring: AgentWiring = {
  install: async (_options) => [],
  uninstall: async (_options) => [],
  verify: async (_options) => [],
}
