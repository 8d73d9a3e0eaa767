/**
 * The same labelled conversation with other names, numbers and hosts, with courtesy words around what the user says, and
 * in another order where the order says nothing. Labels change along, so the figures should not. Pure: the same row and
 * seed give the same copy.
 */
import type { GateKeep, GateMessage, GateRow } from './gate-data.ts'
import { courtesies, hosts, latinNames, surnames } from './perturb-words.ts'

export function perturb(row: GateRow, seed: number): GateRow {
  const random = randomFrom(`${seed} ${row.id}`)
  return withCourtesy(withOtherOrder(withOtherNames(row, random), random), random)
}

type Random = () => number

/** Numbers in 0..1, the same for the same text. */
function randomFrom(text: string): Random {
  let state = 2_166_136_261
  for (const sign of text) state = Math.imul(state ^ (sign.codePointAt(0) ?? 0), 16_777_619)
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e_37_79_b9
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

function pick<Value>(values: readonly Value[], random: Random): Value | undefined {
  return values[Math.floor(random() * values.length)]
}

// Names ------------------------------------------------------------------------------------------------------------

/** One replacement for every occurrence, in messages, notes and patterns alike. */
interface Swap {
  readonly pattern: RegExp
  readonly by: string
}

function withOtherNames(row: GateRow, random: Random): GateRow {
  const text = [...row.messages.map(({ content }) => content), ...row.existing.map((each) => each.description)].join(
    '\n',
  )
  const swaps = [...nameSwaps(text, random), ...hostSwaps(text, random), ...numberSwaps(text, random)]
  const swap = (words: string) => swaps.reduce((all, { pattern, by }) => all.replace(pattern, by), words)
  const swapAll = (words: readonly string[]) => words.map(swap)
  return {
    ...row,
    messages: row.messages.map((message) => ({ ...message, content: swap(message.content) })),
    existing: row.existing.map((note) => ({ ...note, description: swap(note.description) })),
    keep: row.keep.map((keep) => ({ ...keep, must: swapAll(keep.must), mustNot: swapAll(keep.mustNot) })),
    forbid: swapAll(row.forbid),
  }
}

function nameSwaps(text: string, random: Random): Swap[] {
  const latin = latinNames.filter((name) => new RegExp(`\\b${name}\\b`, 'u').test(text))
  const freeLatin = latinNames.filter((name) => !latin.includes(name))
  const chinese = surnames.filter((name) => surnamed(name, 'u').test(text))
  const freeChinese = surnames.filter((name) => !text.includes(name))
  return [
    ...latin.map((name) => ({ pattern: new RegExp(`\\b${name}\\b`, 'gu'), by: pick(freeLatin, random) ?? name })),
    ...chinese.map((name) => ({ pattern: surnamed(name, 'gu'), by: pick(freeChinese, random) ?? name })),
  ]
}

/** 老陈, 小周, 欧主任: a family name where one stands. */
function surnamed(name: string, flags: string): RegExp {
  return new RegExp(`(?<=[老小])${name}|${name}(?=总监|總監|经理|經理|主任|老师|老師)`, flags)
}

/** What stands before the last label of an invented host. */
function hostSwaps(text: string, random: Random): Swap[] {
  const labels = new Set(
    [...text.matchAll(/([a-z][a-z\d-]{3,})\.(?:example|test|invalid)\b/giu)].map(([, label]) => label ?? ''),
  )
  const free = hosts.filter((host) => !text.toLowerCase().includes(host))
  return [...labels].map((label) => ({
    pattern: new RegExp(`(?<![\\p{L}\\d])${label}(?![\\p{L}\\d])`, 'giu'),
    by: pick(free, random) ?? label,
  }))
}

/** Counts, ports and amounts of three and more digits; years and parts of dates, times and versions stay. */
function numberSwaps(text: string, random: Random): Swap[] {
  const numbers = new Set([...text.matchAll(/(?<![\d.:/#-])[1-9]\d{2,5}(?![\d:/-]|\.\d)/g)].map(([number]) => number))
  return [...numbers]
    .filter((number) => !/^(?:19|20)\d\d$/.test(number))
    .map((number) => ({ pattern: new RegExp(`(?<!\\d)${number}(?!\\d)`, 'g'), by: otherNumber(number, random) }))
}

/** As many digits, ending on the same one, so that a round number stays round. */
function otherNumber(number: string, random: Random): string {
  const first = 1 + ((Number(number[0]) + 1 + Math.floor(random() * 7)) % 9)
  return `${first}${number.slice(1)}`
}

// Order ------------------------------------------------------------------------------------------------------------

/** The first two exchanges change places when both lie well before everything that is proven, and take nothing back. */
function withOtherOrder(row: GateRow, random: Random): GateRow {
  const [first, second, third] = exchangesOf(row.messages)
  const proofs = row.keep.map(({ evidence }) => evidence)
  const ends = third?.[0]
  if (!first || !second || ends === undefined || proofs.length === 0 || random() < 0.5) return row
  if (Math.min(...proofs) <= ends) return row
  const order = [...second, ...first, ...row.messages.keys()].filter((at, place, all) => all.indexOf(at) === place)
  const moved = (keep: GateKeep) => ({ ...keep, evidence: order.indexOf(keep.evidence) })
  return { ...row, messages: order.flatMap((at) => row.messages[at] ?? []), keep: row.keep.map(moved) }
}

/** Indexes of each message of the user with what follows it. */
function exchangesOf(messages: readonly GateMessage[]): number[][] {
  const exchanges: number[][] = []
  for (const [at, { role }] of messages.entries()) {
    if (role === 'user' || exchanges.length === 0) exchanges.push([])
    exchanges.at(-1)?.push(at)
  }
  return exchanges
}

// Courtesy -----------------------------------------------------------------------------------------------------------

function withCourtesy(row: GateRow, random: Random): GateRow {
  return {
    ...row,
    messages: row.messages.map((message) => (message.role === 'user' ? polite(message, random) : message)),
  }
}

function polite(message: GateMessage, random: Random): GateMessage {
  const { content } = message
  // What is pasted is nobody's manner of speaking.
  if (content.includes('\n') || content.trim() === '' || random() < 0.3) return message
  const words = /\p{Script=Han}/u.test(content) ? courtesies.zh : courtesies.en
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(content)) return message
  const before = random() < 0.5 ? (pick(words.before, random) ?? '') : ''
  const after = random() < 0.5 ? (pick(words.after, random) ?? '') : ''
  return { ...message, content: `${before}${content}${after}` }
}
