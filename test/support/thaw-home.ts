/** Makes a home of a fixture that scripts/freeze-home.mjs wrote. `root` is the folder above it. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { findGit } from '../../src/store/notes/git-history-process.ts'
import { prepare } from '../../src/store/notes/git-history-repository.ts'
import { findSqliteDriver } from '../../src/store/sqlite/find-driver.ts'

const homes = resolve(import.meta.dirname, '../fixtures/homes')

export async function thawHome(version: string, root: string, home: string): Promise<void> {
  const frozen = join(homes, version)
  rmSync(home, { recursive: true, force: true })
  const put = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(home, path)), { recursive: true, mode: 0o700 })
    writeFileSync(join(home, path), content, { mode: 0o600 })
  }
  const withRoot = (text: string) => text.replaceAll('{{ROOT}}', root)
  for (const path of filesBelow(join(frozen, 'files')))
    put(path, Buffer.from(withRoot(readFileSync(join(frozen, 'files', path), 'latin1')), 'latin1'))
  put('secret.key', Buffer.from(readFileSync(join(frozen, 'secret.key.hex'), 'utf8').trim(), 'hex'))
  for (const name of readdirSync(frozen).filter((each) => each.endsWith('.db.sql'))) {
    const database = findSqliteDriver()?.open(join(home, name.replace(/\.sql$/, '')))
    database?.exec(withRoot(readFileSync(join(frozen, name), 'utf8')))
    database?.close()
  }
  for (const path of filesBelow(join(frozen, 'history'))) {
    const directory = join(home, 'history', path.replace(/\.fast-export$/, ''))
    await prepare({ git: findGit() ?? 'git', directory })
    const stream = Buffer.from(readFileSync(join(frozen, 'history', path), 'latin1'), 'latin1')
    execFileSync('git', [`--git-dir=${directory}`, 'fast-import', '--quiet'], { input: stream })
  }
  const modes: Record<string, string> = JSON.parse(readFileSync(join(frozen, 'modes.json'), 'utf8'))
  for (const [path, mode] of Object.entries(modes)) chmodSync(join(home, path), Number.parseInt(mode, 8))
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true })
    .map(String)
    .filter((path) => statSync(join(directory, path)).isFile())
}
