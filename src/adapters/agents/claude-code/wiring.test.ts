import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WiringOptions } from '../../../domain/index.ts'
import { HOOK_TIMEOUT_SECONDS, hookHandler as handlerFor, shellWord } from '../../shared/commands.ts'
import { wiredEvents } from '../../shared/hook-words.ts'
import { claudeCodeWiring as wiring } from './wiring.ts'

const hookHandler = (hookCommand: readonly string[], event: string) =>
  handlerFor(hookCommand, { agent: 'claude-code', event, timeoutSeconds: HOOK_TIMEOUT_SECONDS })

let root: string
let options: WiringOptions
let settings: string
let state: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-wiring-'))
  options = {
    userHome: join(root, 'user'),
    environment: {},
    keepsakeHome: join(root, 'keepsake'),
    hookCommand: [process.execPath, import.meta.filename],
    mcpCommand: [process.execPath, import.meta.filename, 'mcp'],
  }
  settings = join(root, 'user', '.claude', 'settings.json')
  state = join(root, 'user', '.claude.json')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode })
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''))
const actions = async (work: Promise<readonly { action: string }[]>) => (await work).map(({ action }) => action)

const foreign = {
  autoMemoryEnabled: true,
  autoMemoryDirectory: '~/notes',
  permissions: { allow: ['Bash(git:*)'] },
  hooks: {
    Stop: [{ hooks: [{ type: 'command', command: 'say done', timeout: 5 }] }],
    SessionStart: [{ matcher: 'startup', hooks: [{ type: 'command', command: 'date' }] }],
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'check' }] }],
  },
}

describe('install [A1]', () => {
  it('puts one handler on each event, behind those of others, and the MCP server beside others', async () => {
    put(settings, JSON.stringify(foreign, null, 2))
    put(state, JSON.stringify({ numStartups: 2, mcpServers: { other: { command: 'x' } } }, null, 2))
    expect(await actions(wiring.install(options))).toEqual(['changed', 'changed'])

    const { hooks, ...rest } = readJson(settings)
    expect(rest).toEqual({ autoMemoryEnabled: true, autoMemoryDirectory: '~/notes', permissions: foreign.permissions })
    for (const event of wiredEvents)
      expect(hooks[event].at(-1)).toEqual({ hooks: [hookHandler(options.hookCommand, event)] })
    expect(hooks.Stop).toHaveLength(2)
    expect(hooks.SessionStart[0]).toEqual(foreign.hooks.SessionStart[0])
    expect(hooks.PreToolUse).toEqual(foreign.hooks.PreToolUse)
    expect(readJson(state)).toEqual({
      numStartups: 2,
      mcpServers: {
        other: { command: 'x' },
        keepsake: {
          type: 'stdio',
          command: process.execPath,
          args: [import.meta.filename, 'mcp'],
          env: { KEEPSAKE_AGENT: 'claude-code' },
        },
      },
    })
  })

  it("BL-64: the time-out is in seconds, and well above the hook's own", async () => {
    await wiring.install(options)
    const { hooks } = readJson(settings)
    const timeouts = wiredEvents.map((event) => hooks[event][0].hooks[0].timeout)
    expect(timeouts).toEqual(wiredEvents.map(() => HOOK_TIMEOUT_SECONDS))
    expect(HOOK_TIMEOUT_SECONDS).toBeGreaterThanOrEqual(5)
    expect(HOOK_TIMEOUT_SECONDS).toBeLessThanOrEqual(30)
  })

  it('follows CLAUDE_CONFIG_DIR for both files', async () => {
    const moved = { ...options, environment: { CLAUDE_CONFIG_DIR: join(root, 'elsewhere') } }
    const changes = await wiring.install(moved)
    expect(changes.map(({ file, action }) => [file, action])).toEqual([
      [join(root, 'elsewhere', 'settings.json'), 'created'],
      [join(root, 'elsewhere', '.claude.json'), 'created'],
    ])
    expect(existsSync(settings)).toBe(false)
    await wiring.uninstall(moved)
    expect(existsSync(join(root, 'elsewhere'))).toBe(false)
  })

  it('a newer install replaces the commands of an older one, and uninstall still gives the first bytes back', async () => {
    const before = JSON.stringify(foreign, null, 4)
    put(settings, before)
    await wiring.install({
      ...options,
      hookCommand: ['/old/node', '/old/hook.js'],
      mcpCommand: ['/old/node', '/old/cli.js'],
    })
    expect(await wiring.verify(options)).toEqual([
      '/old/node is not there any more: run `keepsake install claude-code` again',
      '/old/hook.js is not there any more: run `keepsake install claude-code` again',
      '/old/cli.js is not there any more: run `keepsake install claude-code` again',
    ])
    expect(await actions(wiring.install(options))).toEqual(['changed', 'changed'])
    expect(readFileSync(settings, 'utf8')).not.toContain('/old/')
    expect(readJson(settings).hooks.Stop).toHaveLength(2)
    expect(await wiring.verify(options)).toEqual([])
    await wiring.uninstall(options)
    expect(readFileSync(settings, 'utf8')).toBe(before)
    expect(existsSync(state)).toBe(false)
  })

  it('leaves an MCP server of the same name alone when it is not ours', async () => {
    const before = JSON.stringify({ mcpServers: { keepsake: { command: 'mine' } } })
    put(state, before)
    const changes = await wiring.install(options)
    expect(changes[1]).toMatchObject({ action: 'unchanged', detail: expect.stringContaining('not ours') })
    expect(readFileSync(state, 'utf8')).toBe(before)
    await wiring.uninstall(options)
    expect(readFileSync(state, 'utf8')).toBe(before)
  })

  it('says when the client itself cannot read the file', async () => {
    put(settings, '{ // mine\n}')
    const [change] = await wiring.install(options)
    expect(change?.detail).toContain('comments or trailing commas')
    expect(await wiring.verify(options)).toEqual([expect.stringContaining('ignores the whole file')])
  })

  it('verify names hooks that are switched off, and a handler that is gone', async () => {
    await wiring.install(options)
    const { hooks } = readJson(settings)
    put(settings, JSON.stringify({ disableAllHooks: true, hooks: { ...hooks, Stop: [] } }))
    expect(await wiring.verify(options)).toEqual([
      `${settings} has no hook of Keepsake for Stop: run \`keepsake install claude-code\` again`,
      `${settings} switches all hooks off (disableAllHooks)`,
    ])
  })
})

describe('AGENT_SETTINGS_INVALID, and nothing is changed', () => {
  it.each([
    ['a missing brace', '{\n  "hooks": {\n', 3],
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', 3],
    ['a list', '[]', 1],
    ['words', 'hello', 1],
    ['hooks that are a list', '{\n"hooks": []}', 2],
    ['an event that is no list', '{"hooks":\n{"Stop":\n{}}}', 3],
  ])('%s', async (_, text, line) => {
    put(settings, text)
    put(state, '{"numStartups":1}')
    for (const work of [wiring.install, wiring.uninstall])
      await expect(work(options)).rejects.toMatchObject({
        code: 'AGENT_SETTINGS_INVALID',
        data: { file: settings, line },
      })
    expect(readFileSync(settings, 'utf8')).toBe(text)
    expect(readFileSync(state, 'utf8')).toBe('{"numStartups":1}')
    expect(existsSync(options.keepsakeHome)).toBe(false)
    expect(await wiring.verify(options)).not.toEqual([])
  })

  it.each([
    ['a state file that is malformed', () => put(state, '{"mcpServers": ')],
    ['servers that are a list', () => put(state, '{"mcpServers": []}')],
    ['bytes that are no UTF-8', () => writeFileSync(state, Uint8Array.from([0x7b, 0xff, 0x7d]))],
    ['a folder in its place', () => mkdirSync(state)],
    ['links in a circle', () => symlinkSync(state, state)],
  ])('%s: the other file is left alone too', async (_, damage) => {
    const before = JSON.stringify(foreign)
    put(settings, before)
    damage()
    await expect(wiring.install(options)).rejects.toMatchObject({ code: 'AGENT_SETTINGS_INVALID' })
    expect(readFileSync(settings, 'utf8')).toBe(before)
  })

  it('when the second file cannot be written, the first gets its bytes back', async () => {
    const before = JSON.stringify(foreign)
    put(settings, before)
    // A link whose target lies in a file: the folder can be neither made nor written.
    put(join(root, 'plain'), 'x')
    symlinkSync(join(root, 'plain', 'state.json'), state)
    await expect(wiring.install(options)).rejects.toBeDefined()
    expect(readFileSync(settings, 'utf8')).toBe(before)
  })
})

describe('BL-83: only our own entries, and the bytes come back', () => {
  const odd: Record<string, string> = {
    'foreign hooks': JSON.stringify(foreign, null, 2),
    'a memory switch that is off': '{\n  "autoMemoryEnabled": false\n}\n',
    'a memory switch that is on': '{ "autoMemoryEnabled": true, "autoDreamEnabled": true }',
    'odd indentation and comments': '{\n      // mine\n "hooks" : { "Stop": [ ] , /* x */ },\n\t"env":{"A":"1",},\n}\n',
    'CRLF and a byte order mark': '\ufeff{\r\n\t"model": "opus"\r\n}\r\n',
    'no line end': '{"cleanupPeriodDays":9}',
    'a key that stands twice': '{"hooks":{"Stop":[]},"hooks":{"Stop":[{"hooks":[]}]}}',
    'our words in a foreign hook':
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"echo keepsake --keepsakes"}]}]}}',
  }

  it.each(Object.entries(odd))('%s', async (_, text) => {
    put(settings, text)
    await wiring.install(options)
    const installed = readFileSync(settings, 'utf8')
    for (const key of ['autoMemory', 'autoDream', 'disableAllHooks'])
      expect(installed.split(key).length).toBe(text.split(key).length)
    const [change] = await wiring.uninstall(options)
    expect(change?.action).toBe('restored')
    expect(readFileSync(settings, 'utf8')).toBe(text)
    expect(readdirSync(join(options.keepsakeHome, 'receipts'))).toEqual([])
  })

  it.each(Object.entries(odd).filter(([, text]) => isStrict(text)))(
    'changed by others meanwhile, %s: theirs stays, ours goes',
    async (_, text) => {
      put(settings, text)
      await wiring.install(options)
      const changed = { ...readJson(settings), theme: 'dark' }
      changed.hooks.Notification = [{ hooks: [{ type: 'command', command: 'beep' }] }]
      changed.hooks.Stop.push({ hooks: [{ type: 'command', command: 'later' }] })
      put(settings, JSON.stringify(changed, null, 2))
      const [change] = await wiring.uninstall(options)
      expect(change?.action).toBe('changed')
      const after = readFileSync(settings, 'utf8')
      expect(after).not.toContain('--keepsake ')
      const { hooks = {}, ...rest } = JSON.parse(text.replace(/^\ufeff/, ''))
      expect(JSON.parse(after)).toEqual({
        ...rest,
        theme: 'dark',
        hooks: {
          ...hooks,
          Notification: [{ hooks: [{ type: 'command', command: 'beep' }] }],
          Stop: [...(hooks.Stop ?? []), { hooks: [{ type: 'command', command: 'later' }] }],
        },
      })
    },
  )

  it('the state file that the client fills meanwhile keeps what it wrote', async () => {
    await wiring.install(options)
    put(state, JSON.stringify({ ...readJson(state), userID: 'u', projects: {} }, null, 2))
    expect((await wiring.uninstall(options)).map(({ action }) => action)).toEqual(['removed', 'changed'])
    expect(readJson(state)).toEqual({ userID: 'u', projects: {} })
    expect(existsSync(dirname(settings))).toBe(false)
  })

  it('without its receipt it finds its entries by their marks', async () => {
    put(settings, JSON.stringify({ model: 'opus' }, null, 2))
    await wiring.install(options)
    rmSync(options.keepsakeHome, { recursive: true })
    await wiring.uninstall(options)
    expect(readJson(settings)).toEqual({ model: 'opus' })
    expect(readJson(state)).toEqual({})
  })

  it('takes its handler out of a group that someone shared with it', async () => {
    await wiring.install(options)
    const shared = readJson(settings)
    shared.hooks.Stop[0].hooks.unshift({ type: 'command', command: 'mine' })
    put(settings, JSON.stringify(shared))
    await wiring.uninstall(options)
    expect(readJson(settings)).toEqual({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }] } })
  })

  it('keeps a copy of the file before, unless it holds secrets', async () => {
    put(settings, JSON.stringify(foreign))
    const secret = ['sk', 'ant', 'api03', 'a1B2'.repeat(24)].join('-')
    put(state, JSON.stringify({ key: secret }))
    await wiring.install(options)
    const kept = readdirSync(join(options.keepsakeHome, 'receipts'))
    expect(kept.sort()).toEqual(['agent-claude-code.json', 'agent-claude-code.settings.json.backup'])
    for (const name of kept) {
      const file = join(options.keepsakeHome, 'receipts', name)
      expect(readFileSync(file, 'utf8')).not.toContain(secret)
      expect(statSync(file).mode & 0o777).toBe(0o600)
    }
    await wiring.uninstall(options)
    expect(readFileSync(state, 'utf8')).toBe(JSON.stringify({ key: secret }))
  })
})

function isStrict(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''))
    return true
  } catch {
    return false
  }
}

describe('BL-71: settings that are links stay links', () => {
  const before = JSON.stringify(foreign, null, 2)
  const elsewhere = () => join(root, 'dotfiles', 'claude.json')

  const kinds: [string, () => void][] = [
    ['absolute', () => symlinkSync(elsewhere(), settings)],
    ['relative', () => symlinkSync('../../dotfiles/claude.json', settings)],
    [
      'a chain of two',
      () => {
        symlinkSync('../../dotfiles/claude.json', join(root, 'user', '.claude', 'middle.json'))
        symlinkSync('middle.json', settings)
      },
    ],
    [
      'the folder itself',
      () => {
        rmSync(join(root, 'user', '.claude'), { recursive: true })
        symlinkSync(join(root, 'dotfiles'), join(root, 'user', '.claude'))
        symlinkSync('claude.json', settings)
      },
    ],
  ]
  if (existsSync('/dev/shm')) kinds.push(['a target on another file system', () => otherFileSystem()])

  it.each(kinds)('%s', async (_, link) => {
    put(elsewhere(), before, 0o640)
    chmodSync(elsewhere(), 0o640)
    mkdirSync(dirname(settings), { recursive: true })
    link()
    const target = readlinkSync(settings)
    await wiring.install(options)
    expect(lstatSync(settings).isSymbolicLink()).toBe(true)
    expect(readlinkSync(settings)).toBe(target)
    expect(readFileSync(settings, 'utf8')).toContain('--keepsake')
    expect(statSync(settings).mode & 0o777).toBe(0o640)
    await wiring.uninstall(options)
    expect(lstatSync(settings).isSymbolicLink()).toBe(true)
    expect(readFileSync(settings, 'utf8')).toBe(before)
    expect(statSync(settings).mode & 0o777).toBe(0o640)
    expect(readdirSync(dirname(settings)).filter((name) => name.includes('tmp'))).toEqual([])
  })

  function otherFileSystem(): void {
    const folder = mkdtempSync('/dev/shm/keepsake-wiring-')
    put(join(folder, 'claude.json'), before, 0o640)
    chmodSync(join(folder, 'claude.json'), 0o640)
    symlinkSync(join(folder, 'claude.json'), settings)
    others.push(folder)
  }
  const others: string[] = []
  afterEach(() => {
    for (const folder of others.splice(0)) rmSync(folder, { recursive: true, force: true })
  })

  it('dangling: the target is made, and goes again', async () => {
    mkdirSync(dirname(settings), { recursive: true })
    symlinkSync('../../later.json', settings)
    await wiring.install(options)
    expect(readlinkSync(settings)).toBe('../../later.json')
    expect(readFileSync(join(root, 'later.json'), 'utf8')).toContain('--keepsake')
    await wiring.uninstall(options)
    expect(readlinkSync(settings)).toBe('../../later.json')
    expect(existsSync(join(root, 'later.json'))).toBe(false)
  })
})

describe('shellWord', () => {
  it.each([
    ['/usr/bin/node', '/usr/bin/node'],
    ['/home/dev/my tools/node', "'/home/dev/my tools/node'"],
    ["/home/o'brien/node", "'/home/o'\\''brien/node'"],
    ['/home/$USER/`x`', "'/home/$USER/`x`'"],
    ['', "''"],
    ['/家/node', "'/家/node'"],
  ])('%j', (word, expected) => {
    expect(shellWord(word)).toBe(expected)
  })
})
