/** The facts view through the command line and the library: what an agent of DeerFlow's shape is shown of the same notes. */
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMemory, type Memory } from '../../src/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'

let shop: Workshop
let memory: Memory
beforeEach(async () => {
  shop = createWorkshop()
  memory = await createMemory({
    home: shop.home,
    cwd: shop.project,
    surroundings: { environment: {}, userHome: shop.root, temporaryDirectory: join(shop.root, 'tmp') },
  })
})
afterEach(async () => {
  await memory.close()
  shop.remove()
})

const linesOf = (text: string) => text.split('\n').filter((line) => line.startsWith('- ['))

describe('the facts view [I8]', () => {
  it('shows what the user corrected first, with what was wrong, wherever in the note it stands', async () => {
    await memory.remember({ text: 'Release on 2026-12-04', type: 'project', name: 'release' })
    await memory.remember({ text: 'Short answers', type: 'user', name: 'answer style' })
    await memory.remember({
      text: 'Install with uv.\n\nUse uv instead of pip.',
      type: 'feedback',
      name: 'installer',
      description: 'Install with uv',
    })
    await memory.remember({ text: '提交信息写英文，不要写中文。', type: 'feedback', name: '提交信息' })
    const { text } = await memory.context({ agent: 'facts' })
    const lines = linesOf(text)
    expect(lines.slice(0, 2).sort()).toEqual([
      '- [correction | 1.00] installer: Install with uv (avoid: pip)',
      '- [correction | 1.00] 提交信息写英文，不要写中文。 (avoid: 中文)',
    ])
    expect(lines.slice(2)).toEqual([
      '- [preference | 1.00] answer style: Short answers',
      expect.stringMatching(/^- \[context \| 0\.50\] Release on 2026-12-04 \(\d{4}-\d\d-\d\d\)$/),
    ])
  })

  it.each([
    ['an agent', { author: 'agent' as const }, 'keepsake-facts'],
    ['a person', { author: 'person' as const }, null],
  ])('a correction that %s wrote down stands in its own voice [I11]', async (_who, author, fence) => {
    await memory.remember({ text: 'Use pnpm, not npm', type: 'feedback', ...author })
    const { text } = await memory.context({ agent: 'facts' })
    const before = text.slice(0, text.indexOf('- [correction |'))
    expect(before.includes('## Standing rules of the user')).toBe(fence === null)
    expect(before.includes('<keepsake-facts>')).toBe(fence !== null)
    expect(text).toContain('Use pnpm, not npm (avoid: npm)')
  })

  it('a message brings what is near it to the front, in every language, and nothing else changes', async () => {
    const texts = [
      'Ana owns the ledger service',
      'The blue pool is drained in March',
      '值班表由小林维护',
      'Mira signs releases',
    ]
    for (const text of texts) await memory.remember({ text, type: 'project' })
    const all = linesOf((await memory.context({ agent: 'facts' })).text)
    for (const [prompt, first] of [
      ['who owns the ledger?', 'Ana owns'],
      ['when is the blue pool drained?', 'The blue pool'],
      ['值班表是谁维护的？', '值班表由小林'],
      ['who signs a release', 'Mira signs'],
    ] as const) {
      const { text, entries } = await memory.context({ agent: 'facts', prompt })
      const lines = linesOf(text)
      expect(lines[0], prompt).toContain(first)
      expect([...lines].sort()).toEqual([...all].sort())
      expect(entries[0]?.why).toMatch(/^context, confidence 0\.50, similarity (0\.[1-9]\d|1\.00)$/)
    }
  })

  it('is printed by the command, alike in two processes, and is named where an agent is unknown', async () => {
    await memory.remember({ text: 'Use pnpm, never npm', type: 'feedback' })
    const printed = await shop.cli(['context', '--agent', 'facts'])
    expect(printed).toMatchObject({ code: 0, stdout: `${(await memory.context({ agent: 'facts' })).text}\n` })
    expect((await shop.cli(['context', '--agent', 'facts'])).stdout).toBe(printed.stdout)
    expect((await shop.cli(['context', '--agent', 'facts', '--prompt', 'npm or pnpm?'])).stdout).toBe(printed.stdout)
    const unknown = await shop.cli(['context', '--agent', 'deerflower'])
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toMatch(/Known: .*\bfacts\b/)
  })

  it('what is forgotten is gone from it at once, also where it is kept for a conversation', async () => {
    await memory.remember({ text: 'Use pnpm, never npm', type: 'feedback', name: 'package manager' })
    await memory.remember({ text: 'Release on 2026-12-04', type: 'project', name: 'release' })
    const kept = await memory.context({ agent: 'facts', session: 's-1' })
    await memory.remember({ text: 'Ana owns the ledger', type: 'project' })
    expect((await memory.context({ agent: 'facts', session: 's-1' })).text).toBe(kept.text)
    await memory.forget('package manager')
    for (const session of ['s-1', undefined]) {
      const { text } = await memory.context({ agent: 'facts', ...(session ? { session } : {}) })
      expect(text).not.toMatch(/pnpm/)
      expect(text).toContain('Release on 2026-12-04')
    }
  })
})
