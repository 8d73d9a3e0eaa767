/**
 * One hook as a process: `[--home DIR] <agent> <event>`. Always exit 0; stdout carries the exact answer or nothing;
 * silent inside our own worker. The engine is loaded only for events that answer.
 */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { agentHooks } from '../adapters/hot.ts'
import { homeDirectory, loadConfig, type Surroundings, surroundings } from '../config.ts'
import { MemoryError } from '../errors.ts'
import { appendFailure } from '../store/failures.ts'
import { ensureHome, openHome } from '../store/home.ts'
import { appendJournal } from '../store/journal.ts'
import { createIdSource, lookAtFile, readTail, systemClock } from '../util/index.ts'
import { endFromOutside, HOOK_BUDGET_MS } from './deadline.ts'
import { readStdin } from './read-input.ts'
import { type HookEffects, runHook, toFailure } from './run-hook.ts'
import { startWorker } from './start-worker.ts'

interface Arguments {
  readonly home: string | undefined
  readonly agentName: string
  readonly eventName: string
}

/** Flags may stand anywhere; those that are not ours are passed over, so that an older hook runs newer commands. */
export function parseArguments(given: readonly string[]): Arguments {
  const at = given.indexOf('--home')
  const rest = at < 0 ? given : given.toSpliced(at, 2)
  const [agentName = '', eventName = ''] = rest.filter((each) => !each.startsWith('--'))
  return { home: at < 0 ? undefined : given[at + 1], agentName, eventName }
}

/** Runs one hook and ends the process, whatever happens with exit code 0. */
export async function runHookProcess(given: readonly string[]): Promise<void> {
  // Nobody reads any more (an error of a stream that nobody listens to ends here too), or a fault of ours in a place
  // that nobody waits for: the agent must not hear of it.
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, leave)
  const around = surroundings()
  if (around.environment.KEEPSAKE_WORKER === '1') return leave()
  const { home: explicitHome, agentName, eventName } = parseArguments(given)
  const agent = agentHooks[agentName]
  if (agent === undefined) return leave()

  const abort = new AbortController()
  let home: string | null = null
  const recordFailure: HookEffects['recordFailure'] = async (failure) => {
    // A home of a newer format is only read, and its own Keepsake says what fails there.
    if (home === null || failure.code === 'HOME_FORMAT_NEWER') return
    // The guard is large, and most hooks do not fail.
    const { redact } = await import('../guard/index.ts')
    appendFailure(home, failure, redact)
  }
  const deadline = setTimeout(() => {
    abort.abort()
    endFromOutside(process.pid)
    const slow = new MemoryError('INTERNAL', `The hook took longer than ${HOOK_BUDGET_MS} ms and gave up`)
    recordFailure(toFailure(eventName, slow, systemClock)).finally(leave)
  }, HOOK_BUDGET_MS)
  try {
    home = homeDirectory(explicitHome, around)
    const stdin = await readStdin(process.stdin)
    const effects = effectsFor(home, around, { signal: abort.signal, recordFailure })
    const text = await runHook({ agent, eventName, stdin }, effects)
    if (text !== '') await new Promise((written) => process.stdout.write(text, written))
  } catch (error) {
    await recordFailure(toFailure(eventName, error, systemClock))
  }
  clearTimeout(deadline)
  leave()
}

function effectsFor(
  home: string,
  around: Surroundings,
  rest: Pick<HookEffects, 'signal' | 'recordFailure'>,
): HookEffects {
  const loaded = loadConfig(home, around.environment)
  const effects = { clock: systemClock, ids: createIdSource(systemClock) }
  return {
    clock: systemClock,
    ...rest,
    async openMemory(cwd) {
      const { createReadMemory } = await import('../engine-read.ts')
      return createReadMemory({
        home,
        cwd: cwd ?? process.cwd(),
        config: loaded.config,
        userHome: around.userHome,
        temporaryDirectory: around.temporaryDirectory,
      })
    },
    readTranscriptTail: readTail,
    lookAtTranscript: lookAtFile,
    async appendJournal(entry) {
      if (!loaded.usable)
        throw new MemoryError('CONFIG_INVALID', loaded.problems[0] ?? 'config.json cannot be read', {
          data: { key: null, file: home },
        })
      await ensureHome(await openHome(home), effects)
      appendJournal(home, entry)
    },
    mode: loaded.config.session.mode,
    async keepMode(session, cwd) {
      await ensureHome(await openHome(home), effects)
      const { createSessionModes } = await import('../store/session-modes.ts')
      createSessionModes({ home, clock: systemClock }).set({ session, mode: loaded.config.session.mode, cwd })
    },
    startWorker(project) {
      if (!loaded.config.worker || !loaded.usable) return
      startWorker({ home, script: join(ownFolder(), 'worker.js'), project, environment: around.environment })
    },
  }
}

/** Folder of the bundle that runs. */
function ownFolder(): string {
  return dirname(fileURLToPath(import.meta.url))
}

function leave(): void {
  process.exit(0)
}
