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
import { wiredEvents } from '../../shared/hook-words.ts'
import { codexWiring as wiring } from './wiring.ts'

let root: string
let options: WiringOptions
let hooks: string
let config: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-codex-'))
  options = {
    userHome: join(root, 'user'),
    environment: {},
    keepsakeHome: join(root, 'keepsake'),
    hookCommand: [process.execPath, import.meta.filename],
    mcpCommand: [process.execPath, import.meta.filename, 'mcp'],
  }
  hooks = join(root, 'user', '.codex', 'hooks.json')
  config = join(root, 'user', '.codex', 'config.toml')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode })
}

const textOf = (path: string) => readFileSync(path, 'utf8')
const actions = async (work: Promise<readonly { action: string }[]>) => (await work).map(({ action }) => action)

const foreign = '# mine\nmodel = "gpt-5"   # odd\n\n[features]\nmemories = false\n\n[memories]\nuse_memories = true\n'
const server = (command: string) =>
  `[mcp_servers.keepsake]\ncommand = "${command}"\nargs = ["${import.meta.filename}", "mcp"]\n\n[mcp_servers.keepsake.env]\nKEEPSAKE_AGENT = "codex"\n`

describe('install [A1]', () => {
  it('puts one handler on each event and the server behind what is there', async () => {
    put(config, foreign)
    put(hooks, JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] } }))
    const changes = await wiring.install(options)
    expect(changes.map(({ action }) => action)).toEqual(['changed', 'changed'])
    expect(changes[0]?.detail).toContain('type /hooks and trust')
    const written = JSON.parse(textOf(hooks)).hooks
    expect(Object.keys(written).sort()).toEqual([...wiredEvents].sort())
    // Trust is kept by position: what was there stays first.
    expect(written.Stop[0]).toEqual({ hooks: [{ type: 'command', command: 'say done' }] })
    for (const event of wiredEvents)
      expect(written[event].at(-1).hooks).toEqual([
        {
          type: 'command',
          command: `${process.execPath} ${import.meta.filename} codex ${event} --keepsake || exit 0`,
          timeout: event === 'SessionEnd' ? 3 : 10,
        },
      ])
    expect(textOf(config)).toBe(`${foreign}\n${server(process.execPath)}`)
  })

  it('follows CODEX_HOME for both files, and leaves nothing behind', async () => {
    const moved = { ...options, environment: { CODEX_HOME: join(root, 'elsewhere') } }
    expect((await wiring.install(moved)).map(({ file, action }) => [file, action])).toEqual([
      [join(root, 'elsewhere', 'hooks.json'), 'created'],
      [join(root, 'elsewhere', 'config.toml'), 'created'],
    ])
    expect(existsSync(hooks)).toBe(false)
    await wiring.uninstall(moved)
    expect(existsSync(join(root, 'elsewhere'))).toBe(false)
  })

  it('a newer install replaces the commands of an older one, and the first bytes come back', async () => {
    put(config, foreign)
    await wiring.install({
      ...options,
      hookCommand: ['/old/node', '/old/hook.js'],
      mcpCommand: ['/old/node', '/old/cli.js'],
    })
    expect(await wiring.verify(options)).toEqual([
      '/old/node is not there any more: run `keepsake install codex` again',
      '/old/hook.js is not there any more: run `keepsake install codex` again',
      '/old/cli.js is not there any more: run `keepsake install codex` again',
    ])
    expect(await actions(wiring.install(options))).toEqual(['changed', 'changed'])
    expect(textOf(config)).toBe(`${foreign}\n${server(process.execPath)}`)
    expect(await wiring.verify(options)).toEqual([])
    await wiring.uninstall(options)
    expect(textOf(config)).toBe(foreign)
    expect(existsSync(hooks)).toBe(false)
  })

  it.each([
    ['a table', '[mcp_servers.keepsake]\ncommand = "mine"\n'],
    ['an inline table', '[mcp_servers]\nkeepsake = { command = "mine" }\n'],
    ['dotted keys', 'mcp_servers.keepsake.command = "mine"\n'],
    ['a quoted name', '[mcp_servers."keepsake"]\ncommand = "mine"\n'],
    [
      'the mark of another agent',
      '[mcp_servers.keepsake]\ncommand = "mine"\n[mcp_servers.keepsake.env]\nKEEPSAKE_AGENT = "other"\n',
    ],
  ])('leaves a server of the same name alone when it is not ours: %s', async (_, text) => {
    put(config, text)
    const changes = await wiring.install(options)
    expect(changes[1]).toMatchObject({ action: 'unchanged', detail: expect.stringContaining('not ours') })
    expect(await wiring.verify(options)).toEqual([expect.stringContaining('not the one that Keepsake installs')])
    await wiring.uninstall(options)
    expect(textOf(config)).toBe(text)
  })
})

describe('AGENT_SETTINGS_INVALID, and nothing is changed', () => {
  it.each([
    ['a configuration with an open string', () => put(config, 'a = 1\nb = "x\n'), 'config.toml', 2],
    ['a configuration with words in it', () => put(config, 'a = 1\n\nhello\n'), 'config.toml', 3],
    [
      'servers that cannot be added to',
      () => put(config, 'a = 1\nmcp_servers = { x = { command = "y" } }\n'),
      'config.toml',
      2,
    ],
    ['servers as a list', () => put(config, '[[mcp_servers]]\ncommand = "y"\n'), 'config.toml', 1],
    ['hooks without a brace', () => put(hooks, '{\n"hooks": {\n'), 'hooks.json', 3],
    ['hooks that are a list', () => put(hooks, '{"hooks":\n[]}'), 'hooks.json', 2],
  ])('%s', async (_, damage, name, line) => {
    put(hooks, '{}')
    put(config, foreign)
    damage()
    const before = [textOf(hooks), textOf(config)]
    await expect(wiring.install(options)).rejects.toMatchObject({
      code: 'AGENT_SETTINGS_INVALID',
      data: { file: join(dirname(hooks), name), line },
    })
    expect([textOf(hooks), textOf(config)]).toEqual(before)
    expect(existsSync(options.keepsakeHome)).toBe(false)
    expect(await wiring.verify(options)).not.toEqual([])
  })

  it('when the second file cannot be written, the first gets its bytes back', async () => {
    put(hooks, '{ }')
    put(join(root, 'plain'), 'x')
    symlinkSync(join(root, 'plain', 'config.toml'), config)
    await expect(wiring.install(options)).rejects.toBeDefined()
    expect(textOf(hooks)).toBe('{ }')
  })
})

describe('BL-83: only our own entries, and the bytes come back', () => {
  const odd: Record<string, string> = {
    'switches of the client’s own memory': foreign,
    'no line end': 'model = "gpt-5"',
    CRLF: '# mine\r\n[features]\r\nmemories = true\r\n',
    'blank lines at the end': 'a = 1\n\n\n',
    'only a comment': '# nothing yet',
    'servers of others': '[mcp_servers.a]\ncommand = "x"\n\n[mcp_servers.keepsake2]\ncommand = "y"\n',
    'our table in a string': "text = '''\n[mcp_servers.keepsake]\nKEEPSAKE_AGENT\n'''\n",
  }

  it.each(Object.entries(odd))('%s', async (_, text) => {
    put(config, text)
    await wiring.install(options)
    expect(textOf(config).startsWith(text)).toBe(true)
    expect(await actions(wiring.uninstall(options))).toEqual(['removed', 'restored'])
    expect(textOf(config)).toBe(text)
    expect(readdirSync(join(options.keepsakeHome, 'receipts'))).toEqual([])
  })

  const later = '\n[projects."/w"]\ntrust_level = "trusted"\n'

  it.each(Object.entries(odd))(
    'changed by others meanwhile, before and behind ours, %s: theirs stays, ours goes',
    async (_, text) => {
      put(config, text)
      await wiring.install(options)
      writeFileSync(config, `# first\n${textOf(config)}${later}`)
      expect(await actions(wiring.uninstall(options))).toEqual(['removed', 'changed'])
      const apart = text.endsWith('\n') ? '' : '\n'
      expect(textOf(config)).toBe(`# first\n${text}${apart}${later}`)
    },
  )

  it('as Codex reprints it, with an approval of a tool and a server behind it', async () => {
    put(config, foreign)
    await wiring.install(options)
    const approval = '\n[mcp_servers.keepsake.tools.memory_save]\napproval_mode = "approve"\n'
    const other = '\n[mcp_servers.other]\ncommand = "echo"\nargs = ["hi"]\n'
    writeFileSync(config, textOf(config) + approval + other)
    expect((await wiring.install(options))[1]?.action).toBe('unchanged')
    await wiring.uninstall(options)
    // A server with approvals and no command would keep Codex from starting.
    expect(textOf(config)).toBe(foreign + other)
  })

  it('with our variable in one line, and comments of the person between', async () => {
    put(
      config,
      '[mcp_servers.keepsake]\n# keep this\ncommand = "x"\nenv = { KEEPSAKE_AGENT = "codex" }\n\n# and this\n[a]\nb = 1\n',
    )
    await wiring.uninstall(options)
    expect(textOf(config)).toBe('# keep this\n\n# and this\n[a]\nb = 1\n')
  })

  it('without its receipt it finds its entries by their marks', async () => {
    put(config, foreign)
    put(hooks, '{"hooks":{"PreToolUse":[]}}')
    await wiring.install(options)
    rmSync(options.keepsakeHome, { recursive: true })
    await wiring.uninstall(options)
    expect(textOf(config)).toBe(foreign)
    expect(JSON.parse(textOf(hooks))).toEqual({ hooks: { PreToolUse: [] } })
  })

  it('the trust that the person gave stays in the file', async () => {
    await wiring.install(options)
    const trusted = '\n[hooks.state."x:stop:0:0"]\ntrusted_hash = "sha256:0"\n'
    writeFileSync(config, textOf(config) + trusted)
    await wiring.uninstall(options)
    expect(textOf(config)).toBe(trusted)
  })

  it('keeps a copy of the file before, unless it holds secrets', async () => {
    const secret = ['sk', 'proj', 'a1B2'.repeat(12)].join('-')
    put(config, `[mcp_servers.a.env]\nKEY = "${secret}"\n`)
    put(hooks, '{}')
    await wiring.install(options)
    const kept = readdirSync(join(options.keepsakeHome, 'receipts')).sort()
    expect(kept).toEqual(['agent-codex.hooks.json.backup', 'agent-codex.json'])
    for (const name of kept) {
      expect(textOf(join(options.keepsakeHome, 'receipts', name))).not.toContain(secret)
      expect(statSync(join(options.keepsakeHome, 'receipts', name)).mode & 0o777).toBe(0o600)
    }
    await wiring.uninstall(options)
    expect(textOf(config)).toBe(`[mcp_servers.a.env]\nKEY = "${secret}"\n`)
  })
})

describe('BL-71: settings that are links stay links', () => {
  it.each([
    ['absolute', () => symlinkSync(join(root, 'dotfiles', 'codex.toml'), config)],
    ['relative', () => symlinkSync('../../dotfiles/codex.toml', config)],
  ])('%s', async (_, link) => {
    put(join(root, 'dotfiles', 'codex.toml'), foreign)
    chmodSync(join(root, 'dotfiles', 'codex.toml'), 0o640)
    mkdirSync(dirname(config), { recursive: true })
    link()
    const target = readlinkSync(config)
    await wiring.install(options)
    expect(textOf(join(root, 'dotfiles', 'codex.toml'))).toContain('KEEPSAKE_AGENT')
    await wiring.uninstall(options)
    expect(lstatSync(config).isSymbolicLink()).toBe(true)
    expect(readlinkSync(config)).toBe(target)
    expect(textOf(config)).toBe(foreign)
    expect(statSync(config).mode & 0o777).toBe(0o640)
  })
})
