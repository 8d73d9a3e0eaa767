/** A home on disk in which each turn of a data set is a note: files as a person would put them there. Temporary. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DEFAULT_CONFIG, type Memory } from '../domain/index.ts'
import { MemoryError } from '../errors.ts'
import { createMemory } from '../index.ts'
import { createIdSource, cutGraphemes, oneLine, systemClock } from '../util/index.ts'
import type { TurnRow } from './retrieval-data.ts'
import { turnKey, wordsOf } from './retrieval-home.ts'

const MAX_NAME_GRAPHEMES = 60

export interface NotesOfGroup {
  readonly memory: Memory
  /** Id of a note to the key of its turn. */
  readonly turnOf: ReadonlyMap<string, string>
  /** For who opens the same place another way. */
  readonly place: { readonly home: string; readonly cwd: string; userHome: string; temporaryDirectory: string }
}

export interface NotesHome {
  /** The notes of one group as one project, indexed. Close its memory before the next one. */
  open(group: readonly string[]): Promise<NotesOfGroup>
  close(): void
}

export function createNotesHome(
  turns: readonly TurnRow[],
  { temporaryDirectory }: { readonly temporaryDirectory: string },
): NotesHome {
  const folder = realpathSync(mkdtempSync(join(temporaryDirectory, 'keepsake-eval-')))
  const home = join(folder, 'home')
  const ids = createIdSource(systemClock)
  let opened = 0
  return {
    async open(group) {
      const cwd = join(folder, 'projects', `group-${opened++}`)
      mkdirSync(cwd, { recursive: true })
      const config = { config: { ...DEFAULT_CONFIG, history: false }, unknownKeys: [], problems: [], usable: true }
      const memory = await createMemory({ home, cwd, config })
      const layer = await makeLayer(memory)
      const wanted = new Set(group)
      const turnOf = new Map<string, string>()
      for (const turn of turns.filter(({ c }) => wanted.has(c))) {
        const id = ids.next()
        turnOf.set(id, turnKey(turn.c, turn.t))
        writeFileSync(join(layer, `${id}.md`), noteText(id, turn))
      }
      // A search brings the files of this place into the index.
      await memory.recall({ query: 'warm up', in: 'notes' })
      return { memory, turnOf, place: { home, cwd, userHome: folder, temporaryDirectory: folder } }
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The folder of the project's notes, made as ever: by a first note, which is taken out again. */
async function makeLayer(memory: Memory): Promise<string> {
  const made = await memory.remember({ text: 'The first note makes the folder', layer: 'project', name: 'first' })
  if (!('note' in made)) throw new MemoryError('INTERNAL', 'The first note of a measurement was refused')
  await memory.forget(made.note.id)
  return dirname(made.note.file)
}

function noteText(id: string, turn: TurnRow): string {
  const words = wordsOf(turn)
  const name = JSON.stringify(cutGraphemes(oneLine(words), MAX_NAME_GRAPHEMES))
  return `---\nid: ${id}\nname: ${name}\ntype: project\n---\n\n${words}\n`
}
