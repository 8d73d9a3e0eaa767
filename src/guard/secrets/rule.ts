/** What a rule for secrets is, and the two ways to make one. */
import { type Expression, madeOnce } from '../expression.ts'

/** Half-open range of UTF-16 offsets that holds a secret value. */
export interface Span {
  start: number
  end: number
  kind: string
}

export interface SecretRule {
  readonly kind: string
  /** Lower-case pieces, one of which every text with this secret holds: a cheap first look. Absent: always search. */
  readonly needs?: readonly string[]
  /**
   * A second first look, true for every text that `find` finds something in, and for every longer text in which one of
   * those stands between other signs than it is made of. Absent: always search.
   */
  readonly quick?: (text: string) => boolean
  find(text: string): Span[]
}

export interface SecretMatch {
  /** The whole match. */
  readonly whole: string
  /** What would be masked. */
  readonly value: string
  readonly text: string
  readonly start: number
  readonly end: number
}

interface PatternRuleOptions {
  readonly needs?: readonly string[]
  readonly quick?: (text: string) => boolean
  /** False leaves the match alone. */
  readonly accept?: (match: SecretMatch) => boolean
}

/**
 * A rule from a global pattern. The group named `value` is masked, else the whole match. Patterns must be linear:
 * every start is anchored by a literal or a look-behind, every repetition is bounded or of one class.
 */
export function patternRule(kind: string, pattern: Expression, options: PatternRuleOptions = {}): SecretRule {
  const withIndices = madeOnce(pattern, 'd')
  return {
    kind,
    needs: options.needs,
    quick: options.quick,
    find: (text) => {
      const spans: Span[] = []
      for (const match of text.matchAll(withIndices())) {
        const [start, end] = match.indices?.groups?.value ?? [match.index, match.index + match[0].length]
        const value = text.slice(start, end)
        if (options.accept && !options.accept({ whole: match[0], value, text, start, end })) continue
        spans.push({ start, end, kind })
      }
      return spans
    },
  }
}
