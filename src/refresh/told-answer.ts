/**
 * A model's answer read as the ten sections of a note: tolerant about what stands around it (thoughts, a fence, a
 * sentence before), strict about the note. What nobody said goes: a line whose quoted command or path stands nowhere in
 * what the model was shown is dropped, and so is a line that attacks or only repeats the template. Pure.
 */
import { type SessionNoteSection, sessionNoteSections } from '../domain/index.ts'
import { redact, scanThreats, unescapeFenced } from '../guard/index.ts'
import { withoutThoughts } from '../models/scan-answer.ts'
import { oneLine, wellFormed } from '../util/index.ts'
import { TOLD_MARK } from './note-document.ts'
import { blocksOf, isFenceLine } from './text-blocks.ts'

/** UTF-16 units of an answer that are looked at: beyond any budget of output. */
const MAX_ANSWER_LENGTH = 100_000

export type ToldSections = Readonly<Record<SessionNoteSection, string>>

export type ReadTold =
  | { readonly ok: true; readonly sections: ToldSections; readonly dropped: number }
  /** What is wrong, one sentence part. */
  | { readonly ok: false; readonly problem: string }

export interface TellingMaterial {
  /** All that the model was shown of the conversation, the note so far included. */
  readonly material: string
  /** Lines of the template. */
  readonly rules: readonly string[]
}

export function readTold(answer: string, { material, rules }: TellingMaterial): ReadTold {
  const text = wellFormed(unescapeFenced(withoutWrapping(withoutThoughts(answer.slice(0, MAX_ANSWER_LENGTH)))))
  const found = splitSections(text)
  if (!Array.isArray(found)) return { ok: false, problem: found.problem }
  const said = oneLine(material)
  const copied = new Set(rules.map(comparable))
  let dropped = 0
  const sections = found.map(([name, body]) => {
    const blocks = blocksOf(redact(body).text).filter((block) => block.trim() !== TOLD_MARK)
    const kept = blocks.filter((block) => isKept(block, said, copied))
    dropped += blocks.length - kept.length
    return [name, joined(kept)] as const
  })
  // Evidence: `splitSections` gives each of the ten once.
  return { ok: true, sections: Object.fromEntries(sections) as ToldSections, dropped }
}

/** A whole answer in a fence. */
function withoutWrapping(text: string): string {
  const trimmed = text.trim()
  const [, , inner] = /^(`{3,}|~{3,})(?:markdown|md)?[ \t]*\n([\s\S]*)\n\1$/.exec(trimmed) ?? []
  return inner ?? trimmed
}

function splitSections(text: string): [SessionNoteSection, string][] | { readonly problem: string } {
  const sections: [string, string][] = []
  let fence: string | null = null
  for (const line of text.split('\n')) {
    const heading: string | null = fence === null ? (/^#\s+(.+?)\s*#*\s*$/.exec(line)?.[1] ?? null) : null
    if (heading !== null) sections.push([heading, ''])
    else {
      const last = sections.at(-1)
      if (last) last[1] += `${line}\n`
    }
    fence = isFenceLine(line, fence)
  }
  const names = sections.map(([name]) => name)
  const unknown = names.find((name) => !sessionNoteSections.some((known) => known === name))
  if (unknown !== undefined) return { problem: `it has a section ${JSON.stringify(oneLine(unknown).slice(0, 80))}` }
  const missing = sessionNoteSections.find((name) => !names.includes(name))
  if (missing !== undefined) return { problem: `its section "${missing}" is missing` }
  if (names.length !== sessionNoteSections.length || sessionNoteSections.some((name, at) => names[at] !== name))
    return { problem: 'its sections stand twice or in another order' }
  // Evidence: each name was found among the ten, in their order.
  return sections as [SessionNoteSection, string][]
}

function isKept(block: string, said: string, rules: ReadonlySet<string>): boolean {
  if (rules.has(comparable(block)) || isPlaceholder(block)) return false
  return quotesOf(block).every((quote) => said.includes(quote)) && scanThreats(block).length === 0
}

/** What is quoted letter by letter: code spans, lines of code, and paths that end in a file. */
function quotesOf(block: string): string[] {
  const lines = block.split('\n')
  if (isFenceLine(lines[0] ?? '', null) !== null) return lines.slice(1, -1).map(oneLine).filter(Boolean)
  const spans = [...block.matchAll(/(`+)(.+?)\1(?!`)/gs)].map(([, , words = '']) => oneLine(words)).filter(Boolean)
  const plain = block.replace(/(`+)(.+?)\1(?!`)/gs, ' ')
  const paths = [...plain.matchAll(/(?<![\w/.:@-])(?:[\w@.~-]*\/)+[\w@-]+(?:\.[A-Za-z]\w{0,7})+/g)].map(
    ([path]) => path,
  )
  return [...spans, ...paths]
}

function isPlaceholder(block: string): boolean {
  return /^[-*+\s]*[([_*]*(?:none|nothing(?: yet)?|n\/a|empty|无|暂无|没有)[)\]_*.。]*$/i.test(block.trim())
}

function comparable(line: string): string {
  return oneLine(line.replace(/^[-*+]\s+/, '').replace(/[_*]/g, '')).toLowerCase()
}

/** Bullets stand line under line, everything else apart. */
function joined(blocks: readonly string[]): string {
  return blocks.reduce((text, block) => {
    if (text === '') return block
    const isList =
      /^(?:[-*+]|\d{1,9}[.)])\s/.test(block) && /(?:^|\n)(?:[-*+]|\d{1,9}[.)])\s[^\n]*(?:\n\s+[^\n]*)*$/.test(text)
    return `${text}${isList ? '\n' : '\n\n'}${block}`
  }, '')
}
