/**
 * One of many writers: `node child.mjs <home> <name> <notes>`. Writes its own notes and one line of MEMORY.md per note,
 * and after every tenth note rewrites the note that a person is appending to. Prints `done <retries>`.
 */
import { join } from 'node:path'
import { argv, stdout } from 'node:process'
import type { Layer } from '../../src/domain/index.ts'
import { hasCode } from '../../src/errors.ts'
import { createFsNoteFiles } from '../../src/store/notes/fs-note-files.ts'
import type { LockedLayer, NoteBytes } from '../../src/store/notes/note-files.ts'
import { systemClock } from '../../src/util/index.ts'

const [, , home = '', name = '', count = '0'] = argv
const layer: Layer = { name: 'global', key: 'global', directory: join(home, 'global') }
const files = createFsNoteFiles({ home, clock: systemClock })
const encode = (text: string) => new TextEncoder().encode(text)
const decode = (found: NoteBytes | null) => (found ? new TextDecoder().decode(found.bytes) : '')
let retries = 0

/** Reads, changes and writes until nobody came in between, as every writer must. */
async function change(locked: LockedLayer, work: () => Promise<unknown>): Promise<void> {
  for (let round = 0; round < 50; round++) {
    try {
      await work()
      return
    } catch (error) {
      if (!hasCode(error, 'NOTE_CHANGED_ON_DISK')) throw error
      retries++
    }
  }
  throw new Error(`gave up on ${locked.layer.key}`)
}

async function addIndexLine(locked: LockedLayer, line: string): Promise<void> {
  const before = await locked.readIndex()
  const [head = '', ...rest] = decode(before).split('\n')
  await locked.writeIndex(encode([head || '# Memory', line, ...rest].join('\n')), before?.hash ?? null)
}

async function revise(locked: LockedLayer): Promise<void> {
  const before = await locked.read('project_diary.md')
  const [head = '', ...rest] = decode(before).split('\n')
  const revision = Number(/revision (\d+)/.exec(head)?.[1] ?? 0) + 1
  await locked.write('project_diary.md', encode([`revision ${revision}`, ...rest].join('\n')), before?.hash ?? null)
}

for (let index = 0; index < Number(count); index++) {
  const file = `project_${name}-${index}.md`
  await files.withLock(layer, { waitMs: 60_000 }, async (locked) => {
    await locked.write(file, encode(`fact ${index} of ${name}\n`), null)
    await change(locked, () => addIndexLine(locked, `- [${file}](${file})`))
    if (index % 10 === 0) await change(locked, () => revise(locked))
  })
}
stdout.write(`done ${retries}\n`)
