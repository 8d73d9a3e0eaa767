/**
 * Ten ways to break a store. Hooks exit 0 with what the files still give, else nothing; `status` exits 5 and names what
 * is wrong. A broken index alone changes nothing in the start block.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StatusReport } from '../../src/domain/index.ts'
import { createWorkshop, type Workshop } from '../support/cli.ts'
import { writeTranscript } from '../support/transcript.ts'

let shop: Workshop
const root = process.getuid?.() === 0

beforeEach(async () => {
  shop = createWorkshop()
  await shop.cli(['remember', 'Use pnpm, never npm, in this repository', '--type', 'feedback', '--layer', 'project'])
  await shop.cli([
    'remember',
    'I am a data engineer and I read SQL faster than Python',
    '--type',
    'user',
    '--layer',
    'global',
  ])
})
afterEach(() => shop.remove())

const startText = async () => {
  const run = await shop.hook('SessionStart', { session_id: 's1', source: 'startup' })
  expect(run.code).toBe(0)
  if (run.stdout === '') return ''
  return run.json<{ hookSpecificOutput: { additionalContext: string } }>().hookSpecificOutput.additionalContext
}

interface Break {
  readonly name: string
  /** Text that the start block must still hold, and what it must have lost. */
  readonly kept: readonly string[]
  readonly lost: readonly string[]
  readonly same?: boolean
  break(): void
}

const projectFolder = () => join(shop.home, 'projects', readdirSync(join(shop.home, 'projects'))[0] ?? '')

const ways: Break[] = [
  {
    name: 'index.db is garbage',
    kept: ['pnpm', 'data engineer'],
    lost: [],
    same: true,
    break: () => writeFileSync(join(shop.home, 'index.db'), Buffer.alloc(40_000, 7)),
  },
  {
    name: 'index.db is a folder',
    kept: ['pnpm', 'data engineer'],
    lost: [],
    same: true,
    break() {
      for (const end of ['', '-wal', '-shm']) rmSync(join(shop.home, `index.db${end}`), { force: true })
      mkdirSync(join(shop.home, 'index.db'))
    },
  },
  {
    name: 'home.json is not JSON',
    kept: ['pnpm', 'data engineer'],
    lost: [],
    break: () => writeFileSync(join(shop.home, 'home.json'), '{"format":'),
  },
  {
    name: 'the home is of a newer format',
    kept: ['pnpm', 'data engineer'],
    lost: [],
    break: () =>
      writeFileSync(
        join(shop.home, 'home.json'),
        '{"format": 99, "id": "01JZZZZZZZZZZZZZZZZZZZZZZZ", "created": "2030-01-01T00:00:00Z"}',
      ),
  },
  {
    name: 'config.json is not JSON',
    kept: ['pnpm', 'data engineer'],
    lost: [],
    break: () => writeFileSync(join(shop.home, 'config.json'), 'modes: off'),
  },
  {
    name: 'project.json is garbage',
    kept: ['data engineer'],
    lost: ['pnpm'],
    break: () => writeFileSync(join(projectFolder(), 'project.json'), 'not json'),
  },
  {
    name: 'the global folder is gone',
    kept: ['pnpm'],
    lost: ['data engineer'],
    break: () => rmSync(join(shop.home, 'global'), { recursive: true }),
  },
  {
    name: 'the global folder is a file',
    kept: ['pnpm'],
    lost: ['data engineer'],
    break() {
      rmSync(join(shop.home, 'global'), { recursive: true })
      writeFileSync(join(shop.home, 'global'), 'in the way')
    },
  },
  {
    name: 'the global folder is a link that leads nowhere',
    kept: ['pnpm'],
    lost: ['data engineer'],
    break() {
      rmSync(join(shop.home, 'global'), { recursive: true })
      symlinkSync(join(shop.root, 'nowhere'), join(shop.home, 'global'))
    },
  },
  {
    name: 'sessions.db is garbage',
    kept: ['pnpm', 'data engineer'],
    lost: [],
    same: true,
    break: () => writeFileSync(join(shop.home, 'sessions.db'), Buffer.alloc(40_000, 7)),
  },
  {
    name: 'state.db is a folder',
    kept: ['pnpm', 'data engineer'],
    lost: [],
    same: true,
    break() {
      for (const end of ['', '-wal', '-shm']) rmSync(join(shop.home, `state.db${end}`), { force: true })
      mkdirSync(join(shop.home, 'state.db'))
    },
  },
  {
    name: 'a note is no UTF-8 and its neighbour has broken front matter',
    kept: ['pnpm', 'data engineer'],
    lost: [],
    break() {
      writeFileSync(join(projectFolder(), 'project_bytes.md'), Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28]))
      writeFileSync(join(projectFolder(), 'project_broken.md'), '---\ntitle: A: B\nx: [\n---\nbody words\n')
    },
  },
]

describe('a store broken in ten ways and more [A2] [I1] [S14]', () => {
  it.each(ways)('$name: hooks exit 0 and give what the files still give', async (way) => {
    const before = await startText()
    way.break()
    const after = await startText()
    for (const text of way.kept) expect(after).toContain(text)
    for (const text of way.lost) expect(after).not.toContain(text)
    if (way.same) expect(after).toBe(before)
    for (const event of ['UserPromptSubmit', 'Stop', 'PreCompact', 'SessionEnd'] as const) {
      const transcript = writeTranscript(shop, [{ user: 'hello there' }])
      const run = await shop.hook(event, {
        session_id: 's1',
        prompt: 'which package manager do we use',
        transcript_path: transcript,
      })
      expect([event, run.code]).toEqual([event, 0])
      if (run.stdout !== '') expect(Object.keys(run.json<object>())).toEqual(['hookSpecificOutput'])
    }
  })

  it.each(ways.filter((way) => !/neighbour/.test(way.name)))(
    '$name: status exits 5 and says so, or it was mended',
    async (way) => {
      way.break()
      const run = await shop.cli(['status', '--json'])
      if (run.stdout.includes('"error"')) {
        expect(run.code).toBe(5)
        return
      }
      const report = run.json<StatusReport>()
      const told = report.checks.some((check) => check.state !== 'ok') || report.failures.length > 0
      expect(told).toBe(true)
      expect(run.code).toBe(report.healthy ? 0 : 5)
      if (!/project.json/.test(way.name)) expect(run.code).toBe(5)
    },
  )

  it('hooks that could not do their work are named by status', async () => {
    writeFileSync(join(shop.home, 'config.json'), '{"worker": false, ')
    const transcript = writeTranscript(shop, [{ user: 'hello there' }])
    rmSync(join(shop.home, 'journal'), { recursive: true, force: true })
    writeFileSync(join(shop.home, 'journal'), 'in the way')
    expect((await shop.hook('Stop', { session_id: 's1', transcript_path: transcript })).code).toBe(0)
    const run = await shop.cli(['status', '--json'])
    expect(run.code).toBe(5)
    expect(run.json<StatusReport>().failures.some((failure) => failure.where.includes('Stop'))).toBe(true)
  })

  it.skipIf(root)('an unreadable home gives nothing and exit 0', async () => {
    chmodSync(shop.home, 0)
    expect(await startText()).toBe('')
    chmodSync(shop.home, 0o700)
  })

  it('a home that is a file: hooks are silent, every command is one line with exit 5', async () => {
    rmSync(shop.home, { recursive: true })
    writeFileSync(shop.home, 'in the way')
    expect(await startText()).toBe('')
    for (const command of [['list'], ['remember', 'x y z'], ['status'], ['recall', 'pnpm']]) {
      const run = await shop.cli(command)
      expect([command[0], run.code]).toEqual([command[0], 5])
      expect(run.stderr.trim().split('\n').length).toBeLessThanOrEqual(2)
    }
    expect(readFileSync(shop.home, 'utf8')).toBe('in the way')
  })

  it('a memory folder that moved away for a while loses nothing', async () => {
    const folder = projectFolder()
    renameSync(folder, join(shop.root, 'away'))
    await shop.cli(['recall', 'pnpm'])
    await shop.cli(['refresh'])
    if (existsSync(folder)) rmSync(folder, { recursive: true })
    renameSync(join(shop.root, 'away'), folder)
    const found = await shop.cli(['recall', 'pnpm', '--json'])
    expect(found.stdout).toContain('Use pnpm')
  })
})
