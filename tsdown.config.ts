import { defineConfig } from 'tsdown'
import { hookChunks } from './scripts/hook-chunks.ts'
import { lazyBuiltins } from './scripts/lazy-builtins.ts'
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

/** No module of ours does anything while it loads, so a door does not bring in what nobody takes from it. */
const hookTreeshake = { moduleSideEffects: false, propertyReadSideEffects: false } as const

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
  // The hook is bundled apart, with what it needs of other packages: a hook pays for every module it loads. Its entry
  // loads the parts, which are scripts and no modules because only of scripts Node 20 takes a compiled form.
  {
    ...shared,
    clean: false,
    entry: { hook: 'src/hooks/main.ts' },
    plugins: [lazyBuiltins()],
    treeshake: hookTreeshake,
    dts: false,
  },
  {
    ...shared,
    format: 'cjs',
    fixedExtension: true,
    clean: false,
    entry: { 'hook-process': 'src/hooks/hook-process.ts' },
    plugins: [lazyBuiltins(), ...shared.plugins],
    outputOptions: { codeSplitting: { groups: [{ name: hookChunks() }] } },
    treeshake: hookTreeshake,
    dts: false,
    deps: { neverBundle: ['better-sqlite3'], alwaysBundle: ['ulid', 'tokenx'] },
  },
])
