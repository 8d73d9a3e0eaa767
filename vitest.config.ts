import { defineConfig } from 'vitest/config'
import { markdownAsText } from './scripts/text-plugin.ts'

export default defineConfig({
  plugins: [markdownAsText()],
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { TZ: 'UTC' },
  },
})
