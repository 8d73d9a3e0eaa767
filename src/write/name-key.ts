/** When two names are the same name (spec S3). */
import { normaliseForComparison, slugify } from '../util/index.ts'

/**
 * Names are compared by slug. The slug of a file name is cut at 60 bytes, about twenty Chinese characters; names that
 * differ only behind the cut are different names, so long ones are compared whole.
 */
export function nameKey(name: string): string {
  const whole = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return slugify(name) === '' ? normaliseForComparison(name) : whole
}

/** `name`, or `name (2)`, `name (3)` … when it is taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(nameKey(name))) return name
  for (let count = 2; ; count++) {
    const candidate = `${name} (${count})`
    if (!taken.has(nameKey(candidate))) return candidate
  }
}
