/** The note of a conversation, as people, agents and scripts meet it: made in the background, read, ended. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Memory, sessionNoteSections } from '../../src/domain/index.ts'
import { createMcpServer } from '../../src/mcp/index.ts'
import type { Completer, CompletionRequest } from '../../src/models/index.ts'
import { readNewestSession, readSessionState } from '../../src/store/session-notes.ts'
import { createReading, NATIVE, type Reading, SESSION } from '../support/reading.ts'
import type { Said } from '../support/transcript.ts'

let reading: Reading
beforeEach(() => {
  reading = createReading()
  reading.clock.set(Date.parse('2026-11-20T12:00:00Z'))
})
afterEach(() => reading.close())

const notesFolder = () => join(reading.shop.home, 'session-notes')
const files = (folder = notesFolder()): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:md|json)$/.test(name))
        .sort()
    : []
const noteFile = () => join(notesFolder(), files().find((name) => name.endsWith('.md')) ?? 'none')
const note = () => readFileSync(noteFile(), 'utf8')
const project = () => `projects/${files()[0]?.split('/')[0]}`

const run = (command: string, exit: number, result: string): Said => ({
  tool: 'Bash',
  input: { command },
  result: exit === 0 ? result : `Exit code ${exit}\n${result}`,
  failed: exit !== 0,
})
const words = (about: string, times: number) => `${about} `.repeat(times).trim()
/** About 12,000 tokens. */
const long: readonly Said[] = [
  { user: 'The tide export fails for March. Find out why.' },
  { assistant: words('I read the exporter and the tables of the harbour carefully.', 700) },
  { tool: 'Read', input: { file_path: '/code/tidewater/src/export.ts' }, result: 'export const rows = undefined' },
  run('pnpm test', 1, 'TypeError: rows is undefined\n    at src/export.ts:41'),
  { assistant: words('The reader gives nothing for a month without tides at all.', 400) },
  { user: 'No, do not touch the parser, Ada owns it. Fix the reader.' },
  { tool: 'Edit', input: { file_path: '/code/tidewater/src/reader.ts' }, result: 'updated' },
  run('pnpm test -- export', 0, '14 passed'),
  { assistant: 'The reader is fixed and the tests pass. Next I will write a test for an empty month.' },
]
const more = (times: number): Said[] => [
  { user: 'Go on.' },
  { assistant: words('A test of an empty month is written, and one of a leap month.', times) },
  { assistant: 'Both pass. Next: the release notes.' },
]

describe('made in the background [F1]', () => {
  it('from the transcript alone, private, with all that a script asks', async () => {
    const memory = await reading.open()
    reading.say(long)
    await memory.refresh()
    expect(files()).toEqual([
      expect.stringMatching(/^tidewater-\w{8}\/claude-code_7f1c2a44-.*\.md$/),
      expect.stringMatching(/newest\.json$/),
    ])
    expect(statSync(noteFile()).mode & 0o777).toBe(0o600)
    expect([...note().matchAll(/^# (.*)$/gm)].map(([, name]) => name)).toEqual([...sessionNoteSections])
    const label = (name: string) => new RegExp(`^- ${name}: (.*)$`, 'm').exec(note())?.[1]
    expect({
      task: label('Task'),
      state: label('State'),
      next: label('Next step'),
      command: label('Last command'),
      error: label('Last error'),
      files: [...note().matchAll(/^- `([^`]+\.ts)`/gm)].map(([, path]) => path),
      corrected: note().includes('Correction: "No, do not touch the parser, Ada owns it. Fix the reader."'),
    }).toEqual({
      task: '"The tide export fails for March. Find out why."',
      state: expect.stringMatching(
        /^the agent has answered and waits for the user; it said last: "The reader is fixed/,
      ),
      next: '"Next I will write a test for an empty month."',
      command: '`pnpm test -- export` → exit 0',
      error: '`pnpm test` failed with exit 1: "TypeError: rows is undefined"',
      files: ['/code/tidewater/src/export.ts', '/code/tidewater/src/reader.ts'],
      corrected: true,
    })
    expect(readNewestSession(reading.shop.home, project())).toEqual({
      session: SESSION,
      updated: '2026-11-20T09:08:00Z',
      line: 'The tide export fails for March. Find out why.; next: Next I will write a test for an empty month.',
    })
    expect(readSessionState(reading.shop.home, { project: project(), session: SESSION })).toContain(
      '- Last error: `pnpm test` failed',
    )
  })

  it.each([
    ['a short conversation has none', [long.slice(2)], 0],
    ['little more changes nothing', [long, [...long, ...more(20)]], 1],
    ['5,000 tokens more at a break do', [long, [...long, ...more(500)]], 2],
    ['in the middle of work they do not', [long, [...long, ...more(500), run('pnpm build', 0, 'ok')]], 1],
    [
      'unless three tools were used',
      [long, [...long, ...more(500), run('a', 0, ''), run('b', 0, ''), run('c', 0, 'ok')]],
      2,
    ],
  ] as const)('%s', async (_, stages, updates) => {
    const memory = await reading.open()
    const seen = new Set<string>()
    for (const said of stages) {
      reading.say(said)
      await memory.refresh()
      if (files().length > 0) seen.add(note())
    }
    expect(seen.size).toBe(updates)
  })

  it.each(['before-compaction', 'session-end'] as const)(
    '%s brings it up to date with whatever is new',
    async (kind) => {
      const memory = await reading.open()
      reading.say(long)
      await memory.refresh()
      reading.say([...long, ...more(2)], { kind })
      await memory.refresh()
      expect(note()).toContain('- Next step: "Next: the release notes."')
    },
  )

  it('a kill between reading and writing costs a delay: the next hook makes it', async () => {
    const memory = await reading.open()
    // Captured by a process that died before the note.
    writeFileSync(join(reading.shop.home, 'session-notes'), 'in the way')
    reading.say(long)
    await memory.refresh()
    expect((await memory.status()).failures.map(({ where }) => where)).toContain('session note')
    rmSync(join(reading.shop.home, 'session-notes'))
    reading.event('session-end')
    await memory.refresh()
    expect(note()).toContain('- Task: "The tide export')
  })

  it('two processes at once write one whole note', async () => {
    const [one, other] = [await reading.open(), await reading.open()]
    const file = reading.say(long)
    await Promise.all([one, other].map((each) => each.capture({ file, agent: 'claude-code' })))
    expect([...note().matchAll(/^# /gm)]).toHaveLength(10)
    expect(files()).toHaveLength(2)
  })

  it('no text is kept where capture.sessions is off', async () => {
    writeFileSync(
      join(reading.shop.home, 'config.json'),
      '{"worker": false, "history": false, "capture": {"sessions": false}}\n',
    )
    const memory = await reading.open()
    reading.say(long)
    await memory.refresh()
    expect(files()).toEqual([])
  })
})

describe('told by a model [F1]', () => {
  const told = (bodies: Readonly<Record<string, string>>) =>
    sessionNoteSections.map((name) => `# ${name}\n${bodies[name] ?? ''}`).join('\n\n')
  const model = (answer: (at: number) => string) => {
    const asked: CompletionRequest[] = []
    const completer: Completer = {
      id: 'scripted',
      async complete(request) {
        if (!request.system?.includes('session note of one conversation'))
          return { text: 'Nothing to keep.', tokens: null }
        asked.push(request)
        return { text: answer(asked.length - 1), tokens: { input: 100, output: 10 } }
      },
    }
    return { completer, asked }
  }

  it('beside the facts; later only new messages and the note so far are sent', async () => {
    const { completer, asked } = model((at) =>
      told({
        Learnings: `- A month without tides gives no rows (${at}).`,
        Workflow: '- Run `pnpm test` first.\n- Then `make ship`.',
      }),
    )
    const memory = await reading.open(completer)
    reading.say(long)
    await memory.refresh()
    expect(asked).toHaveLength(1)
    expect(note()).toContain('A month without tides gives no rows (0).')
    expect(note()).toContain('- Run `pnpm test` first.')
    expect(note()).not.toContain('make ship')
    expect(note()).toContain('- Last error: `pnpm test` failed with exit 1')
    await memory.refresh()
    expect(asked).toHaveLength(1)
    reading.say([...long, ...more(500)])
    await memory.refresh()
    const [, second] = asked.map(({ prompt }) => prompt)
    expect(second).toContain('gives no rows (0)')
    expect(second).toContain('A test of an empty month')
    expect(second?.split('New messages:')[1]).not.toContain('The tide export fails')
    expect(note()).toContain('gives no rows (1)')
  })

  it.each([
    ['prose', 'I updated the note for you.'],
    ['an unknown section', `${told({})}\n\n# Mood\nfine`],
    ['a section left out', told({}).replace('# Learnings\n', '')],
    ['nothing', ''],
    ['a torn answer', told({}).slice(0, 150)],
  ])('BL-22: %s leaves the facts, and the same words are not sent again', async (_, answer) => {
    const { completer, asked } = model(() => answer)
    const memory = await reading.open(completer)
    reading.say(long)
    await memory.refresh()
    await memory.jobs.run()
    reading.event('session-end')
    await memory.refresh()
    expect(asked).toHaveLength(1)
    expect(note()).toContain('- Task: "The tide export')
    expect(note()).not.toContain('told by a model')
  })

  it('an own template and an own prompt are used; one that cannot be is named', async () => {
    const { completer, asked } = model(() => told({}))
    const memory = await reading.open(completer)
    mkdirSync(notesFolder())
    const template = sessionNoteSections.map((name) => `# ${name}\n_${name} in ten words_`).join('\n')
    writeFileSync(join(notesFolder(), 'template.md'), template)
    reading.say(long)
    await memory.refresh()
    expect(asked[0]?.system).toContain('_Learnings in ten words_')
    expect((await memory.doctor()).checks.filter(({ name }) => name === 'session notes')).toEqual([])
    writeFileSync(join(notesFolder(), 'template.md'), template.replace('# Learnings', '# Lessons'))
    writeFileSync(join(notesFolder(), 'prompt.md'), 'Write it down.')
    const { checks } = await memory.status()
    expect(checks.filter(({ name }) => name === 'session notes').map(({ state, detail }) => [state, detail])).toEqual([
      ['warning', expect.stringContaining('template.md is not used: it has a section "Lessons"')],
      ['warning', expect.stringContaining('prompt.md is not used: it must hold {{template}} once')],
    ])
  })
})

describe('read [F1]', () => {
  let memory: Memory
  beforeEach(async () => {
    memory = await reading.open()
    reading.say(long)
    await memory.refresh()
  })

  it('sessions show --note and sessions resume', async () => {
    const shown = await reading.shop.cli(['sessions', 'show', SESSION, '--note'])
    expect(shown.stdout).toContain('# Current State')
    expect(shown.stdout).not.toContain('transcript:')
    const resumed = await reading.shop.cli(['sessions', 'resume', SESSION])
    expect(resumed.stdout).toMatch(/^claude --resume /)
    expect(resumed.stdout).toContain('- Next step: "Next I will write a test')
  })

  it('stands in the start block behind a compaction, from its file alone, within the share; nowhere else', async () => {
    const start = (source: string) =>
      reading.shop.hook('SessionStart', { source, session_id: NATIVE, transcript_path: join(reading.shop.root, 'x') })
    const compacted = (await start('compact')).stdout
    expect(compacted).toContain('This conversation before its compaction: State: the agent has answered')
    for (const words of [
      'Last request: ',
      'Next step: ',
      'Last error: `pnpm test` failed',
      'Files: `/code/tidewater/src/export.ts`',
    ])
      expect(compacted).toContain(words)
    expect(compacted).not.toContain('Last session')
    expect((await start('startup')).stdout).toContain('Last session (2026-11-20): The tide export fails')
    expect((await start('compact')).stdout).toBe(compacted)
  })

  it('opens first when somebody asks to go on, through every door', async () => {
    const client = new Client({ name: 'test', version: '1' })
    const [near, far] = InMemoryTransport.createLinkedPair()
    await Promise.all([createMcpServer(memory, '0.0.0').connect(far), client.connect(near)])
    const tool = async (name: string, parameters: Record<string, unknown>) => {
      const { content } = await client.callTool({ name, arguments: parameters })
      return (content as { text: string }[]).map(({ text }) => text).join('\n')
    }
    for (const query of ['上次做到哪了', 'where did we leave off?']) {
      const { stdout } = await reading.shop.cli(['recall', query])
      expect(stdout.trimStart()).toMatch(/^Where it stopped \(claude-code:7f1c2a44/)
      for (const where of ['notes', 'sessions', 'all'])
        expect(await tool('memory_search', { query, in: where })).toMatch(
          /^Where the work stopped \(claude-code:[^)]*\):\n<keepsake-quoted>/,
        )
      expect((await memory.recall({ query })).sessionNote?.text).toContain('- Next step: ')
    }
    expect((await memory.recall({ query: 'the tide export' })).sessionNote).toBeUndefined()
    const whole = await tool('memory_get', { note: SESSION })
    expect(whole).toMatch(/^Where the work stopped/)
    expect(whole.match(/<keepsake-quoted>/g)).toHaveLength(2)
    expect(await tool('memory_get', { note: `${SESSION}#1` })).not.toContain('Where the work stopped')
    await client.close()
  })
})

describe('ended [F1]', () => {
  it.each([
    ['7 days: no start block names it', 7.5, ['md']],
    ['30 days: it goes', 30.5, []],
    ['6 days: both stand', 6, ['md', 'json']],
  ])('after %s', async (_, days, kinds) => {
    const memory = await reading.open()
    reading.say(long)
    await memory.refresh()
    reading.clock.add(days * 86_400_000)
    await memory.refresh()
    expect(
      files()
        .map((name) => name.split('.').at(-1))
        .sort(),
    ).toEqual([...kinds].sort())
  })

  it('when the conversation is set off, and it does not come back', async () => {
    const memory = await reading.open()
    reading.say(long)
    await memory.refresh()
    await memory.sessions.setMode({ id: SESSION, mode: 'off' })
    expect(files()).toEqual([])
    reading.say([...long, ...more(500)], { kind: 'session-end' })
    await memory.refresh()
    expect(files()).toEqual([])
  })

  it('forgetting what it proved: no word of it comes back, and a new note begins behind it [G1]', async () => {
    const memory = await reading.open()
    const secret = 'Remember: the harbour master is called Oskar Lind.'
    const said = [...long, { user: secret }, { assistant: 'Noted: Oskar Lind.' }]
    reading.say(said, { kind: 'session-end' })
    await memory.refresh()
    expect(note()).toContain('Oskar')
    const [kept] = (await memory.list({ limit: 10 })).notes.filter(({ description }) => description.includes('Oskar'))
    await memory.forget(kept?.id ?? '')
    expect(note()).not.toMatch(/Oskar|tide/)
    expect(readNewestSession(reading.shop.home, project())).toBeNull()
    expect((await memory.sessions.show({ id: SESSION, note: true })).note).toBeNull()
    reading.say([...said, ...more(1_000)])
    await memory.refresh()
    expect(note()).toContain('- Next step: "Next: the release notes."')
    expect(note()).not.toMatch(/Oskar/)
    expect(note().includes('- Task: "Go on."')).toBe(true)
  })

  it('a backup carries it to another home', async () => {
    const memory = await reading.open()
    reading.say(long)
    await memory.refresh()
    const before = files()
    const archive = join(reading.shop.root, 'home.tar.gz')
    expect((await reading.shop.cli(['backup', archive])).code).toBe(0)
    const other = join(reading.shop.root, 'other-home')
    expect((await reading.shop.cli(['restore', archive, '--home', other], { home: other })).code).toBe(0)
    expect(files(join(other, 'session-notes'))).toEqual(before)
  })
})
