/**
 * A worker as a process, with a scripted model and a clock that stands still: `<home> <project> <now> <behaviour>`. It says
 * `waiting` when it waits and `asked` when the model is asked; `hang` never answers. Each question is a line of asked.log.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../src/config.ts'
import { createMemory } from '../../src/index.ts'
import { sleep } from '../../src/util/index.ts'
import { runWorker } from '../../src/worker/run-worker.ts'
import { extractPrompt } from '../../src/write/after-turn/extract-prompt.ts'
import { readFacts } from '../support/reading-model.ts'

const [home = '', project = '', now = '', behaviour = ''] = process.argv.slice(2)
const root = join(home, '..')
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
const say = (word: string) => process.stdout.write(`${word}\n`)
const forEver = (signal: AbortSignal | undefined) => sleep(2 ** 30, signal)
const clock = { now: () => Number(now) }
const memory = await createMemory({
  home,
  cwd: project,
  clock,
  config: loadConfig(home, {}),
  surroundings: { environment: {}, userHome: root, temporaryDirectory: join(root, 'tmp') },
  completer: {
    id: 'scripted',
    async complete(request) {
      // A conversation that lies idle is another stage's, and teaches it nothing.
      if (request.system !== extractPrompt.text) return { text: 'Nothing to keep.', tokens: null }
      appendFileSync(join(root, 'asked.log'), 'asked\n')
      say('asked')
      if (behaviour === 'hang') await forEver(request.signal)
      return { text: readFacts(request), tokens: null }
    },
  },
})
const wait = (_ms: number, signal: AbortSignal) => {
  say('waiting')
  return forEver(signal)
}
await runWorker({ memory, signal: stop.signal, clock, log: () => undefined, prepareHook: async () => null, wait })
await memory.close()
say('ended')
