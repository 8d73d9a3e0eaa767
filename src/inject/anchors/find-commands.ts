/**
 * Commands that a text names, as what they need in the tree: a script, a target, a file. Nothing is ever run. Between
 * ticks a command is sure; in plain words "make sure" and "just in time" are told from targets by the tree.
 */
import type { CommandAnchor, CommandNeed } from './anchor.ts'
import { pathOf } from './find-paths.ts'

const flags =
  '(?:\\s+(?:-r|--recursive|-s|--silent|-w\\s+[\\w@/.-]+|(?:--workspace|--filter|--prefix|--dir|-C|-F)[= ][\\w@/.-]+))*'
const name = '([A-Za-z0-9][\\w:./-]*)'

/** Words behind a package manager that are its own. */
const own = new Set(
  'add install i ci remove rm uninstall un update up upgrade exec dlx x create init publish pack audit list ls ll la why outdated link unlink store import rebuild prune patch env config setup deploy root bin cache login logout whoami view info version set-script fund dedupe doctor help search ping token team access owner star workspace workspaces global node plugin constraints approve-builds self-update run npm pnpm yarn'.split(
    ' ',
  ),
)
const cargoOwn = new Set(
  'add bench build b check c clean doc d fetch fix init install metadata new package publish remove run r rustc rustdoc search test t tree uninstall update vendor verify-project yank clippy fmt'.split(
    ' ',
  ),
)

interface Form {
  readonly pattern: RegExp
  /** Null: no command after all. */
  need(match: RegExpExecArray, root: string | null): CommandNeed | null
  /** Sure also in plain words. */
  readonly isSure?: boolean
}

const forms: readonly Form[] = [
  {
    pattern: new RegExp(`\\b(?:npm|pnpm|yarn|bun)${flags}\\s+(?:run|run-script)${flags}\\s+${name}`, 'g'),
    need: scriptOf,
    isSure: true,
  },
  { pattern: /\bnpm\s+(test|start|stop|restart)\b/g, need: scriptOf, isSure: true },
  {
    pattern: new RegExp(
      `\\b(?:npx|bunx|uvx|(?:pnpm|yarn)\\s+(?:exec|dlx)|npm\\s+exec)\\s+(?:--?[\\w-]+\\s+)*${name}`,
      'g',
    ),
    need: (match) => ({ kind: 'tool', name: bare(match[1]).replace(/(?<=.)@.*$/, '') }),
    isSure: true,
  },
  { pattern: new RegExp(`\\b(?:pnpm|yarn|bun)${flags}\\s+${name}`, 'g'), need: ownScriptOf },
  { pattern: /\byarn\s+workspace\s+[\w@/.-]+\s+([\w:.-]+)/g, need: scriptOf, isSure: true },
  { pattern: new RegExp(`\\bmake(?:\\s+-[\\w]+)*\\s+${name}`, 'g'), need: (match) => targetOf('make', match) },
  { pattern: new RegExp(`\\bjust\\s+${name}`, 'g'), need: (match) => targetOf('just', match) },
  { pattern: /\bcargo\s+(?:\+\w+\s+)?([a-z][\w-]*)/g, need: (match) => ({ kind: 'cargo', name: bare(match[1]) }) },
  {
    pattern: /\bpython3?\s+-m\s+([A-Za-z_][\w.]*)/g,
    need: (match) => ({ kind: 'module', name: bare(match[1]) }),
    isSure: true,
  },
  {
    pattern:
      /\b(?:bash|sh|zsh|source|node|deno\s+run|bun|tsx|ts-node|python3?|ruby|perl|php|go\s+run)\s+(?:--?[\w-]+(?:=\S+)?\s+)*((?:\.\/)?(?:[\w@.+-]+\/)*[\w@.+-]+\.(?:sh|bash|zsh|[cm]?[jt]s|py|rb|pl|php|go))(?![\w/])/g,
    need: fileOf,
    isSure: true,
  },
  {
    pattern: /\bgo\s+(?:run|build|install)\s+(?:-\w+\s+(?:\S+\s+)?)?(\.\/[\w./-]*\w)(?![\w./])/g,
    need: fileOf,
    isSure: true,
  },
  {
    pattern: /(?<![\w./~-])(\.\/(?:[\w@.+-]+\/)*[\w@+-]+(?:\.(?:sh|bash|zsh|py|rb|pl|ps1))?)(?![\w./*])/g,
    need: fileOf,
    isSure: true,
  },
  { pattern: /(?:\bthe\s+)?`([\w:.-]+)`\s+(?:npm\s+|package\s+)?scripts?\b/g, need: scriptOf },
  { pattern: /`([\w:.-]+)`\s*脚本/g, need: scriptOf },
]

export function findCommands(prose: string, root: string | null): CommandAnchor[] {
  return forms.flatMap(({ pattern, need: needOf, isSure = false }) =>
    [...prose.matchAll(pattern)].flatMap((match): CommandAnchor[] => {
      const need = needOf(match, root)
      const text = match[0].replace(/[.:/-]+$/, '')
      if (need === null || ('name' in need && need.name === '')) return []
      const isTicked = startsCode(prose, match.index)
      return [
        { kind: 'command', text, at: match.index, end: match.index + text.length, need, isSure: isSure || isTicked },
      ]
    }),
  )
}

/** Whether a command begins here: behind a tick or the beginning of a line of a fenced block. */
function startsCode(prose: string, at: number): boolean {
  const before = prose.slice(Math.max(0, at - 40), at)
  return /`(?:\$\s*|[A-Z_]+=\S+\s+)?$/.test(before) || /(?:^|\n)(?:\$\s+|> )$/.test(before)
}

function bare(word: string | undefined): string {
  return (word ?? '').replace(/[.:/-]+$/, '')
}

function scriptOf(match: RegExpExecArray): CommandNeed {
  return { kind: 'script', name: bare(match[1]) }
}

function ownScriptOf(match: RegExpExecArray): CommandNeed | null {
  const script = bare(match[1])
  return own.has(script) || script.includes('/') ? null : { kind: 'script', name: script }
}

function targetOf(of: 'make' | 'just', match: RegExpExecArray): CommandNeed {
  return { kind: 'target', of, name: bare(match[1]) }
}

function fileOf(match: RegExpExecArray, root: string | null): CommandNeed | null {
  const path = pathOf(match[1] ?? '', root)
  return path === null ? null : { kind: 'file', path }
}

export function isCargoOwn(word: string): boolean {
  return cargoOwn.has(word)
}
