/**
 * What the model of a real client reads: one start block, each recalled note once, before and after a compaction that the
 * person asked for and one that the client did by itself.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeModel, type FakeRequest, startFakeModel } from '../support/fake-model.ts'
import { type ClaudeClient, createClaudeClient } from './claude-client.ts'
import { codexSettings, createCodexClient } from './codex-client.ts'
import { type CodexServer, startCodexServer } from './codex-server.ts'
import { type AgentWorkshop, createWorkshop, startBlocksIn, turnBlocksIn } from './workshop.ts'

const { KEEPSAKE_CODEX: codexBinary = '', KEEPSAKE_CLAUDE: claudeBinary = '' } = process.env

const queueNote = 'The billing export runs on the Falcon queue every night at two'
const tideNote = 'Tide tables of the harbour office in Brest arrive as fixed-width files'
const askQueue = 'On which queue does the billing export run, Falcon?'
const askTide = 'In what form do tide tables of the harbour office in Brest arrive?'
/** The model says of this turn that its window is nearly full. */
const fillWindow = 'Read the whole log now.'
const openNote = 'Open what is known of the tide tables.'
const citeNote = 'Say where you know that from.'

let shop: AgentWorkshop
let project: string
let model: FakeModel

beforeAll(async () => {
  shop = createWorkshop()
  project = shop.repository('tidepool')
  model = await startFakeModel((request, index) => {
    if (isSummary(request)) return { text: '<summary>\nThey talked about the log.\n</summary>' }
    if (request.lastUser.includes(fillWindow)) return { text: 'Read.', inputTokens: 190_000 }
    if (request.lastUser.includes(citeNote)) return { text: `From memory.\n\n${citationOf(fileOf(queueNote))}` }
    if (request.lastUser.includes(openNote) && request.toolResults.length === 0)
      return { tools: [{ name: 'Read', input: { file_path: fileOf(tideNote) } }] }
    return { text: `Answer number ${index}.` }
  })
  for (const note of [queueNote, tideNote])
    shop.keepsake(project, 'remember', note, '--type', 'project', '--layer', 'project')
})

afterAll(async () => {
  await model.close()
  shop.close()
})

/** The client's own question for a summary, which is no turn of the conversation. */
const isSummary = ({ toolNames, lastUser }: Pick<FakeRequest, 'toolNames' | 'lastUser'>) =>
  toolNames.length === 0 || lastUser.includes('<summary>')

const summaries = (): { name: string; file: string; uses: { count: number; lastUsed: string | null } }[] =>
  JSON.parse(shop.keepsake(project, 'list', '--json')).notes
const noted = (note: string) => summaries().find(({ name }) => note.startsWith(name))
const fileOf = (note: string) => noted(note)?.file ?? ''

/** As Codex's own memory is cited. */
const citationOf = (file: string) =>
  `<oai-mem-citation>\n<citation_entries>\n${basename(file)}:1-3|note=[which queue]\n</citation_entries>\n<rollout_ids>\n</rollout_ids>\n</oai-mem-citation>`

/** The worker that the hook started counts it, once the turn is over. */
const expectUses = (note: string, count: number) =>
  expect.poll(() => noted(note)?.uses.count, { timeout: 60_000, interval: 1_000 }).toBe(count)

/** The answers that were asked for while this was done. */
async function requestsOf(work: () => Promise<unknown>): Promise<readonly FakeRequest[]> {
  const before = model.requests().length
  await work()
  return model
    .requests()
    .slice(before)
    .filter((request) => !isSummary(request))
}

/** Words of a note as they stand in a turn block, whose entries begin with a heading. */
function timesRecalled({ everything }: FakeRequest, note: string): number {
  const blocks = everything.split('<keepsake-memory kind="turn"').slice(1)
  return blocks.filter((block) => block.split('</keepsake-memory>')[0]?.includes(note)).length
}

function expectOnce(requests: readonly FakeRequest[], expected: { queue: number; tide: number }): void {
  expect(requests.length).toBeGreaterThan(0)
  for (const request of requests) {
    expect(startBlocksIn(request)).toBe(1)
    expect(timesRecalled(request, queueNote)).toBe(expected.queue)
    expect(timesRecalled(request, tideNote)).toBe(expected.tide)
    expect(turnBlocksIn(request)).toBe(expected.queue + expected.tide)
  }
}

describe.skipIf(claudeBinary === '')('Claude Code', () => {
  let claude: ClaudeClient
  let session = ''

  beforeAll(() => {
    claude = createClaudeClient({ binary: claudeBinary, home: shop.home, modelUrl: model.url })
    claude.trust(project)
    shop.keepsake(project, 'install', 'claude-code')
  })

  const talk = (prompt: string, environment: Readonly<Record<string, string>> = {}) =>
    requestsOf(async () => {
      const run = await claude.run({
        cwd: project,
        prompt,
        environment,
        // The person lets it read in the home of the memory.
        arguments: ['--allowedTools', 'Read'],
        ...(session ? { resume: session } : {}),
      })
      expect(run.code, run.stderr + run.stdout).toBe(0)
      session = run.sessionId
    })

  const boundaries = (trigger: 'manual' | 'auto') =>
    claude
      .transcripts()
      .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
      .filter((line) => line.includes('"compact_boundary"') && line.includes(`"trigger":"${trigger}"`)).length

  it('one start block, and each recalled note once, however often it is asked for [I1] [I2]', async () => {
    expectOnce(await talk(askQueue), { queue: 1, tide: 0 })
    expectOnce(await talk(askTide), { queue: 1, tide: 1 })
    expectOnce(await talk(`${askQueue} Say it again.`), { queue: 1, tide: 1 })
  })

  it('/compact: the start block again, once; a note is shown again when it is asked for again', async () => {
    await talk('/compact')
    expect(boundaries('manual')).toBe(1)
    expectOnce(await talk('Go on.'), { queue: 0, tide: 0 })
    expectOnce(await talk(askTide), { queue: 0, tide: 1 })
  })

  it('a compaction by the client: the same, and the block of the message that is being answered stays', async () => {
    expectOnce(await talk(fillWindow), { queue: 0, tide: 1 })
    const early = { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '20', CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000' }
    expectOnce(await talk(askQueue, early), { queue: 1, tide: 0 })
    expect(boundaries('auto')).toBe(1)
    expectOnce(await talk(askTide), { queue: 1, tide: 1 })
  })

  it('a note that the agent opens with its own Read counts as used, one that was only shown does not [I7]', async () => {
    expect(noted(tideNote)?.uses.count).toBe(0)
    await talk(openNote)
    await expectUses(tideNote, 1)
    await talk(openNote)
    expect(noted(tideNote)?.uses.count).toBe(1)
    expect(noted(queueNote)?.uses.count).toBe(0)
  })
})

describe.skipIf(codexBinary === '')('Codex', () => {
  let server: CodexServer
  let thread = ''
  const environment = () => ({
    PATH: process.env.PATH ?? '',
    HOME: shop.home,
    CODEX_HOME: join(shop.home, '.codex'),
    FAKE_KEY: 'fake',
  })
  const client = () => createCodexClient({ binary: codexBinary, home: shop.home, modelUrl: model.url })
  const serve = () =>
    startCodexServer({
      binary: codexBinary,
      settings: codexSettings(model.url, project),
      cwd: project,
      environment: environment(),
    })

  beforeAll(async () => {
    writeFileSync(join(client().configDirectory, 'config.toml'), '')
    shop.tryKeepsake(project, ['install', 'codex'], {})
    server = await serve()
    thread = await server.start(project)
  })

  afterAll(() => server.close())

  const say = (text: string) => requestsOf(() => server.say(thread, text))

  const compactions = () =>
    client()
      .transcripts()
      .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
      .filter((line) => line.includes('"type":"compacted"')).length

  it('one start block, and each recalled note once, however often it is asked for [I1] [I2]', async () => {
    expectOnce(await say(askQueue), { queue: 1, tide: 0 })
    expectOnce(await say(askTide), { queue: 1, tide: 1 })
    expectOnce(await say(`${askQueue} Say it again.`), { queue: 1, tide: 1 })
  })

  it('compaction by command: the start block again, once; a note is shown again when it is asked for again', async () => {
    await server.compact(thread)
    expect(compactions()).toBe(1)
    expectOnce(await say('Go on.'), { queue: 0, tide: 0 })
    expectOnce(await say(askTide), { queue: 0, tide: 1 })
  })

  it('resumed, and compacted by the client: the same', async () => {
    await server.close()
    const resumed = await requestsOf(() => client().run({ cwd: project, prompt: 'And then?', resume: thread }))
    expectOnce(resumed, { queue: 0, tide: 1 })
    const compacted = await requestsOf(() =>
      client().run({ cwd: project, prompt: askQueue, resume: thread, compact: true }),
    )
    expect(compactions()).toBe(2)
    expectOnce(compacted, { queue: 1, tide: 0 })
  })

  it("a note in the agent's own citation block counts as used, once [I7]", async () => {
    const before = noted(tideNote)?.uses.count
    for (const prompt of [citeNote, `${citeNote} Once more.`])
      await requestsOf(() => client().run({ cwd: project, prompt, resume: thread }))
    await expectUses(queueNote, 1)
    expect(noted(tideNote)?.uses.count).toBe(before)
  })
})
