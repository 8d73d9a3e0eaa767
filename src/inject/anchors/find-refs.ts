/** Branches, tags and commits. A hash alone, or a version alone, is told by the repository from other words. */
import type { RefAnchor } from './anchor.ts'
import { isRefName } from './git-refs.ts'

interface Form {
  readonly of: RefAnchor['of']
  readonly pattern: RegExp
  readonly isSure: boolean
}

/** A name that is more than a word: with a slash, dash, digit, or between ticks. */
const plainName = '[\\p{L}\\p{N}_][\\p{L}\\p{N}_.+#-]*(?:[/-][\\p{L}\\p{N}_.+#-]+)+|(?:main|master|develop|trunk)\\b'
const quoted = '[`"\']([\\p{L}\\p{N}_][\\p{L}\\p{N}_./+#-]*)[`"\']'

const forms: readonly Form[] = [
  {
    of: 'branch',
    pattern: new RegExp(`\\bbranch(?:es)?\\s+(?:named\\s+|called\\s+)?(?:${quoted}|(${plainName}))`, 'giu'),
    isSure: true,
  },
  { of: 'branch', pattern: new RegExp(`${quoted}\\s+branch\\b`, 'giu'), isSure: true },
  { of: 'branch', pattern: /(?<![\p{L}\p{N}_./-])([\p{L}\p{N}_][\w.+#-]*\/[\w.+#/-]*\w)\s+branch\b/giu, isSure: true },
  { of: 'branch', pattern: new RegExp(`分支\\s*(?:${quoted}|(${plainName}))`, 'gu'), isSure: true },
  { of: 'branch', pattern: new RegExp(`${quoted}\\s*分支`, 'gu'), isSure: true },
  {
    of: 'branch',
    pattern: /`((?:origin|upstream|feature|feat|fix|hotfix|bugfix|release|chore|spike|wip)\/[\p{L}\p{N}_./+#-]+)`/gu,
    isSure: false,
  },
  { of: 'tag', pattern: /\b(?:git\s+)?tags?\s+[`"']?(v?\d[\w.+-]*\w|[\w-]+[@/-]v?\d[\w.+-]*\w)/gi, isSure: true },
  { of: 'tag', pattern: /标签\s*[`"']?(v?\d[\w.+-]*\w)/g, isSure: true },
  { of: 'tag', pattern: /(?<![\w./@-])`?(v\d+\.\d+\.\d+(?:-[\w.]+)?)`?(?![\w.])/g, isSure: false },
  {
    of: 'commit',
    pattern:
      /\b(?:commits?|revision|sha|git\s+(?:show|revert|cherry-pick|checkout))\s+[`"']?([0-9a-f]{7,40})(?![0-9a-z])/gi,
    isSure: true,
  },
  { of: 'commit', pattern: /提交\s*[`"']?([0-9a-f]{7,40})(?![0-9a-z])/g, isSure: true },
  { of: 'commit', pattern: /(?<![\w#./-])([0-9a-f]{7,40})(?![\w./-])/g, isSure: false },
]

export function findRefs(prose: string): RefAnchor[] {
  return forms.flatMap(({ of, pattern, isSure }) =>
    [...prose.matchAll(pattern)].flatMap((match): RefAnchor[] => {
      const name = (match.slice(1).find(Boolean) ?? '').replace(/[.,;:]+$/, '')
      const at = match.index + match[0].lastIndexOf(name)
      if (!(of === 'commit' ? isHash(name, isSure) : isRefName(name))) return []
      return [{ kind: 'ref', of, name, text: name, at, end: at + name.length, isSure }]
    }),
  )
}

/** Digits alone are a number, letters alone a word. */
function isHash(name: string, isSure: boolean): boolean {
  return isSure ? /\d/.test(name) : /\d/.test(name) && /[a-f]/.test(name)
}
