import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { absoluteDates, findDates } from './absolute-dates.ts'
import { chineseDates } from './chinese-dates.ts'

/** A Wednesday. */
const wednesday = '2026-06-10T15:12:00+02:00'

const english: readonly [string, string][] = [
  ['ship it today', 'ship it 2026-06-10'],
  ['Tomorrow we deploy', '2026-06-11 we deploy'],
  ['done yesterday.', 'done 2026-06-09.'],
  ['the day after tomorrow it opens', '2026-06-12 it opens'],
  ['the day before yesterday', '2026-06-08'],
  ['call them tonight', 'call them 2026-06-10 evening'],
  ['it broke last night', 'it broke 2026-06-09 night'],
  ['this morning', '2026-06-10 morning'],
  ['tomorrow at 9', '2026-06-11 at 9'],
  ["today's build", "2026-06-10's build"],
  ['freeze is this Friday at 18:00', 'freeze is 2026-06-12 at 18:00'],
  ['this Wednesday', '2026-06-10'],
  ['this Monday', '2026-06-15'],
  ['next Friday', '2026-06-19'],
  ['next Mon', '2026-06-15'],
  ['last Friday', '2026-06-05'],
  ['last Tuesday', '2026-06-09'],
  ['Friday next week', '2026-06-19'],
  ['next week on Tuesday', '2026-06-16'],
  ['a week from Friday', '2026-06-19'],
  ['due by Friday', 'due by 2026-06-12'],
  ['the demo is on Wednesday', 'the demo is on 2026-06-17'],
  ['went to Paris last week', 'went to Paris 2026-06-01/2026-06-07'],
  ['next week', '2026-06-15/2026-06-21'],
  ['this weekend', '2026-06-13/2026-06-14'],
  ['the week after next', '2026-06-22/2026-06-28'],
  ['last month', '2026-05'],
  ['next quarter', '2026-Q3'],
  ['this quarter', '2026-Q2'],
  ['next year', '2027'],
  ['in two weeks', '2026-06-24'],
  ['in 10 days', '2026-06-20'],
  ['in a month', '2026-07'],
  ['3 days ago', '2026-06-07'],
  ['two weeks ago', '2026-05-27'],
  ['a year ago', '2025'],
  ['16 hours ago', '2026-06-09'],
  ['three weeks from now', '2026-07-01'],
  ['runs out at the end of this month', 'runs out on 2026-06-30'],
  ['by the end of the month', 'by 2026-06-30'],
  ['end of next week', '2026-06-19'],
  ['end of the quarter', '2026-06-30'],
  ['before year end', 'before 2026-12-31'],
  ['on the 25th of next month', '2026-07-25'],
  ['by the 5th.', 'by 2026-07-05.'],
  ['next March', '2027-03'],
  ['last winter', 'winter 2025'],
  ['a few days ago', 'a few days before 2026-06-10'],
]

const chinese: readonly [string, string][] = [
  ['今天发不了', '2026-06-10 发不了'],
  ['明天上线', '2026-06-11 上线'],
  ['后天开会', '2026-06-12 开会'],
  ['後天開會', '2026-06-12 開會'],
  ['大后天出差', '2026-06-13 出差'],
  ['昨天改的', '2026-06-09 改的'],
  ['前天', '2026-06-08'],
  ['大前天', '2026-06-07'],
  ['今晚割接', '2026-06-10 晚上割接'],
  ['明早八点', '2026-06-11 早上八点'],
  ['昨晚挂了', '2026-06-09 晚上挂了'],
  ['上周转岗了', '2026-06-01/2026-06-07 转岗了'],
  ['下周三评审', '2026-06-17 评审'],
  ['本周五封版', '2026-06-12 封版'],
  ['這週五', '2026-06-12'],
  ['下個星期一', '2026-06-15'],
  ['下下周二', '2026-06-23'],
  ['上上周', '2026-05-25/2026-05-31'],
  ['这周末', '2026-06-13/2026-06-14'],
  ['下礼拜天', '2026-06-21'],
  ['下周日程', '2026-06-15/2026-06-21 日程'],
  ['下周天气', '2026-06-15/2026-06-21 天气'],
  ['周五前交', '2026-06-12 前交'],
  ['月底前', '2026-06-30 前'],
  ['这个月 25 号', '2026-06-25'],
  ['下个月', '2026-07'],
  ['上個月底', '2026-05-31'],
  ['下月初', '2026-07 初'],
  ['三天后', '2026-06-13'],
  ['两周前', '2026-05-27'],
  ['十天後', '2026-06-20'],
  ['半个月后', '2026-06-25'],
  ['半年前', '2025-12'],
  ['3 个月后', '2026-09'],
  ['年底', '2026-12-31'],
  ['明年年底', '2027-12-31'],
  ['明年3月5日', '2027年3月5日'],
  ['去年', '2025年'],
  ['这个季度', '2026-Q2'],
  ['下季度末', '2026-09-30'],
  ['下半年', '2026年下半年'],
  ['28号之前', '2026-06-28 之前'],
  ['前几天', '2026-06-10 之前几天'],
]

const others: readonly [string, string][] = [
  ['bis morgen ist das fertig', 'bis 2026-06-11 ist das fertig'],
  ['wir sind seit gestern weg', 'wir sind seit 2026-06-09 weg'],
  ['übermorgen ist Abgabe', '2026-06-12 ist Abgabe'],
  ['nächste Woche Dienstag ist Ablesung', '2026-06-16 ist Ablesung'],
  ['das war letzten Montag', 'das war 2026-06-08'],
  ['in zwei Wochen ist Schluss', '2026-06-24 ist Schluss'],
  ['明日までに', '2026-06-11 までに'],
  ['昨日決まりました', '2026-06-09 決まりました'],
  ['来週の金曜までに', '2026-06-19 までに'],
  ['3日前に変わりました', '2026-06-07 に変わりました'],
]

describe('absoluteDates [W10]', () => {
  it.each([...english, ...chinese, ...others])('BL-57 anchors %s', (text, expected) => {
    expect(absoluteDates(text, wednesday).text).toBe(expected)
  })

  it.each([
    ['an ordinal', 'the last of the first'],
    ['a version', 'pinned to v2026.1 and 5.2'],
    ['a time of day', 'standup at 09:30'],
    ['code span', 'run `git log --since=yesterday` first'],
    ['a fence', 'see\n```\ntomorrow 明天\n```\nend'],
    ['an open fence', 'see\n```\ntomorrow 明天'],
    ['a branch', 'the branch "release-today" and feature/tomorrow-fix'],
    ['a mention', 'rename the column "today"'],
    ['a call', 'Date.today() and today() and today_date'],
    ['a longer word', 'todayish, yesterdays, nexterday'],
    ['a link', 'https://news.example/today/last-week'],
    ['named month', 'the audit is on June 9th, 机房 6 月 28 号搬'],
    ['policy, en', 'Sessions always expire in 30 days'],
    ['policy, zh', '订单创建 7 天后自动关闭'],
    ['habit, en', 'Invoices go out every quarter at the end of the month'],
    ['habit, zh', '每周三下午不排会，每个月底对账，每月月底出报表'],
    ['线上周报', '线上周报和线上月报照发'],
    ['以前天天', '以前天天加班'],
    ['先后', '先后天赋, 后天性'],
    ['before the tenth', '6月10日前'],
    ['third month', '三月后'],
    ['a year in digits', '2024年前'],
    ['the nth week', '第三周后'],
    ['last week of', 'the last week of June'],
    ['Guten Morgen', 'Guten Morgen, das ist der Plan'],
    ['frontend', '两天前端改造'],
  ])('leaves %s', (_, text) => {
    expect(absoluteDates(text, wednesday)).toEqual({ text, undated: [], changed: 0 })
  })

  it.each([
    ['马上周五了', '马上周五了'],
    ['聪明天真', '聪明天真'],
    ['我们下周一起做', '我们 2026-06-15/2026-06-21 一起做'],
    ['下周报告', '2026-06-15/2026-06-21 报告'],
  ])('keeps look-alikes apart: %s', (text, expected) => {
    expect(absoluteDates(text, wednesday).text).toBe(expected)
  })

  it.each([
    ['2026-03-23T23:50:00+01:00', '2026-03-24'],
    ['2026-03-24T00:20:00+01:00', '2026-03-25'],
    ['2026-03-23T23:50:00Z', '2026-03-24'],
    ['2026-12-31T23:59:59.999-11:00', '2027-01-01'],
    ['2028-02-28T08:00:00+14:00', '2028-02-29'],
    ['2026-02-28', '2026-03-01'],
  ])('BL-59 uses the calendar day of the stamp itself: tomorrow at %s', (time, expected) => {
    expect(absoluteDates('tomorrow', time).text).toBe(expected)
    expect(absoluteDates('明天', time).text).toBe(expected)
  })

  it.each(['2026-02-30', 'soon', '', '2026-13-01T00:00:00Z', null])(
    'BL-57 marks words undated without an anchor (%s)',
    (time) => {
      expect(absoluteDates('昨天定的, ships next Friday', time)).toEqual({
        text: '昨天 [undated]定的, ships next Friday [undated]',
        undated: ['昨天', 'next Friday'],
        changed: 0,
      })
    },
  )

  it('does not resolve later what was marked undated', () => {
    const { text } = absoluteDates('昨天 and tomorrow', null)
    expect(absoluteDates(text, wednesday)).toEqual({ text, undated: [], changed: 0 })
    expect(absoluteDates(text, null).text).toBe(text)
  })

  it('counts what it changed', () => {
    expect(absoluteDates('today, tomorrow, 后天', wednesday).changed).toBe(3)
  })

  const words = [...english, ...chinese].map(([text]) => text)
  const piece = fc.oneof(
    fc.constantFrom(...words),
    fc.string({ maxLength: 6 }),
    fc.constantFrom(' ', '，', '\n', '. ', '`', '"'),
  )
  const time = fc.constantFrom('2026-06-10T00:10:00+08:00', '2024-02-29T23:59:00-11:00', '1999-12-31T12:00:00Z')

  it('leaves no relative word outside code, for any mixture, and is idempotent', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), time, (pieces, at) => {
        const once = absoluteDates(pieces.join(''), at).text
        expect(findDates(once)).toEqual([])
        expect(absoluteDates(once, at).text).toBe(once)
      }),
      { numRuns: 2000 },
    )
  })

  it('removes the core words wherever they stand alone', () => {
    const core = [
      'today',
      'tomorrow',
      'yesterday',
      'next week',
      'last month',
      '今天',
      '明天',
      '后天',
      '昨天',
      '下周五',
      '上周',
      '下个月',
      '月底',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...core), { minLength: 1, maxLength: 5 }), time, (list, at) => {
        expect(absoluteDates(list.join(', '), at).text).not.toMatch(/today|tomorrow|yesterday|week|month|天|周|月/)
      }),
    )
  })

  // With time that grows by the square this would take hours.
  it('ends on long hostile text', { timeout: 120_000 }, () => {
    const text = 'today `x` 下周五 in 3 days ago '.repeat(20_000)
    expect(absoluteDates(text, wednesday).text).toContain('`x`')
  })
})

it('no Chinese rule finds anything in a text without a Chinese or Japanese sign, so none is tried there', () => {
  const signs = fc.constantFrom(
    ...'0123456789 abctodaynextweek/-:.年月日'.replace(/[年月日]/g, ''),
    'é',
    'ß',
    '😀',
    '１',
  )
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 40 }), (all) => {
      const text = all.join('')
      for (const { pattern } of chineseDates) expect(new RegExp(pattern, 'iu').test(text), pattern).toBe(false)
    }),
    { numRuns: 300 },
  )
})
