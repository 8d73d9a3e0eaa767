/**
 * The same store gives the same start block: to two processes, on two days, under any language, time zone and default of
 * the machine. The clock is handed in through the library; everything else is the environment of a real process.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMemory } from '../../src/index.ts'
import { createWorkshop, distribution, runProcess, type Workshop } from '../support/cli.ts'

let shop: Workshop
let child: string
let one: Answer

beforeAll(async () => {
  shop = createWorkshop('lighthouse')
  const memory = await createMemory({
    home: shop.home,
    cwd: shop.project,
    clock: { now: () => Date.parse('2026-11-20T23:30:00Z') },
    surroundings: { environment: {}, userHome: shop.root, temporaryDirectory: join(shop.root, 'tmp') },
  })
  const taught = [
    { text: 'Use pnpm, never npm', name: 'Package Manager', layer: 'project' },
    { text: '发布前先跑一遍冒烟测试', name: '发布', layer: 'project' },
    { text: 'Istanbul office: İzmir, ılık, IĞDIR', name: 'İstanbul', layer: 'global' },
    { text: 'Änderungen am Zoll gehen an Öztürk', name: 'Zoll', layer: 'global' },
    { text: 'Answers are short 👩‍💻, 不要客套', name: 'answers', layer: 'global', pin: true },
    { text: 'The vendor API closes on 2026-12-01 at 02:00', name: 'vendor', layer: 'project', expires: '2026-12-01' },
  ] as const
  for (const each of taught) await memory.remember(each)
  await memory.refresh()
  await memory.close()
  child = join(shop.root, 'child.mjs')
  writeFileSync(
    child,
    `import { createMemory } from ${JSON.stringify(pathToFileURL(join(distribution, 'index.js')).href)}
const [home, now, agent, session] = process.argv.slice(2)
const clock = { now: () => Date.parse(now) }
const memory = await createMemory({ home, cwd: process.cwd(), clock })
const { text } = await memory.context({ agent, ...(session ? { session } : {}) })
process.stdout.write(JSON.stringify({ text, zone: Intl.DateTimeFormat().resolvedOptions().timeZone, day: new Date(Date.parse(now)).toString() }))
await memory.close()
`,
  )
  one = await blockOf({})
})
afterAll(() => shop.remove())

interface Answer {
  readonly text: string
  readonly zone: string
  readonly day: string
}

async function blockOf(options: {
  readonly now?: string
  readonly environment?: Record<string, string>
  readonly agent?: string
  readonly session?: string
}): Promise<Answer> {
  const { now = '2026-11-21T08:00:00Z', environment = {}, agent = 'plain', session = '' } = options
  const command = [process.execPath, child, shop.home, now, agent, session]
  const { code, stdout, stderr } = await runProcess(command, { cwd: shop.project, home: shop.home, environment })
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(stdout) as Answer
}

const places: readonly [string, { readonly now?: string; readonly environment?: Record<string, string> }][] = [
  ['another process', {}],
  ['the next day', { now: '2026-11-22T08:00:00Z' }],
  ['after the date at which a note expires, before a refresh', { now: '2026-12-15T08:00:00Z' }],
  ['two years later', { now: '2028-02-29T12:00:00Z' }],
  [
    'one minute before midnight in another zone',
    { now: '2026-11-21T10:59:00Z', environment: { TZ: 'Pacific/Auckland' } },
  ],
  ['Chinese, in Shanghai', { environment: { LANG: 'zh_CN.UTF-8', LC_ALL: 'zh_CN.UTF-8', TZ: 'Asia/Shanghai' } }],
  ['Turkish', { environment: { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', TZ: 'Europe/Istanbul' } }],
  ['Arabic with its own digits', { environment: { LANG: 'ar_EG.UTF-8', LC_ALL: 'ar_EG.UTF-8', TZ: 'Africa/Cairo' } }],
  [
    'Swedish order of letters',
    { environment: { LANG: 'sv_SE.UTF-8', LC_COLLATE: 'sv_SE.UTF-8', TZ: 'Europe/Stockholm' } },
  ],
  ['a Buddhist calendar', { environment: { LANG: 'th_TH.UTF-8', LC_ALL: 'th_TH.UTF-8', TZ: 'Asia/Bangkok' } }],
  ['the C locale', { environment: { LANG: 'C', LC_ALL: 'C', TZ: 'America/St_Johns' } }],
]

describe('the same bytes of a start block [I1]', () => {
  it.each(places)('BL-60 %s', async (_, place) => {
    const other = await blockOf(place)
    expect(other.text).toBe(one.text)
    expect(one.text).toContain('发布')
    expect(one.text).toContain('İstanbul')
    if (place.environment?.TZ) expect(other.zone).toBe(place.environment.TZ)
    if (place.now) expect(other.day).not.toBe(one.day)
  })

  it.each(['claude-code', 'codex', 'hermes', 'library'])('in the dialect %s too', async (agent) => {
    const [first, other] = await Promise.all([
      blockOf({ agent }),
      blockOf({ agent, now: '2028-02-29T12:00:00Z', environment: { LC_ALL: 'tr_TR.UTF-8', TZ: 'Asia/Tokyo' } }),
    ])
    expect(other.text).toBe(first.text)
  })

  it('and a kept one, from processes of two days and two languages', async () => {
    const kept = await blockOf({ session: 's-1' })
    const other = await blockOf({ session: 's-1', now: '2026-12-12T12:00:00Z', environment: { LC_ALL: 'zh_CN.UTF-8' } })
    expect(other.text).toBe(kept.text)
  })
})
