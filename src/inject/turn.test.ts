import { expect, it } from 'vitest'
import { DEFAULT_CONFIG, type TurnGate } from '../domain/index.ts'
import { readShown } from './shown.ts'
import { composeTurn, type FoundNote, type TurnSources } from './turn.ts'

const note = (number: number, more: Partial<FoundNote> = {}): FoundNote => ({
  id: `01J0000000000000000000000${number}`,
  hash: `${number}`.repeat(64),
  layer: 'projects/tidewater-0a1b2c3d',
  name: `note ${number}`,
  type: 'project',
  voice: 'fact',
  status: 'active',
  updated: '2026-11-17T09:00:00Z',
  body: `body of note ${number}`,
  withheld: null,
  ...more,
})

/** Sources that say what was asked of them. */
function sourcesOf(recalled: readonly FoundNote[]) {
  const asked: string[] = []
  const sources: TurnSources<FoundNote> = {
    recall: async () => {
      asked.push('recall')
      return { notes: recalled, problems: ['words chose the notes'] }
    },
    counting: async (notes) => notes,
    layers: [{ name: 'global', key: 'global', directory: '/home/ada/.keepsake/global' }],
    listingOf: async () => {
      asked.push('list')
      const mtimeMs = Date.parse('2026-11-29T08:30:00Z')
      return { state: 'ok', files: [{ file: 'n3.md', size: 1, mtimeMs, inode: 1 }], ignored: [] }
    },
    readNote: async () => note(3, { layer: 'global', updated: '2026-11-29T08:30:00Z' }),
    tombstones: () => null,
    kept: async (session) => {
      asked.push(`kept ${session}`)
      return []
    },
    verify: async (notes) => {
      asked.push(`verify ${notes.map(({ body }) => body.at(-1)).join()}`)
      return new Map()
    },
  }
  const ask = (more: Partial<Parameters<typeof composeTurn>[1]> = {}) =>
    composeTurn(sources, {
      prompt: 'which port',
      closed: null,
      shown: readShown([]),
      sessionStart: '2026-11-29T08:00:00Z',
      begins: 'own:1',
      maxBytes: 9_500,
      maxVerifyMs: 30,
      nowMs: Date.parse('2026-11-29T09:00:00Z'),
      config: DEFAULT_CONFIG,
      ...more,
    })
  return { asked, ask }
}

it.each<[TurnGate | null, string[], number]>([
  ['off', [], 0],
  ['no message', [], 0],
  ['no budget', [], 0],
  ['few words', ['list', 'kept own:1'], 1],
  [null, ['recall', 'list', 'verify 1,2', 'kept own:1'], 3],
])('with the gate "%s" closed it asks %j [I3]', async (closed, expected, entries) => {
  const { asked, ask } = sourcesOf([note(1), note(2)])
  const block = await ask({ closed })
  expect(asked).toEqual(expected)
  expect(block.entries).toHaveLength(entries)
  expect(block.closed).toBe(closed ?? undefined)
  expect(block.text === '').toBe(entries === 0)
})

it('what the conversation shows already is neither given nor looked up again [I2] [I5]', async () => {
  const { asked, ask } = sourcesOf([note(1), note(2)])
  const first = await ask()
  const shown = readShown([{ kind: 'turn', text: first.text, time: null }])
  asked.length = 0
  expect((await ask({ shown })).text).toBe('')
  expect(asked).not.toContain('verify 1,2')
  expect((await ask({ shown: readShown([]) })).text).toBe(first.text)
})

it('news come first, and only those since the conversation began or was cut [I2]', async () => {
  const { ask } = sourcesOf([note(1)])
  const names = async (sessionStart: string | null) => (await ask({ sessionStart })).entries.map(({ name }) => name)
  expect(await names('2026-11-29T08:00:00Z')).toEqual(['note 3', 'note 1'])
  expect(await names('2026-11-29T08:45:00Z')).toEqual(['note 1'])
  expect(await names(null)).toEqual(['note 1'])
})
