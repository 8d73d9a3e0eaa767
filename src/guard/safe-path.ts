/**
 * The one guard for paths from outside (spec S8). What must stay true: a path that this function returns lies in
 * `root`, however it was written and whatever links stand on the disk at the time of the call. The only file of the
 * guard room that looks at the disk; it opens nothing and changes nothing.
 */
import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { MemoryError, systemCode } from '../errors.ts'
import { cutGraphemes, utf8Bytes, wellFormed } from '../util/index.ts'

export type PathRefusal =
  | 'empty'
  | 'null-byte'
  | 'control-character'
  | 'not-well-formed'
  | 'too-long'
  | 'absolute'
  | 'drive'
  | 'url'
  | 'home'
  | 'backslash'
  | 'encoded'
  | 'look-alike'
  | 'dot-dot'
  | 'link-outside'
  | 'dangling-link'
  | 'link-loop'
  | 'unreadable'

/** Longest path from outside, in UTF-8 bytes. */
export const MAX_PATH_BYTES = 1_024
/** Longest part between slashes: what common file systems allow. */
export const MAX_PART_BYTES = 255
const MAX_SHOWN_GRAPHEMES = 120
/** How often an escape may be wrapped in another one before we stop looking: deeper ones are refused. */
const MAX_DECODINGS = 6

const explanations: Readonly<Record<PathRefusal, string>> = {
  empty: 'it names no file',
  'null-byte': 'it holds a null byte',
  'control-character': 'it holds a control character',
  'not-well-formed': 'it holds half a character',
  'too-long': 'it is too long',
  absolute: 'it is absolute',
  drive: 'it names a drive',
  url: 'it is a URL',
  home: 'it starts at a home directory',
  backslash: 'it holds a backslash',
  encoded: 'it holds URL-encoded dots or slashes',
  'look-alike': 'it holds characters that look like dots or slashes',
  'dot-dot': 'it holds a part that leads upwards',
  'link-outside': 'a link in it leads outside',
  'dangling-link': 'a link in it leads nowhere',
  'link-loop': 'the links in it go round in a circle',
  unreadable: 'a folder in it cannot be looked at',
}

/**
 * The absolute path of `path` below `root`. `path` is `/` separated and relative; it need not exist, nor need `root`.
 * Throws `PATH_OUTSIDE_STORE` with `data.reason` (a `PathRefusal`).
 */
export function safePath(root: string, path: string): string {
  const refusal = refusalOfText(path)
  if (refusal) throw refused(path, refusal)
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.length === 0) throw refused(path, 'empty')
  followLinks(resolve(root), parts, path)
  return join(resolve(root), ...parts)
}

function refused(path: string, reason: PathRefusal): MemoryError {
  const shown = JSON.stringify(wellFormed(cutGraphemes(path, MAX_SHOWN_GRAPHEMES)))
  return new MemoryError('PATH_OUTSIDE_STORE', `The path ${shown} is refused: ${explanations[reason]}`, {
    hint: 'Give a path inside the folder of notes, relative to it, with / between its parts.',
    data: { path, reason },
  })
}

/** What the characters alone say, before the disk is asked. */
function refusalOfText(path: string): PathRefusal | null {
  if (path.trim() === '') return 'empty'
  if (path.includes('\0')) return 'null-byte'
  if (/[\p{Cc}\u2028\u2029]/u.test(path)) return 'control-character'
  if (!path.isWellFormed()) return 'not-well-formed'
  if (utf8Bytes(path) > MAX_PATH_BYTES || path.split('/').some((part) => utf8Bytes(part) > MAX_PART_BYTES))
    return 'too-long'
  return refusalOfForm(path) ?? refusalOfEncoded(path) ?? refusalOfLookAlike(path)
}

function refusalOfForm(path: string): PathRefusal | null {
  if (/^[A-Za-z]:/.test(path)) return 'drive'
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(path) || /^file:/i.test(path)) return 'url'
  if (path.startsWith('/')) return 'absolute'
  if (path === '~' || path.startsWith('~/')) return 'home'
  if (path.includes('\\')) return 'backslash'
  return path.split('/').some(leadsUpwards) ? 'dot-dot' : null
}

/** `..`, also with white space or characters that show nothing, and runs of more dots, which some systems shorten. */
function leadsUpwards(part: string): boolean {
  return /^\.{2,}$/.test(part.replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, ''))
}

/** Escapes of dot, slash, backslash, colon at the start and null, at any depth, the overlong and the `%u` forms too. */
const encodedTrouble = /%(?:2e|2f|5c|00|c0%(?:ae|af|9v)|c1%(?:1c|9c)|e0%80%a[ef]|u(?:00|ff)(?:2e|2f|5c|0e|0f|3c))/i

function refusalOfEncoded(path: string): PathRefusal | null {
  let current = path.normalize('NFKC')
  for (let depth = 0; depth < MAX_DECODINGS; depth++) {
    if (encodedTrouble.test(current)) return 'encoded'
    const decoded = current.replace(/(?:%[0-9a-f]{2})+/gi, decodeRun)
    if (decoded === current) return null
    if (refusalOfForm(decoded) || /[\p{Cc}]/u.test(decoded)) return 'encoded'
    current = decoded.normalize('NFKC')
  }
  return 'encoded'
}

/** Decodes a run of escapes; where it is no UTF-8, the escapes of ASCII characters alone. */
function decodeRun(run: string): string {
  try {
    return decodeURIComponent(run)
  } catch {
    // Not UTF-8: what matters here, dots and slashes, is ASCII and still decoded.
    return run.replace(/%[0-7][0-9a-f]/gi, (escaped) => String.fromCharCode(Number.parseInt(escaped.slice(1), 16)))
  }
}

/** Signs that a person reads as a slash or backslash and that NFKC does not fold. */
const slashTwins = /[\u2044\u2215\u2216\u29F5\u29F8\u29F9\u27CB\u27CD\uFF0F\uFF3C\uFE68\u2571\u2572]/u
const dotTwins = /[\u3002\uFF61\u2024\u2025\u2026\uFF0E\uFE52\u00B7\u30FB\u0701\u0702\uA4F8]/gu

function refusalOfLookAlike(path: string): PathRefusal | null {
  const folded = path.normalize('NFKC')
  if (slashTwins.test(path) || (folded.includes('\\') && !path.includes('\\'))) return 'look-alike'
  if (folded.split('/').length !== path.split('/').length) return 'look-alike'
  if (/^[A-Za-z]:[/\\]/.test(folded)) return 'look-alike'
  const readAsDots = path.replace(dotTwins, (twin) => (twin === '\u2026' ? '...' : twin === '\u2025' ? '..' : '.'))
  return folded.split('/').some(leadsUpwards) || readAsDots.split('/').some(leadsUpwards) ? 'look-alike' : null
}

/** Walks the existing part of the path; each link must end inside the canonical root. */
function followLinks(root: string, parts: readonly string[], path: string): void {
  const canonicalRoot = canonicalAncestor(root, path)
  let current = root
  for (const part of parts) {
    current = join(current, part)
    const entry = look(current, path)
    if (entry === 'absent') return
    if (entry === 'plain') continue
    const target = canonical(current, path)
    if (target !== canonicalRoot && !target.startsWith(withSeparator(canonicalRoot)))
      throw refused(path, 'link-outside')
  }
}

function withSeparator(directory: string): string {
  return directory.endsWith(sep) ? directory : directory + sep
}

function look(path: string, given: string): 'absent' | 'plain' | 'link' {
  try {
    return lstatSync(path).isSymbolicLink() ? 'link' : 'plain'
  } catch (error) {
    // A file where a folder should be: nothing lies below it, so nothing is left to follow.
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return 'absent'
    throw refusedBySystem(error, given)
  }
}

function canonical(path: string, given: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') throw refused(given, 'dangling-link')
    throw refusedBySystem(error, given)
  }
}

/** The canonical form of a folder that may not exist yet: its deepest existing ancestor, then the rest. */
function canonicalAncestor(directory: string, given: string): string {
  if (look(directory, given) !== 'absent') return canonical(directory, given)
  const parent = dirname(directory)
  return parent === directory ? directory : join(canonicalAncestor(parent, given), basename(directory))
}

function refusedBySystem(error: unknown, given: string): MemoryError {
  if (systemCode(error) === 'ELOOP') return refused(given, 'link-loop')
  if (systemCode(error) === 'ENAMETOOLONG') return refused(given, 'too-long')
  return refused(given, 'unreadable')
}
