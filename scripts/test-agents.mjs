#!/usr/bin/env node
// Drives real agent clients against a scripted model on loopback: `npm run test:agents [-- --record]`.
// The clients are outside programs: they are installed into a cache folder (or taken from KEEPSAKE_TEST_CLIENTS), never
// into the project. Where Linux allows it everything runs in a network namespace that holds loopback only.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const clients = [
  { title: 'Claude Code', package: '@anthropic-ai/claude-code@2.1.332', binary: 'claude', variable: 'KEEPSAKE_CLAUDE' },
  { title: 'Codex', package: '@openai/codex@0.171.0', binary: 'codex', variable: 'KEEPSAKE_CODEX' },
]
const inNamespace = 'KEEPSAKE_TEST_NAMESPACE'

function clientFolder() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return process.env.KEEPSAKE_TEST_CLIENTS || join(cache, 'keepsake-test-clients')
}

/** A client with its path and version, installed when it is not there; null when it cannot be had. */
function find(client) {
  const folder = clientFolder()
  const path = join(folder, 'node_modules', '.bin', client.binary)
  if (!existsSync(path) && !process.env.KEEPSAKE_TEST_CLIENTS) {
    mkdirSync(folder, { recursive: true })
    spawnSync('npm', ['install', '--prefix', folder, '--no-fund', '--no-audit', client.package], { stdio: 'ignore' })
  }
  if (!existsSync(path)) return null
  const version = spawnSync(path, ['--version'], { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: tmpdir() } })
  return version.status === 0 ? { ...client, path, version: version.stdout.trim() } : null
}

/** The words before a command that cut it off from the network, or none where that is not possible. */
function offlineCommand() {
  const up = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
  const ways = [
    ['unshare', '-n', ...up],
    ['unshare', '-rn', ...up],
  ]
  return (
    ways.find(([command, ...rest]) => spawnSync(command, [...rest, 'true'], { stdio: 'ignore' }).status === 0) ?? []
  )
}

/** Starts this script again, offline. The clients are found before, because an install needs the network. */
function runOffline(found) {
  const [command, ...rest] = [
    ...offlineCommand(),
    process.execPath,
    fileURLToPath(import.meta.url),
    ...process.argv.slice(2),
  ]
  const paths = Object.fromEntries(found.map(({ variable, path }) => [variable, path]))
  const environment = { ...process.env, [inNamespace]: '1', ...paths }
  return spawnSync(command, rest, { stdio: 'inherit', env: environment }).status ?? 1
}

function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-agents-'))
  const report = join(folder, 'report.json')
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const record = process.argv.includes('--record')
  spawnSync(
    process.execPath,
    [
      vitest,
      'run',
      '--config',
      join(root, 'test', 'agents', 'vitest.config.ts'),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...(record ? ['record'] : []),
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...(record ? { KEEPSAKE_RECORD: '1' } : {}) } },
  )
  const result = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { numPassedTests: 0, numFailedTests: 1 }
  rmSync(folder, { recursive: true, force: true })
  // A file that could not be loaded has no failed test in it.
  const failed = Math.max(result.numFailedTests, result.success === false ? 1 : 0)
  console.log(`${result.numPassedTests} passed, ${failed} failed`)
  return failed > 0 || result.numPassedTests === 0 ? 1 : 0
}

if (process.env[inNamespace]) process.exit(runTests())
const found = clients.map(find)
for (const [index, client] of found.entries()) {
  const { title, package: name } = clients[index]
  console.log(
    client ? `${title} ${client.version}` : `${title} could not be installed here (${name}): its tests were not run`,
  )
}
const usable = found.filter((client) => client !== null)
process.exit(usable.length === 0 ? 0 : runOffline(usable))
