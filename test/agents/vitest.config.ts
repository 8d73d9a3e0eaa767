import { defineConfig } from 'vitest/config'
import { markdownAsText } from '../../scripts/text-plugin.ts'

/** Tests with real clients: run by scripts/test-agents.mjs, never by `npm test`. */
export default defineConfig({
  plugins: [markdownAsText()],
  test: {
    root: import.meta.dirname,
    include: ['*.agent.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
