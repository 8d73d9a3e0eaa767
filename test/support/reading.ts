/**
 * A home in which a scripted model reads conversations: the library in this process, a clock that the test moves, a
 * transcript that grows, and journal lines as a hook leaves them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../src/config.ts'
import type { HookEvent, Memory } from '../../src/domain/index.ts'
import { createMemory } from '../../src/index.ts'
import type { Completer, CompletionRequest } from '../../src/models/index.ts'
import { appendJournal } from '../../src/store/journal.ts'
import { extractPrompt } from '../../src/write/after-turn/extract-prompt.ts'
import { createWorkshop, type Workshop } from './cli.ts'
import { fact, readFacts } from './reading-model.ts'
import { type Said, type TranscriptOptions, writeTranscript } from './transcript.ts'

export { fact, newMessages, readFacts, type Shown } from './reading-model.ts'

export const NATIVE = '7f1c2a44-0000-4000-8000-000000000001'
export const SESSION = `claude-code:${NATIVE}`
/** The first message of a transcript of `writeTranscript` was said then. */
export const BEGAN = Date.parse('2026-11-20T09:00:00Z')

/** Answers questions of extraction after a turn; a conversation that lies idle teaches it nothing. */
export interface ScriptedModel extends Completer {
  /** Those of extraction. */
  readonly requests: CompletionRequest[]
}

export function scriptedModel(
  answer: (request: CompletionRequest, at: number) => string | Promise<string> = readFacts,
): ScriptedModel {
  const requests: CompletionRequest[] = []
  return {
    id: 'scripted',
    requests,
    async complete(request) {
      if (request.system !== extractPrompt.text) return { text: 'Nothing to keep.', tokens: null }
      requests.push(request)
      request.signal?.throwIfAborted()
      return { text: await answer(request, requests.length - 1), tokens: { input: 100, output: 10 } }
    },
  }
}

export interface Reading {
  readonly shop: Workshop
  readonly clock: { now(): number; set(ms: number): void; add(ms: number): void }
  /** One process: a Memory of its own over the same home. */
  open(completer?: Completer): Promise<Memory>
  /** Writes the transcript anew (it is the same file with more rows), and leaves the line of a hook. */
  say(said: readonly Said[], options?: TranscriptOptions & { readonly kind?: HookEvent['kind'] }): string
  /** Leaves the line of a hook without new words. */
  event(kind: HookEvent['kind'], native?: string): void
  /** Names of the notes that are kept, sorted. */
  names(memory: Memory): Promise<string[]>
  close(): Promise<void>
}

export function createReading(): Reading {
  const shop = createWorkshop()
  // The history of notes is another matter, and git costs these tests most of their time.
  writeFileSync(join(shop.home, 'config.json'), '{"worker": false, "history": false}\n', { mode: 0o600 })
  const time = { now: BEGAN }
  const clock = {
    now: () => time.now,
    set: (ms: number) => void Object.assign(time, { now: ms }),
    add: (ms: number) => void Object.assign(time, { now: time.now + ms }),
  }
  const opened: Memory[] = []
  const surroundings = { environment: {}, userHome: shop.root, temporaryDirectory: join(shop.root, 'tmp') }
  const event: Reading['event'] = (kind, native = NATIVE) => {
    const transcript = join(shop.root, `${native}.jsonl`)
    appendJournal(shop.home, {
      time: new Date(clock.now()).toISOString(),
      event: kind,
      kind,
      agent: 'claude-code',
      session: native,
      transcript,
      cwd: shop.project,
      size: readFileSync(transcript).length,
    })
  }
  return {
    shop,
    clock,
    event,
    async open(completer) {
      const memory = await createMemory({
        home: shop.home,
        cwd: shop.project,
        clock,
        surroundings,
        config: loadConfig(shop.home, {}),
        ...(completer ? { completer } : {}),
      })
      opened.push(memory)
      return memory
    },
    say(said, { kind = 'turn-end', ...options } = {}) {
      const file = writeTranscript(shop, said, options)
      event(kind, options.session ?? NATIVE)
      return file
    },
    async names(memory) {
      return (await memory.list({ limit: 500 })).notes.map(({ name }) => name).sort()
    },
    async close() {
      for (const memory of opened) await memory.close()
      shop.remove()
    },
  }
}

/** `count` turns: the user says the fact of each number, the assistant answers. */
export function turnsOf(from: number, to: number): Said[] {
  return Array.from({ length: to - from }, (_, at) => [{ user: fact(from + at) }, { assistant: 'Understood.' }]).flat()
}
