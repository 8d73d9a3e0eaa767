#!/usr/bin/env node
/** Entry of the command line. `hook` never gets this far: it has a bundle of its own that loads almost nothing. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))

if (process.argv[2] === 'hook') {
  process.argv.splice(2, 1)
  await import(new URL('./hook.js', import.meta.url).href)
} else {
  const { runCli } = await import('./run.ts')
  await runCli(process.argv, here)
}
