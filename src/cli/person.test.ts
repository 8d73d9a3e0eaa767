/** What only a person may do, and the text that they give: at a terminal, in an agent's shell, with an editor. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Memory, ReviewResult } from '../domain/index.ts'
import type { CliContext } from './context.ts'
import { newText } from './new-text.ts'
import { assertPerson, confirmAll, confirmThreat, writerOf } from './person.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-person-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Around {
  readonly environment?: Record<string, string>
  readonly terminal?: boolean
  readonly answer?: boolean
}

function around({ environment = {}, terminal = false, answer = true }: Around) {
  const asked: string[] = []
  const cli: Pick<CliContext, 'surroundings' | 'isTerminal' | 'confirm' | 'cwd' | 'readInput'> = {
    surroundings: {
      environment: { PATH: process.env.PATH, ...environment },
      userHome: folder,
      temporaryDirectory: folder,
    },
    isTerminal: () => terminal,
    cwd: folder,
    readInput: async () => 'from standard input',
    confirm: async (question) => {
      asked.push(question)
      return answer
    },
  }
  return { cli: cli as CliContext, asked } // The functions under test use these members only.
}

const result = {
  proposals: [],
  proposal: null,
  outcomes: [],
  total: 3,
  nextCursor: null,
  notices: [],
} satisfies ReviewResult
const memory = { review: async () => result } as unknown as Memory // Only `review` is called.

describe('who writes by a command [I11]', () => {
  it.each([
    ['CLAUDECODE', 'claude-code'],
    ['CODEX_SANDBOX', 'codex'],
    ['CODEX_SANDBOX_NETWORK_DISABLED', 'codex'],
    ['GEMINI_CLI', 'gemini'],
    ['OPENCODE', 'opencode'],
  ])('the agent whose shell sets %s, but the person at a terminal', (name, agent) => {
    const environment = { [name]: '1' }
    expect(writerOf(around({ environment }).cli)).toEqual({ author: 'agent', agent })
    expect(writerOf(around({ environment, terminal: true }).cli)).toEqual({ author: 'person' })
    expect(writerOf(around({}).cli)).toEqual({ author: 'person' })
  })
})

describe('a yes [W4] [W11]', () => {
  it.each(['CLAUDECODE', 'CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED', 'GEMINI_CLI', 'OPENCODE'])(
    'in the shell that sets %s: only at a terminal',
    (name) => {
      expect(() => assertPerson(around({ environment: { [name]: '1' } }).cli)).toThrow('shell of an agent')
      assertPerson(around({ environment: { [name]: '1' }, terminal: true }).cli)
      assertPerson(around({}).cli)
    },
  )

  it.each([
    ['without a terminal', { terminal: false }, ['a'], 'INPUT_INVALID'],
    ['about two', { terminal: true }, ['a', 'b'], 'INPUT_INVALID'],
    ['about none', { terminal: true }, [], 'INPUT_INVALID'],
    ['answered no', { terminal: true, answer: false }, ['a'], 'CANCELLED'],
  ])('past the threat scan, %s: refused', async (_case, given, ids, code) => {
    await expect(confirmThreat(around(given).cli, memory, ids)).rejects.toMatchObject({ code })
  })

  it('past the threat scan, at a terminal: asked in words', async () => {
    const { cli, asked } = around({ terminal: true })
    await confirmThreat(cli, memory, ['a'])
    expect(asked).toEqual([expect.stringContaining('although it reads like an attack')])
  })

  it('about all: the number is asked; a no cancels; none is not asked', async () => {
    const { cli, asked } = around({})
    await confirmAll(cli, memory, 'approve', {})
    expect(asked).toEqual(['Approve 3 proposals?'])
    await expect(confirmAll(around({ answer: false }).cli, memory, 'reject', {})).rejects.toMatchObject({
      code: 'CANCELLED',
    })
    const none = { review: async () => ({ ...result, total: 0 }) } as unknown as Memory // As above.
    const quiet = around({ answer: false })
    await confirmAll(quiet.cli, none, 'reject', {})
    expect(quiet.asked).toEqual([])
  })
})

describe('the new text of an edit [U1]', () => {
  const script = (body: string) => {
    const file = join(folder, 'editor.sh')
    writeFileSync(file, `#!/bin/sh\n${body}\n`, { mode: 0o700 })
    return file
  }

  it('comes from an editor that may have parameters, begins with what is proposed, and leaves no file', async () => {
    const editor = `${script('shift; printf %s "$(cat "$1") and more" > "$1"')} --wait`
    const { cli } = around({ environment: { EDITOR: editor }, terminal: true })
    expect(await newText(cli, {}, async () => 'proposed')).toBe('proposed and more')
    expect(readdirSync(folder)).toEqual(['editor.sh'])
  })

  it.each([
    ['an editor that fails', { environment: { EDITOR: 'false' }, terminal: true }, {}, 'CANCELLED'],
    ['no editor', { terminal: true }, {}, 'INPUT_INVALID'],
    ['no terminal', { environment: { EDITOR: 'true' } }, {}, 'INPUT_INVALID'],
    ['two sources', {}, { text: 'a', file: 'b' }, 'INPUT_INVALID'],
    ['a file that is not there', {}, { file: 'none.md' }, 'INPUT_INVALID'],
  ])('%s: nothing', async (_case, given, options, code) => {
    await expect(newText(around(given).cli, options, async () => 'x')).rejects.toMatchObject({ code })
  })

  it('comes from --text, --text - or --file', async () => {
    const { cli } = around({})
    writeFileSync(join(folder, 'words.md'), 'from a file')
    expect(await newText(cli, { text: 'given' }, async () => 'x')).toBe('given')
    expect(await newText(cli, { text: '-' }, async () => 'x')).toBe('from standard input')
    expect(await newText(cli, { file: 'words.md' }, async () => 'x')).toBe('from a file')
  })
})
