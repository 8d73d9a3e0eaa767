import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asksToContinue, continuingFactor } from './asks-to-continue.ts'

describe('asking to go on [R5]', () => {
  it.each([
    ['Where did we leave off?', '?'],
    ['where were we', ''],
    ['Continue where we left off with the release script', 'with the release script'],
    ["Let's pick up where we stopped", ''],
    ['What were we working on?', '?'],
    ['上次做到哪了？', '？'],
    ['我们上次说到哪里了', ''],
    ['继续上次的发布脚本', '发布脚本'],
    ['接着昨天没做完的迁移', '迁移'],
    ['我们刚才在讨论什么', ''],
  ])('%s', (question, rest) => {
    expect(asksToContinue(question)).toEqual({ rest })
  })

  it.each([
    'Where is the release script?',
    'Should the job continue on errors?',
    'what are the working hours',
    'continue',
    '继续',
    '测试上次失败的原因',
    '任务失败后要继续吗',
    '',
  ])('not: %s', (question) => {
    expect(asksToContinue(question)).toBeNull()
  })

  it('of any text leaves a part of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const found = asksToContinue(text)
        if (found) expect(found.rest.length).toBeLessThan(text.length)
      }),
    )
  })

  it('halves in seven days; what comes from the future counts as now', () => {
    const nowMs = Date.parse('2026-11-15T00:00:00Z')
    expect(continuingFactor('2026-11-08T00:00:00Z', nowMs)).toBeCloseTo(0.5)
    expect(continuingFactor('2026-11-01T00:00:00Z', nowMs)).toBeCloseTo(0.25)
    expect(continuingFactor('2027-01-01T00:00:00Z', nowMs)).toBe(1)
    expect(continuingFactor(null, nowMs)).toBe(0.01)
  })
})
