import { cutBytes } from './text.ts'

/** Longest slug in UTF-8 bytes (spec S3). */
export const MAX_SLUG_BYTES = 60

/**
 * NFKC lower case, letters and digits of any script, `-` between, at most 60 bytes, cut on a grapheme.
 * Empty when the text has no letter or digit.
 */
export function slugify(text: string): string {
  const joined = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return cutBytes(joined, MAX_SLUG_BYTES).replace(/-+$/, '')
}
