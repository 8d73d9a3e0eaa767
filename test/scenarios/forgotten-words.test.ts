/** A note is forgotten: what models took out of the conversation that proved it, or said about it, goes as well [G1] [W13] [W14]. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/domain/index.ts'
import type { Completer, CompletionRequest } from '../../src/models/index.ts'
import { findSqliteDriver } from '../../src/store/sqlite/find-driver.ts'
import { createReading, type Reading } from '../support/reading.ts'

const HOUR = 3_600_000
const WORD = 'Heron'
const OTHER = '7f1c2a44-0000-4000-8000-000000000002'
const said = [
  { user: 'Remember that the nightly export belongs to the Heron team, ask them before you change it.' },
  { assistant: 'Understood.' },
]
const gave = (team: string) =>
  JSON.stringify({
    rawMemory: `## Good to know\n\n- "it belongs to the ${team} team" (#1)`,
    summary: `The user told that the ${team} team owns the nightly export.`,
    slug: 'nightly-export',
  })

let it_: Reading
let asked: { readonly stage: 'turn' | 'one' | 'two'; readonly prompt: string }[]
beforeEach(() => {
  it_ = createReading()
  asked = []
})
afterEach(() => it_.close())

/** Nobody can read its answers after a turn, and it never ends a pass over the notes. */
const completer: Completer = {
  id: 'scripted',
  async complete({ tools, system, prompt }: CompletionRequest) {
    const stage = tools ? 'two' : system.includes('one finished conversation') ? 'one' : 'turn'
    asked.push({ stage, prompt })
    const tokens = { input: 100, output: 10 }
    if (stage === 'two') return { text: '', calls: [{ id: 'c', name: 'list', input: {} }], tokens }
    const team = prompt.includes(WORD) ? WORD : 'Kiln'
    return { text: stage === 'one' ? gave(team) : `It belongs to the ${team} team, you say?`, tokens }
  },
}

const rowsWithWord = () => {
  const database = findSqliteDriver()?.open(join(it_.shop.home, 'state.db'), { readOnly: true })
  if (!database) throw new Error('No SQLite here')
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
    const rows = tables.flatMap(({ name }) => database.prepare(`SELECT * FROM "${name}"`).all())
    return rows.filter((row) => JSON.stringify(row).includes(WORD))
  } finally {
    database.close()
  }
}

const summaries = () => {
  const database = findSqliteDriver()?.open(join(it_.shop.home, 'sessions.db'), { readOnly: true })
  if (!database) throw new Error('No SQLite here')
  try {
    return database
      .prepare('SELECT summary FROM sessions')
      .all()
      .map((row) => String(row.summary))
  } finally {
    database.close()
  }
}

const noteFile = () => {
  const projects = join(it_.shop.home, 'projects')
  for (const folder of readdirSync(projects))
    for (const file of readdirSync(join(projects, folder)))
      if (/^(project|reference|user|feedback)_/.test(file)) return join(projects, folder, file)
  throw new Error('No note was kept')
}

const ways: readonly [string, (memory: Memory) => Promise<void>][] = [
  ['keepsake forget', async (memory) => void (await memory.forget((await it_.names(memory))[0] ?? ''))],
  [
    'its file goes by hand',
    async (memory) => {
      rmSync(noteFile())
      await memory.refresh()
      it_.clock.add(11 * 60_000)
      await memory.refresh()
    },
  ],
  [
    'the user says so in the conversation',
    async (memory) => {
      it_.say([...said, { user: 'forget that' }])
      await memory.refresh()
    },
  ],
]

describe('what models said of a forgotten note [G1]', () => {
  it.each(ways)('%s: it is in no row, in no pass over the notes, and is not read again', async (_, takeAway) => {
    const memory = await it_.open(completer)
    it_.say(said, { kind: 'session-end' })
    await memory.refresh()
    expect(await it_.names(memory)).toHaveLength(1)
    it_.clock.add(7 * HOUR)
    await memory.refresh()
    // A memory of the conversation, and an answer that nobody could read.
    expect(rowsWithWord().length).toBeGreaterThanOrEqual(2)
    expect(asked.some(({ stage, prompt }) => stage === 'two' && prompt.includes(WORD))).toBe(true)
    expect(summaries().join()).toContain(WORD)

    await takeAway(memory)
    expect(await it_.names(memory)).toEqual([])
    expect(rowsWithWord()).toEqual([])
    expect(summaries().join()).not.toContain(WORD)

    // It goes on, and another one teaches something else: both lie idle, and the notes are tidied.
    asked = []
    it_.say([...said, { user: 'forget that' }, { assistant: 'Gone.' }, { user: 'What is left to do?' }])
    it_.say([{ user: 'The glaze store belongs to the Kiln team.' }], { session: OTHER, messageIds: 'd0000001' })
    await memory.refresh()
    it_.clock.add(30 * HOUR)
    await memory.refresh({ now: true })
    const deferred = asked.filter(({ stage }) => stage !== 'turn')
    expect(deferred.filter(({ stage }) => stage === 'one')).toHaveLength(1)
    expect(deferred.some(({ stage }) => stage === 'two')).toBe(true)
    expect(deferred.filter(({ prompt }) => prompt.includes(WORD))).toEqual([])
    expect(rowsWithWord()).toEqual([])
    expect(summaries().join()).not.toContain(WORD)
  })
})
