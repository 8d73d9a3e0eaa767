/**
 * The start block of a conversation that a host of the library holds: made once, the same bytes from any process on any
 * day, made anew after a compaction. Only forgetting reaches into it, and it reaches at once.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Block, backupHome, createMemory, type Memory, type RefreshResult, restoreHome } from '../../src/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'
import { writeTranscript } from '../support/transcript.ts'
import { treeOf } from '../support/tree.ts'

const DAY_MS = 86_400_000
const start = Date.parse('2026-11-20T09:00:00Z')

let shop: Workshop
const time = { now: start }
const opened: Memory[] = []
beforeEach(() => {
  shop = createWorkshop('lighthouse')
  time.now = start
})
afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close()
  shop.remove()
})

async function open(cwd = shop.project): Promise<Memory> {
  const memory = await createMemory({
    home: shop.home,
    cwd,
    clock: { now: () => time.now },
    surroundings: { environment: {}, userHome: shop.root, temporaryDirectory: join(shop.root, 'tmp') },
  })
  opened.push(memory)
  return memory
}

const folder = () => join(shop.home, 'start')
const files = () => (existsSync(folder()) ? readdirSync(folder()).sort() : [])
const onDisk = () => files().map((file) => readFileSync(join(folder(), file), 'utf8'))

async function taught(): Promise<Memory> {
  const memory = await open()
  await memory.remember({ text: 'Use pnpm, never npm', name: 'package manager', layer: 'project' })
  await memory.remember({ text: '发布前先跑一遍冒烟测试', name: '发布', layer: 'project' })
  await memory.remember({ text: 'Answers are short', name: 'answers', layer: 'global', pin: true })
  return memory
}

describe('a start block kept for a conversation [I1]', () => {
  it.each([
    ['a note written since', (memory: Memory) => memory.remember({ text: 'The tide table hangs on pier 4' })],
    ['a note changed since', (memory: Memory) => memory.remember({ text: 'Use yarn', name: 'package manager' })],
    ['a note pinned since', (memory: Memory) => memory.remember({ text: 'Tea at four', name: 'tea', pin: true })],
    ['a refresh', (memory: Memory) => memory.refresh()],
    [
      'three weeks',
      async () => {
        time.now += 21 * DAY_MS
      },
    ],
    [
      'other budgets',
      async () => writeFileSync(join(shop.home, 'config.json'), '{"inject": {"startTokens": 500, "startBytes": 1800}}'),
    ],
  ])('BL-60 stays byte for byte after %s', async (_, happens) => {
    const memory = await taught()
    const first = await memory.context({ agent: 'plain', session: 's-1' })
    expect(first.kept).toEqual({
      session: 'plain:s-1',
      made: '2026-11-20T09:00:00Z',
      isNew: true,
      forgotten: 0,
      dropped: [],
    })
    await happens(memory)
    const again = await (await open()).context({ session: 's-1' })
    expect(again).toEqual({ ...first, kept: { ...first.kept, isNew: false } })
    expect(again.text).toContain('Use pnpm, never npm')
    const printed = await shop.cli(['context', '--session', 's-1'])
    expect(printed.stdout).toBe(`${first.text}\n`)
    expect(statSync(join(folder(), files()[0]!)).mode & 0o777).toBe(0o600)
  })

  it('is made anew after a compaction, and only then', async () => {
    const memory = await taught()
    const first = await memory.context({ session: 's-1' })
    await memory.remember({ text: 'The tide table hangs on pier 4' })
    expect((await memory.context({ session: 's-1' })).text).toBe(first.text)
    const renewed = await memory.context({ session: 's-1', renew: true })
    expect(renewed.text).toContain('tide table')
    expect(renewed.kept?.isNew).toBe(true)
    expect((await memory.context({ session: 's-1' })).text).toBe(renewed.text)
    expect((await memory.context({})).kept).toBeUndefined()
    expect(files()).toHaveLength(1)
  })

  it('an empty memory is kept too: the first note does not move the prefix', async () => {
    const memory = await open()
    const first = await memory.context({ session: 's-1' })
    expect(first.text).toContain('No notes yet.')
    await memory.remember({ text: 'The tide table hangs on pier 4', layer: 'project' })
    expect((await memory.context({ session: 's-1' })).text).toBe(first.text)
  })

  it('two processes that ask at once get one block', async () => {
    await taught()
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => shop.cli(['context', '--session', 'codex:abc', '--json'])),
    )
    const blocks = answers.map((each) => each.json<Block>())
    expect(new Set(blocks.map(({ text }) => text)).size).toBe(1)
    expect(blocks.filter(({ kept }) => kept?.isNew)).toHaveLength(1)
    expect(files()).toHaveLength(1)
  })

  it.each([
    ['another project', async () => (await open(join(shop.root, 'code'))).context({ session: 's-1' })],
    ['another dialect', async () => (await open()).context({ session: 's-1', agent: 'codex' })],
    ['another session', async () => (await open()).context({ session: 'S-1' })],
  ])('%s has a block of its own (BL-14)', async (_, ask) => {
    const memory = await taught()
    await memory.context({ session: 's-1' })
    await memory.remember({ text: 'The tide table hangs on pier 4', layer: 'global' })
    expect((await ask()).text).toContain('tide table')
    expect(files()).toHaveLength(2)
  })

  it.each([
    ['a torn file', '{"session": "plain:s-1", "text": "<keeps'],
    ['an empty file', ''],
    ['a list', '[]'],
    ['a block without its lines', '{"session": "plain:s-1", "agent": "plain", "place": "", "text": "x"}'],
    ['bytes of others', '\u0000\ufffd'],
  ])('%s in its place is said, and made anew', async (_, bytes) => {
    const memory = await taught()
    const first = await memory.context({ session: 's-1' })
    writeFileSync(join(folder(), files()[0]!), bytes)
    const again = await memory.context({ session: 's-1' })
    expect(again.text).toBe(first.text)
    expect(again.problems.join(' ')).toContain('could not be read')
    expect((await memory.context({ session: 's-1' })).problems).toEqual([])
  })

  it('what cannot be kept is given all the same, and said', async () => {
    const memory = await taught()
    writeFileSync(folder(), 'a file in the place of the folder')
    const { text, problems, kept } = await memory.context({ session: 's-1' })
    expect(text).toContain('Use pnpm')
    expect(problems.join(' ')).toContain('not kept')
    expect(kept).toBeUndefined()
  })

  it.each([
    ['renew without a session', ['context', '--renew']],
    ['a session beside a prompt', ['context', '--session', 's-1', '--prompt', 'hello there']],
    ['an id with spaces', ['context', '--session', 's 1']],
    ['an empty id', ['context', '--session', '']],
    ['an id without end', ['context', '--session', 'x'.repeat(201)]],
  ])('%s is a usage fault and keeps nothing', async (_, command) => {
    await taught()
    expect((await shop.cli(command)).code).toBe(2)
    expect(files()).toEqual([])
  })
})

describe('forget wins over frozen [I1] [G1]', () => {
  const marker = '- [forgotten]'

  /** Blocks of three conversations, one of them in another dialect. */
  async function keptThrice(memory: Memory) {
    await memory.context({ session: 's-1' })
    await memory.context({ session: 's-2' })
    return memory.context({ session: 'codex:s-3', agent: 'codex' })
  }

  it.each([
    ['forget in the library', (memory: Memory) => memory.forget('package manager')],
    ['forget on the command line', () => shop.cli(['forget', 'package manager', '--yes'])],
    [
      'the undo of its write',
      async (memory: Memory) => {
        const { changes } = await memory.history.log({ note: 'package manager' })
        return memory.history.undo(changes[0]!.id)
      },
    ],
    ['a forget by an agent', (memory: Memory) => memory.forget('package manager', { agent: 'codex' })],
    [
      'its file taken away by hand and missed twice',
      async (memory: Memory) => {
        const { notes } = await memory.list()
        const { file } = notes.find(({ name }) => name === 'package manager')!
        await memory.refresh()
        rmSync(file)
        await memory.refresh()
        time.now += 11 * 60_000
        await memory.refresh()
      },
    ],
  ])('BL-30 %s takes the line out of every kept block at once', async (_, forget) => {
    const memory = await taught()
    const before = await keptThrice(memory)
    await forget(memory)
    expect(onDisk()).toHaveLength(3)
    for (const text of onDisk()) expect(text).not.toMatch(/never npm|package manager/)
    const after = await memory.context({ session: 'codex:s-3', agent: 'codex' })
    expect(after.kept).toMatchObject({ isNew: false, forgotten: 1 })
    const line = before.text.split('\n').find((each) => each.includes('never npm'))!
    expect(after.text).toBe(before.text.replace(line, marker))
    expect(after.entries.map(({ name }) => name)).not.toContain('package manager')
  })

  it('a pinned note goes with all its lines', async () => {
    const memory = await taught()
    await memory.remember({
      text: 'First line\n\n- second\n- third 中文',
      name: 'many lines',
      layer: 'global',
      pin: true,
    })
    const before = await memory.context({ session: 's-1' })
    expect(before.text).toContain('third 中文')
    await memory.forget('many lines')
    const after = await memory.context({ session: 's-1' })
    expect(after.text).not.toMatch(/First line|second|third/)
    expect(after.text).toContain(marker)
    expect(after.text.length).toBeLessThan(before.text.length)
  })

  it('a line of the summary that tells it goes too, and the last session whose words proved it [W14] [F1]', async () => {
    const memory = await taught()
    const [project = ''] = readdirSync(join(shop.home, 'projects'))
    const summary = '- Everything is installed with one tool only. [package manager]\n- 先看潮汐表再发布。 [发布]'
    writeFileSync(join(shop.home, 'projects', project, 'memory_summary.md'), `v1\n\n## Now\n\n${summary}\n`)
    const notes = join(shop.home, 'session-notes', project)
    mkdirSync(notes, { recursive: true })
    const newest = { session: 'claude-code:abc', updated: '2026-11-19T10:00:00Z', line: 'Lamps; half of them rewired' }
    writeFileSync(join(notes, 'newest.json'), JSON.stringify(newest))
    const before = await memory.context({ session: 's-1' })
    for (const words of ['one tool only', '潮汐表', 'half of them rewired']) expect(before.text).toContain(words)
    await memory.forget('package manager')
    const after = await memory.context({ session: 's-1' })
    expect(after.text).not.toContain('one tool only')
    for (const words of ['潮汐表', 'half of them rewired']) expect(after.text).toContain(words)
    expect(after.kept?.forgotten).toBe(2)
    await memory.sessions.setMode({ id: 'claude-code:abc', mode: 'off' })
    expect((await memory.context({ session: 's-1' })).text).not.toContain('half of them')
    expect(onDisk().join()).not.toMatch(/one tool only|half of them/)
  })

  it('the undo of a change takes the words of the change, the undo of another change nothing', async () => {
    const memory = await taught()
    await memory.remember({ text: 'Use yarn from now on', name: 'package manager', layer: 'project' })
    const before = await memory.context({ session: 's-1' })
    expect(before.text).toContain('yarn')
    await memory.remember({ text: 'The tide table hangs on pier 4', name: 'tide', layer: 'project' })
    const tide = await memory.history.log({ note: 'tide' })
    await memory.history.undo(tide.changes[0]!.id)
    expect((await memory.context({ session: 's-1' })).text).toBe(before.text)
    const manager = await memory.history.log({ note: 'package manager' })
    await memory.history.undo(manager.changes[0]!.id)
    expect((await memory.context({ session: 's-1' })).text).not.toContain('yarn')
    expect(onDisk().join()).not.toContain('yarn')
  })

  it('a line that a dead process did not reach is taken out when the block is given', async () => {
    const memory = await taught()
    await memory.context({ session: 's-1' })
    const [file = ''] = files()
    const bytes = readFileSync(join(folder(), file))
    await memory.forget('package manager')
    writeFileSync(join(folder(), file), bytes)
    const { text, kept } = await (await open()).context({ session: 's-1' })
    expect(text).not.toContain('never npm')
    expect(kept?.forgotten).toBe(1)
    expect(onDisk().join()).not.toContain('never npm')
  })

  it('a note that is taken back by undo does not return into the block', async () => {
    const memory = await taught()
    await memory.context({ session: 's-1' })
    await memory.forget('package manager')
    const gone = await memory.context({ session: 's-1' })
    await memory.history.undo()
    expect((await memory.context({ session: 's-1' })).text).toBe(gone.text)
    expect((await memory.context({})).text).toContain('never npm')
  })

  it('what a conversation gave and the user takes back goes too [W11]', async () => {
    const said = [{ user: 'Remember: we always use pnpm in this repository, never npm.' }, { assistant: 'Understood.' }]
    const transcript = writeTranscript(shop, said)
    await shop.cli(['capture', transcript])
    const memory = await open()
    expect((await memory.context({ session: 's-1' })).text).toContain('pnpm')
    writeTranscript(shop, [...said, { user: 'Forget that please.' }, { assistant: 'Done.' }])
    await shop.cli(['capture', transcript])
    expect((await memory.list()).total).toBe(0)
    expect(onDisk().join()).not.toContain('pnpm')
  })

  it('a session that is set off loses its block, and none is kept for it again [W11]', async () => {
    const memory = await taught()
    await memory.context({ session: 'codex:s-1', agent: 'codex' })
    await memory.context({ session: 's-2' })
    await shop.cli(['sessions', 'mode', 'codex:s-1', 'off'])
    expect(onDisk().map((text) => JSON.parse(text).session)).toEqual(['plain:s-2'])
    const { text, problems } = await memory.context({ session: 'codex:s-1', agent: 'codex' })
    expect(text).toContain('pnpm')
    expect(problems.join(' ')).toContain('its mode is off')
    expect(files()).toHaveLength(1)
  })
})

describe('kept blocks are bounded [I1]', () => {
  it('refresh takes those that are older than 30 days by the time in them, whatever their files say', async () => {
    const memory = await taught()
    await memory.context({ session: 'old' })
    time.now = start + 29 * DAY_MS
    await memory.context({ session: 'young' })
    for (const file of files()) utimesSync(join(folder(), file), new Date(start), new Date(start))
    expect((await memory.refresh()).droppedBlocks).toBeUndefined()
    time.now = start + 31 * DAY_MS
    for (const file of files()) utimesSync(join(folder(), file), new Date(time.now), new Date(time.now))
    const refreshed: RefreshResult = await memory.refresh()
    expect(refreshed.droppedBlocks).toEqual(['plain:old'])
    expect(onDisk().map((text) => JSON.parse(text).session)).toEqual(['plain:young'])
  })

  it('the newest 200 stay, and the one that goes is named', async () => {
    const memory = await taught()
    const dropped: string[] = []
    for (let index = 0; index < 203; index++) {
      time.now = start + index * 1_000
      dropped.push(...((await memory.context({ session: `s-${index}` })).kept?.dropped ?? []))
    }
    expect(dropped).toEqual(['plain:s-0', 'plain:s-1', 'plain:s-2'])
    expect(files()).toHaveLength(200)
  })

  it('a backup leaves them out [S13]', async () => {
    const memory = await taught()
    await memory.context({ session: 's-1' })
    const around = { surroundings: { environment: {}, userHome: shop.root, temporaryDirectory: shop.root } }
    const file = join(shop.root, 'copy.keepsake')
    await backupHome({ home: shop.home, target: file, ...around })
    const other = join(shop.root, 'other')
    await restoreHome({ home: other, file, ...around })
    const paths = Object.keys(treeOf(other))
    expect(paths).toContain('home.json')
    expect(paths.filter((path) => path.startsWith('start'))).toEqual([])
  })
})
