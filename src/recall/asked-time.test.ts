import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askedTime, isAskedDay, isAskedTime, withoutTimes } from './asked-time.ts'

const nowMs = Date.parse('2026-11-30T09:00:00Z')
const holds = (question: string, time: string) => {
  const asked = askedTime(question, nowMs)
  return asked !== null && isAskedTime(asked, time)
}

describe('askedTime [R5]', () => {
  it.each([
    ['What did we decide in May?', '2023-05-17T10:00:00Z', '2023-06-01T00:00:00Z'],
    ['the release of March 2024', '2024-03-31T23:59:59Z', '2025-03-02T00:00:00Z'],
    ['what happened on 2026-02-03', '2026-02-03T00:00:00Z', '2026-02-04T00:00:00Z'],
    ['everything from 2026-02', '2026-02-28T12:00:00Z', '2026-03-01T00:00:00Z'],
    ['which database did we use in 2022', '2022-12-31T00:00:00Z', '2023-01-01T00:00:00Z'],
    ['the May trip of 2023', '2023-05-02T00:00:00Z', '2024-05-02T00:00:00Z'],
    ['what broke yesterday', '2026-11-29T22:00:00Z', '2026-11-30T01:00:00Z'],
    ['what did I do the day before yesterday', '2026-11-28T22:00:00Z', '2026-11-29T01:00:00Z'],
    ['what did we do last week', '2026-11-20T10:00:00Z', '2026-10-20T10:00:00Z'],
    ['3 weeks ago we talked about caching', '2026-11-09T10:00:00Z', '2026-11-29T10:00:00Z'],
    ['我们五月决定了什么', '2023-05-17T10:00:00Z', '2023-06-01T00:00:00Z'],
    ['2023年12月的发布', '2023-12-01T00:00:00Z', '2024-12-01T00:00:00Z'],
    ['十一月说过什么', '2026-11-02T00:00:00Z', '2026-10-02T00:00:00Z'],
    ['昨天修了什么', '2026-11-29T02:00:00Z', '2026-11-28T02:00:00Z'],
    ['上周谈了什么', '2026-11-20T10:00:00Z', '2026-11-01T10:00:00Z'],
    ['3天前', '2026-11-27T10:00:00Z', '2026-11-20T10:00:00Z'],
    ['去年的计划', '2025-06-01T00:00:00Z', '2026-10-01T00:00:00Z'],
    ['前年的计划', '2024-06-01T00:00:00Z', '2025-10-01T00:00:00Z'],
    ['what did we say two weeks ago', '2026-11-16T10:00:00Z', '2026-11-29T10:00:00Z'],
    ['a month ago we chose a database', '2026-10-31T10:00:00Z', '2026-11-29T10:00:00Z'],
    ['三天前修了什么', '2026-11-27T10:00:00Z', '2026-11-20T10:00:00Z'],
    ['十二天前', '2026-11-18T10:00:00Z', '2026-11-28T10:00:00Z'],
    ['两个星期前的决定', '2026-11-16T10:00:00Z', '2026-11-29T10:00:00Z'],
    ['二十天以前', '2026-11-10T10:00:00Z', '2026-11-28T10:00:00Z'],
    ['大前天说的端口', '2026-11-27T10:00:00Z', '2026-11-28T10:00:00Z'],
    // 2026-11-30 is a Monday.
    ['what did Ana say on Friday', '2026-11-27T10:00:00Z', '2026-11-20T10:00:00Z'],
    ['the meeting last Monday', '2026-11-23T10:00:00Z', '2026-11-30T10:00:00Z'],
    ['上周五的会', '2026-11-27T10:00:00Z', '2026-11-20T10:00:00Z'],
    ['上周一的会', '2026-11-23T10:00:00Z', '2026-11-30T10:00:00Z'],
    ['周三定的规则', '2026-11-25T10:00:00Z', '2026-11-26T10:00:00Z'],
    ['this morning', '2026-11-30T07:00:00Z', '2026-11-29T07:00:00Z'],
    // It is Monday: the week before today is the last week, all of it.
    ['what did we do last week', '2026-11-29T10:00:00Z', '2026-11-30T10:00:00Z'],
    ['上周末做了什么', '2026-11-28T10:00:00Z', '2026-11-30T10:00:00Z'],
    ['上上周的会', '2026-11-17T10:00:00Z', '2026-11-24T10:00:00Z'],
    ['the week before last', '2026-11-22T10:00:00Z', '2026-11-24T10:00:00Z'],
    ['上上个月的发布', '2026-09-10T10:00:00Z', '2026-11-10T10:00:00Z'],
    ['what changed this year', '2026-01-02T10:00:00Z', '2025-12-30T10:00:00Z'],
    ['今年的计划', '2026-01-02T10:00:00Z', '2025-12-30T10:00:00Z'],
    ['what broke in the last 3 days', '2026-11-28T10:00:00Z', '2026-11-20T10:00:00Z'],
    ['what did we ship in the past week', '2026-11-24T10:00:00Z', '2026-11-10T10:00:00Z'],
    ['最近三天的改动', '2026-11-28T10:00:00Z', '2026-11-20T10:00:00Z'],
    ['6月12日的会', '2025-06-12T10:00:00Z', '2025-07-12T10:00:00Z'],
    ['2026年6月12日的会', '2026-06-12T10:00:00Z', '2025-06-12T10:00:00Z'],
    ['2026年6月12号定的', '2026-06-12T10:00:00Z', '2026-07-12T10:00:00Z'],
    ['the release of 2026/02/03', '2026-02-03T10:00:00Z', '2026-05-03T10:00:00Z'],
    ['between March and June 2025', '2025-04-20T10:00:00Z', '2025-07-01T00:00:00Z'],
    ['what changed from March to June', '2024-05-05T10:00:00Z', '2024-07-05T10:00:00Z'],
    ['between 2025-03-01 and 2025-07-01', '2025-05-05T10:00:00Z', '2025-07-02T00:00:00Z'],
    ['2025年3月到10月的旅行', '2025-08-01T10:00:00Z', '2024-08-01T10:00:00Z'],
    ['3月和6月之间', '2024-05-05T10:00:00Z', '2024-07-05T10:00:00Z'],
    ['11月至2月', '2024-12-05T10:00:00Z', '2024-03-05T10:00:00Z'],
    ['2021 to 2023', '2022-05-05T10:00:00Z', '2024-01-01T00:00:00Z'],
    ['in March and June', '2024-06-05T10:00:00Z', '2024-05-05T10:00:00Z'],
  ])('%s', (question, inside, outside) => {
    expect(holds(question, inside)).toBe(true)
    expect(holds(question, outside)).toBe(false)
  })

  it.each([
    'may I use tabs',
    'May I use tabs',
    'Thanks. May we merge it?',
    '下周三的会',
    '每个周三的例会',
    'march on with it',
    'how many decisions',
    'port 2024-alpha',
    'what is the timeout',
    '为什么失败',
    '十个月饼',
    '每周三次的例会',
    '每周三的例会',
    '早上月亮很圆',
    'Friday is a word',
    '一周几次',
    '',
  ])('%j names no time', (question) => {
    expect(askedTime(question, nowMs)).toBeNull()
  })

  it.each([
    ['2026-06-15', 'last week', '2026-06-08', '2026-06-14'],
    ['2026-06-21', '上周', '2026-06-08', '2026-06-14'],
    ['2026-06-03', 'last month', '2026-05-01', '2026-05-31'],
    ['2026-03-31', '上个月', '2026-02-01', '2026-02-28'],
    ['2026-01-20', 'last year', '2025-01-01', '2025-12-31'],
    ['2026-12-31', '去年', '2025-01-01', '2025-12-31'],
    ['2026-01-01', '前年', '2024-01-01', '2024-12-31'],
    ['2026-06-15', '上上周', '2026-06-01', '2026-06-07'],
    ['2026-06-30', '上上个月', '2026-04-01', '2026-04-30'],
  ])('on %s %s is all of it, from %s to %s', (today, question, from, to) => {
    const asked = askedTime(question, Date.parse(`${today}T09:00:00Z`))
    expect(asked && [from, to].map((day) => isAskedTime(asked, `${day}T12:00:00Z`))).toEqual([true, true])
    expect(asked && isAskedTime(asked, `${today}T12:00:00Z`)).toBe(false)
  })

  it.each([
    ['What did we do on June 12, 2026 with Ana?', 'What did we do on with Ana?'],
    ['12 June 的会', '的会'],
    ['2026年6月12日做了什么', '做了什么'],
    ['2025年做了什么', '做了什么'],
    ['这周三做了什么', '做了什么'],
    ['上周末做了什么', '做了什么'],
  ])('%j without its times is %j', (question, rest) => {
    expect(
      withoutTimes(question)
        .replace(/\s+/g, ' ')
        .replace(/ (?=[,?])/g, ''),
    ).toBe(rest)
  })

  it.each([
    ['what did we do on June 12', '2026-06-12T10:00:00Z', '2026-06-14T10:00:00Z'],
    ['what did we do on the 3rd of May 2025', '2025-05-03T10:00:00Z', '2026-05-03T10:00:00Z'],
    ['6月12日做了什么', '2026-06-12T10:00:00Z', '2026-06-14T10:00:00Z'],
    ['2026年6月5号做了什么', '2026-06-05T10:00:00Z', '2026-06-15T10:00:00Z'],
    ['what did we do in June', '2026-06-14T10:00:00Z', '2026-07-14T10:00:00Z'],
  ])('%s: alone it is that day', (question, inside, outside) => {
    const asked = askedTime(question, nowMs)
    expect(asked && [inside, outside].map((time) => isAskedDay(asked, time))).toEqual([true, false])
  })

  it('something undated is never what was asked for', () => {
    const asked = askedTime('in May', nowMs)
    expect(asked && [isAskedTime(asked, null), isAskedTime(asked, 'soon')]).toEqual([false, false])
  })

  it('never throws and gives whole ranges, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.nat(3_000), (text, amount) => {
        const asked = askedTime(`${text} ${amount} days ago ${amount}年${amount}月 ${text}`, nowMs)
        return asked === null || asked.ranges.every(({ fromMs, toMs }) => fromMs < toMs)
      }),
    )
  })
})
