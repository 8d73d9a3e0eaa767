/**
 * What is shown of notes that time has overtaken: their age, what of them is gone from the working tree, and the word that
 * a workaround is no reason to ignore an error. Over the turn block, read, recall and both tools.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Memory, ReadResult } from '../../src/domain/index.ts'
import { createMemory } from '../../src/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'
import { callTools } from '../support/mcp.ts'

const DAY_MS = 86_400_000
const OLD_ID = '01J0000000000000000000B156'
/** A look has 100 ms, and a busy machine may not answer in that; then it is asked again. */
const MAX_TRIES = 40

let shop: Workshop
let memory: Memory
beforeEach(async () => {
  shop = createWorkshop('tidepool')
  const around = { environment: { PATH: process.env.PATH }, userHome: shop.root, temporaryDirectory: tmpdir() }
  memory = await createMemory({ home: shop.home, cwd: shop.project, surroundings: around })
})
afterEach(async () => {
  await memory.close()
  shop.remove()
})

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

function git(days: number, ...words: readonly string[]): void {
  const time = daysAgo(days).toISOString()
  const who = { GIT_AUTHOR_NAME: 'Ana', GIT_AUTHOR_EMAIL: 'ana@example.org', GIT_AUTHOR_DATE: time }
  const committer = { GIT_COMMITTER_NAME: 'Ana', GIT_COMMITTER_EMAIL: 'ana@example.org', GIT_COMMITTER_DATE: time }
  const env = { PATH: process.env.PATH, HOME: shop.root, GIT_CONFIG_GLOBAL: '/dev/null', ...who, ...committer }
  execFileSync('git', words, { cwd: shop.project, env, stdio: 'pipe' })
}

/** A repository in which `gone` was there for a while and `kept` still is. */
function history(gone: string, kept: string): void {
  for (const file of [gone, kept]) {
    mkdirSync(dirname(join(shop.project, file)), { recursive: true })
    writeFileSync(join(shop.project, file), `the words of ${file}\n`.repeat(20))
  }
  git(200, 'add', '.')
  git(200, 'commit', '-qm', 'first')
  git(60, 'rm', '-q', gone)
  git(60, 'commit', '-qm', 'later')
}

/** An agent notes it now. */
async function noted(text: string, name: string): Promise<{ id: string; file: string }> {
  const result = await memory.remember({ text, type: 'project', layer: 'project', name, author: 'agent' })
  if (!('note' in result)) throw new Error(JSON.stringify(result))
  return result.note
}

/** A note that was written so many days ago lies beside another one. */
function lies(beside: string, days: number, { name, text, type = 'project' }: Record<string, string>): void {
  const head = [`id: ${OLD_ID}`, `name: ${name}`, `description: ${text}`, `type: ${type}`]
  const updated = daysAgo(days).toISOString().slice(0, 19)
  writeFileSync(
    join(dirname(beside), `${type}_old-one.md`),
    `---\n${head.join('\n')}\nupdated: ${updated}Z\n---\n\n${text}\n`,
  )
}

const turnBlock = (prompt: string) => memory.context({ prompt })

async function untilChecked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask()
  for (let tries = 1; tries < MAX_TRIES && JSON.stringify(answer).includes('not checked'); tries++) answer = await ask()
  return answer
}

interface Story {
  readonly old: string
  readonly fresh: string
  readonly asks: string
  readonly gone: string
  readonly kept: string
}

const stories: readonly (readonly [string, Story])[] = [
  [
    'English',
    {
      old: 'The gateway port is 8081, set in src/old.ts',
      fresh: 'The gateway port is 9090, set in src/gateway.ts',
      asks: 'Which gateway port is set?',
      gone: 'src/old.ts',
      kept: 'src/gateway.ts',
    },
  ],
  [
    'Chinese',
    {
      old: '网关端口是 8081，写在 src/old.ts 里',
      fresh: '网关端口是 9090，写在 src/gateway.ts 里',
      asks: '网关端口现在是多少？',
      gone: 'src/old.ts',
      kept: 'src/gateway.ts',
    },
  ],
  [
    'deep in a repository of many packages',
    {
      old: 'Retry limits of the billing worker live in packages/billing/src/retry/limits.ts: three tries',
      fresh: 'Retry limits of the billing worker live in packages/billing/config/retry.json: five tries',
      asks: 'Where do the retry limits of the billing worker live?',
      gone: 'packages/billing/src/retry/limits.ts',
      kept: 'packages/billing/config/retry.json',
    },
  ],
  [
    'in code marks, beside a file that is still there',
    {
      old: 'The lantern importer reads `data/legacy.csv` and is started from `tools/import.sh`',
      fresh: 'The lantern importer reads from the queue and is started from `tools/import.sh`',
      asks: 'What does the lantern importer read from?',
      gone: 'data/legacy.csv',
      kept: 'tools/import.sh',
    },
  ],
  [
    'a document',
    {
      old: 'The release checklist of the harbour app stands in docs/release-checklist.md',
      fresh: 'The release checklist of the harbour app stands in docs/shipping.md',
      asks: 'Where does the release checklist of the harbour app stand?',
      gone: 'docs/release-checklist.md',
      kept: 'docs/shipping.md',
    },
  ],
]

describe('BL-56 a fact of 120 days ago names a file that is gone, a fresh one says the opposite [I4] [I5]', () => {
  it.each(stories)('%s', async (_, { old, fresh, asks, gone, kept }) => {
    history(gone, kept)
    const note = await noted(fresh, 'now')
    lies(note.file, 120, { name: 'then', text: old })

    const found = await untilChecked(() => memory.recall({ query: asks, explain: true }))
    expect(found.results.map(({ id }) => id)).toEqual([note.id, OLD_ID])
    expect(found.results[1]).toMatchObject({ age: '120 days ago' })
    expect(found.results[1]?.verdicts).toContainEqual({ kind: 'path', anchor: gone, verdict: 'gone', detail: null })
    expect(found.results[1]?.explain?.steps.at(-1)?.because).toBe(
      `it names ${gone} that is gone, so it stands behind the others`,
    )
    expect(found.results[0]?.verdicts).toMatchObject([{ anchor: kept, verdict: 'holds' }])

    const { text } = await untilChecked(() => turnBlock(asks))
    expect(text.indexOf(fresh)).toBeGreaterThan(0)
    expect(text.indexOf(fresh)).toBeLessThan(text.indexOf(`\n${old}`))
    expect(text).toContain('120 days ago')
    expect(text).toMatch(/written 120 days ago\. It records one point in time|写于 120 天前/)
    expect(text).toContain(`Checked now: ${gone}: gone`)
    expect(text).toContain(`memory_forget "${OLD_ID}"`)
  })

  it('an agent that opens or finds the note hears it before the words, and a person who reads it', async () => {
    const [, { old, fresh, asks, gone, kept }] = stories[0]!
    history(gone, kept)
    const note = await noted(fresh, 'now')
    lies(note.file, 120, { name: 'then', text: old })
    const [read = '', hits = ''] = await untilChecked(() =>
      callTools(shop, [
        ['memory_get', { note: OLD_ID }],
        ['memory_search', { query: asks }],
      ]),
    )
    expect(read.indexOf('written 120 days ago')).toBeLessThan(read.indexOf(`Checked now: ${gone}: gone`))
    expect(read.indexOf(`Checked now: ${gone}: gone`)).toBeLessThan(read.indexOf(`\n${old}`))
    expect(hits.indexOf(note.id)).toBeLessThan(hits.indexOf(OLD_ID))
    expect(hits).toContain(`Checked now: ${gone}: gone`)

    const person = await untilChecked(async () => (await shop.cli(['read', OLD_ID])).stdout)
    expect(person).toContain(`keepsake forget ${OLD_ID}`)
  })

  it('a file that only moved takes its note nowhere, and the line says where it went', async () => {
    history('src/other.ts', 'src/auth.ts')
    git(30, 'mv', 'src/auth.ts', 'src/session.ts')
    git(30, 'commit', '-qm', 'move')
    const { file } = await noted('The sign-in of the pier app is remembered for nine hours', 'now')
    lies(file, 120, { name: 'then', text: 'The sign-in of the pier app is remembered in src/auth.ts' })
    const asks = 'Where is the sign-in of the pier app remembered?'
    const found = await untilChecked(() => memory.recall({ query: asks }))
    expect(found.results.find(({ id }) => id === OLD_ID)).toMatchObject({
      verdicts: [{ anchor: 'src/auth.ts', verdict: 'changed' }],
    })
    expect((await untilChecked(() => turnBlock(asks))).text).toContain('src/auth.ts: moved to src/session.ts')
  })

  it('a note of the whole machine names nothing of this repository [R9]', async () => {
    history('src/old.ts', 'src/gateway.ts')
    const text = 'Port of the pier is set in src/old.ts'
    const kept = await memory.remember({ text, type: 'project', layer: 'global', author: 'agent' })
    const id = 'note' in kept ? (kept.note?.id ?? '') : ''
    expect((await memory.read(id))?.verdicts).toEqual([])
  })
})

const workarounds: readonly (readonly [string, string, string, string])[] = [
  [
    'a check that fails at times',
    'The lint runner of the quay sometimes exits 1, ignore it',
    'The lint runner of the quay exits 1, what now?',
    'project',
  ],
  [
    'a flaky test, as a rule of the user',
    'Skip the flaky checkout test of the quay on CI',
    'The checkout test of the quay fails on CI, why?',
    'feedback',
  ],
  [
    'called a workaround',
    'Workaround for the quay importer: start it twice until the lock is fixed',
    'The quay importer does not start, what is known?',
    'project',
  ],
  [
    'a warning',
    'Certificate warnings of the quay proxy are harmless and expected',
    'The quay proxy shows certificate warnings, is that all right?',
    'reference',
  ],
  ['Chinese, an error', '码头检查脚本偶尔会报错，先忽略', '码头检查脚本又报错了，怎么办？', 'project'],
  ['Chinese, a time-out', '码头登录接口超时就重试，不用管', '码头登录接口一直超时，是什么原因？', 'project'],
]
const WORD = /no reason to ignore an error|不是忽略报错的理由/

describe('BL-91 a workaround that outlived its fault is shown as what may no longer hold [I4]', () => {
  it.each(workarounds)('%s', async (_, text, asks, type) => {
    const { file } = await noted('The quay has a flag on its roof', 'beside')
    lies(file, 12, { name: 'then', text, type })
    const block = (await turnBlock(asks)).text
    expect(block).toContain(text)
    expect(block.search(WORD)).toBeGreaterThan(0)
    expect(block.search(WORD)).toBeLessThan(block.lastIndexOf(text))
    expect((await memory.read(OLD_ID))?.workaround).not.toBeNull()
  })

  it('an agent that opens it hears it, and a person who reads it', async () => {
    const [, text = ''] = workarounds[0] ?? []
    lies((await noted('The quay has a flag on its roof', 'beside')).file, 12, { name: 'then', text })
    const [read = ''] = await callTools(shop, [['memory_get', { note: OLD_ID }]])
    expect(read.search(WORD)).toBeGreaterThan(0)
    expect(read.search(WORD)).toBeLessThan(read.lastIndexOf(text))
    expect((await shop.cli(['read', OLD_ID])).stdout).toMatch(WORD)
  })

  it.each([
    ['Never ignore a failing check of the quay', 'A check of the quay fails, may I ignore it?'],
    ['Errors of the quay parser carry the number of the line', 'What do errors of the quay parser carry?'],
    ['不要忽略码头检查脚本的报错', '码头检查脚本报错了可以忽略吗？'],
  ])('what is none is not called one: %s', async (text, asks) => {
    const { file } = await noted('The quay has a flag on its roof', 'beside')
    lies(file, 12, { name: 'then', text, type: 'feedback' })
    const block = (await turnBlock(asks)).text
    expect(block).toContain(text)
    expect(block).not.toMatch(WORD)
  })
})

it('days from which on a note is warned about can be set for a project and a type [I4]', async () => {
  const { file } = await noted('The quay has a flag on its roof', 'beside')
  lies(file, 5, { name: 'then', text: 'The quay lamp burns until four', type: 'reference' })
  const warning = async () => (await shop.cli(['read', OLD_ID, '--json'])).json<ReadResult>().warning
  expect(await warning()).toContain('written 5 days ago')
  const folder = file.split('/').at(-2) ?? ''
  const settings = JSON.stringify({ [folder]: { reference: 6 } })
  expect(await shop.cli(['config', 'set', 'freshness.byProject', settings])).toMatchObject({ code: 0 })
  expect(await warning()).toBeNull()
  const { stdout } = await shop.cli(['context', '--prompt', 'Until when does the quay lamp burn?'])
  expect(stdout).toContain('5 days ago)\nThe quay lamp')
  expect((await shop.cli(['config', 'set', 'freshness.fromDays', '31'])).code).not.toBe(0)
  expect((await shop.cli(['config'])).stdout).toContain(
    'whole days from which on a note is shown with the word to check',
  )
})

it('a bare file is as old as its words: a hook knows it, and a touch or other marks change nothing [I4]', async () => {
  const { file } = await noted('The quay has a flag on its roof', 'beside')
  const bare = join(dirname(file), 'project_lamp.md')
  writeFileSync(bare, 'The quay lamp burns until *four*.\n')
  const asks = 'Until when does the quay lamp burn?'
  await memory.recall({ query: asks })
  const state = new Date(Date.now() - 9 * DAY_MS)
  const later = async () => {
    const found = (await memory.recall({ query: asks })).results.find(({ file: path }) => path === bare)
    const input = { session_id: 's', transcript_path: join(shop.root, 'none.jsonl'), prompt: asks }
    const { stdout } = await shop.hook('UserPromptSubmit', input)
    return [found?.age, /project, project, ([^)]*)\)\\n.*?The quay lamp/.exec(stdout)?.[1]]
  }
  expect(await later()).toEqual(['today', 'today'])
  utimesSync(bare, state, state)
  expect(await later()).toEqual(['today', 'today'])
  writeFileSync(bare, '- The quay lamp burns\n  until _four_.\n')
  expect(await later()).toEqual(['today', 'today'])
})
