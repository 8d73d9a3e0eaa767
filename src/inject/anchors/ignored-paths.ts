/**
 * Whether a path is one that no repository is expected to hold: made by a build, private, or named by the plain lines of
 * the ignore files. That such a file is not there says nothing about a note.
 */
import type { WorkingTree } from './working-tree.ts'

const usual =
  /(?:^|\/)(?:node_modules|dist|build|out|target|coverage|\.next|\.nuxt|\.turbo|\.cache|\.venv|venv|__pycache__|\.pytest_cache|\.git|tmp|logs?|\.env(?:\.local)?|\.DS_Store)(?:\/|$)|\.log$/
const MAX_LINES = 2_000
const MAX_LINE_LENGTH = 200
/** A pattern with more is written to cost time. */
const MAX_STARS = 6

export function isIgnored(tree: WorkingTree, path: string): boolean {
  if (usual.test(path)) return true
  const folders = path.split('/').slice(0, -1)
  const levels = ['', ...folders.map((_, at) => `${folders.slice(0, at + 1).join('/')}/`)]
  return levels.some((level) => {
    const lines = tree.read(`${level}.gitignore`)?.split('\n').slice(0, MAX_LINES) ?? []
    return lines.some((line) => matchesLine(line.trim(), path.slice(level.length)))
  })
}

/** A tolerant reading of one line: `*` and `**`, an anchor at the beginning, a folder at the end. */
function matchesLine(line: string, path: string): boolean {
  if (line === '' || line.startsWith('#') || line.startsWith('!') || line.length > MAX_LINE_LENGTH) return false
  if (line.split('*').length > MAX_STARS) return false
  const name = line.replace(/\/+$/, '')
  const isAnchored = name.slice(0, -1).includes('/')
  const pattern = name
    .replace(/^\//, '')
    .replace(/[.+^${}()|[\]\\?]/g, '\\$&')
    .replace(/\*+\/?/g, (stars) => (stars === '*' ? '[^/]*' : '(?:.*)?'))
  return new RegExp(`${isAnchored ? '^' : '(?:^|/)'}${pattern}(?:/|$)`).test(path)
}
