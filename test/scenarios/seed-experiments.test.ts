/** The experiments printed in the seed documents that need no model, each named by its seed and what it tries. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CaptureResult, ListResult, RecallResult } from '../../src/domain/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'
import { writeTranscript } from '../support/transcript.ts'

let shop: Workshop

beforeEach(() => {
  shop = createWorkshop()
})
afterEach(() => shop.remove())

/** Files as a person would make them by hand, in the folder that Keepsake gave this project. */
async function projectFolder(): Promise<string> {
  const made = await shop.cli([
    'remember',
    'The board lives in Linear under TIDE',
    '--type',
    'reference',
    '--name',
    'seed',
    '--json',
  ])
  const file = made.json<{ note: { file: string } }>().note.file
  return join(file, '..')
}

describe('seed 002, experiment 1: three files by hand, then 帮我写单元测试 [M5] [S1] [R3]', () => {
  it('finds the testing note and not the Linear one', async () => {
    const folder = await projectFolder()
    writeFileSync(
      join(folder, 'user_role.md'),
      '---\nname: 用户角色\ndescription: 数据科学家，关注日志可观测性\ntype: user\n---\n数据科学家。\n',
    )
    writeFileSync(
      join(folder, 'feedback_testing.md'),
      '---\nname: 测试约定\ndescription: 写单元测试时用 vitest，不要 mock 数据库\ntype: feedback\n---\n写单元测试时用 vitest，不要 mock 数据库。\n',
    )
    writeFileSync(
      join(folder, 'reference_linear.md'),
      '---\nname: Linear 看板\ndescription: 缺陷在 Linear 的 INGEST 项目里\ntype: reference\n---\n缺陷在 Linear 的 INGEST 项目里。\n',
    )

    const found = (await shop.cli(['recall', '帮我写单元测试', '--in', 'notes', '--json'])).json<RecallResult>()
    expect(found.results[0]?.name).toBe('测试约定')
    expect(found.results.map((hit) => hit.name)).not.toContain('Linear 看板')

    const turn = await shop.hook('UserPromptSubmit', { session_id: 's1', prompt: '帮我写单元测试' })
    expect(turn.stdout).toContain('不要 mock 数据库')
    expect(turn.stdout).not.toContain('INGEST')
  })
})

describe('seed 002, experiment 2: a vitest preference said in passing [M5] [W17]', () => {
  it.each([
    '我喜欢用 vitest 而不是 jest，以后帮我生成测试时默认用 vitest',
    'I like vitest more than jest; from now on use vitest by default when you generate tests for me',
  ])('%s becomes one feedback note', async (sentence) => {
    const transcript = writeTranscript(shop, [
      { user: 'can you look at the parser' },
      { assistant: 'Sure, the parser reads tokens one by one.' },
      { user: sentence },
      { assistant: 'Noted.' },
    ])
    const result = (await shop.cli(['capture', transcript, '--json'])).json<CaptureResult>()
    const kept = result.outcomes.flatMap((outcome) => ('note' in outcome ? [outcome.note] : []))
    expect(kept).toHaveLength(1)
    expect(kept[0]?.type).toBe('feedback')
    expect(readFileSync(kept[0]?.file ?? '', 'utf8')).toContain('vitest')
  })
})

describe('seed 004, experiment: preferences.md by hand is obeyed [M5] [I1] [I11]', () => {
  it('a bare file in the global folder stands in the next start block as the user’s rule', async () => {
    mkdirSync(join(shop.home, 'global'), { recursive: true })
    writeFileSync(
      join(shop.home, 'global', 'preferences.md'),
      '# 我的编程偏好\n\n- TypeScript 优先,其次 Go,Python 只用来写脚本\n- 包管理器: bun > pnpm > npm,从不用 yarn\n- 编辑器: neovim\n',
    )
    const start = await shop.hook('SessionStart', { session_id: 's1', source: 'startup' })
    const context: string = start.json<{ hookSpecificOutput: { additionalContext: string } }>().hookSpecificOutput
      .additionalContext
    const rules = context.slice(context.indexOf('## Standing rules'))
    expect(rules).toContain('我的编程偏好')
    expect(rules).toContain('TypeScript 优先')
    const found = (await shop.cli(['recall', '包管理器用哪个', '--in', 'notes', '--json'])).json<RecallResult>()
    expect(found.results[0]?.name).toBe('我的编程偏好')
  })
})

describe('seed 004, experiment: "this time Python" [M5] [W6]', () => {
  it.each([
    '算了,这次用 Python 吧',
    'ok, use Python this time',
    '这一次先用 Python 写',
    'just this once, do it in Python',
    'for this script let us use Python',
  ])('%s is followed and not stored', async (sentence) => {
    const transcript = writeTranscript(shop, [
      { user: '我想写一个定时同步文件的脚本' },
      { assistant: '用 Bun 写如何？' },
      { user: sentence },
      { assistant: '好的，用 Python。' },
    ])
    const result = (await shop.cli(['capture', transcript, '--json'])).json<CaptureResult>()
    expect(result.outcomes).toEqual([])
    expect((await shop.cli(['list', '--json'])).json<ListResult>().total).toBe(0)
  })
})

describe('seed 000: the same rule is known in the next session, and the count says what was left out [M5] [I1]', () => {
  it('a correction of today stands in the start block of the next session', async () => {
    const transcript = writeTranscript(shop, [
      { user: 'write the release mail' },
      { assistant: 'Draft: a well-known, long-running service …' },
      { user: 'No hyphens in anything you write for me, ever. Rephrase instead.' },
      { assistant: 'Rephrased.' },
    ])
    await shop.cli(['capture', transcript])
    const start = await shop.hook('SessionStart', { session_id: 's2', source: 'startup' })
    expect(start.stdout).toMatch(/hyphens/i)
    expect(start.stdout).toContain('The only note is listed.')
  })
})
