/**
 * A note within its bounds (spec F1): 2,000 tokens a section, 12,000 in all. What is oldest goes first; Current State and
 * Errors & Corrections are cut for no other section. Bullets that always mean the same stay. Pure.
 */
import { estimateTokenCount } from 'tokenx'
import {
  SESSION_NOTE_TOKENS,
  type SessionNoteSection,
  sessionNoteLabels,
  sessionNoteSections,
} from '../domain/index.ts'
import { formatSection, type NoteSection, type NoteSections, sectionsFrom } from './note-document.ts'
import { blocksOf, cutBlock } from './text-blocks.ts'

/** These two say where the work stands and what went wrong: the reason why a note is read. */
const lastToCut: readonly SessionNoteSection[] = ['Current State', 'Errors & Corrections']
/** What a line costs beside its words, and the lines that name what was left out. */
const TOKENS_BESIDE = 2
const TOKENS_OF_MARKS = 60

const labels = Object.values(sessionNoteLabels)

export function condenseSections(sections: NoteSections): NoteSections {
  const { section: most, whole } = SESSION_NOTE_TOKENS
  const condensed = sectionsFrom((name) => condenseSection(name, sections[name], most))
  const sizes = sessionNoteSections.map((name) => ({ name, tokens: tokensOf(name, condensed[name]) }))
  const kept = sizes.filter(({ name }) => lastToCut.includes(name)).reduce((sum, { tokens }) => sum + tokens, 0)
  const others = sizes.filter(({ name }) => !lastToCut.includes(name))
  const share = evenShare(
    others.map(({ tokens }) => tokens),
    whole - kept - TOKENS_BESIDE * sizes.length,
  )
  const mostOf = (name: SessionNoteSection) => (lastToCut.includes(name) ? most : Math.min(most, share))
  return sectionsFrom((name) => condenseSection(name, condensed[name], mostOf(name)))
}

function tokensOf(name: SessionNoteSection, section: NoteSection): number {
  return estimateTokenCount(formatSection(name, section))
}

/** The most that each may have so that all together keep within `total`: the small ones stay whole. */
function evenShare(sizes: readonly number[], total: number): number {
  let left = total
  let rest = [...sizes].sort((one, other) => one - other)
  while (rest.length > 0) {
    const share = Math.floor(left / rest.length)
    const [smallest = 0] = rest
    if (smallest > share) return share
    left -= smallest
    rest = rest.slice(1)
  }
  return Number.POSITIVE_INFINITY
}

function condenseSection(name: SessionNoteSection, section: NoteSection, maxTokens: number): NoteSection {
  if (tokensOf(name, section) <= maxTokens) return section
  const left = maxTokens - estimateTokenCount(formatSection(name, { facts: [], told: '' })) - TOKENS_OF_MARKS
  // Of facts and told words each has at least half where both want it.
  const told = blocksOf(section.told)
  const toldTokens = told.length === 0 ? 0 : Math.min(costOf(told), Math.floor(left / 2))
  const facts = newestOf(section.facts, left - toldTokens, { isKept: isLabelled, noun: 'lines' })
  return { facts, told: newestOf(told, left - costOf(facts), { isKept: () => false, noun: 'parts' }).join('\n\n') }
}

function isLabelled(line: string): boolean {
  return labels.some((label) => line.startsWith(`- ${label}: `))
}

function costOf(blocks: readonly string[]): number {
  return blocks.reduce((sum, block) => sum + estimateTokenCount(block) + TOKENS_BESIDE, 0)
}

interface Keeping {
  /** These stay whatever their age. */
  readonly isKept: (block: string) => boolean
  readonly noun: string
}

/** In their order; what was left out is counted in the place of the oldest. */
function newestOf(blocks: readonly string[], maxTokens: number, { isKept, noun }: Keeping): string[] {
  if (costOf(blocks) <= maxTokens) return [...blocks]
  const stay = new Set<string>(blocks.filter(isKept))
  const each = Math.max(1, Math.floor(maxTokens / Math.max(1, stay.size)) - TOKENS_BESIDE)
  const kept: string[] = []
  let left = maxTokens - costOf([...stay].map((block) => cutBlock(block, each)))
  let omitted = 0
  for (const block of [...blocks].reverse()) {
    if (stay.has(block)) {
      kept.push(cutBlock(block, each))
      continue
    }
    // The newest is cut rather than lost; behind the first that does not fit nothing older is taken.
    const shown =
      omitted === 0 ? (kept.some((one) => !stay.has(one)) ? block : cutBlock(block, left - TOKENS_BESIDE)) : ''
    const cost = estimateTokenCount(shown) + TOKENS_BESIDE
    if (shown === '' || cost > left) omitted++
    else {
      left -= cost
      kept.push(shown)
    }
  }
  kept.reverse()
  return omitted === 0
    ? kept
    : [`- (${omitted} older ${noun} left out)`, ...kept.filter((line) => !isLeftOutMark(line))]
}

function isLeftOutMark(line: string): boolean {
  return /^- \(\d+ older (?:lines|parts) left out\)$/.test(line)
}
