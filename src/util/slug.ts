import { cutBytes, normaliseForComparison } from './text.ts'

/** Longest slug in UTF-8 bytes (spec S3). */
export const MAX_SLUG_BYTES = 60

/**
 * NFKC lower case, letters and digits of any script, `-` between, at most 60 bytes, cut on a grapheme.
 * Empty when the text has no letter or digit.
 */
export function slugify(text: string): string {
  return cutBytes(wholeSlug(text), MAX_SLUG_BYTES).replace(/-+$/, '')
}

/**
 * Equal for names that are the same name (spec S3): compared by slug. The slug of a file name is cut at 60 bytes, about
 * twenty Chinese characters; names that differ only behind the cut are different names, so they are compared whole.
 */
export function comparableName(name: string): string {
  return wholeSlug(name) || normaliseForComparison(name)
}

/** ASCII and the usual Chinese characters, which are letters all. */
const USUAL = /^[\0-\x7f\u3400-\u4dbf\u4e00-\u9fff]*$/

function wholeSlug(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      // Properties of Unicode cost milliseconds at their first use.
      .replace(USUAL.test(text) ? /[^a-z0-9\u3400-\u4dbf\u4e00-\u9fff]+/g : /[^\p{L}\p{M}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '')
  )
}
