import { describe, expect, it } from 'vitest'
import type { NoteType } from '../domain/index.ts'
import { chooseLayer, type ProjectFacts } from './choose-layer.ts'
import { classifyType } from './classify.ts'

const table: readonly [NoteType, readonly string[]][] = [
  [
    'user',
    [
      "I'm a data engineer with ten years of SQL.",
      'I live in Porto.',
      'My time zone is UTC+8.',
      'Call me Ana.',
      'I like tea.',
      '我是后端工程师。',
      '我是一名設計師。',
      '我叫小林，住在杭州。',
      '我在一家银行工作。',
      '我喜欢喝茶。',
    ],
  ],
  [
    'feedback',
    [
      'Use tabs in Go files.',
      'Please answer in French.',
      'Never push to main without asking.',
      "Don't add comments that repeat the code.",
      'In tests, use vitest.',
      'I prefer short answers.',
      "I'd like you to ask before deleting files.",
      'From now on every commit message is in English.',
      'You should always run the linter first.',
      '- Keep functions under thirty lines.',
      '以后回答请用中文。',
      '以後不要自動提交。',
      '我喜欢用 vitest。',
      '我更喜歡用空格縮排。',
      '别再用 var 了。',
      '提交前请先跑一遍测试。',
      '默认用 pnpm。',
      '本仓库用 pnpm，不用 npm，因为 CI 只认 pnpm 的锁文件',
      '这里统一用 pnpm，不要用 npm',
      '不用 npm，要用 pnpm',
      '我希望你先给出方案。',
    ],
  ],
  [
    'reference',
    [
      'The dashboards are at https://status.example/latency',
      'See docs/runbook.md for the on-call steps.',
      'Incidents are tracked in the OPS board.',
      'The API schema lives in the contracts repository.',
      '接口文档在 wiki 的架构一栏。',
      '详见：内网的发布手册',
    ],
  ],
  [
    'project',
    [
      'The migration to Postgres is half done.',
      'The build always fails on Windows.',
      'The nightly job never ran in August.',
      'Customers prefer invoices by mail.',
      'Test coverage is 80 percent.',
      'Review of the contract is on Monday.',
      'Run 42 failed because the disk was full.',
      'We see errors in the import at night.',
      'We build and run everything in containers.',
      'I am working on the billing migration.',
      '默认分支是 main。',
      '发布必须在周五前完成。',
      '三天以后发布新版本。',
      '客户不要这个功能。',
      '我是说迁移还没做完。',
      '部署時間改到每月第一個週二。',
    ],
  ],
]

describe('classifyType [S2]', () => {
  it.each(table.flatMap(([type, texts]) => texts.map((text) => [text, type] as const)))('%s: %s', (text, type) => {
    expect(classifyType(text)).toBe(type)
  })
})

describe('chooseLayer [W21]', () => {
  const project: ProjectFacts = { name: 'billing', workingTree: '/w', mentions: (text) => text.includes('billing') }
  it.each([
    ['user', 'anything about billing', undefined, 'global'],
    ['feedback', 'Use tabs.', undefined, 'global'],
    ['feedback', 'Use tabs in billing.', undefined, 'project'],
    ['project', 'Use tabs.', undefined, 'project'],
    ['reference', 'See the wiki.', undefined, 'project'],
    ['project', 'Use tabs.', 'global', 'global'],
    ['user', 'Use tabs.', 'project', 'project'],
  ] as const)('%s "%s", named %s: %s', (type, text, given, layer) => {
    expect(chooseLayer({ type, text, given }, project)).toEqual({ layer, notice: null })
  })

  it('without a project everything is global; only a wish that cannot be met is worth a word', () => {
    expect(chooseLayer({ type: 'project', text: 'x' }, null)).toEqual({ layer: 'global', notice: null })
    expect(chooseLayer({ type: 'project', text: 'x', given: 'project' }, null)).toMatchObject({
      layer: 'global',
      notice: expect.stringContaining('no project'),
    })
  })
})
