/**
 * Versions of dependencies and of what runs the project. `name@1.2` is sure; of "vitest 4.1" the manifests tell whether
 * it is one. Bounds from above ("below 5", 低于) say nothing that could be looked up, and are left alone.
 */
import type { VersionAnchor } from './anchor.ts'

const number = '\\d+(?:\\.\\d+){0,3}(?:-[a-z][\\w.]*)?'
const packageName = '@[\\w.-]+\\/[\\w.-]+|[A-Za-z][\\w.-]*(?:\\/[\\w.-]+)*'
const pinned = new RegExp(`(?<![\\w./@-])(${packageName})(@|==|~=|>=)\\s?v?[\\^~]?(${number})(?![\\w.]*\\w)`, 'g')
const spoken = new RegExp(
  `(?<![\\w./@-])\`?(${packageName})(?:\`?\\s+|\`|\\s*(?=版本))(?:version\\s+|版本\\s*)?(>=|≥|at least\\s|[\\^~])?\\s*(v?)(${number})(?:\\.x)?(?![\\w%°€$/]|[.,:]\\d)(\\s*(?:\\+|or (?:later|newer|above|higher)|及?以上))?`,
  'g',
)
const upperBound = /(?:below|before|under|older than|until|up to|less than|<|低于|以下)\s*$/i
/** "the next 14 days": a number with what it counts. */
const counted =
  /^\s*(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?|ms|s|min|h|people|files?|lines?|times|degrees|steps?|cm|mm|km|kg|MB|GB|KB|px|rows?|workers?|天|周|月|年|个|次|行|点|分|秒|人|%|万|折)(?![A-Za-z])/
/** What stands before other numbers, and before tags. */
const notNames =
  /^(?:tags?|branch|versions?|releases?|commit|chapter|section|step|item|page|line|lines|room|issue|part|no)$/i
/** What also has its version in a file of its own, by the names that people use. */
const runtimes: Readonly<Record<string, string>> = {
  node: 'node',
  'node.js': 'node',
  nodejs: 'node',
  python: 'python',
  go: 'go',
  golang: 'go',
  rust: 'rust',
  rustc: 'rust',
}

export function findVersions(prose: string): VersionAnchor[] {
  const sure = [...prose.matchAll(pinned)].flatMap((match) => anchorOf(match, match[1], match[3], match[2] === '>='))
  const told = [...prose.matchAll(spoken)].flatMap((match) => {
    const [whole, name = '', bound = '', , version = '', later] = match
    if (upperBound.test(prose.slice(Math.max(0, match.index - 12), match.index))) return []
    const behind = prose.slice(match.index + whole.length, match.index + whole.length + 12)
    if (notNames.test(name) || (!version.includes('.') && (counted.test(behind) || name === 'next'))) return []
    return anchorOf(match, name, version, later !== undefined || /^(?:>=|≥|at least)/.test(bound))
  })
  return [
    // `any@5` is a measure as likely as a package.
    ...sure.map((each) => ({ ...each, isSure: each.version.includes('.') })),
    ...told,
  ]
}

function anchorOf(match: RegExpExecArray, name = '', version = '', isAtLeast = false): VersionAnchor[] {
  const text = match[0].trimEnd().replace(/^`/, '')
  const at = match.index + (match[0].startsWith('`') ? 1 : 0)
  const lower = name.toLowerCase()
  return [
    {
      kind: 'version',
      text,
      at,
      end: at + text.length,
      name: runtimes[lower] ?? lower,
      version,
      isAtLeast,
      isSure: false,
    },
  ]
}
