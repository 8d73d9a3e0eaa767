/** Patterns that are made when they are first needed: most texts need few of the hundreds, and each takes its time. */

/** What a pattern is made from; a `RegExp` is one too. */
export interface Expression {
  readonly source: string
  readonly flags: string
}

export function expression(source: string, flags: string): Expression {
  return { source, flags }
}

/** Gives the same pattern at every call. `extraFlags` are added to its own. */
export function madeOnce({ source, flags }: Expression, extraFlags = ''): () => RegExp {
  const made: { pattern?: RegExp } = {}
  return () => {
    made.pattern ??= new RegExp(source, flags + extraFlags)
    return made.pattern
  }
}
