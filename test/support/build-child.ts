/**
 * Bundles a TypeScript file to one plain module that `node` can run, for tests that need real processes: Node 20 runs
 * no TypeScript. The module lies below node_modules, so that packages that stay outside the bundle are found.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { markdownAsText } from '../../scripts/text-plugin.ts'

const root = resolve(import.meta.dirname, '../..')

export interface BuiltChild {
  /** Path of the module. */
  readonly file: string
  dispose(): void
}

/** `entry` is absolute, or relative to the project. */
export async function buildChild(entry: string): Promise<BuiltChild> {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const outDir = mkdtempSync(join(cache, 'keepsake-child-'))
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [markdownAsText()],
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: resolve(root, entry),
      outDir,
      emptyOutDir: false,
      minify: false,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'child.mjs', codeSplitting: false } },
    },
  })
  return { file: join(outDir, 'child.mjs'), dispose: () => rmSync(outDir, { recursive: true, force: true }) }
}
