/** Which notes were of use (spec I7): cited or opened, whoever the agent is and through whichever door, once a conversation. */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CaptureResult, ListResult, Memory, ReadResult, RecallResult, UseCount } from '../../src/domain/index.ts'
import { createCitationReader, createMemory, stripCitations } from '../../src/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'
import { callTools } from '../support/mcp.ts'
import { type Said, writeTranscript } from '../support/transcript.ts'

let shop: Workshop
const memories: Memory[] = []
const DAY_MS = 86_400_000
const START_MS = Date.parse('2026-12-01T10:00:00Z')
const clock = { ms: START_MS, now: () => clock.ms }
const open = async () => {
  const environment = { PATH: process.env.PATH ?? '' }
  const around = { environment, userHome: shop.root, temporaryDirectory: '/nowhere' }
  const memory = await createMemory({ home: shop.home, cwd: shop.project, surroundings: around, clock })
  memories.push(memory)
  return memory
}
beforeEach(() => {
  shop = createWorkshop()
  clock.ms = START_MS
})
afterEach(async () => {
  for (const memory of memories.splice(0)) await memory.close()
  shop.remove()
})

const notes = [
  ['Deploy window', 'Deploys of tidewater happen on Tuesdays'],
  ['发布窗口', '潮水项目每周二发布'],
  ['Ledger owner', 'Ana owns the ledger'],
] as const
type Kept = Readonly<Record<'deploy' | 'window' | 'ledger', { readonly id: string; readonly file: string }>>

async function keep(memory: Memory): Promise<Kept> {
  const kept: { id: string; file: string }[] = []
  for (const [name, text] of notes) {
    const result = await memory.remember({ name, text, type: 'project' })
    if (result.outcome !== 'written') throw new Error(result.outcome)
    kept.push({ id: result.note.id, file: result.note.file })
  }
  const [deploy, window, ledger] = kept
  if (!deploy || !window || !ledger) throw new Error('not kept')
  return { deploy, window, ledger }
}
const usesOf = async (memory: Memory): Promise<Record<string, number>> =>
  Object.fromEntries((await memory.list()).notes.map(({ name, uses }) => [name, uses?.count ?? -1]))
const never = { 'Deploy window': 0, 发布窗口: 0, 'Ledger owner': 0 }
const captured = (memory: Memory, said: readonly Said[], options = {}) =>
  memory.capture({ file: writeTranscript(shop, said, options), agent: 'claude-code' })

/** A rollout as Codex writes it. */
function writeRollout(rows: readonly object[], thread = '0199d0c2-0000-7000-8000-000000000001'): string {
  const file = join(shop.root, `rollout-2026-11-18T10-00-00-${thread}.jsonl`)
  const meta = { type: 'session_meta', payload: { id: thread, cwd: shop.project } }
  const lines = [meta, ...rows].map((row, second) => ({
    timestamp: new Date(1_795_000_000_000 + second * 1_000).toISOString(),
    ...row,
  }))
  writeFileSync(file, lines.map((row) => `${JSON.stringify(row)}\n`).join(''))
  return file
}
const item = (payload: object) => ({ type: 'response_item', payload })
const user = (text: string) => item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
const answer = (text: string) => item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
const shell = (id: string, cmd: string) => [
  item({ type: 'function_call', call_id: id, name: 'exec_command', arguments: JSON.stringify({ cmd }) }),
  item({
    type: 'function_call_output',
    call_id: id,
    output: 'Wall time: 1 seconds\nProcess exited with code 0\nOutput:\ntext',
  }),
]
const native = (...entries: readonly string[]) =>
  [
    '<oai-mem-citation>',
    '<citation_entries>',
    ...entries,
    '</citation_entries>',
    '<rollout_ids>',
    '</rollout_ids>',
    '</oai-mem-citation>',
  ].join('\n')

describe('use in Claude Code [I7]', () => {
  it('its own reads of files and memory_get count; being shown, listed or searched does not', async () => {
    const memory = await open()
    const kept = await keep(memory)
    await memory.context({ agent: 'claude-code' })
    await memory.recall({ query: 'deploys' })
    await memory.read(kept.deploy.id)
    expect(await usesOf(memory)).toEqual(never)
    const result = await captured(memory, [
      { user: 'When may I deploy?' },
      { tool: 'mcp__keepsake__memory_search', input: { query: 'deploy' }, result: 'Deploy window' },
      { tool: 'Read', input: { file_path: kept.deploy.file }, result: '1\tDeploys' },
      { tool: 'Read', input: { file_path: join(shop.project, 'README.md') }, result: '1\tTidewater' },
      { tool: 'mcp__keepsake__memory_get', input: { note: '发布窗口' }, result: '潮水' },
      { tool: 'Bash', input: { command: `cat ${kept.deploy.file} | head -20` }, result: 'Deploys' },
      { assistant: 'On Tuesdays.' },
    ])
    expect(result.uses).toEqual({ counted: 2, unknown: 0 })
    expect(await usesOf(memory)).toEqual({ ...never, 'Deploy window': 1, 发布窗口: 1 })
    expect((await memory.read(kept.deploy.id))?.uses).toEqual({
      count: 1,
      lastUsed: '2026-11-20T09:05:00Z',
    } satisfies UseCount)
  })

  it('a conversation read again, resumed in a copy, or forked counts nothing twice; another one does', async () => {
    const memory = await open()
    const kept = await keep(memory)
    const said: readonly Said[] = [
      { user: 'When may I deploy?' },
      { tool: 'Read', input: { file_path: kept.deploy.file }, result: '1\tDeploys' },
      { assistant: 'On Tuesdays.' },
    ]
    await captured(memory, said)
    await captured(memory, said, { file: join(shop.root, 'copy.jsonl') })
    await captured(memory, [...said, { user: 'Thanks.' }, { assistant: 'Sure.' }])
    expect((await usesOf(memory))['Deploy window']).toBe(1)
    await captured(memory, said, {
      session: '7f1c2a44-0000-4000-8000-000000000002',
      messageIds: '11111111',
      start: '2026-11-21T09:00:00Z',
    })
    expect((await memory.read(kept.deploy.id))?.uses).toMatchObject({ count: 2, lastUsed: '2026-11-21T09:01:00Z' })
  })

  it('what was opened gains trust when the next words do not correct it [R10]', async () => {
    const memory = await open()
    const kept = await keep(memory)
    const said = (file: string, next: string): readonly Said[] => [
      { user: 'Go on with the release.' },
      { tool: 'Read', input: { file_path: file }, result: '1\ttext' },
      { assistant: 'I deploy on Tuesdays, as Ana owns the ledger.' },
      { user: next },
      { assistant: 'Understood.' },
    ]
    await captured(memory, said(kept.ledger.file, 'Good, now write the notes for it.'))
    await captured(memory, said(kept.deploy.file, 'No, that is wrong: deploys happen on Wednesdays, not Tuesdays.'), {
      session: '7f1c2a44-0000-4000-8000-000000000002',
      messageIds: '11111111',
    })
    expect((await memory.read(kept.ledger.id))?.trust).toMatchObject({ value: 0.55, helped: 1 })
    expect((await memory.read(kept.deploy.id))?.trust).toMatchObject({ value: 0.4, misled: 1 })
  })
})

describe('use in Codex [I7]', () => {
  it.each<[string, (kept: Kept) => object[], Record<string, number>, number]>([
    [
      'its citation block names files',
      ({ deploy }) => [
        answer(`On Tuesdays.\n\n${native(`${deploy.file.replace(/^.*\//, '')}:1-9|note=[the window]`)}`),
      ],
      { 'Deploy window': 1 },
      0,
    ],
    [
      'by the whole path',
      ({ deploy }) => [answer(`Yes.\n${native(`${deploy.file}:1-9|note=[x]`)}`)],
      { 'Deploy window': 1 },
      0,
    ],
    [
      'by the folder of its layer',
      ({ window }) => [answer(`好。\n${native(`${window.file.split('/').slice(-2).join('/')}：1－3｜note=［发布］`)}`)],
      { 发布窗口: 1 },
      0,
    ],
    [
      'its own memory is not ours',
      () => [answer(`Yes.\n${native('MEMORY.md:12-19|note=[x]', 'gone.md:1-2|note=[y]')}`)],
      {},
      2,
    ],
    [
      'a shell reads a file',
      ({ ledger }) => [...shell('call_8Zk2hT0vQpLmN3xY', `sed -n '1,40p' "${ledger.file}"`), answer('Ana.')],
      { 'Ledger owner': 1 },
      0,
    ],
    [
      'a shell lists, writes, searches',
      ({ ledger }) => [
        ...shell('call_8Zk2hT0vQpLmN3xY', `ls "${ledger.file}"; rg Ana "${ledger.file.replace(/[^/]*$/, '')}"`),
        answer('Ana.'),
      ],
      {},
      0,
    ],
    [
      'a block that talks of the format',
      ({ deploy }) => [answer(`It is:\n\`\`\`\n${native(`${deploy.file}:1-9|note=[x]`)}\n\`\`\``)],
      {},
      0,
    ],
  ])('%s', async (_, rows, expected, unknown) => {
    const memory = await open()
    const kept = await keep(memory)
    const file = writeRollout([user('When may I deploy?'), ...rows(kept)])
    const { uses } = await memory.capture({ file, agent: 'codex' })
    expect(await usesOf(memory)).toEqual({ ...never, ...expected })
    expect(uses.unknown).toBe(unknown)
  })

  it('a fork that holds the parent’s rows anew counts nothing twice', async () => {
    const memory = await open()
    const kept = await keep(memory)
    const rows = [
      user('When may I deploy?'),
      ...shell('call_8Zk2hT0vQpLmN3xY', `cat "${kept.ledger.file}"`),
      answer(`On Tuesdays.\n${native(`${kept.deploy.file}:1-9|note=[x]`)}`),
    ]
    await memory.capture({ file: writeRollout(rows), agent: 'codex' })
    const fork = writeRollout([...rows, user('And?'), answer('That is all.')], '0199d0c2-0000-7000-8000-000000000002')
    expect((await memory.capture({ file: fork, agent: 'codex' })).uses.counted).toBe(0)
    expect(await usesOf(memory)).toEqual({ ...never, 'Deploy window': 1, 'Ledger owner': 1 })
  })
})

describe('use in a host of one’s own [I7]', () => {
  const block = (...lines: readonly string[]) => ['<keepsake-cite>', ...lines, '</keepsake-cite>'].join('\n')

  it('an answer is told: its notes count and gain trust, its text comes back without the block', async () => {
    const memory = await open()
    const kept = await keep(memory)
    const told = { session: '42', agent: 'helpdesk' }
    const text = `On Tuesdays.\n\n${block(kept.deploy.id, kept.window.id.toLowerCase(), 'Ledger owner', 'no such note')}`
    expect(await memory.sessions.answered({ ...told, text })).toEqual({
      text: 'On Tuesdays.',
      used: [kept.deploy.id, kept.window.id, kept.ledger.id],
      counted: 3,
      unknown: ['no such note'],
      omitted: 0,
      reason: null,
    })
    expect(await memory.sessions.answered({ ...told, text })).toMatchObject({ counted: 0, used: { length: 3 } })
    expect(await usesOf(memory)).toEqual({ 'Deploy window': 1, 发布窗口: 1, 'Ledger owner': 1 })
    expect((await memory.read(kept.deploy.id))?.trust.value).toBe(0.55)
    expect(await memory.sessions.answered({ ...told, text: 'No block.' })).toMatchObject({
      text: 'No block.',
      used: [],
    })
    await memory.sessions.answered({ session: 'helpdesk:43', agent: 'helpdesk', text, message: 'm1' })
    expect((await usesOf(memory))['Deploy window']).toBe(2)
    await memory.sessions.answered({ session: '44', agent: 'helpdesk', text, message: 'm1' })
    expect((await usesOf(memory))['Deploy window']).toBe(2)
    await expect(memory.sessions.answered({ session: 'a b', text })).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  })

  it.each<[string, (line: string) => string]>([
    ['as it stands', (line) => line],
    ['without its bullet', (line) => line.slice(2)],
    ['without its date', (line) => line.replace(/ \(\d{4}-\d\d-\d\d\)$/, '')],
    ['without both', (line) => line.slice(2).replace(/ \(\d{4}-\d\d-\d\d\)$/, '')],
    ['cut', (line) => `${line.slice(0, 20)}… (2026-12-01)`],
  ])('a note of which only the line was seen is cited by that line, %s', async (_, cited) => {
    const memory = await open()
    for (const text of [
      'Ana owns the ledger: ask her before a booking moves',
      '潮水项目每周二发布：先问小王，再合并到主干，然后通知值班',
    ])
      await memory.remember({ text, type: 'project' })
    const { text: start } = await memory.context({ agent: 'library', session: '42' })
    const lines = start.split('\n').filter((line) => /^- (?:Ana|潮水)/.test(line))
    expect(lines).toHaveLength(2)
    const told = { session: '42', agent: 'helpdesk', text: `Yes.\n${block(...lines.map(cited))}` }
    expect(await memory.sessions.answered(told)).toMatchObject({ counted: 2, unknown: [] })
  })

  it('a line that was changed since, that could be two notes, or of which too little is left is none', async () => {
    const memory = await open()
    for (const pier of ['north', 'south'])
      await memory.remember({ text: `Ana owns the ledger of the ${pier} pier`, type: 'project' })
    const lines = ['- Ana owns the ledger of the west pier (2026-12-01)', '- Ana owns the ledger of the…', '- Ana own…']
    const text = `Yes.\n${block(...lines)}`
    expect(await memory.sessions.answered({ session: '42', text })).toMatchObject({ used: [], unknown: { length: 3 } })
    const cut = block('- Ana owns the ledger of the nor…')
    expect(await memory.sessions.answered({ session: '42', text: cut })).toMatchObject({ counted: 1, unknown: [] })
  })

  it('a streamed answer shows no part of the block', async () => {
    const memory = await open()
    const { deploy } = await keep(memory)
    const text = `周二发布。\n\n${block(deploy.id)}\n`
    const reader = createCitationReader()
    const shown = [...text].map((piece) => reader.push(piece)).join('') + reader.end()
    expect([shown, reader.references()]).toEqual([stripCitations(text), [deploy.id]])
    expect(shown).toBe('周二发布。\n')
  })

  it('a note that was read for a conversation counts there; one that is off counts nothing and loses what it had', async () => {
    const memory = await open()
    const { deploy, ledger } = await keep(memory)
    await memory.read(deploy.id, { session: '42' })
    await memory.read('Deploy window', { session: 'plain:42' })
    await memory.read('no such note', { session: '42' })
    expect(await usesOf(memory)).toEqual({ ...never, 'Deploy window': 1 })
    await memory.sessions.setMode({ id: 'plain:42', mode: 'off' })
    expect(await usesOf(memory)).toEqual(never)
    await memory.read(ledger.id, { session: '42' })
    const { reason, text } = await memory.sessions.answered({ session: '42', text: `Ana.\n${block(ledger.id)}` })
    expect([text, reason]).toEqual(['Ana.', expect.stringContaining('off')])
    expect(await usesOf(memory)).toEqual(never)
  })

  it('is forgotten with the note, and a state database that is gone hides none', async () => {
    const memory = await open()
    const { deploy, ledger } = await keep(memory)
    await memory.read(deploy.id, { session: '42' })
    await memory.read(ledger.id, { session: '42' })
    await memory.forget(deploy.id)
    expect((await memory.list()).notes.map(({ name, uses }) => [name, uses?.count])).toContainEqual(['Ledger owner', 1])
    expect((await memory.remember({ name: 'Deploy window', text: 'Deploys moved to Thursdays' })).outcome).toBe(
      'written',
    )
    expect((await usesOf(memory))['Deploy window']).toBe(0)
  })
})

describe('use and order [I7] [S4]', () => {
  it('a use moves the lines of the index and of the next start block at a refresh, and nothing before it', async () => {
    const memory = await open()
    const kept = await keep(memory)
    const index = () => readFileSync(join(dirname(kept.deploy.file), 'MEMORY.md'), 'utf8')
    const lines = (text: string) =>
      ['Deploy window', '发布窗口', 'Ledger owner'].toSorted((one, other) => text.indexOf(one) - text.indexOf(other))
    const started = async () => lines((await memory.context()).text)
    const hooked = async () => lines((await shop.hook('SessionStart', { source: 'startup' })).stdout)
    const before = { index: index(), start: (await memory.context()).text }
    clock.ms += 3 * DAY_MS
    await memory.read(kept.window.id, { session: '42' })
    await memory.sessions.answered({
      session: '42',
      text: `Ana.\n<keepsake-cite>\n${kept.ledger.id}\n</keepsake-cite>`,
    })
    expect([index(), (await memory.context()).text]).toEqual([before.index, before.start])
    await memory.refresh()
    const expected = ['发布窗口', 'Ledger owner', 'Deploy window']
    expect([lines(index()), await started(), await hooked()]).toEqual([expected, expected, expected])
    await memory.review({ action: 'misled', note: kept.window.id })
    await memory.review({ action: 'misled', note: kept.deploy.id })
    await memory.refresh()
    const without = ['Ledger owner', '发布窗口', 'Deploy window']
    expect([lines(index()), await started(), await hooked()]).toEqual([without, without, without])
  }, 60_000)
})

describe('an agent that never uses a note [I7]', () => {
  const silent = async () =>
    (await (await open()).doctor()).checks
      .filter(({ name }) => name === 'uses')
      .map(({ state, detail }) => `${state}: ${detail}`)
  const held = async (memory: Memory, from: number, to: number, extra: readonly Said[] = []) => {
    for (let number = from; number <= to; number++)
      await captured(memory, [{ user: 'When may I deploy?' }, ...extra, { assistant: 'On Tuesdays.' }], {
        session: `7f1c2a44-0000-4000-8000-${String(number).padStart(12, '0')}`,
        messageIds: String(10_000_000 + number),
        start: new Date(clock.ms + number * 60_000).toISOString(),
      })
  }

  it('is named by doctor after 20 conversations, until it uses one', async () => {
    const memory = await open()
    await held(memory, 1, 20)
    expect(await silent()).toEqual([])
    const { deploy } = await keep(memory)
    expect(await silent()).toEqual(['warning: claude-code opened and cited no note in its last 20 conversations'])
    expect((await memory.status()).checks.filter(({ name }) => name === 'uses')).toEqual([])
    await held(memory, 21, 21, [{ tool: 'Read', input: { file_path: deploy.file }, result: 'Deploys' }])
    expect(await silent()).toEqual([])
  }, 60_000)

  it('is not judged by fewer, nor by conversations from before there was a memory', async () => {
    const memory = await open()
    await keep(memory)
    await held(memory, 1, 19)
    expect(await silent()).toEqual([])
    await held(memory, -40, -20)
    expect(await silent()).toEqual([])
  }, 60_000)
})

describe('use at every door [I7] [U1] [U2]', () => {
  it('list, read and recall tell it; memory_get of a client without transcripts counts once a connection', async () => {
    await shop.cli(['remember', '--name', 'Deploy window', 'Deploys of tidewater happen on Tuesdays'])
    const calls = [
      ['memory_get', { note: 'Deploy window' }],
      ['memory_search', { query: 'deploys' }],
      ['memory_get', { note: 'Deploy window' }],
    ] as const
    const [first] = await callTools(shop, calls)
    expect(first).toContain('Tuesdays')
    expect(first).not.toMatch(/used in|lastUsed/)
    await callTools(shop, calls)
    const { notes: listed } = (await shop.cli(['list', '--json'])).json<ListResult>()
    const uses = { count: 2, lastUsed: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+Z$/) }
    expect(listed[0]?.uses).toEqual(uses)
    expect((await shop.cli(['read', 'Deploy window', '--json'])).json<ReadResult>().uses).toEqual(uses)
    const { results } = (await shop.cli(['recall', 'deploys', '--in', 'notes', '--json'])).json<RecallResult>()
    expect(results[0]?.uses).toEqual(uses)
    expect((await shop.cli(['read', 'Deploy window'])).stdout).toContain('used in 2 conversations, last on ')
    const transcript = writeTranscript(shop, [
      { user: 'When?' },
      { tool: 'mcp__keepsake__memory_get', input: { note: 'Deploy window' }, result: 'Tuesdays' },
      { assistant: 'On Tuesdays.' },
    ])
    expect((await shop.cli(['capture', transcript, '--json'])).json<CaptureResult>().uses.counted).toBe(1)
  }, 60_000)
})
