/**
 * A home in which rules were taught, and the working tree that they speak of: in a temporary folder, through the doors of
 * everybody. Gone at the end.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DEFAULT_CONFIG, type Memory } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { safePath } from '../guard/index.ts'
import { createMemory } from '../index.ts'
import type { TaughtRules } from './dialect-data.ts'

export interface DialectHome {
  readonly memory: Memory
  /** Id of the note of each rule, by the id of the rule. */
  readonly notes: ReadonlyMap<string, string>
  close(): Promise<void>
}

/** Throws INPUT_INVALID for a rule that cannot be kept as a note of its own. */
export async function openDialectHome({ rules, tree }: TaughtRules, temporaryDirectory: string): Promise<DialectHome> {
  const root = realpathSync(mkdtempSync(join(temporaryDirectory, 'keepsake-eval-')))
  const cwd = join(root, 'tidewater')
  mkdirSync(cwd)
  const remove = () => rmSync(root, { recursive: true, force: true })
  try {
    for (const [path, text] of Object.entries(tree)) {
      const file = safePath(cwd, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    const memory = await createMemory({
      home: join(root, 'home'),
      cwd,
      config: { config: { ...DEFAULT_CONFIG, history: false }, unknownKeys: [], problems: [], usable: true },
      embedder: null,
      completer: null,
      surroundings: { environment: {}, userHome: root, temporaryDirectory: root },
    })
    const notes = new Map<string, string>()
    for (const { id, type, name, description, text } of rules) {
      const kept = await memory.remember({ type, name, description, text, author: 'person' })
      if (kept.outcome !== 'written') throw notKept(id, kept.outcome)
      notes.set(id, kept.note.id)
    }
    await memory.refresh()
    return {
      memory,
      notes,
      close: async () => {
        await memory.close()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

function notKept(id: string, outcome: string): MemoryError {
  return new MemoryError(
    'INPUT_INVALID',
    `The rule ${JSON.stringify(id)} cannot be taught beside the others: ${outcome}`,
    {
      hint: 'Each rule becomes a note of its own: give it a name and words that no other rule has.',
      data: { field: id },
    },
  )
}
