/** What git prints, as values. Pure. */
import type { FoundLine } from './working-tree.ts'

/** Longest line that is looked at: a longer one is generated. */
const MAX_LINE_LENGTH = 2_000

export interface BatchObject {
  readonly type: string
  readonly bytes: Buffer
}

/** `cat-file --batch`: one answer for each question, in order; null where there was no such thing. */
export function parseBatch(output: Buffer, count: number): (BatchObject | null)[] {
  const found: (BatchObject | null)[] = []
  for (let at = 0; found.length < count && at < output.length; ) {
    const end = output.indexOf(10, at)
    if (end < 0) break
    const head = /^[0-9a-f]+ (\w+) (\d+)$/.exec(output.subarray(at, end).toString('utf8'))
    at = end + 1
    if (head === null) {
      found.push(null)
      continue
    }
    const bytes = Number(head[2])
    found.push({ type: head[1] ?? '', bytes: output.subarray(at, at + bytes) })
    at += bytes + 1
  }
  return found
}

/** `--name-status -z` with renames only: `R<score>`, old, new. */
export function parseMoves(output: string): ReadonlyMap<string, string> {
  const words = output.split('\0')
  const moves = new Map<string, string>()
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [status = '', from = '', to = ''] = words.slice(at, at + 3)
    if (!status.startsWith('R')) break
    moves.set(from, to)
  }
  return moves
}

/** `grep -z`: path, null byte, line; in a commit the path has its name before it. A last piece may be cut. */
export function parseGrep(output: string, commit: string | null): FoundLine[] {
  const before = commit === null ? 0 : commit.length + 1
  return output.split('\n').flatMap((line) => {
    const at = line.indexOf('\0')
    if (at <= before) return []
    return [{ path: line.slice(before, at), text: line.slice(at + 1, at + 1 + MAX_LINE_LENGTH) }]
  })
}
