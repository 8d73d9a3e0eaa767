/** A capture is stopped before each of its steps in turn and run again: the same notes and messages as without. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readNote } from '../store/notes/note-format.ts'
import { createCaptureHarness, type FakeTurn } from '../testing/capture-harness.ts'
import { createWriteHarness, globalLayer } from '../testing/write-harness.ts'

const turns: readonly FakeTurn[] = [
  { messages: [{ content: 'Remember: indent = tabs' }, { role: 'assistant', content: 'Fine.' }] },
  { messages: [{ content: 'Remember: answer in French\nRemember: never twice' }] },
  {
    messages: [{ content: 'Remember: the agent wrote this itself' }],
    memoryWrites: [{ path: '/home/.keepsake/global/own.md', tool: 'Write', time: null }],
  },
  { messages: [{ content: 'Remember: indent = spaces' }, { role: 'tool', toolName: 'Bash', content: 'ok' }] },
]

class Killed extends Error {}

/** Runs one capture over a fresh store; `killAt` is the number of the step before which it dies, null for none. */
async function play(killAt: number | null) {
  const home = mkdtempSync(join(tmpdir(), 'keepsake-replay-'))
  try {
    const steps: string[] = []
    let process: 'running' | 'dead' | 'restarted' = 'running'
    const step = (name: string) => {
      steps.push(name)
      if (process === 'running' && steps.length - 1 === killAt) process = 'dead'
      if (process === 'dead') throw new Killed(name)
    }
    const store = createWriteHarness({ home, before: step })
    const harness = createCaptureHarness(store)
    const { sessions, state } = harness
    const watched = {
      sessions: {
        ...sessions,
        putSession: (session: Parameters<typeof sessions.putSession>[0]) => {
          step('putSession')
          sessions.putSession(session)
        },
        addMessages: (...given: Parameters<typeof sessions.addMessages>) => {
          step('addMessages')
          return sessions.addMessages(...given)
        },
      },
      state: {
        ...state,
        putCursor: (cursor: Parameters<typeof state.putCursor>[0]) => {
          step('putCursor')
          state.putCursor(cursor)
        },
      },
      recordToolWrite: async (write: {
        readonly path: string
        readonly session: string
        readonly time: string | null
      }) => {
        step('recordToolWrite')
        await harness.dependencies.recordToolWrite(write)
      },
    }
    await harness.capture(turns, watched).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error
    })
    const stepsOfFirst = steps.length
    process = 'restarted'
    await harness.capture(turns, watched)
    const notes = await Promise.all(
      (await store.list(globalLayer)).map(async (file) => {
        const bytes = new TextEncoder().encode(await store.text(globalLayer, file))
        const { id: _id, hash: _hash, ...note } = readNote(bytes, { layer: 'global', file })
        return note
      }),
    )
    const index = (await store.index(globalLayer)).replaceAll('\r', '')
    const messages = sessions.messages('claude-code:s1', { limit: 100, offset: 0 })
    return {
      outcome: { notes, index, messages, session: sessions.session('claude-code:s1'), toolWrites: harness.toolWrites },
      steps: steps.slice(0, stepsOfFirst),
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

describe('crash and replay', () => {
  it('gives the same notes, messages and MEMORY.md from every step', async () => {
    const whole = await play(null)
    expect(whole.outcome.notes.map((note) => note.name)).toEqual(['answer in French', 'indent'])
    expect(whole.outcome.messages.total).toBe(6)
    const names = new Set(whole.steps.map((step) => step.split(' ')[0]))
    expect([...names].sort()).toEqual([
      'addMessages',
      'index',
      'lock',
      'putCursor',
      'putSession',
      'recordToolWrite',
      'write',
    ])
    for (const [position, name] of whole.steps.entries()) {
      const { outcome } = await play(position)
      expect(outcome, `killed before step ${position}: ${name}`).toEqual(whole.outcome)
    }
  })
})
