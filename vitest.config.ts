import { defineConfig } from 'vitest/config'
import { markdownAsText } from './scripts/text-plugin.ts'

export default defineConfig({
  plugins: [markdownAsText()],
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Files wait for processes of theirs more than they compute: one worker would leave a core idle.
    maxWorkers: '100%',
    // Many tests start real processes. On a shared machine one of thousands may meet a stall; it may try once more there.
    retry: process.env.CI ? 1 : 0,
    env: { TZ: 'UTC' },
  },
})
