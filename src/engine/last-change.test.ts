import { expect, it } from 'vitest'
import type { Layer } from '../domain/index.ts'
import type { NewCommit } from '../store/notes/history-port.ts'
import { createMemoryHistory } from '../store/notes/memory-history.ts'
import { readNote } from '../store/notes/note-format.ts'
import { lastChangeMs } from './last-change.ts'

const layer: Layer = { name: 'global', key: 'global', directory: '/home/ada/.keepsake/global' }
const bytesOf = (text: string) => new TextEncoder().encode(text)

/** One commit for each text, an hour apart; the first is hour 1. */
async function told(...texts: readonly string[]) {
  const history = createMemoryHistory()
  const commits = texts.map(
    (text, at): NewCommit => ({
      change: `01J${at}`,
      kind: 'outside',
      author: 'person',
      why: 'Files changed outside',
      noteIds: [],
      layers: ['global'],
      undoes: null,
      timeMs: (at + 1) * 3_600_000,
      files: [{ file: 'n.md', version: { bytes: bytesOf(text), mode: 0o600 }, seen: null }],
    }),
  )
  await history.append(layer, commits)
  return history
}

it.each<[string, readonly string[], string, number | null]>([
  ['one commit', ['The lantern burns'], 'The lantern burns', 1],
  ['the words changed', ['The lantern burns', 'The lantern is out'], 'The lantern is out', 2],
  [
    'only marks changed since',
    ['one', 'The lantern burns', '- The lantern\nburns', '* The lantern burns.'],
    'The lantern burns',
    2,
  ],
  ['the words came back', ['one', 'two', 'one'], 'one', 3],
  ['they are not in it yet', ['one', 'two'], 'three', null],
  ['nothing was ever recorded', [], 'one', null],
])('%s [I4]', async (_, texts, now, hour) => {
  const note = readNote(bytesOf(now), { layer: 'global', file: 'n.md' })
  const ms = await lastChangeMs(await told(...texts), layer, note)
  expect(ms === null ? null : ms / 3_600_000).toBe(hour)
})
