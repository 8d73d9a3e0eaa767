/** Runs the built hook so that it leaves the compiled form of its parts: over a home that is made for it, and silent. */
import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { compiledFile, HOOK_ENTRY_PART, KEEP_COMPILED_FLAG } from './hook-parts.ts'

const RUN_TIMEOUT_MS = 20_000
/** A smaller part is compiled in a moment, and may be one that no rehearsal loads. */
const MIN_COMPILED_BYTES = 32 * 1024

/** Whether the folder of the bundle lacks compiled forms for this Node, and takes files. */
export function wantsCompiledHook(folder: string): boolean {
  try {
    const parts = readdirSync(folder).filter((name) => name.endsWith('.cjs') && name !== HOOK_ENTRY_PART)
    const large = parts.map((name) => join(folder, name)).filter((part) => statSync(part).size >= MIN_COMPILED_BYTES)
    if (large.every((part) => existsSync(compiledFile(part)))) return false
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    // A folder that cannot be read or written: the hook compiles its parts each time.
    return false
  }
}

export interface Rehearsal {
  /** Folder of the bundle. */
  readonly folder: string
  readonly home: string
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly agent: string
  /** Each event with its input, in order. */
  readonly events: readonly (readonly [event: string, input: object])[]
}

/** One run for each event; each adds the functions that it used. What a run says is nobody's. */
export async function rehearseHook({ folder, home, cwd, environment, agent, events }: Rehearsal): Promise<void> {
  for (const [event, input] of events)
    await new Promise<void>((resolve) => {
      const call = [join(folder, 'hook.js'), KEEP_COMPILED_FLAG, '--home', home, agent, event]
      const child = spawn(process.execPath, call, {
        cwd,
        env: { ...environment, KEEPSAKE_WORKER: undefined, KEEPSAKE_HOME: home },
        stdio: ['pipe', 'ignore', 'ignore'],
        timeout: RUN_TIMEOUT_MS,
        windowsHide: true,
      })
      // A run that fails leaves nothing: then the parts are compiled at each start, as before.
      child.on('error', () => resolve())
      child.stdin.on('error', () => {})
      child.on('close', () => resolve())
      child.stdin.end(JSON.stringify(input))
    })
}
