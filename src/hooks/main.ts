/** Entry of the hook bundle (`dist/hook.js`), which an agent starts for each event. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHookParts, HOOK_ENTRY_PART, KEEP_COMPILED_FLAG } from './hook-parts.ts'

const parts = createHookParts(dirname(fileURLToPath(import.meta.url)))
// The bundler builds this part from that module.
const { runHookProcess } = parts.load(HOOK_ENTRY_PART) as typeof import('./hook-process.ts')

if (process.argv.includes(KEEP_COMPILED_FLAG)) process.once('exit', () => parts.keepCompiled())

await runHookProcess(process.argv.slice(2))
