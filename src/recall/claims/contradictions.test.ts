import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claimsOf } from './claims.ts'
import { findContradictions, type Stated } from './contradictions.ts'

const note = (id: string, text: string, fields: Partial<Stated> = {}): Stated => ({
  id,
  name: id,
  text,
  updated: null,
  supersedes: [],
  ...fields,
})
const pairs = (...texts: readonly string[]) => findContradictions(texts.map((text, at) => note(`n${at}`, text)))

describe('findContradictions [R10]', () => {
  it.each([
    ['a number', 'The invoice job retries 3 times', 'The invoice job retries 5 times'],
    ['a number in units', 'Traces are kept for 14 days', 'Traces are kept for 30 days now'],
    ['a date', 'The pilot in Oslo starts on 2026-03-01', 'The pilot in Oslo starts on 2026-04-01'],
    ['a month and day', 'The audit of the store ends on 5 May', 'The audit of the store ends on 9 May'],
    ['a version', 'Node is pinned to 20.19 in Harrow', 'Node is pinned to 24.1 in Harrow'],
    ['a port', 'The audit service uses port 9200', 'The audit service uses port 9300'],
    ['who owns', 'Ana owns the billing service', 'The billing service is owned by Bo'],
    ['a role', 'The owner of the search index is Ana', "The search index's owner is Bo"],
    ['where somebody lives', 'Ana lives in Lisbon', 'Ana now lives in Porto'],
    ['where somebody moved', 'Ana lives in Lisbon', 'Ana moved to Porto'],
    ['an employer', 'Ana works at Harrow', 'Ana works for Tarn now'],
    ['where it is hosted', 'The docs site is hosted on Marlow', 'The docs site moved to Fern Cloud'],
    ['a rule turned round', 'Rebase shared branches before merging', 'Never rebase shared branches before merging'],
    ['an always', 'Always squash pull requests', "Don't squash pull requests"],
    ['数字', '日志服务的超时是 30 秒', '日志服务的超时改成 60 秒'],
    ['日期', '样书 6 月 9 日寄出', '样书 6 月 16 日寄出'],
    ['负责人', '计费服务由小王负责', '计费服务以后由阿芙负责'],
    ['属性', '小王的邮箱是 wang@example.com', '小王的邮箱改成 xw@example.com'],
    ['住处', '阿芙住在杭州', '阿芙搬到了苏州'],
    ['工作', '王小明在远山科技工作', '王小明现在在柏记工作'],
    ['否定', '提交信息要写工单号', '提交信息不要写工单号'],
    ['放在哪', '课件放在共享盘', '课件现在放在网盘'],
    ['混写', '商品页的 cache TTL 是 300 秒', '商品页的 cache TTL 调成 3600 秒'],
  ])('%s: %s / %s', (_, one, other) => {
    expect(pairs(one, other)).toHaveLength(1)
    expect(pairs(other, one)).toHaveLength(1)
  })

  it.each([
    ['the same in other words', 'Ana owns the billing service', 'The billing service is owned by Ana'],
    ['the same value', 'Logs are kept for 30 days', 'Logs are still kept for 30 days'],
    ['another service', 'The audit service uses port 9200', 'The quota service uses port 9300'],
    ['another attribute', "Ana's email is ana@example.com", "Ana's phone is 12345"],
    ['another person', 'Ana lives in Lisbon', 'Bo lives in Porto'],
    ['home and work', 'Ana lives in Lisbon', 'Ana works at Harrow'],
    ['likes', 'Ana likes tea', 'Ana likes coffee'],
    ['uses', 'Ana uses vim', 'Ana uses tmux'],
    ['minimum and maximum', 'The pool keeps at least 5 connections', 'The pool keeps at most 25 connections'],
    ['read and connect', 'The read timeout is 30 seconds', 'The connect timeout is 3 seconds'],
    ['up and down', 'Migrations up take about 1 minute', 'Migrations down take about 2 minutes'],
    ['which server', 'Server 1 runs Debian and nothing else', 'Server 2 runs Debian and nothing else'],
    ['which release', 'The plan for release 2 is done', 'The plan for release 3 is done'],
    ['a condition', 'Squash pull requests', 'Do not squash pull requests of release branches'],
    ['an exception', 'Ask before deleting files', 'Ask before deleting files, unless they are temporary'],
    ['a second owner', 'Ana owns the billing service', 'The billing service is owned by Ana and Bo'],
    ['questions', 'Is the port 9200?', 'Is the port 9300?'],
    ['its reason', 'Use tabs.\n\n**Why:** The limit is 3 lines', 'Use tabs.\n\n**Why:** The limit is 5 lines'],
    ['several numbers', 'Ships 3 boxes of 40 bolts each', 'Ships 5 boxes of 60 bolts each'],
    ['另一个人', '域名续费由老欧负责', '证书续期由阿芙负责'],
    ['另一条线', '3 号线的屏幕很亮', '5 号线的屏幕很亮'],
    ['另一属性', '柏记的账期是 45 天', '柏记的最小起订量是 45 箱'],
    ['另一场合', '试听课可以录像', '家访不可以录像'],
    ['上下册', '上册定 48 页', '下册定 64 页'],
    ['喜欢', '小王喜欢喝茶', '小王喜欢喝咖啡'],
    ['第几章', '第 2 章写完了初稿', '第 3 章写完了初稿'],
    ['特别', '这个流程特别适合新人', '这个流程适合新人'],
  ])('no pair, %s: %s / %s', (_, one, other) => {
    expect(pairs(one, other)).toEqual([])
  })

  it('names the newer one, whatever the order, and quotes both', () => {
    const [old, young] = [
      note('old', 'Ana lives in Lisbon.', { updated: '2026-01-01T00:00:00Z' }),
      note('new', 'Some talk. Ana lives in Porto.', { updated: '2026-05-01T00:00:00Z' }),
    ]
    for (const notes of [
      [old, young],
      [young, old],
    ])
      expect(findContradictions(notes)).toMatchObject([
        {
          newer: { id: 'new' },
          older: { id: 'old' },
          newerQuote: 'Ana lives in Porto',
          olderQuote: 'Ana lives in Lisbon',
        },
      ])
  })

  it.each(['n0', 'a name'])('what one supersedes (by %s) is no contradiction', (reference) => {
    const old = note('n0', 'Ana lives in Lisbon', { name: 'a name' })
    expect(findContradictions([old, note('n1', 'Ana lives in Porto', { supersedes: [reference] })])).toEqual([])
    expect(findContradictions([old, note('n1', 'Ana lives in Porto', { supersedes: ['else'] })])).toHaveLength(1)
  })

  it('gives one pair for two notes, and one for each two of three', () => {
    expect(pairs('Ana lives in Lisbon. Ana works at Harrow.', 'Ana lives in Porto. Ana works at Tarn.')).toHaveLength(1)
    expect(pairs('Ana lives in Lisbon', 'Ana lives in Porto', 'Ana lives in Faro')).toHaveLength(3)
  })

  it('never throws, and no note contradicts itself or its copy', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.lorem(), fc.string()), (text) => {
        expect(findContradictions([note('a', text), note('a', `${text} not`)])).toEqual([])
        expect(claimsOf(text)).toEqual(claimsOf(text))
        const own = claimsOf(text).map(({ key }) => key)
        if (new Set(own).size === own.length) expect(pairs(text, text)).toEqual([])
      }),
    )
  })
})
