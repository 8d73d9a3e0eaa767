/**
 * Whether the paths that a note is narrowed to (`applies_to`) hold in a place below the project's root. Pure. What a
 * conversation will touch is unknown when it starts, so there are three answers; a pattern that cannot be judged
 * (absolute, `~`, `..`, `!`, too many braces) never hides a note and never lets it stand before another one.
 */

/** `here`: all of the place. `partly`: something at or below it. `elsewhere`: nothing at or below it. */
export type Reach = 'here' | 'partly' | 'elsewhere'

/** Of one note; more say nothing about a place any more. */
const MAX_PATTERNS = 50
const MAX_ALTERNATIVES = 32
const UNJUDGED = /^[/~!\\]|^[A-Za-z]:|(?:^|\/)\.\.(?:\/|$)/

/** The best answer of all patterns; without any a note holds everywhere. `place`: names of folders below the root. */
export function reachOf(patterns: readonly string[], place: readonly string[]): Reach {
  const written = patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== '')
  if (written.length === 0) return 'here'
  const segments = place.map((segment) => segment.normalize('NFC'))
  const reaches = written.slice(0, MAX_PATTERNS).map((pattern) => reachOfOne(pattern.normalize('NFC'), segments))
  if (reaches.includes('here')) return 'here'
  return reaches.includes('partly') || written.length > MAX_PATTERNS ? 'partly' : 'elsewhere'
}

function reachOfOne(pattern: string, place: readonly string[]): Reach {
  if (UNJUDGED.test(pattern)) return 'partly'
  const alternatives = expandBraces(pattern)
  if (alternatives === null) return 'partly'
  const reaches = alternatives.map((each) => walk(segmentsOf(each), place))
  if (reaches.includes('here')) return 'here'
  return reaches.includes('partly') ? 'partly' : 'elsewhere'
}

/** `*.ts` means such files at any depth; a name without signs is a file or folder at the root, with all below it. */
function segmentsOf(pattern: string): string[] {
  const segments = pattern.split('/').filter((segment) => segment !== '' && segment !== '.')
  const [first = ''] = segments
  if (segments.length !== 1 || !/[*?[]/.test(first)) return segments
  return /^\*+$/.test(first) ? ['**'] : ['**', first]
}

/** Follows the place folder by folder through every way the pattern can be read at once. */
function walk(pattern: readonly string[], place: readonly string[]): Reach {
  let states = skipStars(new Set([0]), pattern)
  for (const folder of place) {
    if (holdsAllBelow(states, pattern)) return 'here'
    const next = new Set<number>()
    for (const state of states) {
      const segment = pattern[state]
      if (segment === undefined) continue
      if (segment === '**') next.add(state)
      else if (matchesName(segment, folder)) next.add(state + 1)
    }
    states = skipStars(next, pattern)
  }
  if (holdsAllBelow(states, pattern)) return 'here'
  return states.size > 0 ? 'partly' : 'elsewhere'
}

/** `**` stands for no folder too. */
function skipStars(states: ReadonlySet<number>, pattern: readonly string[]): Set<number> {
  const all = new Set(states)
  for (const state of all) if (pattern[state] === '**') all.add(state + 1)
  return all
}

/** A pattern that is used up matched a folder, and what matches a folder holds for everything in it. */
function holdsAllBelow(states: ReadonlySet<number>, pattern: readonly string[]): boolean {
  return states.has(pattern.length)
}

/** One folder or file name against one part of a pattern: `*`, `?` and `[…]`. Never slower than name times part. */
export function matchesName(part: string, name: string): boolean {
  const [signs, characters] = [signsOf(part), [...name]]
  let [at, sign, star, mark] = [0, 0, -1, 0]
  while (at < characters.length) {
    const wanted = signs[sign]
    if (wanted === '*') {
      star = sign++
      mark = at
    } else if (wanted !== undefined && fits(wanted, characters[at] ?? '')) {
      sign++
      at++
    } else if (star >= 0) {
      sign = star + 1
      at = ++mark
    } else return false
  }
  while (signs[sign] === '*') sign++
  return sign === signs.length
}

/** Single characters, `*`, `?`, and whole classes (`[a-z]`). */
function signsOf(part: string): string[] {
  return part.match(/\[[^\]]+\]|./gsu) ?? []
}

function fits(sign: string, character: string): boolean {
  if (sign === '?') return true
  if (sign.length < 3 || !sign.startsWith('[')) return sign === character
  const isNegated = /^\[[!^]/.test(sign)
  const members = [...sign.slice(isNegated ? 2 : 1, -1)]
  const isMember = members.some((member, index) => {
    const last = members[index + 2]
    if (members[index + 1] === '-' && last !== undefined) return member <= character && character <= last
    return member === character
  })
  return isMember !== isNegated
}

/** `{a,b}` written out, inner braces first; null when there are too many ways or braces that do not close. */
function expandBraces(pattern: string): string[] | null {
  let ways = [pattern]
  for (let round = 0; round < MAX_ALTERNATIVES; round++) {
    const open = ways.some((way) => /[{}]/.test(way))
    if (!open) return ways
    ways = ways.flatMap((way) => {
      const match = /^(.*)\{([^{}]*)\}(.*)$/su.exec(way)
      if (!match) return [way]
      const [, before = '', inner = '', after = ''] = match
      return inner.split(',').map((each) => `${before}${each}${after}`)
    })
    if (ways.length > MAX_ALTERNATIVES) return null
  }
  return null
}
