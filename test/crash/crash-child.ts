/**
 * A writer that dies: `node child.mjs <home> <run> <point or -> <nth>` works until the n-th time that it comes by the
 * crash point, and kills itself there with SIGKILL; with `-` it works until it is killed. One line on stdout per
 * finished step (`wrote`, `removed`, `revised`) and per deed of the person who works beside it (`hand`, `conflict`).
 */
import { appendFileSync, readdirSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { argv, kill, pid } from 'node:process'
import type { Layer } from '../../src/domain/index.ts'
import { hasCode } from '../../src/errors.ts'
import { createFsNoteFiles } from '../../src/store/notes/fs-note-files.ts'
import type { LockedLayer, NoteBytes } from '../../src/store/notes/note-files.ts'

const [, , home = '', run = '', point = '-', nth = '1'] = argv
const layer: Layer = { name: 'global', key: 'global', directory: join(home, 'global') }
const diary = join(layer.directory, 'project_diary.md')
const encode = (text: string) => new TextEncoder().encode(text)
const decode = (found: NoteBytes | null) => (found ? new TextDecoder().decode(found.bytes) : '')
const say = (line: string) => writeSync(1, `${line}\n`)
const clock = { laterMs: 0, now: () => Date.now() + clock.laterMs }
const state = { passes: 0, hands: 0, isRevising: false }

const files = createFsNoteFiles({
  home,
  clock,
  faults: {
    hit(name) {
      // The person who writes while the note is being replaced.
      if (name === 'temp-synced' && state.isRevising) appendByHand()
      if (name === point && ++state.passes >= Number(nth)) kill(pid, 'SIGKILL')
    },
  },
})

function appendByHand(): void {
  state.isRevising = false
  const line = `hand ${run}.${state.hands++}`
  appendFileSync(diary, `${line}\n`)
  say(line)
}

async function untilUndisturbed(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work()
      return
    } catch (error) {
      if (!hasCode(error, 'NOTE_CHANGED_ON_DISK')) throw error
    }
  }
}

async function writeNote(locked: LockedLayer, file: string): Promise<void> {
  await locked.write(file, encode(`fact of ${file}\n${'words '.repeat(200)}\nend\n`), null)
  await untilUndisturbed(async () => {
    const before = await locked.readIndex()
    await locked.writeIndex(encode(`${decode(before)}- [${file}](${file})\n`), before?.hash ?? null)
  })
  say(`wrote ${file}`)
}

async function revise(locked: LockedLayer): Promise<void> {
  state.isRevising = true
  let revision = 0
  await untilUndisturbed(async () => {
    const before = await locked.read('project_diary.md')
    const [head = '', ...rest] = decode(before).split('\n')
    revision = Number(/revision (\d+)/.exec(head)?.[1] ?? 0) + 1
    await locked.write('project_diary.md', encode([`revision ${revision}`, ...rest].join('\n')), before?.hash ?? null)
  })
  say(`revised ${revision}`)
}

async function remove(locked: LockedLayer, file: string): Promise<void> {
  say(`removing ${file}`)
  const found = await locked.read(file)
  if (found) await locked.remove(file, found.hash)
  say(`removed ${file}`)
}

/** An editor that had the old diary open saves its own text over it; then the look-back of 60 s later comes. */
async function saveOverOldFile(index: number, since: ReadonlySet<string>): Promise<void> {
  const [old] = readdirSync(layer.directory).filter(
    (name) => name.startsWith('.keepsake-displaced-') && !since.has(name),
  )
  if (old) {
    const text = `conflict ${run}.${index}`
    writeFileSync(join(layer.directory, old), `${text}\n`)
    say(text)
  }
  clock.laterMs = 61_000
  await files.settle(layer)
  clock.laterMs = 0
}

say('ready')
const displacedBefore = new Set(readdirSync(layer.directory))
for (let index = 0; ; index++) {
  const file = `project_${run}-${index}.md`
  await files.withLock(layer, { waitMs: 60_000 }, (locked) => writeNote(locked, file))
  await files.withLock(layer, { waitMs: 60_000 }, revise)
  if (index % 2 === 1) await files.withLock(layer, { waitMs: 60_000 }, (locked) => remove(locked, file))
  await saveOverOldFile(index, displacedBefore)
}
