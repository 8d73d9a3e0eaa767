/** Entry of the hook bundle (`dist/hook.js`), which an agent starts for each event. */
import { runHookProcess } from './hook-process.ts'

await runHookProcess(process.argv.slice(2))
