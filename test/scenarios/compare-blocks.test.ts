/** "Did my prefix move, where and why?": the start block of now beside the one that a conversation was given. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Block, type BlockComparison, createMemory, type Memory } from '../../src/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'

let shop: Workshop
let memory: Memory
beforeEach(async () => {
  shop = createWorkshop('lighthouse')
  memory = await createMemory({
    home: shop.home,
    cwd: shop.project,
    surroundings: { environment: {}, userHome: shop.root, temporaryDirectory: join(shop.root, 'tmp') },
  })
  await remember('Use pnpm, never npm', 'package manager')
  await remember('发布前先跑一遍冒烟测试', '发布')
  await remember('The tide table hangs on pier 4', 'tide table')
})
afterEach(async () => {
  await memory.close()
  shop.remove()
})

const remember = (text: string, name: string) => memory.remember({ text, name, layer: 'project' })
const keep = () => memory.context({ session: 's-1' })
const compare = async (what: string, ...more: string[]) => {
  const { code, stdout, stderr } = await shop.cli(['context', '--compare', what, '--json', ...more])
  expect(stderr).toBe('')
  const block = JSON.parse(stdout) as Block & { comparison: BlockComparison }
  return { code, block, comparison: block.comparison }
}
const causesOf = ({ causes }: BlockComparison) => causes.map(({ change, name }) => `${change}: ${name}`).sort()

describe('context --compare [I1]', () => {
  it('nothing changed: equal, exit 0', async () => {
    const { text } = await keep()
    const { code, comparison } = await compare('s-1')
    expect(code).toBe(0)
    expect(comparison).toMatchObject({ isEqual: true, first: null, tokensAnew: 0, causes: [], lines: [] })
    expect((await shop.cli(['context', '--compare', 's-1'])).stdout).toMatch(/^Equal to the block kept for plain:s-1/)
    expect((await keep()).text).toBe(text)
  })

  it.each<[string, () => Promise<unknown>, string[]]>([
    ['a note that was added', () => remember('Lamps are lit at six', 'lamps'), ['added: lamps']],
    ['a note that was changed', () => remember('Use yarn now', 'package manager'), ['changed: package manager']],
    ['a Chinese note that was changed', () => remember('发布前先看潮汐表', '发布'), ['changed: 发布']],
    [
      'one that was pinned',
      () => memory.remember({ edits: [{ action: 'move', in: 'tide table', to: 'profile' }] }),
      ['changed: tide table'],
    ],
    [
      'two at once',
      async () => {
        await remember('Use yarn now', 'package manager')
        await remember('Lamps are lit at six', 'lamps')
      },
      ['added: lamps', 'changed: package manager'],
    ],
  ])('%s is named as the cause', async (_, change, causes) => {
    await keep()
    await change()
    const { code, block, comparison } = await compare('s-1')
    expect(code).toBe(4)
    expect(causesOf(comparison)).toEqual(causes)
    expect(comparison.causes.every(({ id }) => id !== null)).toBe(true)
    const { first, lines, now, tokensAnew } = comparison
    expect(Buffer.from(block.text).subarray(0, first!.byte).toString().split('\n')).toHaveLength(first!.line)
    expect(block.text.split('\n')[first!.line - 1]).toBe(first!.now)
    expect(lines.some(({ change: each }) => each === 'came')).toBe(true)
    expect(tokensAnew).toBeGreaterThan(0)
    expect(tokensAnew).toBeLessThan(now.tokens)
  })

  it('a note that was forgotten left no words to compare, only its marker', async () => {
    await keep()
    await memory.forget('tide table')
    const { code, block, comparison } = await compare('s-1')
    expect(code).toBe(4)
    expect(JSON.stringify([comparison, block])).not.toContain('pier 4')
    expect(causesOf(comparison)).toEqual(['forgotten: [forgotten]'])
    expect(comparison.lines).toContainEqual(expect.objectContaining({ change: 'went', text: '- [forgotten]' }))
  })

  it('a bare file: causes by the names in its lines, with what became of each', async () => {
    const file = join(shop.root, 'prompt.txt')
    const { stdout } = await shop.cli(['context'])
    writeFileSync(file, `You are a helpful keeper.\n\n${stdout}\nTools: none\n`)
    expect((await compare(file)).comparison).toMatchObject({ isEqual: true, with: { kind: 'file', name: file } })
    await memory.forget('tide table')
    await remember('Lamps are lit at six', 'lamps')
    await remember('Use yarn now', 'package manager')
    const { code, comparison } = await compare(file)
    expect(code).toBe(4)
    expect(causesOf(comparison)).toEqual(['added: lamps', 'changed: package manager', 'forgotten: tide table'])
  })

  it('a transcript of a client: the block that it was given, in its dialect', async () => {
    const given = (await shop.hook('SessionStart', { source: 'startup', session_id: 'abc' })).json<{
      hookSpecificOutput: { additionalContext: string }
    }>().hookSpecificOutput.additionalContext
    const folder = join(shop.root, 'transcripts')
    mkdirSync(folder)
    const file = join(folder, 'abc.jsonl')
    const row = {
      type: 'attachment',
      timestamp: '2026-11-20T09:00:00.000Z',
      attachment: { type: 'hook_additional_context', hookEvent: 'SessionStart', content: [given] },
    }
    writeFileSync(file, `${JSON.stringify(row)}\n`)
    expect(await compare(file)).toMatchObject({
      code: 0,
      comparison: { isEqual: true, with: { kind: 'transcript', made: '2026-11-20T09:00:00.000Z' } },
    })
    await remember('Lamps are lit at six', 'lamps')
    const { code, comparison } = await compare(file)
    expect(code).toBe(4)
    expect(causesOf(comparison)).toEqual(['added: lamps'])
    expect((await compare(file, '--agent', 'hermes')).comparison.isFrameChanged).toBe(true)
  })

  it('reads like this', async () => {
    await keep()
    await remember('Use yarn now', 'package manager')
    const { stdout, code } = await shop.cli(['context', '--compare', 's-1'])
    expect(code).toBe(4)
    const lines = stdout.split('\n')
    expect(lines[0]).toMatch(/^Differs from the block kept for plain:s-1 \(\S+Z\) from byte \d+, in line \d+\.$/)
    expect(lines.slice(1, 3)).toEqual([
      '  earlier  - package manager: Use pnpm, never npm',
      '  now      - package manager: Use yarn now',
    ])
    expect(lines[3]).toMatch(/^\d+ bytes and about \d+ tokens then, \d+ and \d+ now; about \d+ tokens of it, and all/)
    expect(lines[4]).toBe(
      'The session still gets the kept block; after a compaction, with --renew, it gets the one of now.',
    )
    expect(lines.slice(6, 8).map((line) => line.replace(/\([0-9A-Z]{26}\)/, '(ID)'))).toEqual([
      'because of',
      '  changed    package manager  (ID)',
    ])
    expect(lines.slice(9, 11).map((line) => line.replace(/\d+/, 'N').replace(/ +N/, ' N'))).toEqual([
      '- N  - package manager: Use pnpm, never npm',
      '+ N  - package manager: Use yarn now',
    ])
  })

  it.each([
    ['no file and no session', ['context', '--compare', 'nobody'], 3],
    ['a file without a block', ['context', '--compare', '.git/config'], 3],
    ['a folder', ['context', '--compare', '.'], 3],
    ['an id with spaces', ['context', '--compare', 'a b'], 2],
    ['beside a prompt', ['context', '--compare', 's-1', '--prompt', 'hello there'], 2],
    ['beside a session', ['context', '--compare', 's-1', '--session', 's-1'], 2],
  ])('%s: said, with its exit code', async (_, command, code) => {
    expect((await shop.cli(command)).code).toBe(code)
  })
})
