/**
 * The threat scan (spec W4): does a text try to steer a model, hide from the person, or carry a backdoor? It reports
 * at most one hit per pattern id, in order of line, and never throws. Linear in the length of the text.
 */
import { cutGraphemes, oneLine } from '../util/index.ts'
import { createListLook, type ListLook, toPieceLists } from './pieces.ts'
import { chinesePatterns } from './threats/chinese.ts'
import { commandPatterns, markupPatterns } from './threats/commands.ts'
import { englishPatterns } from './threats/english.ts'
import { findInvisible } from './threats/invisible.ts'
import { isForbidden, type ThreatPattern } from './threats/pattern.ts'
import { commandView, createFold, proseView, rawView, undisguised, type View } from './threats/views.ts'

export interface ThreatHit {
  /** Stable id of the pattern (`prompt-injection`, …). */
  readonly id: string
  /** 1-based line of the given text. */
  readonly line: number
  /** What matched, folded and shortened; never holds a hidden character. */
  readonly excerpt: string
}

export const threatPatterns: readonly ThreatPattern[] = [
  ...englishPatterns,
  ...chinesePatterns,
  ...commandPatterns,
  ...markupPatterns,
]

/** The patterns with their first looks made ready. */
const { lists, numbers } = toPieceLists(threatPatterns.map(({ needs }) => needs))
const prepared = threatPatterns.map((pattern, index) => ({ pattern, needs: numbers[index] ?? [] }))
export const threatLooks = { lists, prepared }

const MAX_EXCERPT_GRAPHEMES = 120
const CONTEXT_UNITS = 120

/** Hits of the threat patterns, one per id. Empty: the text may stand in a prompt. */
export function scanThreats(text: string): ThreatHit[] {
  const raw = rawView(text)
  const fold = createFold()
  const looks = new Map<string, ListLook>()
  const views = {
    raw: looked(raw, looks),
    prose: looked(proseView(text, fold), looks),
    command: looked(commandView(text, fold), looks),
  }
  const plain = undisguised(text)
  const disguised = plain === null ? null : looked(proseView(plain, fold), looks)
  const hits = new Map<string, ThreatHit>()
  for (const { pattern, needs } of prepared) {
    if (hits.has(pattern.id)) continue
    const hit =
      firstHit(pattern, needs, views[pattern.view]) ??
      (disguised && pattern.view === 'prose' ? firstHit(pattern, needs, disguised) : null)
    if (hit) hits.set(hit.id, hit)
  }
  for (const { id, offset, codePoint } of findInvisible(text)) {
    const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
    hits.set(id, { id, line: raw.lineAt(offset), excerpt: name })
  }
  return [...hits.values()].sort((a, b) => a.line - b.line || (a.id < b.id ? -1 : 1))
}

interface LookedView extends View {
  readonly look: ListLook
}

/** Views of plain words are often the same text: `looks` has one for each text. */
function looked(view: View, looks: Map<string, ListLook>): LookedView {
  const look = looks.get(view.lowered) ?? createListLook(view.lowered, lists)
  looks.set(view.lowered, look)
  return { ...view, look }
}

function firstHit(pattern: ThreatPattern, needs: readonly number[], view: LookedView): ThreatHit | null {
  if (!needs.every(view.look)) return null
  for (const match of view.text.matchAll(pattern.pattern)) {
    const end = match.index + match[0].length
    const before = view.text.slice(Math.max(0, match.index - CONTEXT_UNITS), match.index)
    if (pattern.negatable !== false && isForbidden(before)) continue
    const after = view.text.slice(end, end + CONTEXT_UNITS)
    const endsParagraph = view.lineAt(end + 1) - view.lineAt(end - 1) > 1
    if (pattern.accept && !pattern.accept({ found: match[0], before, after, endsParagraph })) continue
    return { id: pattern.id, line: view.lineAt(match.index), excerpt: excerptOf(match[0]) }
  }
  return null
}

function excerptOf(found: string): string {
  const shown = found.slice(0, MAX_EXCERPT_GRAPHEMES * 8).replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, ' ')
  return cutGraphemes(oneLine(shown), MAX_EXCERPT_GRAPHEMES)
}
