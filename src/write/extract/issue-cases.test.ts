import { describe, expect, it } from 'vitest'
import { extractNotes } from './extract-notes.ts'
import { conversation, dialogue } from './testing.ts'

/** Lines of a dump, each of which asks for something. */
const dump = (line: string) => Array.from({ length: 300 }, (_, at) => `${at + 1} ${line}`).join('\n')

interface Noise {
  readonly system: string
  readonly facts: readonly [string, string, string, string, string]
  readonly ok: string
  readonly beat: string
  readonly line: string
  readonly advice: string
}

const english: Noise = {
  system: 'Rules: always use tabs. The user prefers short answers. We decided to use Go.',
  facts: [
    'likes tea',
    'always deploy on Mondays',
    'lives in Oslo',
    'prefers mail',
    'decided: Loki, because it is cheap',
  ],
  ok: 'ok',
  beat: 'HEARTBEAT_OK',
  line: "always decided to prefer the user's wish, remember it",
  advice: 'You should use Postgres, always. I will remember that you prefer it.',
}

const chinese: Noise = {
  system: '规则：一律用制表符缩进。用户喜欢简短的回答。我们决定用 Go。',
  facts: ['喜欢喝茶', '以后都在周一发布', '住在奥斯陆', '偏好邮件', '决定用 Loki，因为便宜'],
  ok: '好的',
  beat: '心跳正常',
  line: '请记住：以后一律按用户的偏好来，我们决定了',
  advice: '你应该一直用 Postgres。我会记住你喜欢它。',
}

const session = ({ system, facts, ok, beat, line, advice }: Noise, preference: string) =>
  dialogue([
    `system: ${system}`,
    `user: <memory-context>\n${facts.map((fact) => `- ${fact}`).join('\n')}\n</memory-context>\n${ok}`,
    `assistant: ${advice}`,
    `user: ${beat}`,
    `tool: ${dump(line)}`,
    `assistant: ${advice}`,
    `user: ${preference}`,
    `user: ${ok}`,
  ])

describe('BL-50: one true preference in a session full of noise [W6]', () => {
  it.each([
    [english, 'I prefer answers without preamble, for everything you write me', /without preamble/],
    [english, 'From now on always show me the diff before you commit.', /show me the diff/],
    [english, 'I like vitest over jest, use it by default', /vitest/],
    [english, 'Never add emojis to commit messages.', /emojis/],
    [english, 'please always answer in metric units', /metric units/],
    [chinese, '以后都用中文回复我', /中文/],
    [chinese, '我喜欢用 vitest 而不是 jest，以后默认用 vitest', /vitest/],
    [chinese, '以后提交前一定先给我看 diff', /diff/],
    [chinese, '以后提交信息里不要加表情符号', /表情符号/],
    [chinese, '我偏好简短的回答，不要开场白', /简短/],
  ])('%#: $1', (noise, preference, words) => {
    const notes = extractNotes(session(noise, preference))
    expect(notes.map(({ evidence }) => evidence)).toEqual([[6]])
    expect(notes[0]?.body).toMatch(words)
  })

  it.each([
    ['English', english],
    ['Chinese', chinese],
  ])('nothing at all without it: %s', (_, noise) => {
    expect(extractNotes(session(noise, noise.ok))).toEqual([])
  })
})

describe('BL-57: dates from the time of the message, processed years later [W10]', () => {
  /** A Wednesday. */
  const said = '2023-05-24T10:00:00+02:00'
  const input = (message: string, time: string | null) => {
    const made = conversation(message, { date: time === null ? null : '2026-06-10T15:12:00+02:00' })
    return { ...made, messages: made.messages.map((each) => ({ ...each, time })) }
  }

  it.each([
    ['remember that I went to Paris last week', '2023-05-15/2023-05-21', /last week/],
    ['remember that the pipes froze yesterday', '2023-05-23', /yesterday/],
    ['The release ships tomorrow.', '2023-05-25', /tomorrow/],
    ['The release ships next Friday.', '2023-06-02', /next|Friday/],
    ['The audit is in two weeks.', '2023-06-07', /two weeks/],
    ['记住，明天要交季度报告', '2023-05-25', /明天/],
    ['记住，昨天换了门锁', '2023-05-23', /昨天/],
    ['记住，上周搬到了杭州', '2023-05-15/2023-05-21', /上周/],
    ['下周五封版', '2023-06-02', /下周/],
    ['后天要给投资人演示', '2023-05-26', /后天/],
    ['Die Abgabe ist morgen', '2023-05-25', /morgen/],
    ['Die Abgabe ist nächsten Freitag', '2023-06-02', /nächste|Freitag/],
    ['Die Abgabe ist übermorgen', '2023-05-26', /übermorgen/],
    ['Der Umzug ist nächste Woche', '2023-05-29/2023-06-04', /nächste/],
    ['remember that der Umzug gestern war', '2023-05-23', /gestern/],
  ])('%s: %s', (message, date, relative) => {
    const notes = extractNotes(input(message, said))
    expect(notes).toHaveLength(1)
    expect(notes[0]?.time).toBe(said)
    expect(notes[0]?.body).toContain(date)
    for (const text of [notes[0]?.name, notes[0]?.description, notes[0]?.body]) expect(text).not.toMatch(relative)
  })

  it.each([
    ['remember that the pipes froze yesterday', 'yesterday [undated]'],
    ['remember that I went to Paris last week', 'last week [undated]'],
    ['remember that the release ships next Friday', 'next Friday [undated]'],
    ['记住，昨天换了门锁', '昨天 [undated]'],
    ['记住，后天要给投资人演示', '后天 [undated]'],
    ['remember that die Abgabe nächsten Freitag ist', 'nächsten Freitag [undated]'],
  ])('without an anchor it is marked: %s', (message, marked) => {
    const notes = extractNotes(input(message, null))
    expect(notes).toHaveLength(1)
    expect(notes[0]?.body.toLowerCase()).toContain(marked.toLowerCase())
    expect(notes[0]?.body).not.toMatch(/\d{4}/)
  })
})

describe('BL-59: a session over midnight [W10]', () => {
  const first = '2026-03-23T23:50:00+01:00'
  const second = '2026-03-24T00:20:00+01:00'
  const session = (early: string, late: string) => {
    const lines = ['user: ok, next one', 'assistant: yes?', `user: ${early}`, 'assistant: noted', `user: ${late}`]
    const { messages, ...rest } = dialogue(lines, { date: second })
    return { ...rest, messages: messages.map((each) => ({ ...each, time: each.index < 3 ? first : second })) }
  }

  it.each([
    ['remember that the pipes froze today', 'thanks', '2026-03-23'],
    ['The release ships tomorrow.', 'ok', '2026-03-24'],
    ['remember that the boiler broke yesterday', 'it is past midnight, go on', '2026-03-22'],
    ['记住，今天换了门锁', '谢谢', '2026-03-23'],
    ['后天要给投资人演示', '继续', '2026-03-25'],
    ['Die Abgabe ist morgen', 'danke', '2026-03-24'],
  ])('of the day before: %s', (early, late, day) => {
    const notes = extractNotes(session(early, late))
    expect(notes.map(({ evidence, time }) => ({ evidence, time }))).toEqual([{ evidence: [2], time: first }])
    expect(notes[0]?.body).toContain(day)
  })

  it.each([
    ['The release ships tomorrow.', 'The audit is tomorrow.', ['2026-03-24', '2026-03-25']],
    ['remember that the pipes froze today', 'remember that the roof leaked today', ['2026-03-23', '2026-03-24']],
    ['记住，今天换了门锁', '记住，昨天屋顶漏了', ['2026-03-23', '2026-03-23']],
    ['Die Abgabe ist morgen', 'Der Umzug ist morgen', ['2026-03-24', '2026-03-25']],
    ['后天要给投资人演示', '记住，明天要交季度报告', ['2026-03-25', '2026-03-25']],
  ])('each side by its own stamp: %s | %s', (early, late, days) => {
    const notes = extractNotes(session(early, late))
    expect(notes.map(({ time }) => time)).toEqual([first, second])
    expect(notes.map(({ body }) => /\d{4}-\d\d-\d\d/.exec(body)?.[0])).toEqual(days)
  })
})

describe('BL-94: a refusal that gives the right form teaches that form, with where it holds [W6]', () => {
  it.each([
    [
      'assistant: I run mvn test.',
      'user: no, in this repo use `./gradlew test`, not `mvn test`',
      [/gradlew test/, /mvn test/],
    ],
    [
      'assistant: I send the timestamp in seconds.',
      'user: wrong, the billing API takes milliseconds, not seconds',
      [/billing API/, /milliseconds/, /seconds/],
    ],
    ['assistant: 我传秒级时间戳。', 'user: 不对，支付接口要用毫秒时间戳，不要用秒', [/支付接口/, /毫秒/, /秒/]],
    ['assistant: 我先用 npm 装。', 'user: 不是这样，这个仓库用 pnpm，不要用 npm', [/仓库/, /pnpm/, /npm/]],
    [
      'assistant: I call orders.list({page: 2}).',
      'user: that is not how the API works. orders.list pages with `cursor`, not with `page`',
      [/orders\.list/, /cursor/, /page/],
    ],
    [
      'assistant: I mock the clock.',
      'user: no, never mock the clock in the scheduler tests, pass a fake clock instead',
      [/scheduler tests/, /fake clock/, /mock/],
    ],
  ])('%s %s', (answer, refusal, words) => {
    const notes = extractNotes(dialogue(['user: go on', answer, refusal]))
    expect(notes.map(({ evidence }) => evidence)).toEqual([[2]])
    for (const word of words) expect(notes[0]?.body).toMatch(word)
  })
})
