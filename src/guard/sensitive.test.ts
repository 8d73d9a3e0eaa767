import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSensitive, maskSensitive } from './sensitive.ts'

const health = [
  'I was diagnosed with depression last year',
  "I've been diagnosed with ADHD",
  'my wife has type 2 diabetes',
  'My manager is on sick leave because of burnout',
  'she is pregnant',
  'Anna has breast cancer',
  'I take insulin before lunch',
  'he is on antidepressants',
  'my son is allergic to peanuts',
  'my mother needs knee surgery in May',
  'I suffer from migraines',
  'my therapist says I should work less',
  'The user has epilepsy',
  '我有糖尿病',
  '我妈确诊了肺癌',
  '我妈每周三下午去医院透析',
  '我老婆怀孕了',
  '小王得了抑郁症',
  '他在吃抗抑郁药',
  '我对青霉素过敏',
  '我去年做了心脏搭桥手术',
  '我最近焦虑症又发作了',
  '我患有高血压，每天吃降压药',
  '我媽有糖尿病',
  '他被診斷為憂鬱症，她確診了癌症',
]

const money = [
  'my salary is 85k',
  'I earn $120,000 a year',
  'I owe the bank 30,000 euros',
  'my wife makes 4000 EUR a month',
  'My credit score is 540',
  'he filed for bankruptcy',
  'I have 12k in student loans',
  "Anna's salary is 70k",
  'our mortgage aside, my debts are about $20k',
  'I am deep in debt',
  '我月薪三万',
  '我的工资是 25000',
  '我欠银行 20 万',
  '他年薪 80 万',
  '我老公每个月房贷一万二',
  '我存款只有五千',
  '小李信用卡逾期了',
  '我還欠朋友三萬塊',
  '我的年終獎金有十萬',
]

const lookAlikes = [
  'the service is healthy',
  'the health check runs every 10 seconds',
  'budget of the project is 40k',
  'the salary field in the schema is nullable',
  'my salary export script fails on row 12',
  'the payroll service computes the net salary',
  'the loan module has 40 tests',
  'I work on a diabetes app',
  'my wife has a diabetes startup to run',
  'I have a cancer dataset of 40 GB',
  'we have a depression detection model',
  'the patient table has a diagnosis column',
  'she was diagnosed by the doctor agent in the demo'.replace('diagnosed by', 'helped by'),
  'invoice total is 20,500',
  'I make 3 commits a day',
  'I have 12 open pull requests',
  'he owes me a review',
  'the build is sick and the tests have a stroke of luck'.replace('have a stroke of', 'need'),
  'my bad knee means aisle seats, always',
  'my son gets badly seasick, so no ferries',
  'the user has 3 roles',
  'The stack has memory problems',
  'I am allergic to meetings before 10',
  'our credit module checks the balance of an account',
  'the pregnant pause before the answer',
  '服务健康检查每十秒一次',
  '项目预算是 40 万',
  '工资字段可以为空',
  '我负责薪资模块的接口',
  '我在做糖尿病管理 App',
  '我有个抑郁症数据集',
  '我们的手术室排班系统周五上线',
  '贷款审批接口超时 30 秒',
  '我红绿色弱，图里别用红配绿',
  '订单余额 300 元',
  '我每天提交三次',
  '老王负责房贷计算器的 3 个接口',
  '我欠你一个评审',
  '血压计的固件用 C 写',
  '小程序支付接口返回 500',
  '用户余额字段改成整数',
]

describe('W6: statements about the health or the money of a person', () => {
  it.each(health)('health: %s', (text) => expect(findSensitive(text)?.kind).toBe('health'))
  it.each(money)('money: %s', (text) => expect(findSensitive(text)?.kind).toBe('money'))
  it.each(lookAlikes)('passes: %s', (text) => expect(findSensitive(text)).toBeNull())

  it('finds the statement in the middle of others and shows that clause alone', () => {
    expect(findSensitive('We deploy on Fridays. My wife has type 2 diabetes, so I leave early. Ok?')).toEqual({
      kind: 'health',
      excerpt: 'My wife has type 2 diabetes',
    })
    expect(findSensitive('周五发版。我妈每周三下午去医院透析，所以周三下午不排事')?.excerpt).toBe(
      '我妈每周三下午去医院透析',
    )
  })

  it.each(['💰', '👩‍💻', 'é', '한', '👍🏽'])('BL-45: the excerpt is cut on a grapheme (%s)', (grapheme) => {
    for (let filler = 1; filler < 30; filler++) {
      const found = findSensitive(`I was diagnosed with ${'x'.repeat(filler)} ${grapheme.repeat(100)}`)
      expect(found?.excerpt.isWellFormed()).toBe(true)
      expect([...new Intl.Segmenter().segment(found?.excerpt ?? '')].length).toBeLessThanOrEqual(120)
    }
  })
})

describe('maskSensitive', () => {
  it.each([
    ['my salary is 85,500 before tax, and I work in Oslo', '[masked: money], and I work in Oslo'],
    [
      '我妈每周三下午去医院透析，都是我陪，所以每周三下午都不要给我排事',
      '[masked: health]，都是我陪，所以每周三下午都不要给我排事',
    ],
    ['I was diagnosed with ADHD. I prefer short answers.', '[masked: health]. I prefer short answers.'],
    ['we deploy on Fridays', 'we deploy on Fridays'],
    ['我月薪三万，他有糖尿病。周五见', '[masked: money]，[masked: health]。周五见'],
  ])('%s', (text, expected) => expect(maskSensitive(text).text).toBe(expected))

  it('leaves nothing that is still found', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...health, ...money, ...lookAlikes), { maxLength: 5 }), (sentences) => {
        const { text } = maskSensitive(sentences.join('. '))
        expect(findSensitive(text)).toBeNull()
      }),
      { numRuns: 300 },
    )
  })
})

it('stays fast on 200 KB that nearly matches', () => {
  for (const unit of [
    'I have ',
    'my wife ',
    'my salary is ',
    '我',
    '我的工资',
    '我去医院',
    '老王',
    'Anna ',
    '$100 ',
    '有',
  ]) {
    const start = performance.now()
    findSensitive(unit.repeat(Math.ceil(200_000 / unit.length)))
    expect(performance.now() - start, unit).toBeLessThan(4_000)
  }
}, 60_000)
