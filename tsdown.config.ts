import { defineConfig } from 'tsdown'
import { markdownAsText } from './scripts/text-plugin.ts'

const shared = {
  format: 'esm' as const,
  platform: 'node' as const,
  target: 'node20',
  outDir: 'dist',
  fixedExtension: false,
  sourcemap: false,
  plugins: [markdownAsText()],
}

export default defineConfig([
  {
    ...shared,
    clean: true,
    entry: {
      index: 'src/index.ts',
      testing: 'src/testing/index.ts',
      cli: 'src/cli/main.ts',
      worker: 'src/worker/main.ts',
      tools: 'src/tools.ts',
    },
    dts: { entry: ['src/index.ts', 'src/testing/index.ts'] },
    deps: { neverBundle: ['better-sqlite3', 'vitest', 'fast-check'] },
  },
  // The hook is bundled apart, with what it needs of other packages: a hook pays for every module it loads.
  {
    ...shared,
    clean: false,
    entry: { hook: 'src/hooks/main.ts' },
    dts: false,
    deps: { neverBundle: ['better-sqlite3'], alwaysBundle: ['ulid', 'tokenx'] },
  },
])
