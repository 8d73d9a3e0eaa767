/**
 * More than fits: an index over its caps, and single entries of any size. What stands in front of the agent is chosen by
 * value and recency, nothing is cut inside a code block or a character, and what is left out is counted and found.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createMemory, type Memory } from '../../src/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'
import { callTools } from '../support/mcp.ts'

const idOf = (index: number) => `01J${String(index).padStart(23, '0')}`
const dayOf = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 86_400_000).toISOString().slice(0, 19)

interface Written {
  readonly index: number
  readonly name: string
  readonly body: string
  readonly description?: string
  readonly more?: string
}

const noteText = ({ index, name, body, description, more = '' }: Written): string =>
  `---\nname: ${name}\n${description === undefined ? '' : `description: ${JSON.stringify(description)}\n`}type: feedback\nid: ${idOf(index)}\nupdated: ${dayOf(index)}Z\n${more}---\n\n${body}`

let shop: Workshop
afterEach(() => shop.remove())

const open = (): Promise<Memory> =>
  createMemory({
    home: shop.home,
    cwd: shop.project,
    surroundings: { environment: {}, userHome: shop.root, temporaryDirectory: join(shop.root, 'tmp') },
  })

/** A project whose folder holds these files, with MEMORY.md as a refresh leaves it. */
async function projectWith(files: Readonly<Record<string, string>>): Promise<{ layer: string; memory: Memory }> {
  shop = createWorkshop()
  const memory = await open()
  await memory.remember({ text: 'made and taken away again', layer: 'project', name: 'first' })
  await memory.forget('first')
  const [folder = ''] = readdirSync(join(shop.home, 'projects'))
  const layer = join(shop.home, 'projects', folder)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(layer, file), text)
  await memory.refresh()
  return { layer, memory }
}

/** The start block as the three doors give it. */
async function everyDoor(): Promise<string> {
  const printed = (await shop.cli(['context', '--agent', 'claude-code'])).stdout.trimEnd()
  const hooked = (await shop.hook('SessionStart', { source: 'startup' })).json<{
    hookSpecificOutput: { additionalContext: string }
  }>()
  expect(hooked.hookSpecificOutput.additionalContext).toBe(printed)
  const [tool = ''] = await callTools(shop, [['memory_context', {}]])
  expect(tool.trimEnd()).toBe((await shop.cli(['context'])).stdout.trimEnd())
  return printed
}

function expectWhole(text: string): void {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(9_500)
  expect(text.isWellFormed()).toBe(true)
  expect(text).not.toContain('\u{fffd}')
  expect(text.endsWith('</keepsake-memory>')).toBe(true)
  expect(text.split('```').length % 2, 'a code block that stays open').toBe(1)
}

const family = '👩‍👩‍👧‍👦'
/** One line of about `bytes` bytes. */
const fill: Record<string, (words: string, bytes: number) => string> = {
  English: (words, bytes) => `${words} ${'and the lamp blinks in fog '.repeat(bytes)}`.slice(0, bytes),
  Chinese: (words, bytes) => `${words}${'港口的灯塔在雾天闪烁'.repeat(bytes)}`.slice(0, Math.floor(bytes / 3)),
  emoji: (words, bytes) => `${words} ${family.repeat(Math.floor(bytes / 25))}`,
  'combining marks': (words, bytes) => `${words} ${'e\u{301}\u{323}'.repeat(Math.floor(bytes / 5))}`,
}

describe('BL-36 an index over its caps: the newest rule is in front, the rest is counted and found [S4] [I1]', () => {
  const entries: [string, number, (index: number) => string][] = [
    ['260 English lines', 260, (index) => `Entry ${index} says the heron waits\n`],
    ['260 Chinese lines', 260, (index) => `第 ${index} 条：苍鹭在等潮水\n`],
    ['260 lines with emoji', 260, (index) => `Entry ${index} ${family} heron\n`],
    ['260 lines with CRLF', 260, (index) => `Entry ${index} says the heron waits\r\n`],
    ['260 lines without a newline at the end', 260, (index) => `Entry ${index} says the heron waits`],
    ['90 English entries of 400 bytes', 90, (index) => `${fill.English?.(`Entry ${index} heron`, 400)}\n`],
    ['90 Chinese entries of 400 bytes', 90, (index) => `${fill.Chinese?.(`第 ${index} 条苍鹭`, 400)}\n`],
    ['90 entries of emoji of 400 bytes', 90, (index) => `${fill.emoji?.(`Entry ${index} heron`, 400)}\n`],
    [
      '260 lines and one note of 900 KB',
      260,
      (index) => (index === 7 ? 'x '.repeat(450_000) : `Entry ${index} heron\n`),
    ],
  ]

  it.each(entries)('%s', async (_, count, entry) => {
    const files = Array.from({ length: count - 1 }, (_each, index) => [
      `feedback_entry-${index}.md`,
      noteText({ index, name: `Entry ${index}`, body: entry(index) }),
    ])
    const decisive = noteText({ index: count, name: 'Decisive', body: 'Never deploy without the tide table\n' })
    // Its name sorts last, as a line at the end of a file would.
    const { layer, memory } = await projectWith({ ...Object.fromEntries(files), 'feedback_zz-decisive.md': decisive })
    const index = readFileSync(join(layer, 'MEMORY.md'), 'utf8')
    expect(index.split('\n').length - 1).toBeLessThanOrEqual(200)
    expect(Buffer.byteLength(index)).toBeLessThanOrEqual(25_000)
    expect(index).toContain('feedback_zz-decisive.md')
    const lines = index.split('\n').filter((line) => line.startsWith('- [')).length
    if (lines < count) expect(index).toContain(`- … ${count - lines} more note`)

    const block = await everyDoor()
    expectWhole(block)
    expect(block).toContain('Never deploy without the tide table')
    const shown = block.split('\n').filter((line) => line.startsWith('- ') && /Entry|第|Decisive/.test(line)).length
    const said = shown === count ? `All ${count} notes are listed.` : `${shown} of ${count} notes are listed; find the`
    expect(block).toContain(`\n${said}`)
    // By recency, not by file name: the newest entries stand there, the oldest one does not.
    expect(block).toMatch(new RegExp(`(?:Entry|第) ${count - 2}\\b`))
    if (shown < count) expect(block).not.toMatch(/(?:Entry|第) 0\b/)
    const { results } = await memory.recall({ query: '"Entry 0"', in: 'notes', limit: 50 })
    expect(results.map(({ name }) => name)).toContain('Entry 0')
    expect((await memory.read(idOf(0)))?.text).toMatch(/(?:Entry|第) 0/)
    await memory.close()
  })

  it('whoever adds a note is told when the index is nearly full, and when it is full', async () => {
    const files = Array.from({ length: 176 }, (_, index) => [
      `feedback_entry-${index}.md`,
      noteText({ index, name: `Entry ${index}`, body: 'The heron waits\n' }),
    ])
    const { memory } = await projectWith(Object.fromEntries(files))
    const told: (readonly string[])[] = []
    for (let index = 0; index < 26; index++) {
      const kept = await memory.remember({
        text: `The kite number ${index} flies over pier ${index * 7}`,
        layer: 'project',
      })
      told.push(kept.notices.filter((notice) => notice.startsWith('MEMORY.md')))
    }
    // 176 + 2 comment lines + 1 is 179 of 200 lines.
    expect(told[0]).toEqual([])
    expect(told[1]).toEqual([
      expect.stringMatching(/^MEMORY\.md is nearly full: 180 of 200 lines, \d+ of 25000 bytes\./),
    ])
    expect(told.at(-1)).toEqual([
      expect.stringMatching(
        /^MEMORY\.md is full \(200 of 200 lines, .*\): 5 notes have no line there and are found by search only\.$/,
      ),
    ])
    const merged = await memory.remember({ text: 'The kite number 3 flies over pier 21', layer: 'project' })
    expect(merged.notices.filter((notice) => notice.startsWith('MEMORY.md'))).toEqual([])
    await memory.close()
  })
})

describe('BL-37 entries of any size: each has its cap, the block says how many, nothing is cut inside code or a character [S4] [I1]', () => {
  const codeBlock = (mark: string, eol = '\n') =>
    [`${mark}ts`, ...Array.from({ length: 200 }, (_, index) => `const pelican${index} = ${index}`), mark].join(eol)
  const ordinary = Array.from({ length: 10 }, (_, index) => [
    `feedback_entry-${index}.md`,
    noteText({ index, name: `Entry ${index}`, body: `Entry ${index} says the ibis wades\n` }),
  ])

  it.each<[string, string, string]>([
    ['English, the code in backticks', fill.English?.('The long pelican line', 30_000) ?? '', codeBlock('```')],
    ['Chinese, the code in tildes', fill.Chinese?.('很长的鹈鹕 pelican', 30_000) ?? '', codeBlock('~~~')],
    [
      'emoji, the code behind a sentence',
      fill.emoji?.('Long pelican', 30_000) ?? '',
      `Run this.\n\n${codeBlock('```')}\n`,
    ],
    [
      'combining marks, the code never closed',
      fill['combining marks']?.('Long pelican', 30_000) ?? '',
      codeBlock('```').slice(0, -3),
    ],
    ['CRLF', `${fill.English?.('The long pelican line', 30_000)}\r\n`, codeBlock('```', '\r\n')],
    ['backticks all over', '`pelican` ``` '.repeat(2_200), codeBlock('````')],
    ['one huge note beside them', 'pelican '.repeat(100_000), codeBlock('```')],
  ])('%s', async (_, line, code) => {
    for (const pinned of ['', 'pinned: true\n']) {
      const { layer, memory } = await projectWith({
        ...Object.fromEntries(ordinary),
        // No newline at the end of the long line; its description is the whole of it.
        'feedback_long.md': noteText({
          index: 20,
          name: 'Long',
          body: line,
          description: line.slice(0, 5_000),
          more: pinned,
        }),
        'feedback_code.md': noteText({
          index: 21,
          name: 'Code',
          body: code,
          description: `Use ${code.slice(0, 900).replace(/\s+/g, ' ')}`,
          more: pinned,
        }),
      })
      const block = await everyDoor()
      expectWhole(block)
      expect(block).toMatch(/All 12 notes are listed(?:, 2 pinned ones by one line only)?\.\n/)
      for (const text of block.split('\n')) expect(Buffer.byteLength(text)).toBeLessThan(4_000)
      for (let index = 0; index < 10; index++) expect(block).toContain(`Entry ${index} says the ibis wades`)
      const index = readFileSync(join(layer, 'MEMORY.md'), 'utf8')
      expect(Buffer.byteLength(index)).toBeLessThanOrEqual(25_000)
      for (const text of index.split('\n')) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_600)
      // The whole body is in its own file and one command away.
      const read = await memory.read('Code')
      expect(read?.text.trim()).toBe(code.trim())
      const turn = await shop.hook('UserPromptSubmit', { prompt: 'What is the code of pelican7 and pelican8?' })
      if (turn.stdout !== '') expectWholeTurn(turn.json<{ hookSpecificOutput: { additionalContext: string } }>())
      await memory.close()
      if (pinned === '') shop.remove()
    }
  })

  function expectWholeTurn({
    hookSpecificOutput: { additionalContext: text },
  }: {
    hookSpecificOutput: { additionalContext: string }
  }): void {
    expect(text.isWellFormed()).toBe(true)
    const marks = text.split('\n').filter((line) => /^(?:```|~~~)/.test(line))
    expect(marks.length % 2).toBe(0)
  }
})
