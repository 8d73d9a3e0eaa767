/**
 * Invented git repositories: a history told as data becomes a real repository with a working tree. The same data gives
 * the same names of commits on any machine.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { utf8Bytes } from '../util/index.ts'

export interface HistoryStep {
  /** UTC ISO 8601. */
  readonly date: string
  readonly message: string
  /** Whole texts by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Old path to new path, before anything is edited. */
  readonly move?: Readonly<Record<string, string>>
  readonly remove?: readonly string[]
  /** By path: words and what takes their place. */
  readonly edit?: Readonly<Record<string, readonly (readonly [string, string])[]>>
  readonly tag?: string
  /** A branch that begins here and stays. */
  readonly branchAt?: string
  /** The commit stands on this branch alone, which is removed at the end. */
  readonly branch?: string
}

export interface MadeRepository {
  readonly root: string
  /** Hex names, one for each step. */
  readonly commits: readonly string[]
}

const environment = {
  PATH: '/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: process.platform === 'win32' ? 'NUL' : '/dev/null',
}

/** Makes it in `root`, which is a new folder. Throws an Error for a history that does not fit together. */
export function makeRepository(root: string, history: readonly HistoryStep[]): MadeRepository {
  mkdirSync(root, { recursive: true })
  const git = (given: readonly string[], input = '') =>
    execFileSync('git', ['-c', 'init.defaultBranch=main', ...given], {
      cwd: root,
      env: environment,
      input,
      encoding: 'utf8',
    })
  git(['init', '--quiet'])
  git(['fast-import', '--quiet', '--export-marks=.git/marks'], streamOf(history))
  git(['reset', '--quiet', '--hard', 'main'])
  for (const { branch } of history) if (branch) git(['update-ref', '-d', `refs/heads/${branch}`])
  const names = readFileSync(join(root, '.git', 'marks'), 'utf8').matchAll(/^:(\d+) ([0-9a-f]+)$/gm)
  const marks = new Map([...names].map(([, mark = '', name = '']) => [mark, name]))
  return { root, commits: history.map((_, at) => marks.get(String(at + 1)) ?? '') }
}

function streamOf(history: readonly HistoryStep[]): string {
  const texts = new Map<string, string>()
  let parent: number | null = null
  const parts = history.map((step, at) => {
    const seconds = Math.floor(Date.parse(step.date) / 1_000)
    const lines = [
      `commit refs/heads/${step.branch ?? 'main'}`,
      `mark :${at + 1}`,
      `committer Ana <ana@example.org> ${seconds} +0000`,
      data(step.message),
      ...(parent === null ? [] : [`from :${parent}`]),
      ...changesOf(step, texts),
      '',
      ...(step.tag ? [`reset refs/tags/${step.tag}`, `from :${at + 1}`, ''] : []),
      ...(step.branchAt ? [`reset refs/heads/${step.branchAt}`, `from :${at + 1}`, ''] : []),
    ]
    if (step.branch === undefined) parent = at + 1
    return lines.join('\n')
  })
  return `${parts.join('\n')}\n`
}

/** `texts` follows the main branch. */
function changesOf({ files, move, remove, edit, branch }: HistoryStep, texts: Map<string, string>): string[] {
  const lines: string[] = []
  for (const [from, to] of Object.entries(move ?? {})) {
    texts.set(to, textAt(texts, from))
    texts.delete(from)
    lines.push(`R ${quoted(from)} ${quoted(to)}`)
  }
  for (const path of remove ?? []) {
    texts.delete(path)
    lines.push(`D ${quoted(path)}`)
  }
  const written = new Map(Object.entries(files ?? {}))
  for (const [path, changes] of Object.entries(edit ?? {}))
    written.set(
      path,
      changes.reduce((text, [from, to]) => replaced(text, from, to, path), textAt(texts, path)),
    )
  for (const [path, text] of written) {
    if (branch === undefined) texts.set(path, text)
    lines.push(`M 100644 inline ${quoted(path)}`, data(text))
  }
  return lines
}

function textAt(texts: ReadonlyMap<string, string>, path: string): string {
  const text = texts.get(path)
  if (text === undefined) throw new Error(`the history has no file ${path} here`)
  return text
}

function replaced(text: string, from: string, to: string, path: string): string {
  if (!text.includes(from)) throw new Error(`${path} does not hold ${JSON.stringify(from)} here`)
  return text.replace(from, () => to)
}

function data(text: string): string {
  return `data ${utf8Bytes(text)}\n${text}`
}

function quoted(path: string): string {
  return JSON.stringify(path)
}
