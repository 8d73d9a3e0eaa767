/** `file:line` in the ways that people, compilers and hosts of code write it. */
import type { LineAnchor, PathAnchor } from './anchor.ts'

/** Behind a path; the tick that closes it may stand between. */
const behind = [
  /^[:：](\d+)(?:[-–](\d+))?(?::\d+)?(?!\w|\.\w)/,
  /^#L(\d+)(?:-L?(\d+))?/,
  /^`?,?\s*\(?(?:lines?|ll?\.?|L)\s*(\d+)(?:\s*(?:[-–]|to|and)\s*L?(\d+))?\)?/,
  /^`?\s*的?\s*第\s*(\d+)\s*(?:行?\s*(?:[-–~～到至])\s*第?\s*(\d+)\s*)?行/,
]
const before = [
  /\blines?\s+(\d+)(?:\s*(?:[-–]|to|and)\s*(\d+))?\s+(?:of|in|at)\s+(?:the\s+file\s+)?`?$/i,
  /第\s*(\d+)\s*(?:[-–~～到至]\s*(\d+)\s*)?行\s*[（(]\s*`?$/,
]
const MAX_BEFORE = 60

export function findLines(prose: string, paths: readonly PathAnchor[]): LineAnchor[] {
  return paths.flatMap((anchor): LineAnchor[] => {
    const after = prose.slice(anchor.end, anchor.end + MAX_BEFORE)
    for (const pattern of behind) {
      const match = pattern.exec(after)
      if (match) return lineOf(prose, anchor, match, { at: anchor.at, end: anchor.end + match[0].length })
    }
    const start = Math.max(0, anchor.at - MAX_BEFORE)
    for (const pattern of before) {
      const match = pattern.exec(prose.slice(start, anchor.at))
      if (match) return lineOf(prose, anchor, match, { at: start + match.index, end: anchor.end })
    }
    return []
  })
}

function lineOf(
  prose: string,
  { path, isSure }: PathAnchor,
  match: RegExpExecArray,
  { at, end }: { readonly at: number; readonly end: number },
): LineAnchor[] {
  const from = Number(match[1])
  const to = match[2] === undefined ? from : Number(match[2])
  if (from < 1 || to < from || to > 10_000_000) return []
  return [{ kind: 'line', text: prose.slice(at, end), at, end, path, from, to, isSure }]
}
