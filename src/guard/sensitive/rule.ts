/** A pattern for one sensitive statement. `pattern` is global and finds one clause. */
export type SensitiveKind = 'health' | 'money'

export interface SensitivePattern {
  readonly kind: SensitiveKind
  /** A cheap first look (not global): where it finds nothing, `pattern` cannot match. */
  readonly topic: RegExp
  readonly pattern: RegExp
  /** False leaves the match alone. */
  readonly accept?: (match: RegExpExecArray) => boolean
}
