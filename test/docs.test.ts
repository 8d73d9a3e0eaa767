/** Documentation is tested: generated pages are current, links lead somewhere, the README's code runs. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { configKeys, errorCodes } from '../src/index.ts'

const root = resolve(import.meta.dirname, '..')

function pagesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (name === 'node_modules' || name === 'fixtures' || name === 'dist' || name.startsWith('.')) return []
    return statSync(path).isDirectory() ? pagesBelow(path) : name.endsWith('.md') ? [path] : []
  })
}

const pages = pagesBelow(root).map((path) => relative(root, path))
const read = (page: string) => readFileSync(join(root, page), 'utf8')

describe('documentation [U3]', () => {
  it('the generated pages are current', () => {
    const run = spawnSync(process.execPath, ['scripts/generate-docs.mjs', '--check'], { cwd: root, encoding: 'utf8' })
    expect(run.stderr).toBe('')
    expect(run.status).toBe(0)
  })

  it.each(pages)('links of %s lead to files', (page) => {
    const targets = [...read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map((match) => match[1] ?? '')
    const missing = targets.filter(
      (target) => !/^[a-z]+:/.test(target) && !existsSync(resolve(root, dirname(page), target)),
    )
    // Links inside examples of notes name notes of the example.
    expect(missing.filter((target) => !/^(?:file|[a-z]+_[\w-]+)\.md$/.test(target))).toEqual([])
  })

  it.each(['README.md', 'README.zh-CN.md'])('the code of %s runs', (page) => {
    const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(read(page)) ?? []
    const home = mkdtempSync(join(tmpdir(), 'keepsake-readme-'))
    try {
      const run = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
        cwd: root,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: home, KEEPSAKE_HOME: join(home, '.keepsake') },
      })
      expect({ status: run.status, errors: run.stderr }).toEqual({ status: 0, errors: '' })
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })

  it('every error code and every setting is on its page', () => {
    for (const code of Object.keys(errorCodes)) expect(read('docs/errors.md')).toContain(code)
    for (const { key } of configKeys) expect(read('docs/config.md')).toContain(`\`${key}\``)
  })

  it('both READMEs show the same commands', () => {
    const commands = (page: string) =>
      [...read(page).matchAll(/^(?:npm|keepsake) [\w-]+(?: -g \.| claude-code)?/gm)].map((match) => match[0])
    expect(commands('README.zh-CN.md')).toEqual(commands('README.md'))
  })
})
