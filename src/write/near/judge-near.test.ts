import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createNearJudge } from './judge-near.ts'

const judge = createNearJudge()
const relation = (known: string, said: string) =>
  judge({ name: 'known', text: known }, { name: 'said', text: said }).relation

interface Pair {
  readonly id: string
  readonly label: string
  readonly existing: { readonly name: string; readonly body: string }
  readonly incoming: { readonly name: string; readonly body: string }
}

const pairs = readFileSync(resolve(import.meta.dirname, '../../../test/fixtures/pairs/pairs.jsonl'), 'utf8')
  .trim()
  .split('\n')
  // Written by us, one pair a line.
  .map((line) => JSON.parse(line) as Pair)

const decide = ({ existing, incoming }: Pair) =>
  judge({ name: existing.name, text: existing.body }, { name: incoming.name, text: incoming.body }).relation

describe('judgeNear on our own pairs [W1] [M3]', () => {
  it.each(pairs.filter(({ label }) => label !== 'same').map((pair) => [pair.id, pair] as const))(
    '%s never merges',
    (_, pair) => {
      expect(decide(pair)).not.toBe('merge')
    },
  )

  it('of 27 paraphrases at least 22 merge', () => {
    const same = pairs.filter(({ label }) => label === 'same')
    expect(same.length).toBe(27)
    expect(same.filter((pair) => decide(pair) === 'merge').length).toBeGreaterThanOrEqual(22)
  })
})

describe('judgeNear: the same in other words [W1]', () => {
  it.each([
    ['a time', 'Standup is at 3 pm.', 'Standup is at 15:00.'],
    ['a time in Chinese', '站会在下午三点。', '站会在 15:00。'],
    ['a duration', 'Requests time out after 30 seconds.', 'Requests time out after 30s.'],
    ['spelled out', 'Keep five backups.', 'Keep 5 backups.'],
    ['thousands', 'The limit is 1,000 rows.', 'The limit is 1k rows.'],
    ['a date', 'The freeze starts on 2026-03-01.', 'The freeze starts on March 1, 2026.'],
    ['a Chinese date', '冻结从 2026年3月1日 开始。', '冻结从 2026-03-01 开始。'],
    ['weeks and days', 'Logs are kept for two weeks.', 'Logs are kept for 14 days.'],
    ['case and marks', 'Use **Vitest** for unit tests.', 'use vitest for unit tests'],
    ['a part', 'The user is called Ottilie; she lives in Graz.', 'Ottilie lives in Graz.'],
    ['a confirmation', 'The API listens on port 8104.', 'Checked on 2026-06-12: the API still listens on port 8104.'],
    ['negated twice', 'Always test before a release.', 'Never release without a test before it.'],
    ['two languages', 'Use pnpm instead of npm.', '用 pnpm，不用 npm。'],
  ])('%s', (_, known, said) => {
    expect(relation(known, said)).toBe('merge')
  })

  it('says whether the known note says more', () => {
    const more = { name: 'a', text: 'Run tests with vitest. Push straight to main.' }
    const said = { name: 'b', text: 'Run the tests with vitest.' }
    expect(judge(more, said)).toMatchObject({ relation: 'merge', isWhole: false })
    expect(judge({ ...more, text: 'Run tests with vitest.' }, said)).toMatchObject({ relation: 'merge', isWhole: true })
  })
})

describe('judgeNear: never merged [W1]', () => {
  it.each([
    ['another number', 'The pool has 4 workers.', 'The pool has 5 workers.'],
    ['another unit', 'The cache lives 5 minutes.', 'The cache lives 5 hours.'],
    ['another date', 'The freeze starts on March 1.', 'The freeze starts on March 2.'],
    ['denied', 'Commit generated files.', 'Do not commit generated files.'],
    ['denied in Chinese', '提交生成的文件。', '不要提交生成的文件。'],
    ['turned round', 'Use tabs, not spaces.', 'Use spaces, not tabs.'],
    ['another environment', 'Staging runs Postgres 16.', 'Production runs Postgres 16.'],
    ['another environment in Chinese', '测试环境用 MySQL 8。', '生产环境用 MySQL 8。'],
    ['an exception more', 'Never deploy on Fridays.', 'Never deploy on Fridays, except for hotfixes.'],
    ['an exception less', 'Never deploy on Fridays, except for hotfixes.', 'Never deploy on Fridays.'],
    ['a condition more', '改动要评审。', '如果改动很大，改动要评审。'],
    ['before and after', 'Run the tests before a deploy.', 'Run the tests after a deploy.'],
    ['least and most', 'Keep at least 5 backups.', 'Keep at most 5 backups.'],
    ['only', 'Deploy only on Tuesdays.', 'Deploy on Tuesdays.'],
    ['another person', 'Ravi owns the search service.', 'Mina owns the search service.'],
    ['places changed', 'Ravi reports to Mina.', 'Mina reports to Ravi.'],
    ['another file', 'The schema is in db/schema.sql.', 'The schema is in db/schema.old.sql.'],
    ['one of two', '东门九点开，西门十点开。', '东门十点开。'],
    ['a case left out', 'When the build fails, page Mina.', 'Page Mina.'],
    ['somebody of somebody', "Ottilie's brother is allergic to nuts.", 'Ottilie is allergic to nuts.'],
    ['something new', 'The API listens on port 8104.', 'The API listens on port 8104 behind the Envoy proxy.'],
    ['nothing said', 'The API listens on port 8104.', '...'],
  ])('%s', (_, known, said) => {
    expect(relation(known, said)).not.toBe('merge')
  })
})

describe('judgeNear: another value of the same thing is an update [W1]', () => {
  it.each([
    ['a number', 'The API listens on port 7443.', 'The API listens on port 7444.'],
    ['a Chinese number', '备份保留 30 天。', '备份保留 60 天。'],
    ['polarity', 'Use semicolons in TypeScript.', 'Do not use semicolons in TypeScript.'],
    ['an exception', 'Never deploy on Fridays.', 'Never deploy on Fridays unless it is a hotfix.'],
  ])('%s', (_, known, said) => {
    expect(relation(known, said)).toBe('update')
  })
})

const subjects = fc.constantFrom('The API', 'The geocoder', 'Larkspur', 'The nightly export', '网关', '三号大棚')
const sentence = fc.record({
  subject: subjects,
  value: fc.integer({ min: 2, max: 99_999 }),
  other: fc.integer({ min: 2, max: 99_999 }),
})

describe('judgeNear, for any text', () => {
  it('what is said again merges; nothing throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        (one, other) => {
          expect(relation(one, one)).toBe('merge')
          expect(() => relation(one, other)).not.toThrow()
        },
      ),
    )
  })

  it('another number never merges, wherever it stands', () => {
    fc.assert(
      fc.property(sentence, ({ subject, value, other }) => {
        fc.pre(value !== other)
        for (const text of [
          '{s} takes {n} rows',
          '{n} rows go to {s}',
          '{s} 每次 {n} 行',
          'At {s} there are {n} seats for guests',
        ])
          expect(
            relation(
              text.replace('{s}', subject).replace('{n}', `${value}`),
              text.replace('{s}', subject).replace('{n}', `${other}`),
            ),
          ).not.toBe('merge')
      }),
    )
  })

  it('a name that the known note does not hold never merges, and a veto holds both ways', () => {
    const name = fc.stringMatching(/^[A-Z][bcdfgklmnprtvz][aeiou][bcdfgklmnprtvz][aeiou][bcdfgklmnprtvz]q$/)
    fc.assert(
      fc.property(name, name, (one, other) => {
        fc.pre(one.toLowerCase() !== other.toLowerCase())
        for (const text of ['The runbook of {n} is in Notion.', 'Ask {n} before a release.', '发布前先问 {n}。']) {
          expect(relation(text.replace('{n}', one), text.replace('{n}', other))).not.toBe('merge')
          expect(relation(text.replace('{n}', other), text.replace('{n}', one))).not.toBe('merge')
        }
      }),
    )
  })
})
