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
const claudePackage = '@anthropic-ai/claude-code@2.1.332'
const inNamespace = 'KEEPSAKE_TEST_NAMESPACE'

function clientFolder() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return process.env.KEEPSAKE_TEST_CLIENTS || join(cache, 'keepsake-test-clients')
}

/** Path of the client, installed when it is not there; null when it cannot be had. */
function findClaude() {
  const folder = clientFolder()
  const binary = join(folder, 'node_modules', '.bin', 'claude')
  if (!existsSync(binary) && !process.env.KEEPSAKE_TEST_CLIENTS) {
    mkdirSync(folder, { recursive: true })
    spawnSync('npm', ['install', '--prefix', folder, '--no-fund', '--no-audit', claudePackage], { stdio: 'ignore' })
  }
  if (!existsSync(binary)) return null
  const version = spawnSync(binary, ['--version'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: tmpdir() },
  })
  return version.status === 0 ? { binary, version: version.stdout.trim() } : null
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

/** Starts this script again, offline. The client is found before, because an install needs the network. */
function runOffline(claude) {
  const [command, ...rest] = [
    ...offlineCommand(),
    process.execPath,
    fileURLToPath(import.meta.url),
    ...process.argv.slice(2),
  ]
  const environment = { ...process.env, [inNamespace]: '1', KEEPSAKE_CLAUDE: claude.binary }
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
const claude = findClaude()
if (claude === null) {
  console.log(`Claude Code could not be installed here (${claudePackage}): its tests were not run`)
  process.exit(0)
}
console.log(`Claude Code ${claude.version}`)
process.exit(runOffline(claude))
